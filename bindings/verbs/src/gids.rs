//! The GID table of the port, in which one index has an entry, and its P_Key table.
#![allow(unsafe_code)]

use std::mem::size_of;

use crate::abi::extended::GidEntry;
use crate::abi::*;
use crate::{device, link};

/// The entry of the only GID; `ENODATA` for an empty index, another `errno` outside the table.
fn entry(port: u32, index: u32) -> Result<GidEntry, c_int> {
    match (port, index) {
        (1, 0) => {}
        (1, 1..device::GIDS) => return Err(libc::ENODATA),
        _ => return Err(libc::EINVAL),
    }
    Ok(GidEntry { gid: device::gid()?, gid_index: 0, port_num: 1, gid_type: 0, ndev_ifindex: 0 })
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers.

/// Reports an entry of the GID table, for `ibv_query_gid_ex`.
#[unsafe(no_mangle)]
pub extern "C" fn _ibv_query_gid_ex(
    _context: *mut Context,
    port: u32,
    index: u32,
    place: *mut GidEntry,
    flags: u32,
    bytes: size_t,
) -> c_int {
    if flags != 0 || bytes < size_of::<GidEntry>() {
        return libc::EOPNOTSUPP;
    }
    match entry(port, index) {
        Ok(entry) => {
            // SAFETY: see above.
            unsafe { place.write_unaligned(entry) };
            0
        }
        Err(errno) => errno,
    }
}

/// Reports all entries, for `ibv_query_gid_table`; their number, or a negated `errno`.
#[unsafe(no_mangle)]
pub extern "C" fn _ibv_query_gid_table(
    _context: *mut Context,
    entries: *mut GidEntry,
    most: size_t,
    flags: u32,
    bytes: size_t,
) -> isize {
    let errno = match most {
        0 => libc::EINVAL,
        _ => _ibv_query_gid_ex(_context, 1, 0, entries, flags, bytes),
    };
    if errno == 0 { 1 } else { -(errno as isize) }
}

/// Reports a GID of the port; zeros for an empty index.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_gid(_context: *mut Context, port: u8, index: c_int, gid: *mut [u64; 2]) -> c_int {
    let value = match entry(port.into(), index as u32) {
        Ok(entry) => entry.gid,
        Err(libc::ENODATA) => [0; 2],
        Err(errno) => {
            link::set_errno(errno);
            return -1;
        }
    };
    // SAFETY: see above. A GID has no alignment.
    unsafe { gid.write_unaligned(value) };
    0
}

/// Reports the type of all GIDs: InfiniBand.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_gid_type(
    _context: *mut Context,
    port: u8,
    index: c_uint,
    kind: *mut c_int,
) -> c_int {
    if port != 1 || index >= device::GIDS {
        link::set_errno(libc::EINVAL);
        return -1;
    }
    // SAFETY: see above.
    unsafe { *kind = 0 };
    0
}

/// Index of a P_Key, given in network byte order; -1 if the port does not have it.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_pkey_index(_context: *mut Context, port: u8, key: u16) -> c_int {
    if port == 1 && key == device::PARTITION.to_be() {
        return 0;
    }
    link::set_errno(libc::EINVAL);
    -1
}

/// Fails: there is no Ethernet below the adapter.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_resolve_eth_l2_from_gid(
    _context: *mut Context,
    _attributes: *mut AhAttr,
    _mac: *mut u8,
    _vid: *mut u16,
) -> c_int {
    link::set_errno(libc::EOPNOTSUPP);
    libc::EOPNOTSUPP
}
