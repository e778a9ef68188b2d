//! Sockets: data goes through the operating system, but before a program blocks it waits in virtual time.
//!
//! TCP sockets to other programs of the run become readable at ticks of virtual time. All other descriptors, such as a
//! pipe or a connection to a program outside, belong to the operating system: the program waits for them too without
//! holding up the others.
#![allow(unsafe_code)]

use libc::{c_int, c_void, iovec, msghdr, size_t, sockaddr, socklen_t, ssize_t};
use processes::verbs::Call;
use processes::verbs::call::{Listener, listening};

use crate::descriptor::is_blocking;
use crate::waiting::{self, Descriptors, LOOK_PS, Outcome};
use crate::{connections, link, loopback, outside, slot, tcp, timers, virtual_time};

/// Real time that bytes of another program may take to become readable, in ms. On Linux they are readable at once.
const DELIVERY_MS: c_int = 20;

/// Whether the descriptor has data or an end, or a connection to accept, within so much real time.
fn is_readable(fd: c_int, ms: c_int) -> bool {
    let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    // SAFETY: the call reads and writes one `pollfd`, which is valid. Errors are those of the read that follows.
    unsafe { libc::syscall(libc::SYS_poll, &raw mut poll, 1, ms) != 0 }
}

/// Waits in virtual time until the descriptor has data, or a connection to accept, unless it or the flags of a receive
/// say that the program does not block. An error if a timer of the program has
/// sent a signal.
fn wait(function: &str, fd: c_int, flags: c_int) -> Result<(), ()> {
    if slot::get().is_none() {
        return Ok(());
    }
    let is_of_run = tcp::is_of_run(fd);
    if !is_of_run {
        outside::settle_for(fd);
    }
    if flags & libc::MSG_DONTWAIT != 0 || !is_blocking(fd) {
        // The program may look again and again, and its other threads go on.
        if is_of_run {
            link::prepare_sockets(function, false);
        }
        if !is_readable(fd, 0) {
            virtual_time::spend_ps(LOOK_PS);
        }
        return Ok(());
    }
    let mut patience = 0;
    if is_of_run {
        let _ = link::ask(function, Call::WaitForSocket { again: false });
        patience = DELIVERY_MS;
    } else if timers::is_timer(fd) {
        timers::run();
    }
    if is_readable(fd, patience) {
        return Ok(());
    }
    let mut descriptors = Descriptors::new();
    descriptors.add(fd);
    match descriptors.block(function, u64::MAX, || is_readable(fd, 0).then_some(())) {
        Outcome::Interrupted => {
            link::set_errno(libc::EINTR);
            Err(())
        }
        _ => Ok(()),
    }
}

/// Waits for a time of virtual time at which the program may do what the peer of a socket sees; whether the peer is a
/// program of the run.
fn prepare_send(function: &str, fd: c_int) -> bool {
    let is_of_run = tcp::is_of_run(fd);
    if is_of_run {
        link::prepare_sockets(function, true);
    }
    is_of_run
}

/// Makes a system call that the peer of a socket sees, and reports it if it succeeds.
fn send_by(function: &str, fd: c_int, system_call: impl FnOnce() -> i64) -> i64 {
    let is_of_run = prepare_send(function, fd);
    let result = system_call();
    if is_of_run && result >= 0 {
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
    if wait("accept", fd, 0).is_err() {
        return -1;
    }
    // SAFETY: see above.
    let accepted = unsafe { libc::syscall(libc::SYS_accept4, fd, address, length, flags) as c_int };
    if accepted >= 0 && tcp::is_tcp(accepted) {
        tcp::send_at_once(accepted);
    }
    accepted
}

/// `connect` of POSIX. A blocking one waits until another program has used a socket: a user, too, starts the server
/// first. If all programs wait, the peer is outside; the servers of a launcher are there before its programs.
#[unsafe(no_mangle)]
pub extern "C" fn connect(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: see above.
    let mut peer = unsafe { tcp::address(address, length) }.filter(|_| tcp::is_tcp(fd));
    if let Some(at) = peer {
        let blocks = is_blocking(fd) && slot::launcher().is_none();
        let listens = link::number("connect", Call::WaitForPeer { port: at.port(), blocks });
        if listens == Ok(listening::NOWHERE) {
            tcp::set_outside(fd);
        }
        tcp::send_at_once(fd);
        peer = peer.filter(|_| listens == Ok(listening::AT_RUN));
    }
    let connect = || {
        let in_run = peer.and_then(|peer| loopback::connect(fd, peer));
        // SAFETY: see above.
        in_run.map_or_else(|| unsafe { libc::syscall(libc::SYS_connect, fd, address, length) }, i64::from)
    };
    send_by("connect", fd, connect) as c_int
}

/// `listen` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn listen(fd: c_int, backlog: c_int) -> c_int {
    // SAFETY: see above.
    let result = send_by("listen", fd, || unsafe { libc::syscall(libc::SYS_listen, fd, backlog) }) as c_int;
    if let Some(own) = tcp::own_address(fd).filter(|_| result == 0 && tcp::is_tcp(fd)) {
        link::report_listening(Listener { port: own.port(), is_at_run: loopback::is_of_run(own) });
    }
    result
}

/// `read` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn read(fd: c_int, buffer: *mut c_void, bytes: size_t) -> ssize_t {
    if wait("read", fd, 0).is_err() {
        return -1;
    }
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_read, fd, buffer, bytes) as ssize_t }
}

/// `readv` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn readv(fd: c_int, buffers: *const iovec, count: c_int) -> ssize_t {
    if wait("readv", fd, 0).is_err() {
        return -1;
    }
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_readv, fd, buffers, count) as ssize_t }
}

/// `recv` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn recv(fd: c_int, buffer: *mut c_void, bytes: size_t, flags: c_int) -> ssize_t {
    recvfrom(fd, buffer, bytes, flags, std::ptr::null_mut(), std::ptr::null_mut())
}

/// `recvfrom` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn recvfrom(
    fd: c_int,
    buffer: *mut c_void,
    bytes: size_t,
    flags: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
) -> ssize_t {
    if wait("recv", fd, flags).is_err() {
        return -1;
    }
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_recvfrom, fd, buffer, bytes, flags, address, length) as ssize_t }
}

/// `recvmsg` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn recvmsg(fd: c_int, message: *mut msghdr, flags: c_int) -> ssize_t {
    if wait("recvmsg", fd, flags).is_err() {
        return -1;
    }
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_recvmsg, fd, message, flags) as ssize_t }
}

/// `write` of POSIX; commands of the connection manager are written to its channels.
#[unsafe(no_mangle)]
pub extern "C" fn write(fd: c_int, buffer: *const c_void, bytes: size_t) -> ssize_t {
    // SAFETY: see above.
    if let Some(result) = unsafe { connections::write(fd, buffer, bytes) } {
        return result;
    }
    // SAFETY: see above.
    send_by("write", fd, || unsafe { libc::syscall(libc::SYS_write, fd, buffer, bytes) }) as ssize_t
}

/// `writev` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn writev(fd: c_int, buffers: *const iovec, count: c_int) -> ssize_t {
    // SAFETY: see above.
    send_by("writev", fd, || unsafe { libc::syscall(libc::SYS_writev, fd, buffers, count) }) as ssize_t
}

/// `send` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn send(fd: c_int, buffer: *const c_void, bytes: size_t, flags: c_int) -> ssize_t {
    sendto(fd, buffer, bytes, flags, std::ptr::null(), 0)
}

/// `sendto` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sendto(
    fd: c_int,
    buffer: *const c_void,
    bytes: size_t,
    flags: c_int,
    address: *const sockaddr,
    length: socklen_t,
) -> ssize_t {
    // SAFETY: see above.
    send_by("send", fd, || unsafe {
        libc::syscall(libc::SYS_sendto, fd, buffer, bytes, flags, address, length)
    }) as ssize_t
}

/// `sendmsg` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sendmsg(fd: c_int, message: *const msghdr, flags: c_int) -> ssize_t {
    // SAFETY: see above.
    send_by("sendmsg", fd, || unsafe { libc::syscall(libc::SYS_sendmsg, fd, message, flags) }) as ssize_t
}

/// `close` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn close(fd: c_int) -> c_int {
    if prepare_send("close", fd) {
        link::report_out_of_band();
    }
    tcp::close(fd);
    timers::close(fd);
    waiting::close(fd);
    connections::close(fd);
    // SAFETY: see above.
    unsafe { libc::syscall(libc::SYS_close, fd) as c_int }
}

/// `shutdown` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn shutdown(fd: c_int, how: c_int) -> c_int {
    // SAFETY: see above.
    send_by("shutdown", fd, || unsafe { libc::syscall(libc::SYS_shutdown, fd, how) }) as c_int
}
