//! Protection domains, and registered memory: where a place of this process lies in an area.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::verbs::Call;
use processes::verbs::call::Place;
use serde_bytes::ByteBuf;

use crate::abi::*;
use crate::link;

/// Address and length of all areas, by key.
static AREAS: Mutex<BTreeMap<u32, (u64, u64)>> = Mutex::new(BTreeMap::new());

fn areas() -> std::sync::MutexGuard<'static, BTreeMap<u32, (u64, u64)>> {
    AREAS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where these bytes are in their area. What is in none gets an offset that is in none.
pub fn place(sge: Sge) -> Place {
    let base = areas().get(&sge.lkey).map_or(0, |(base, _)| *base);
    Place { key: sge.lkey, offset: sge.addr.wrapping_sub(base), length: sge.length }
}

/// The address of a place, if all of it is in its area.
fn address(place: Place) -> Option<u64> {
    let (base, length) = *areas().get(&place.key)?;
    let end = place.offset.checked_add(place.length.into())?;
    (end <= length).then(|| base + place.offset)
}

/// The bytes of a place; none if it is in no area, as the adapter will find.
pub fn bytes(place: Place) -> ByteBuf {
    let Some(address) = address(place).filter(|_| place.length > 0) else { return ByteBuf::new() };
    // SAFETY: the program has registered this memory, so by the documentation of verbs it is there until it takes that back.
    ByteBuf::from(unsafe { std::slice::from_raw_parts(address as *const u8, place.length as usize) }.to_vec())
}

/// Puts bytes that came into their place.
pub fn put(place: Place, bytes: &[u8]) {
    let Some(address) = address(place) else { return };
    let bytes = &bytes[..bytes.len().min(place.length as usize)];
    // SAFETY: as above; the program has given this memory for what comes.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Pointers are those of the caller, who by the documentation of verbs gives
// objects that this library has made and not ended.
/// A protection domain.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_alloc_pd(context: *mut Context) -> *mut Pd {
    link::made(link::number("ibv_alloc_pd", Call::MakeDomain).map(|handle| Pd { context, handle }))
}

/// It is not used any more.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_dealloc_pd(pd: *mut Pd) -> c_int {
    // SAFETY: see above.
    let errno = link::done("ibv_dealloc_pd", Call::EndDomain(unsafe { (*pd).handle } as u8));
    if errno == 0 {
        // SAFETY: see above; it is used no more.
        drop(unsafe { Box::from_raw(pd) });
    }
    errno
}

/// Registers memory.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_mr(pd: *mut Pd, addr: *mut c_void, length: size_t, access: c_int) -> *mut Mr {
    // SAFETY: see above.
    let Pd { context, handle } = *unsafe { &*pd };
    let (domain, address) = (handle as u8, addr as u64);
    let call =
        Call::Register { domain, length: length as u64, alignment: address as u8 & 7, access: access as u32 };
    let made = link::number("ibv_reg_mr", call).map(|key| {
        areas().insert(key, (address, length as u64));
        Mr { context, pd, addr, length, handle: key, lkey: key, rkey: key }
    });
    link::made(made)
}

/// Registers memory that peers see at another address: the same, as no peer sees it.
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

/// The same with optional flags.
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

/// Changes registered memory: not here. The area stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_rereg_mr(
    _mr: *mut Mr,
    _flags: c_int,
    _pd: *mut Pd,
    _addr: *mut c_void,
    _length: size_t,
    _access: c_int,
) -> c_int {
    link::fail(libc::EOPNOTSUPP);
    // IBV_REREG_MR_ERR_INPUT: nothing has changed.
    -1
}

/// Memory is not used any more.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_dereg_mr(mr: *mut Mr) -> c_int {
    // SAFETY: see above.
    let key = unsafe { (*mr).lkey };
    let errno = link::done("ibv_dereg_mr", Call::Deregister(key));
    if errno == 0 {
        areas().remove(&key);
        // SAFETY: see above; it is used no more.
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
        areas().insert(0x77, (base, 4));
        let sge = |addr, length| Sge { addr, length, lkey: 0x77 };
        assert_eq!(*bytes(place(sge(base + 1, 3))), [2, 3, 4]);
        assert!(bytes(place(sge(base + 2, 3))).is_empty() && bytes(place(sge(base - 1, 2))).is_empty());
        assert!(bytes(Place { key: 0x78, offset: 0, length: 1 }).is_empty());
        put(place(sge(base + 2, 2)), &[9, 8, 7]);
        put(place(sge(base + 3, 2)), &[6, 6]);
        assert_eq!(memory, [1, 2, 9, 8]);
    }
}
