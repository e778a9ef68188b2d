//! Numbers of processes and threads that libraries put into messages, which have to be the same in each run.
//!
//! | Asked for | By | Answer |
//! |---|---|---|
//! | `getpid` | the InfiniBand module of UCX, which names itself to its peer | a number made of that of the host |
//! | `syscall(SYS_gettid)` | UCX, for the seed of its identifiers | a number made of those of host and thread |
//!
//! Everybody else gets the number of the operating system, which system calls take. All other system calls go to the
//! operating system.
#![cfg(target_arch = "x86_64")]
#![allow(unsafe_code)]

use std::arch::{asm, naked_asm};
use std::ffi::CStr;

use libc::c_long;

use crate::{link, slot};

/// Number of the first thread on host 0 (our choice).
const FIRST: c_long = 1000;
/// Difference between the numbers of first threads on two hosts.
const APART: c_long = 1 << 12;
/// The largest number of an error that the kernel returns.
const MOST_ERRNO: c_long = 4095;

/// Number of the calling thread, if it belongs to a run.
fn thread() -> Option<c_long> {
    let host = c_long::from(slot::host()?);
    let thread = threads::caller().map_or(0, |caller| c_long::from(caller.number) % APART);
    Some(FIRST + host * APART + thread)
}

/// The library of which calls of `getpid` are answered with a number of this library.
const MODULE: &str = "libuct_ib.so";

/// Whether an address is in the code of that library.
fn is_of_module(address: usize) -> bool {
    // SAFETY: a structure of pointers may be zero.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the place is valid; the address may be any.
    if unsafe { libc::dladdr(address as *const libc::c_void, &mut info) } == 0 || info.dli_fname.is_null() {
        return false;
    }
    // SAFETY: the loader gives a text that ends with a zero.
    let file = unsafe { CStr::from_ptr(info.dli_fname) }.to_bytes();
    file.rsplit(|byte| *byte == b'/').next().is_some_and(|name| name.starts_with(MODULE.as_bytes()))
}

/// Number of the process for a caller at this address.
extern "C" fn process_for(caller: usize) -> libc::pid_t {
    match slot::host() {
        Some(host) if is_of_module(caller) => FIRST as libc::pid_t + host,
        // SAFETY: the call has no arguments.
        _ => unsafe { syscall(libc::SYS_getpid, 0, 0, 0, 0, 0, 0) as libc::pid_t },
    }
}

/// `getpid` of POSIX.
// SAFETY: the name is that of POSIX, taken on purpose. The return address is on top of the stack, and the function jumps
// to another one of the same type but for its argument.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub extern "C" fn getpid() -> libc::pid_t {
    naked_asm!("mov rdi, [rsp]", "jmp {}", sym process_for)
}

/// `syscall` of Linux.
///
/// # Safety
/// As the system call requires.
// SAFETY: the name is that of the C library, taken on purpose. Callers pass up to six arguments; those that they do not pass
// are read, and ignored by the kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn syscall(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    if number == libc::SYS_gettid
        && let Some(thread) = thread()
    {
        return thread;
    }
    let result: c_long;
    // SAFETY: the kernel checks the arguments; the instruction changes these registers alone.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
    }
    if (-MOST_ERRNO..0).contains(&result) {
        link::set_errno(-result as libc::c_int);
        return -1;
    }
    result
}
