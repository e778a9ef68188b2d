//! Functions of the C API. `suci.h` is generated from their signatures.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use suci::{Config, Rules, Security};

use crate::error;
use crate::signature::{Call, InC};
use crate::socket::Datagrams;

/// Peer of the address database in C layout.
#[repr(C)]
pub struct DatagramPeer {
    address: *const c_char,
    port: u16,
    id: u16,
}

/// Address database in C layout.
#[repr(C)]
pub struct DatagramDatabase {
    peers: *const DatagramPeer,
    count: c_int,
    rules: c_int,
    key: *const c_uchar,
}

impl InC for *const DatagramDatabase {
    const NAME: &'static str = "const datagram_database *";
}

/// Numbers of the rules in `suci.h`.
const MODERN: c_int = 1;
const REPAIRED: c_int = 2;
const PRINTED: c_int = 3;
/// Flag in the rules: no protection, and no key.
const TRUSTED: c_int = 16;

const NOTHING: &str = "a pointer is null that has to point to something";

/// Converts a timeout of seconds and microseconds, as for `select`; an error if one is negative.
fn time(sec: c_int, usec: c_int) -> Result<Duration, String> {
    let part =
        |number: c_int| u64::try_from(number).map_err(|_| format!("a time of {number} is less than none"));
    Ok(Duration::from_secs(part(sec)?) + Duration::from_micros(part(usec)?))
}

fn number(id: c_int) -> Result<u16, String> {
    u16::try_from(id).map_err(|_| format!("an id of {id} is not from 0 to 65535"))
}

fn length(bytes: usize) -> c_int {
    c_int::try_from(bytes).unwrap_or(c_int::MAX)
}

/// Converts a result to a return value: -1 for an error, which is stored for `datagram_error`.
fn return_value(result: Result<c_int, String>) -> c_int {
    result.unwrap_or_else(|text| {
        error::tell(text);
        -1
    })
}

/// Calls a function on a socket.
///
/// # Safety
/// `sock` is null, or comes from `datagram`, is not closed, and is not used concurrently.
unsafe fn with(sock: *mut Datagrams, does: impl FnOnce(&mut Datagrams) -> Result<c_int, String>) -> c_int {
    // SAFETY: guaranteed by the caller.
    match unsafe { sock.as_mut() } {
        Some(sock) => return_value(does(sock)),
        None => return_value(Err(NOTHING.into())),
    }
}

/// Buffer of the program.
///
/// # Safety
/// `buf` is null or points to `len` bytes that do not change during the borrow.
unsafe fn bytes<'a>(buf: *const c_void, len: c_int) -> Result<&'a [u8], String> {
    let length = usize::try_from(len).map_err(|_| format!("a length of {len} is less than none"))?;
    if buf.is_null() {
        return Err(NOTHING.into());
    }
    // SAFETY: guaranteed by the caller.
    Ok(unsafe { std::slice::from_raw_parts(buf.cast(), length) })
}

/// IP address of the program.
///
/// # Safety
/// `text` is null or a zero-terminated string.
unsafe fn address(text: *const c_char) -> Result<IpAddr, String> {
    if text.is_null() {
        return Err(NOTHING.into());
    }
    // SAFETY: guaranteed by the caller.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    text.parse().map_err(|_| format!("{text} is no IP address"))
}

/// Configuration from an address database.
///
/// # Safety
/// `addrdb` is null or valid as described in `suci.h`.
unsafe fn config(addrdb: *const DatagramDatabase, id: c_int) -> Result<Config, String> {
    // SAFETY: guaranteed by the caller.
    let addrdb = unsafe { addrdb.as_ref() }.ok_or(NOTHING)?;
    let rules = match addrdb.rules & !TRUSTED {
        MODERN => Rules::MODERN,
        REPAIRED => Rules::REPAIRED,
        PRINTED => Rules::PRINTED,
        other => return Err(format!("there are no rules {other}: DATAGRAM_MODERN, _REPAIRED or _PRINTED")),
    };
    let security = match (addrdb.rules & TRUSTED != 0, addrdb.key.is_null()) {
        (true, true) => Security::Trusted,
        // SAFETY: a key has 32 bytes, as described in `suci.h`.
        (false, false) => Security::SharedKey(unsafe { addrdb.key.cast::<[u8; 32]>().read() }),
        _ => return Err("either a key of 32 bytes or DATAGRAM_TRUSTED has to be given".into()),
    };
    let mut config = Config::new(rules, security);
    config.id = number(id)?;
    let count = usize::try_from(addrdb.count).map_err(|_| "a database has no less than no peers")?;
    if addrdb.peers.is_null() && count > 0 {
        return Err(NOTHING.into());
    }
    for at in 0..count {
        // SAFETY: the array has `count` peers.
        let peer = unsafe { &*addrdb.peers.add(at) };
        // SAFETY: the address is a zero-terminated string.
        config.database.push((SocketAddr::new(unsafe { address(peer.address) }?, peer.port), peer.id));
    }
    config.peers = config.peers.max(count);
    Ok(config)
}

/// Defines the functions and lists them for the header.
macro_rules! calls {
    ($($(#[doc = $doc:literal])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// # Safety
            /// Pointers are valid as described in `suci.h`, and the socket is not used concurrently.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $type),*) -> $result $body
        )*
        /// All functions in the order of the header.
        pub const CALLS: &[Call] = &[$(Call {
            docs: &[$($doc),*],
            name: stringify!($name),
            arguments: &[$((<$type as InC>::NAME, stringify!($argument))),*],
            result: <$result as InC>::NAME,
        }),*];
    };
}

// SAFETY of all blocks below: the caller guarantees what the functions above demand, as described in
// `suci.h`.
calls! {
    /// Opens a socket at a local address and port, port 0 for any free one (Table 1). NULL for an error.
    fn datagram(addrdb: *const DatagramDatabase, myaddr: *const c_char, myport: c_int, myid: c_int) -> *mut Datagrams {
        let port = u16::try_from(myport).map_err(|_| format!("there is no port {myport}"));
        let opened = port.and_then(|port| {
            let config = unsafe { config(addrdb, myid) }?;
            Datagrams::open(unsafe { address(myaddr) }?, port, config)
        });
        match opened {
            Ok(sock) => Box::into_raw(Box::new(sock)),
            Err(text) => {
                error::tell(text);
                std::ptr::null_mut()
            }
        }
    }

    /// Port of the socket, or -1.
    fn datagram_port(sock: *mut Datagrams) -> c_int {
        unsafe { with(sock, |sock| Ok(sock.port()?.into())) }
    }

    /// Selects the peer for datagram_write (Table 1). 0, or -1.
    fn datagram_destination(sock: *mut Datagrams, id: c_int) -> c_int {
        unsafe { with(sock, |sock| sock.choose(number(id)?).map(|()| 0)) }
    }

    /// Sends a block and waits for room in the queue (Table 1). Its length, or -1.
    fn datagram_write(sock: *mut Datagrams, buf: *const c_void, len: c_int) -> c_int {
        unsafe {
            with(sock, |sock| {
                let block = bytes(buf, len)?;
                while !sock.write(block, Duration::from_secs(1))? {}
                Ok(len)
            })
        }
    }

    /// Sends a block without waiting (sample of section 4.3). Its length, 0 if the queue is full, or -1.
    fn datagram_write0(sock: *mut Datagrams, buf: *const c_void, len: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(if sock.write(bytes(buf, len)?, Duration::ZERO)? { len } else { 0 })) }
    }

    /// Waits for the next block and takes it (Table 1). Its length, or -1; a block longer than len is an
    /// error and remains.
    fn datagram_read(sock: *mut Datagrams, buf: *mut c_void, len: c_int) -> c_int {
        unsafe {
            with(sock, |sock| loop {
                match read(sock, buf, len, Duration::from_secs(1)) {
                    Ok(0) => {}
                    other => return other,
                }
            })
        }
    }

    /// Takes the next block without waiting (sample of section 4.3). Its length, 0 if there is none, or -1.
    fn datagram_read0(sock: *mut Datagrams, buf: *mut c_void, len: c_int) -> c_int {
        unsafe { with(sock, |sock| read(sock, buf, len, Duration::ZERO)) }
    }

    /// Waits for the next block, at most for the given time (section 4.3). Its length, 0 if there is none, or
    /// -1.
    fn datagram_ready(sock: *mut Datagrams, sec: c_int, usec: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(sock.ready(time(sec, usec)?)?.map_or(0, length))) }
    }

    /// Waits until a block of this size can be written to id without waiting, at most for the given time
    /// (section 4.3). 1, 0 if it cannot, or -1.
    fn datagram_wait(sock: *mut Datagrams, sec: c_int, usec: c_int, size: c_int, id: c_int) -> c_int {
        unsafe {
            with(sock, |sock| {
                let size = usize::try_from(size).map_err(|_| format!("a size of {size} is less than none"))?;
                Ok(sock.wait(size, number(id)?, time(sec, usec)?)?.into())
            })
        }
    }

    /// Number of unacknowledged blocks to id (section 4.3), or -1.
    fn datagram_queue_length(sock: *mut Datagrams, id: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(length(sock.queued(number(id)?)?))) }
    }

    /// Retransmits unacknowledged packets to id, with the rules that leave this to the program (sample of
    /// section 4.3). 0, or -1.
    fn datagram_retransmission(sock: *mut Datagrams, id: c_int) -> c_int {
        unsafe { with(sock, |sock| sock.again(number(id)?).map(|()| 0)) }
    }

    /// Extension: id of the sender of the last block read, or -1.
    fn datagram_from(sock: *mut Datagrams) -> c_int {
        unsafe { with(sock, |sock| sock.from().map(c_int::from).ok_or("nothing was read yet".into())) }
    }

    /// Extension: waits until id has acknowledged all blocks, at most for the given time. 1, 0 if it has not,
    /// or -1.
    fn datagram_flush(sock: *mut Datagrams, sec: c_int, usec: c_int, id: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(sock.flush(number(id)?, time(sec, usec)?)?.into())) }
    }

    /// Extension: closes the socket and its connections, and frees it. NULL is ignored.
    fn datagram_close(sock: *mut Datagrams) -> () {
        if !sock.is_null() {
            unsafe { Box::from_raw(sock) }.close();
        }
    }

    /// Extension: message of the last call of this thread that failed, valid until the next failure.
    fn datagram_error() -> *const c_char {
        error::last(|text| text.as_ptr())
    }
}

/// Copies the next block into the memory of the program. Returns its length, or 0 if there is none.
///
/// # Safety
/// `buf` is null or points to `len` writable bytes.
unsafe fn read(sock: &mut Datagrams, buf: *mut c_void, len: c_int, wait: Duration) -> Result<c_int, String> {
    let most = usize::try_from(len).map_err(|_| format!("a length of {len} is less than none"))?;
    if buf.is_null() {
        return Err(NOTHING.into());
    }
    let Some(block) = sock.read(most, wait)? else { return Ok(0) };
    // SAFETY: the block is not longer than the buffer.
    unsafe { std::ptr::copy_nonoverlapping(block.as_ptr(), buf.cast(), block.len()) };
    Ok(length(block.len()))
}
