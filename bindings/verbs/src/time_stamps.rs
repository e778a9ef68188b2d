//! The time-stamp counter of the processor, in virtual time.
//!
//! Once a program has opened the device, the operating system refuses it the instructions `rdtsc` and `rdtscp` with
//! `SIGSEGV`; the handler of this library carries them out. The counter runs at the frequency that the processor of this
//! computer is named with, because programs take it from there, or measure it. Programs that the process executes have
//! the counter of the processor again.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use libc::{c_char, c_int, c_void, pid_t, sighandler_t, siginfo_t, ucontext_t};

use crate::{next_function, virtual_time};

/// Clock of the counter in MHz where the processor's name has none: that of the modelled computer (decision 0064).
const MODELLED_MHZ: u64 = 2_600;
/// `PR_TSC_ENABLE` and `PR_TSC_SIGSEGV` of prctl(2).
const ENABLE: c_int = 1;
const REFUSE: c_int = 2;

static IS_ON: AtomicBool = AtomicBool::new(false);
static MHZ: AtomicU64 = AtomicU64::new(MODELLED_MHZ);
/// The program's own handling of `SIGSEGV`.
static PROGRAM: Mutex<Option<libc::sigaction>> = Mutex::new(None);

/// The clock in the name of the processor, such as `Xeon @ 2.60GHz`.
fn named_mhz(information: &str) -> Option<u64> {
    let line = information.lines().find(|line| line.starts_with("model name"))?;
    let ghz: f64 = line.rsplit_once("@ ")?.1.strip_suffix("GHz")?.trim().parse().ok()?;
    Some((ghz * 1000.0).round() as u64).filter(|mhz| *mhz > 0)
}

fn allow(setting: c_int) -> bool {
    // SAFETY: the arguments are numbers; the call changes this thread alone.
    unsafe { libc::prctl(libc::PR_SET_TSC, setting, 0, 0, 0) == 0 }
}

/// Refuses the instructions to this thread and to those that it starts later.
pub fn trap() {
    if !cfg!(target_arch = "x86_64") || IS_ON.swap(true, Relaxed) {
        return;
    }
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    MHZ.store(named_mhz(&information).unwrap_or(MODELLED_MHZ), Relaxed);
    // SAFETY: numbers and absent functions may be zero.
    let mut own: libc::sigaction = unsafe { zeroed() };
    own.sa_sigaction = handle as *const () as usize;
    own.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER | libc::SA_ONSTACK;
    // SAFETY: numbers and absent functions may be zero.
    let mut old = unsafe { zeroed() };
    if real_sigaction(libc::SIGSEGV, &own, &mut old) != 0 || !allow(REFUSE) {
        IS_ON.store(false, Relaxed);
        return;
    }
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(old);
    // SAFETY: the handler in the child makes a system call alone.
    unsafe { libc::pthread_atfork(None, None, Some(release)) };
}

/// A fork of the program has the counter of the processor.
extern "C" fn release() {
    if IS_ON.load(Relaxed) {
        allow(ENABLE);
    }
}

/// Gives the counter of the processor to a program that `start` starts.
fn without<T>(start: impl FnOnce() -> T) -> T {
    release();
    let result = start();
    if IS_ON.load(Relaxed) && crate::slot::get().is_some() {
        allow(REFUSE);
    }
    result
}

/// Carries out an instruction that reads the counter; all other faults go to the program.
extern "C" fn handle(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: the kernel passes valid structures.
        let (code, registers) =
            unsafe { ((*information).si_code, &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs) };
        /// `SI_KERNEL`: a fault without an address.
        const KERNEL: c_int = 0x80;
        let at = registers[libc::REG_RIP as usize];
        let instruction = |bytes: &[u8]| {
            // SAFETY: the processor has just fetched the instruction, whose first bytes these are.
            bytes.iter().enumerate().all(|(place, byte)| unsafe { *(at as *const u8).add(place) } == *byte)
        };
        // An instruction of one byte may be the last one of its page, so later bytes are read after the first ones fit.
        let length = match () {
            () if code != KERNEL => 0,
            () if instruction(&[0x0f, 0x31]) => 2,
            () if instruction(&[0x0f, 0x01, 0xf9]) => 3,
            () => 0,
        };
        if length > 0 {
            let ps = virtual_time::read_counter_ps().unwrap_or_default();
            let counter = u128::from(ps) * u128::from(MHZ.load(Relaxed)) / 1_000_000;
            registers[libc::REG_RAX as usize] = (counter & 0xffff_ffff) as i64;
            registers[libc::REG_RDX as usize] = (counter >> 32 & 0xffff_ffff) as i64;
            if length == 3 {
                registers[libc::REG_RCX as usize] = 0;
            }
            registers[libc::REG_RIP as usize] = at + length;
            return;
        }
    }
    pass_on(signal, information, context);
}

/// Lets the program handle a fault of its own.
fn pass_on(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    let program = *PROGRAM.lock().unwrap_or_else(PoisonError::into_inner);
    match program {
        Some(own) if own.sa_sigaction > libc::SIG_IGN && own.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: the program has given a function of this type.
            let function: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                unsafe { std::mem::transmute(own.sa_sigaction) };
            function(signal, information, context);
        }
        Some(own) if own.sa_sigaction > libc::SIG_IGN => {
            // SAFETY: the program has given a function of this type.
            let function: extern "C" fn(c_int) = unsafe { std::mem::transmute(own.sa_sigaction) };
            function(signal);
        }
        _ => {
            // The instruction is carried out again and ends the process, as without a handler; a signal that another
            // program has sent comes from no instruction.
            // SAFETY: numbers and absent functions may be zero; the kernel passes valid structures.
            let (default, sent): (libc::sigaction, _) = unsafe { (zeroed(), (*information).si_code <= 0) };
            real_sigaction(signal, &default, std::ptr::null_mut());
            if sent {
                // SAFETY: a signal of this thread, to itself.
                unsafe { libc::raise(signal) };
            }
        }
    }
}

/// `sigaction` of the C library.
pub fn real_sigaction(signal: c_int, new: *const libc::sigaction, old: *mut libc::sigaction) -> c_int {
    static NEXT: OnceLock<usize> = OnceLock::new();
    let real: extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int =
        next_function::find(&NEXT, c"sigaction");
    real(signal, new, old)
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. The functions behind them have these types, and the
// caller passes valid pointers.

/// `sigaction` of POSIX; the handler of `SIGSEGV` of this library stays in front of that of the program.
#[unsafe(no_mangle)]
pub extern "C" fn sigaction(signal: c_int, new: *const libc::sigaction, old: *mut libc::sigaction) -> c_int {
    if signal != libc::SIGSEGV || !IS_ON.load(Relaxed) {
        return real_sigaction(signal, new, old);
    }
    let mut program = PROGRAM.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: see above; numbers and absent functions may be zero.
    unsafe {
        if !old.is_null() {
            *old = program.unwrap_or_else(|| zeroed());
        }
        if !new.is_null() {
            *program = Some(*new);
        }
    }
    0
}

/// `signal` of C, as [`sigaction`].
#[unsafe(no_mangle)]
pub extern "C" fn signal(number: c_int, handler: sighandler_t) -> sighandler_t {
    if number != libc::SIGSEGV || !IS_ON.load(Relaxed) {
        static NEXT: OnceLock<usize> = OnceLock::new();
        let real: extern "C" fn(c_int, sighandler_t) -> sighandler_t = next_function::find(&NEXT, c"signal");
        return real(number, handler);
    }
    // SAFETY: numbers and absent functions may be zero.
    let (mut new, mut old): (libc::sigaction, libc::sigaction) = unsafe { (zeroed(), zeroed()) };
    (new.sa_sigaction, new.sa_flags) = (handler, libc::SA_RESTART);
    sigaction(number, &new, &mut old);
    old.sa_sigaction
}

type Words = *const *const c_char;

/// Functions that replace the program of this process.
macro_rules! executes {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(
            /// As in POSIX; the new program has the counter of the processor.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name($($argument: $kind),*) -> c_int {
                static NEXT: OnceLock<usize> = OnceLock::new();
                let name = concat!(stringify!($name), "\0");
                let name = std::ffi::CStr::from_bytes_with_nul(name.as_bytes()).expect("it ends with a zero");
                let real: extern "C" fn($($kind),*) -> c_int = next_function::find(&NEXT, name);
                without(|| real($($argument),*))
            }
        )*
    };
}

executes! {
    execv(path: *const c_char, words: Words);
    execve(path: *const c_char, words: Words, variables: Words);
    execvp(file: *const c_char, words: Words);
    execvpe(file: *const c_char, words: Words, variables: Words);
    posix_spawn(
        process: *mut pid_t,
        path: *const c_char,
        actions: *const c_void,
        attributes: *const c_void,
        words: Words,
        variables: Words
    );
    posix_spawnp(
        process: *mut pid_t,
        file: *const c_char,
        actions: *const c_void,
        attributes: *const c_void,
        words: Words,
        variables: Words
    );
    system(command: *const c_char);
}

/// `popen` of POSIX; the command has the counter of the processor.
#[unsafe(no_mangle)]
pub extern "C" fn popen(command: *const c_char, mode: *const c_char) -> *mut libc::FILE {
    static NEXT: OnceLock<usize> = OnceLock::new();
    let real: extern "C" fn(*const c_char, *const c_char) -> *mut libc::FILE =
        next_function::find(&NEXT, c"popen");
    without(|| real(command, mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequency_is_that_in_the_name_of_the_processor() {
        let information = "processor : 0\nmodel name\t: Intel(R) Xeon(R) CPU @ 2.20GHz\ncpu MHz : 2199.9\n";
        assert_eq!(named_mhz(information), Some(2_200));
        assert_eq!(named_mhz("model name\t: AMD EPYC\n"), None);
    }
}
