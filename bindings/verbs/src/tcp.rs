//! TCP sockets of the program, and whether their peers are programs of the run.
#![allow(unsafe_code)]

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use libc::{c_int, sockaddr, socklen_t};

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

/// Port of an internet address, in host byte order.
///
/// # Safety
/// The address is null or valid for `length` bytes.
pub unsafe fn port(address: *const sockaddr, length: socklen_t) -> Option<u16> {
    if address.is_null() || (length as usize) < size_of::<libc::sockaddr_in>() {
        return None;
    }
    // SAFETY: the contract of this function; the port has the same place in both structures.
    unsafe {
        let is_internet = matches!((*address).sa_family.into(), libc::AF_INET | libc::AF_INET6);
        is_internet.then(|| u16::from_be((*address.cast::<libc::sockaddr_in>()).sin_port))
    }
}

/// Port of a socket of this program.
pub fn own_port(fd: c_int) -> Option<u16> {
    // SAFETY: numbers may be zero.
    let mut address: libc::sockaddr_storage = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::sockaddr_storage>() as socklen_t;
    // SAFETY: the call writes the address and its length, which are valid.
    unsafe {
        let place = (&raw mut address).cast::<sockaddr>();
        if libc::getsockname(fd, place, &mut length) != 0 { None } else { port(place, length) }
    }
}
