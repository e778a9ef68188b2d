//! The address of a run: programs of several runs on a computer listen on the same ports and do not meet.
//!
//! | A program | In the operating system |
//! |---|---|
//! | binds a TCP socket to a port, at an address of this computer | it is bound to this port at the address of the run |
//! | connects to an address of this computer, where a program of the run listens so | it is connected to the address of the run |
//!
//! Ports that the operating system chooses do not collide; sockets with them, and all others, keep their addresses. The
//! address is one of the loopback interface, 127.64.0.0/10, with the number of the run.
#![allow(unsafe_code)]

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::os::fd::BorrowedFd;

use libc::{c_int, sockaddr, socklen_t};
use rustix::net::{bind as bind_to, connect as connect_to, sockopt};

use crate::{link, slot, tcp};

/// The first address; numbers of processes have 22 bits at most.
const FIRST: u32 = u32::from_be_bytes([127, 64, 0, 0]);
const NUMBERS: u32 = (1 << 22) - 1;

/// The address of this run.
fn of_run() -> Option<Ipv4Addr> {
    Some(Ipv4Addr::from(FIRST | slot::get()?.run() & NUMBERS))
}

/// Whether an address belongs to the run.
pub fn is_of_run(address: SocketAddr) -> bool {
    of_run().is_some_and(|of_run| address.ip().to_canonical() == IpAddr::V4(of_run))
}

/// Whether a socket can be bound to an address.
fn is_of_computer(address: IpAddr) -> bool {
    let address = address.to_canonical();
    address.is_unspecified() || address.is_loopback() || UdpSocket::bind((address, 0)).is_ok()
}

/// The address of the run, in place of one of this computer; none for others and without a port.
fn replacement(of: SocketAddr) -> Option<SocketAddr> {
    if of.port() == 0 || !is_of_computer(of.ip()) {
        return None;
    }
    let of_run = of_run()?;
    let ip = if of.is_ipv4() { IpAddr::V4(of_run) } else { IpAddr::V6(of_run.to_ipv6_mapped()) };
    Some(SocketAddr::new(ip, of.port()))
}

/// The result of a function of POSIX.
fn result_of(result: rustix::io::Result<()>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(errno) => {
            link::set_errno(errno.raw_os_error());
            -1
        }
    }
}

/// Binds a TCP socket; none if its address is to stay.
fn bind_in_run(fd: c_int, address: SocketAddr) -> Option<c_int> {
    let replacement = replacement(address)?;
    // SAFETY: the descriptor is open, for it is a TCP socket; it is borrowed for this function.
    let socket = unsafe { BorrowedFd::borrow_raw(fd) };
    // Such a socket takes no address of IPv4, and may share its port with one that does.
    let is_apart = replacement.is_ipv6() && sockopt::ipv6_v6only(socket) != Ok(false);
    (!is_apart).then(|| result_of(bind_to(socket, &replacement)))
}

/// Connects a TCP socket to a program that listens at the address of the run; none for an address outside this computer.
pub fn connect(fd: c_int, address: SocketAddr) -> Option<c_int> {
    let replacement = replacement(address)?;
    // SAFETY: the descriptor is open, for it is a TCP socket; it is borrowed for this function.
    let socket = unsafe { BorrowedFd::borrow_raw(fd) };
    if replacement.is_ipv6() {
        let _ = sockopt::set_ipv6_v6only(socket, false);
    }
    Some(result_of(connect_to(socket, &replacement)))
}

/// `bind` of POSIX.
// SAFETY: the name is that of POSIX, taken on purpose. The arguments go to the operating system, which checks them.
#[unsafe(no_mangle)]
pub extern "C" fn bind(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: the caller passes an address of this length.
    let own = unsafe { tcp::address(address, length) }.filter(|_| tcp::is_tcp(fd));
    own.and_then(|own| bind_in_run(fd, own)).unwrap_or_else(|| {
        // SAFETY: see above.
        unsafe { libc::syscall(libc::SYS_bind, fd, address, length) as c_int }
    })
}
