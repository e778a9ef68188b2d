//! TCP sockets of the program, and whether their peers are programs of the run.
#![allow(unsafe_code)]

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use libc::{c_int, sockaddr, socklen_t};
use rustix::net::SocketAddrAny;

use crate::slot;

/// TCP sockets whose peer is no program of the run.
static OUTSIDE: Mutex<BTreeSet<c_int>> = Mutex::new(BTreeSet::new());

fn outside() -> std::sync::MutexGuard<'static, BTreeSet<c_int>> {
    OUTSIDE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the descriptor is a TCP socket of a program in a run.
pub fn is_tcp(fd: c_int) -> bool {
    let option = |name| {
        let (mut value, mut length) = (0 as c_int, size_of::<c_int>() as socklen_t);
        // SAFETY: the call writes one number, which is valid.
        let result =
            unsafe { libc::getsockopt(fd, libc::SOL_SOCKET, name, (&raw mut value).cast(), &mut length) };
        (result == 0).then_some(value)
    };
    slot::get().is_some()
        && option(libc::SO_TYPE) == Some(libc::SOCK_STREAM)
        && matches!(option(libc::SO_DOMAIN), Some(libc::AF_INET | libc::AF_INET6))
}

/// Whether the descriptor is a TCP socket between programs of the run.
pub fn is_of_run(fd: c_int) -> bool {
    is_tcp(fd) && !outside().contains(&fd)
}

/// The peer of a connected socket gets what the program sends at once: data would wait for an acknowledgement, in real
/// time, while all programs are at rest.
pub fn send_at_once(fd: c_int) {
    let on: c_int = 1;
    // SAFETY: the call reads one number, which is valid.
    unsafe {
        let bytes = size_of_val(&on) as socklen_t;
        libc::setsockopt(fd, libc::IPPROTO_TCP, libc::TCP_NODELAY, (&raw const on).cast(), bytes);
    }
}

/// The peer of a socket is no program of the run.
pub fn set_outside(fd: c_int) {
    outside().insert(fd);
}

/// The program closes a descriptor.
pub fn close(fd: c_int) {
    outside().remove(&fd);
}

/// The address of a socket; none if it is not one of the internet.
///
/// # Safety
/// The address is null or valid for `length` bytes.
pub unsafe fn address(address: *const sockaddr, length: socklen_t) -> Option<SocketAddr> {
    let bytes = length as usize;
    if address.is_null() || bytes < size_of::<libc::sockaddr_in>() {
        return None;
    }
    // SAFETY: the contract of this function; all addresses begin with their family.
    let least = match unsafe { (*address).sa_family }.into() {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        _ => return None,
    };
    if bytes < least {
        return None;
    }
    // SAFETY: the contract of this function; what is behind the address is not read.
    unsafe { SocketAddrAny::read(address.cast(), least as socklen_t) }.try_into().ok()
}

/// The address of a socket of this program.
pub fn own_address(fd: c_int) -> Option<SocketAddr> {
    // SAFETY: numbers may be zero.
    let mut place: libc::sockaddr_storage = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::sockaddr_storage>() as socklen_t;
    let start = (&raw mut place).cast::<sockaddr>();
    // SAFETY: the call writes the address and its length, which are valid.
    unsafe { if libc::getsockname(fd, start, &mut length) != 0 { None } else { address(start, length) } }
}
