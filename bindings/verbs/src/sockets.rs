//! Sockets: what guests tell each other beside the adapter goes through the operating system, and the simulator is told before a guest waits for it.
//!
//! Only connections of IP that block are looked at; everything else goes past.
#![allow(unsafe_code)]

use libc::{c_int, c_void, size_t, sockaddr, socklen_t, ssize_t};
use processes::verbs::Call;

use crate::link;

/// For how long, in ms of real time, bytes that another guest has written may take to be there. They are there at once on all that is known.
const WAY_MS: c_int = 20;

/// Whether a guest waits at this descriptor, or is heard through it.
fn is_way(fd: c_int) -> bool {
    let option = |name| {
        let (mut value, mut length) = (0 as c_int, size_of::<c_int>() as socklen_t);
        // SAFETY: the call writes one number, which is there.
        let got =
            unsafe { libc::getsockopt(fd, libc::SOL_SOCKET, name, (&raw mut value).cast(), &mut length) };
        (got == 0).then_some(value)
    };
    link::slot().is_some()
        && option(libc::SO_TYPE) == Some(libc::SOCK_STREAM)
        && matches!(option(libc::SO_DOMAIN), Some(libc::AF_INET | libc::AF_INET6))
}

fn blocks(fd: c_int) -> bool {
    // SAFETY: the call reads flags of a descriptor.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    flags & libc::O_NONBLOCK == 0
}

/// Waits in virtual time until there is something to read, or somebody to accept.
fn wait(function: &str, fd: c_int) {
    if !is_way(fd) || !blocks(fd) {
        return;
    }
    let mut again = false;
    while link::ask(function, Call::Waits { again }).is_ok() {
        let mut look = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // SAFETY: the call reads and writes one `pollfd`, which is there.
        if unsafe { libc::poll(&mut look, 1, WAY_MS) } != 0 {
            return;
        }
        again = true;
    }
}

/// What a call gave; others hear of it if it went well.
fn spoken(fd: c_int, gave: i64) -> i64 {
    if gave >= 0 && is_way(fd) {
        link::speaks();
    }
    gave
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. The arguments are those of the caller, and the operating system checks them.
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

/// `connect` of POSIX. A guest that calls before anybody has said anything waits until somebody has: programs are started one after the other by hand, too.
#[unsafe(no_mangle)]
pub extern "C" fn connect(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    if is_way(fd) && blocks(fd) {
        let _ = link::ask("connect", Call::Meets);
    }
    // SAFETY: see above.
    spoken(fd, unsafe { libc::syscall(libc::SYS_connect, fd, address, length) }) as c_int
}

/// `listen` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn listen(fd: c_int, backlog: c_int) -> c_int {
    // SAFETY: see above.
    spoken(fd, unsafe { libc::syscall(libc::SYS_listen, fd, backlog) }) as c_int
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
    spoken(fd, unsafe { libc::syscall(libc::SYS_write, fd, buffer, bytes) }) as ssize_t
}

/// `send` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn send(fd: c_int, buffer: *const c_void, bytes: size_t, flags: c_int) -> ssize_t {
    let none = std::ptr::null::<c_void>();
    // SAFETY: see above.
    spoken(fd, unsafe { libc::syscall(libc::SYS_sendto, fd, buffer, bytes, flags, none, 0) }) as ssize_t
}

/// `close` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn close(fd: c_int) -> c_int {
    if is_way(fd) {
        link::speaks();
    }
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_close, fd) as c_int }
}

/// `shutdown` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn shutdown(fd: c_int, how: c_int) -> c_int {
    // SAFETY: see above.
    spoken(fd, unsafe { libc::syscall(libc::SYS_shutdown, fd, how) }) as c_int
}
