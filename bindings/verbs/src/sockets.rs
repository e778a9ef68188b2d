//! Sockets: data goes through the operating system, but before a program blocks it waits in virtual time.
//!
//! This concerns blocking TCP sockets alone; all others go past the simulator.
#![allow(unsafe_code)]

use libc::{c_int, c_void, size_t, sockaddr, socklen_t, ssize_t};
use processes::verbs::Call;

use crate::link;
use crate::slot;

/// Real time that bytes of another program may take to become readable, in ms. On Linux they are readable at once.
const DELIVERY_MS: c_int = 20;

/// Whether the descriptor is a TCP socket of a program in a run.
fn is_tracked(fd: c_int) -> bool {
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

fn is_blocking(fd: c_int) -> bool {
    // SAFETY: the arguments are numbers.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    flags & libc::O_NONBLOCK == 0
}

/// Waits in virtual time until the socket has data, or a connection to accept.
fn wait(function: &str, fd: c_int) {
    if !is_tracked(fd) || !is_blocking(fd) {
        return;
    }
    let mut again = false;
    while link::ask(function, Call::WaitForSocket { again }).is_ok() {
        let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // SAFETY: the call reads and writes one `pollfd`, which is valid.
        if unsafe { libc::poll(&mut poll, 1, DELIVERY_MS) } != 0 {
            return;
        }
        again = true;
    }
}

/// Passes a result on, and reports the socket operation if it succeeded.
fn report(fd: c_int, result: i64) -> i64 {
    if result >= 0 && is_tracked(fd) {
        link::report_out_of_band();
    }
    result
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. The arguments go to the operating system, which
// checks them.

/// `accept` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn accept(fd: c_int, address: *mut sockaddr, length: *mut socklen_t) -> c_int {
    accept4(fd, address, length, 0)
}

/// `accept4` of Linux.
#[unsafe(no_mangle)]
pub extern "C" fn accept4(fd: c_int, address: *mut sockaddr, length: *mut socklen_t, flags: c_int) -> c_int {
    wait("accept", fd);
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_accept4, fd, address, length, flags) as c_int }
}

/// `connect` of POSIX. It waits until another program has used a socket: a user, too, starts the server first.
#[unsafe(no_mangle)]
pub extern "C" fn connect(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    if is_tracked(fd) && is_blocking(fd) {
        let _ = link::ask("connect", Call::WaitForPeer);
    }
    // SAFETY: see above.
    report(fd, unsafe { libc::syscall(libc::SYS_connect, fd, address, length) }) as c_int
}

/// `listen` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn listen(fd: c_int, backlog: c_int) -> c_int {
    // SAFETY: see above.
    report(fd, unsafe { libc::syscall(libc::SYS_listen, fd, backlog) }) as c_int
}

/// `read` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn read(fd: c_int, buffer: *mut c_void, bytes: size_t) -> ssize_t {
    wait("read", fd);
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_read, fd, buffer, bytes) as ssize_t }
}

/// `recv` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn recv(fd: c_int, buffer: *mut c_void, bytes: size_t, flags: c_int) -> ssize_t {
    if flags & libc::MSG_DONTWAIT == 0 {
        wait("recv", fd);
    }
    let none = std::ptr::null_mut::<c_void>();
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_recvfrom, fd, buffer, bytes, flags, none, none) as ssize_t }
}

/// `write` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn write(fd: c_int, buffer: *const c_void, bytes: size_t) -> ssize_t {
    // SAFETY: see above.
    report(fd, unsafe { libc::syscall(libc::SYS_write, fd, buffer, bytes) }) as ssize_t
}

/// `send` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn send(fd: c_int, buffer: *const c_void, bytes: size_t, flags: c_int) -> ssize_t {
    let none = std::ptr::null::<c_void>();
    // SAFETY: see above.
    report(fd, unsafe { libc::syscall(libc::SYS_sendto, fd, buffer, bytes, flags, none, 0) }) as ssize_t
}

/// `close` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn close(fd: c_int) -> c_int {
    if is_tracked(fd) {
        link::report_out_of_band();
    }
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_close, fd) as c_int }
}

/// `shutdown` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn shutdown(fd: c_int, how: c_int) -> c_int {
    // SAFETY: see above.
    report(fd, unsafe { libc::syscall(libc::SYS_shutdown, fd, how) }) as c_int
}
