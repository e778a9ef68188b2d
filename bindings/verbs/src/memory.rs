//! Memory regions: addresses of this process as offsets in a region.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::verbs::call::Buffer;
use processes::verbs::call::access::REMOTE_CHANGES;
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::{link, spins};

/// Addresses by which requests name the first bytes of all regions, by key.
static REGIONS: Mutex<BTreeMap<u32, u64>> = Mutex::new(BTreeMap::new());

fn regions() -> std::sync::MutexGuard<'static, BTreeMap<u32, u64>> {
    REGIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes as a buffer in their region. Bytes of no region get an offset that the simulator refuses.
pub fn buffer(sge: Sge) -> Buffer {
    let base = regions().get(&sge.lkey).copied().unwrap_or(0);
    Buffer { key: sge.lkey, offset: sge.addr.wrapping_sub(base), length: sge.length }
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Registers memory, whose bytes requests and peers name by addresses from `named` on.
fn register(pd: *mut Pd, addr: *mut c_void, length: size_t, named: u64, access: u32) -> *mut Mr {
    // SAFETY: see above.
    let Pd { context, handle } = *unsafe { &*pd };
    let address = addr as u64;
    let shift = named.wrapping_sub(address);
    let call = Call::RegisterMemory { domain: handle as u8, length: length as u64, access, shift };
    let made = match link::ask_about("ibv_reg_mr", call, Some(link::place(address))) {
        Ok(Answer::Number(key)) => {
            regions().insert(key, named);
            if access & REMOTE_CHANGES != 0 {
                spins::watch();
            }
            Ok(Mr { context, pd, addr, length, handle: key, lkey: key, rkey: key })
        }
        Ok(_) => Err(libc::EIO),
        Err(errno) => Err(errno),
    };
    link::into_pointer(made)
}

/// Registers memory.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_mr(pd: *mut Pd, addr: *mut c_void, length: size_t, access: c_int) -> *mut Mr {
    register(pd, addr, length, addr as u64, access as u32)
}

/// Registers memory that requests and peers name by other addresses than its own.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_mr_iova(
    pd: *mut Pd,
    addr: *mut c_void,
    length: size_t,
    iova: u64,
    access: c_int,
) -> *mut Mr {
    register(pd, addr, length, iova, access as u32)
}

/// As [`ibv_reg_mr_iova`]; optional flags are ignored.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_mr_iova2(
    pd: *mut Pd,
    addr: *mut c_void,
    length: size_t,
    iova: u64,
    access: c_uint,
) -> *mut Mr {
    register(pd, addr, length, iova, access)
}

/// Bits of `ibv_rereg_mr_flags`.
const CHANGE_TRANSLATION: c_int = 1;
const CHANGE_DOMAIN: c_int = 2;
const CHANGE_ACCESS: c_int = 4;
/// `IBV_REREG_MR_ERR_INPUT`: the region has not changed.
const UNCHANGED_INPUT: c_int = -1;
/// `IBV_REREG_MR_ERR_CMD`: the change has failed, and the region has not changed.
const UNCHANGED: c_int = -3;

/// Changes memory, protection domain or access of a region; its keys stay.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_rereg_mr(
    mr: *mut Mr,
    flags: c_int,
    pd: *mut Pd,
    addr: *mut c_void,
    length: size_t,
    access: c_int,
) -> c_int {
    let has = |flag| flags & flag != 0;
    let is_empty =
        has(CHANGE_TRANSLATION) && (addr.is_null() || length == 0) || has(CHANGE_DOMAIN) && pd.is_null();
    if flags & !(CHANGE_TRANSLATION | CHANGE_DOMAIN | CHANGE_ACCESS) != 0 || flags == 0 || is_empty {
        link::set_errno(libc::EINVAL);
        return UNCHANGED_INPUT;
    }
    // SAFETY: see above.
    let (own, domain) = unsafe { (&mut *mr, has(CHANGE_DOMAIN).then(|| (*pd).handle as u8)) };
    let call = Call::ReregisterMemory {
        key: own.lkey,
        domain,
        length: has(CHANGE_TRANSLATION).then_some(length as u64),
        access: has(CHANGE_ACCESS).then_some(access as u32),
    };
    if let Err(errno) = link::ask_about("ibv_rereg_mr", call, Some(link::place(addr as u64))) {
        link::set_errno(errno);
        return UNCHANGED;
    }
    if has(CHANGE_TRANSLATION) {
        (own.addr, own.length) = (addr, length);
        regions().insert(own.lkey, addr as u64);
    }
    if has(CHANGE_DOMAIN) {
        own.pd = pd;
    }
    0
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
    fn buffers_are_named_by_their_offset_in_the_region() {
        regions().insert(0x77, 0x1000);
        let place = |addr, lkey| buffer(Sge { addr, length: 3, lkey });
        assert_eq!(place(0x1005, 0x77), Buffer { key: 0x77, offset: 5, length: 3 });
        assert_eq!(place(0xfff, 0x77).offset, u64::MAX, "no region contains it");
        assert_eq!(place(0x1005, 0x78), Buffer { key: 0x78, offset: 0x1005, length: 3 });
    }
}
