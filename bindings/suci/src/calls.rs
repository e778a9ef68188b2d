//! What programs in C call. Each is written once: its signature is what `suci.h` is made of.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use suci::{Config, Rules, Security};

use crate::error;
use crate::header::{Call, InC};
use crate::socket::Datagrams;

/// A peer of the address database, as C has it.
#[repr(C)]
pub struct DatagramPeer {
    address: *const c_char,
    port: u16,
    id: u16,
}

/// The address database, as C has it.
#[repr(C)]
pub struct DatagramDatabase {
    peers: *const DatagramPeer,
    count: c_int,
    rules: c_int,
    key: *const c_uchar,
}

/// Rules, by their numbers in `suci.h`.
const MODERN: c_int = 1;
const REPAIRED: c_int = 2;
const PRINTED: c_int = 3;
/// Protection by a key, or the word that there is none.
const TRUSTED: c_int = 16;

const NOTHING: &str = "a pointer is null that has to point to something";

/// A wait of two numbers, as for `select`; none if one of them is negative.
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

/// What a call returns; -1 for an error, which is kept for `datagram_error`.
fn told(result: Result<c_int, String>) -> c_int {
    result.unwrap_or_else(|text| {
        error::tell(text);
        -1
    })
}

/// Does something with a socket.
///
/// # Safety
/// It is null, or of `datagram` and not closed, and nobody else uses it meanwhile.
unsafe fn with(sock: *mut Datagrams, does: impl FnOnce(&mut Datagrams) -> Result<c_int, String>) -> c_int {
    // SAFETY: as the caller says.
    match unsafe { sock.as_mut() } {
        Some(sock) => told(does(sock)),
        None => told(Err(NOTHING.into())),
    }
}

/// The bytes of a program.
///
/// # Safety
/// There are so many, and nobody changes them meanwhile.
unsafe fn bytes<'a>(buf: *const c_void, len: c_int) -> Result<&'a [u8], String> {
    let length = usize::try_from(len).map_err(|_| format!("a length of {len} is less than none"))?;
    if buf.is_null() {
        return Err(NOTHING.into());
    }
    // SAFETY: as the caller says.
    Ok(unsafe { std::slice::from_raw_parts(buf.cast(), length) })
}

/// An address of a program.
///
/// # Safety
/// It is null or a text that ends.
unsafe fn address(text: *const c_char) -> Result<IpAddr, String> {
    if text.is_null() {
        return Err(NOTHING.into());
    }
    // SAFETY: as the caller says.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    text.parse().map_err(|_| format!("{text} is no IP address"))
}

/// What an address database says.
///
/// # Safety
/// It is null or as `suci.h` says.
unsafe fn config(addrdb: *const DatagramDatabase, id: c_int) -> Result<Config, String> {
    // SAFETY: as the caller says.
    let addrdb = unsafe { addrdb.as_ref() }.ok_or(NOTHING)?;
    let rules = match addrdb.rules & !TRUSTED {
        MODERN => Rules::MODERN,
        REPAIRED => Rules::REPAIRED,
        PRINTED => Rules::PRINTED,
        other => return Err(format!("there are no rules {other}: DATAGRAM_MODERN, _REPAIRED or _PRINTED")),
    };
    let security = match (addrdb.rules & TRUSTED != 0, addrdb.key.is_null()) {
        (true, true) => Security::Trusted,
        // SAFETY: a key has 32 bytes, as `suci.h` says.
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
        // SAFETY: there are `count` of them.
        let peer = unsafe { &*addrdb.peers.add(at) };
        // SAFETY: its address is a text.
        config.database.push((SocketAddr::new(unsafe { address(peer.address) }?, peer.port), peer.id));
    }
    config.peers = config.peers.max(count);
    Ok(config)
}

/// Defines calls, and lists them for the header.
macro_rules! calls {
    ($($(#[doc = $doc:literal])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// # Safety
            /// Pointers are as `suci.h` says, and nobody else uses the socket meanwhile.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $type),*) -> $result $body
        )*
        /// All of them.
        pub const CALLS: &[Call] = &[$(Call {
            docs: &[$($doc),*],
            name: stringify!($name),
            arguments: &[$((<$type as InC>::NAME, stringify!($argument))),*],
            result: <$result as InC>::NAME,
        }),*];
    };
}

// SAFETY of all blocks below: the caller keeps to what the functions above ask for, as `suci.h` says.
calls! {
    /// Opens a socket at an address and port of this machine, port 0 for any (Table 1). NULL is an error.
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

    /// The port of a socket.
    fn datagram_port(sock: *mut Datagrams) -> c_int {
        unsafe { with(sock, |sock| Ok(sock.port()?.into())) }
    }

    /// Chooses to whom datagram_write writes (Table 1). 0, or -1.
    fn datagram_destination(sock: *mut Datagrams, id: c_int) -> c_int {
        unsafe { with(sock, |sock| sock.choose(number(id)?).map(|()| 0)) }
    }

    /// Sends a block; waits for room in the queue (Table 1). Its length, or -1.
    fn datagram_write(sock: *mut Datagrams, buf: *const c_void, len: c_int) -> c_int {
        unsafe {
            with(sock, |sock| {
                let block = bytes(buf, len)?;
                while !sock.write(block, Duration::from_secs(1))? {}
                Ok(len)
            })
        }
    }

    /// The same without waiting (sample of section 4.3). 0 if there is no room.
    fn datagram_write0(sock: *mut Datagrams, buf: *const c_void, len: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(if sock.write(bytes(buf, len)?, Duration::ZERO)? { len } else { 0 })) }
    }

    /// Takes the next block; waits for it (Table 1). Its length, or -1: also if it has more than len bytes; then it is kept.
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

    /// The same without waiting (sample of section 4.3). 0 if there is none.
    fn datagram_read0(sock: *mut Datagrams, buf: *mut c_void, len: c_int) -> c_int {
        unsafe { with(sock, |sock| read(sock, buf, len, Duration::ZERO)) }
    }

    /// Length of the next block; waits for it at most so long (section 4.3). 0 if there is none, -1 for an error.
    fn datagram_ready(sock: *mut Datagrams, sec: c_int, usec: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(sock.ready(time(sec, usec)?)?.map_or(0, length))) }
    }

    /// Waits at most so long until a block of this size can be written to id without waiting (section 4.3). 1, 0 if it cannot, or -1.
    fn datagram_wait(sock: *mut Datagrams, sec: c_int, usec: c_int, size: c_int, id: c_int) -> c_int {
        unsafe {
            with(sock, |sock| {
                let size = usize::try_from(size).map_err(|_| format!("a size of {size} is less than none"))?;
                Ok(sock.wait(size, number(id)?, time(sec, usec)?)?.into())
            })
        }
    }

    /// Blocks to id that are not acknowledged (section 4.3), or -1.
    fn datagram_queue_length(sock: *mut Datagrams, id: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(length(sock.queued(number(id)?)?))) }
    }

    /// Sends again what id has not acknowledged, where the rules leave that to the program (sample of section 4.3). 0, or -1.
    fn datagram_retransmission(sock: *mut Datagrams, id: c_int) -> c_int {
        unsafe { with(sock, |sock| sock.again(number(id)?).map(|()| 0)) }
    }

    /// Ours: the id of whoever sent the block that was read last, or -1.
    fn datagram_from(sock: *mut Datagrams) -> c_int {
        unsafe { with(sock, |sock| sock.from().map(c_int::from).ok_or("nothing was read yet".into())) }
    }

    /// Ours: waits at most so long until id has acknowledged all blocks. 1, 0 if it has not, or -1.
    fn datagram_flush(sock: *mut Datagrams, sec: c_int, usec: c_int, id: c_int) -> c_int {
        unsafe { with(sock, |sock| Ok(sock.flush(number(id)?, time(sec, usec)?)?.into())) }
    }

    /// Ours: closes a socket, and tells its peers. It is gone after that; NULL is none.
    fn datagram_close(sock: *mut Datagrams) -> () {
        if !sock.is_null() {
            unsafe { Box::from_raw(sock) }.close();
        }
    }

    /// Ours: what the last call of this thread that failed has to say, until the next one that fails.
    fn datagram_error() -> *const c_char {
        error::last(|text| text.as_ptr())
    }
}

/// Takes the next block into the memory of a program; its length, 0 if there is none.
///
/// # Safety
/// There is memory of so many bytes.
unsafe fn read(sock: &mut Datagrams, buf: *mut c_void, len: c_int, wait: Duration) -> Result<c_int, String> {
    let most = usize::try_from(len).map_err(|_| format!("a length of {len} is less than none"))?;
    if buf.is_null() {
        return Err(NOTHING.into());
    }
    let Some(block) = sock.read(most, wait)? else { return Ok(0) };
    // SAFETY: it is not longer than the memory.
    unsafe { std::ptr::copy_nonoverlapping(block.as_ptr(), buf.cast(), block.len()) };
    Ok(length(block.len()))
}
