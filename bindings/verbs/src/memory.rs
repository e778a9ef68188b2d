//! Protection domains and memory regions: addresses of this process as offsets in a region.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::verbs::Call;
use processes::verbs::call::Buffer;
use serde_bytes::ByteBuf;

use crate::abi::*;
use crate::link;

/// Address and length of all regions, by key.
static REGIONS: Mutex<BTreeMap<u32, (u64, u64)>> = Mutex::new(BTreeMap::new());

fn regions() -> std::sync::MutexGuard<'static, BTreeMap<u32, (u64, u64)>> {
    REGIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes as a buffer in their region. Bytes of no region get an offset that the simulator refuses.
pub fn buffer(sge: Sge) -> Buffer {
    let base = regions().get(&sge.lkey).map_or(0, |(base, _)| *base);
    Buffer { key: sge.lkey, offset: sge.addr.wrapping_sub(base), length: sge.length }
}

/// Address of a buffer, if its region contains all of it.
fn address(buffer: Buffer) -> Option<u64> {
    let (base, length) = *regions().get(&buffer.key)?;
    let end = buffer.offset.checked_add(buffer.length.into())?;
    (end <= length).then(|| base + buffer.offset)
}

/// Contents of a buffer; empty if its region does not contain it, which the adapter will report.
pub fn bytes(buffer: Buffer) -> ByteBuf {
    let Some(address) = address(buffer).filter(|_| buffer.length > 0) else { return ByteBuf::new() };
    // SAFETY: the program has registered this memory, so verbs require it to be valid until it is deregistered.
    ByteBuf::from(
        unsafe { std::slice::from_raw_parts(address as *const u8, buffer.length as usize) }.to_vec(),
    )
}

/// Copies received bytes into their buffer.
pub fn put(buffer: Buffer, bytes: &[u8]) {
    let Some(address) = address(buffer) else { return };
    let bytes = &bytes[..bytes.len().min(buffer.length as usize)];
    // SAFETY: as above; the program has posted this memory for a receive.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Allocates a protection domain.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_alloc_pd(context: *mut Context) -> *mut Pd {
    link::into_pointer(
        link::number("ibv_alloc_pd", Call::AllocateDomain).map(|handle| Pd { context, handle }),
    )
}

/// Deallocates a protection domain; `EBUSY` while other objects use it.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_dealloc_pd(pd: *mut Pd) -> c_int {
    // SAFETY: see above.
    let errno = link::errno_of("ibv_dealloc_pd", Call::DeallocateDomain(unsafe { (*pd).handle } as u8));
    if errno == 0 {
        // SAFETY: see above; the caller gives the object up.
        drop(unsafe { Box::from_raw(pd) });
    }
    errno
}

/// Registers memory; remote access is not supported.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_mr(pd: *mut Pd, addr: *mut c_void, length: size_t, access: c_int) -> *mut Mr {
    // SAFETY: see above.
    let Pd { context, handle } = *unsafe { &*pd };
    let (domain, address) = (handle as u8, addr as u64);
    let call = Call::RegisterMemory {
        domain,
        length: length as u64,
        alignment: address as u8 & 7,
        access: access as u32,
    };
    let made = link::number("ibv_reg_mr", call).map(|key| {
        regions().insert(key, (address, length as u64));
        Mr { context, pd, addr, length, handle: key, lkey: key, rkey: key }
    });
    link::into_pointer(made)
}

/// As [`ibv_reg_mr`]: the address for remote access is not used.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_mr_iova(
    pd: *mut Pd,
    addr: *mut c_void,
    length: size_t,
    _iova: u64,
    access: c_int,
) -> *mut Mr {
    ibv_reg_mr(pd, addr, length, access)
}

/// As [`ibv_reg_mr`]; optional flags are ignored.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_mr_iova2(
    pd: *mut Pd,
    addr: *mut c_void,
    length: size_t,
    _iova: u64,
    access: c_uint,
) -> *mut Mr {
    ibv_reg_mr(pd, addr, length, access as c_int)
}

/// Fails: the region stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_rereg_mr(
    _mr: *mut Mr,
    _flags: c_int,
    _pd: *mut Pd,
    _addr: *mut c_void,
    _length: size_t,
    _access: c_int,
) -> c_int {
    link::set_errno(libc::EOPNOTSUPP);
    // IBV_REREG_MR_ERR_INPUT: the region has not changed.
    -1
}

/// Deregisters memory.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_dereg_mr(mr: *mut Mr) -> c_int {
    // SAFETY: see above.
    let key = unsafe { (*mr).lkey };
    let errno = link::errno_of("ibv_dereg_mr", Call::DeregisterMemory(key));
    if errno == 0 {
        regions().remove(&key);
        // SAFETY: see above; the caller gives the object up.
        drop(unsafe { Box::from_raw(mr) });
    }
    errno
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_and_written_in_their_area_and_nowhere_else() {
        let mut memory = [1_u8, 2, 3, 4];
        let base = memory.as_mut_ptr() as u64;
        regions().insert(0x77, (base, 4));
        let sge = |addr, length| Sge { addr, length, lkey: 0x77 };
        assert_eq!(*bytes(buffer(sge(base + 1, 3))), [2, 3, 4]);
        assert!(bytes(buffer(sge(base + 2, 3))).is_empty() && bytes(buffer(sge(base - 1, 2))).is_empty());
        assert!(bytes(Buffer { key: 0x78, offset: 0, length: 1 }).is_empty());
        put(buffer(sge(base + 2, 2)), &[9, 8, 7]);
        put(buffer(sge(base + 3, 2)), &[6, 6]);
        assert_eq!(memory, [1, 2, 9, 8]);
    }
}
