//! Parent domains and thread domains. Queues lie in memory of the driver, which needs no lock of the program, so both are
//! names: objects in a parent domain are in the protection domain that it was made of.
#![allow(unsafe_code)]

use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::abi::extended::*;
use crate::abi::*;
use crate::link;
use crate::memory::OwnPd;

/// Bits of `ibv_parent_domain_init_attr_mask`: functions that allocate memory of queues, and their argument. No memory of
/// the program holds queues, so they are not called.
const WITH_ALLOCATORS: u32 = 1;
const WITH_CONTEXT: u32 = 1 << 1;

// SAFETY of all below: the header calls these functions, with pointers that are valid.

pub unsafe extern "C" fn alloc_td(context: *mut Context, wanted: *mut TdInitAttr) -> *mut Td {
    // SAFETY: see above.
    let mask = unsafe { (*wanted).comp_mask };
    link::into_pointer(if mask == 0 { Ok(Td { context }) } else { Err(libc::EOPNOTSUPP) })
}

pub unsafe extern "C" fn dealloc_td(td: *mut Td) -> c_int {
    // SAFETY: see above; the caller gives the object up.
    drop(unsafe { Box::from_raw(td) });
    0
}

/// Makes a parent domain; `ibv_dealloc_pd` destroys it.
pub unsafe extern "C" fn alloc_parent_domain(
    context: *mut Context,
    wanted: *mut ParentDomainInitAttr,
) -> *mut Pd {
    // SAFETY: see above.
    let wanted = unsafe { &*wanted };
    if wanted.comp_mask & !(WITH_ALLOCATORS | WITH_CONTEXT) != 0 {
        return link::into_pointer(Err(libc::EOPNOTSUPP));
    }
    if wanted.pd.is_null() {
        return link::into_pointer(Err(libc::EINVAL));
    }
    // SAFETY: see above.
    let base = unsafe { &*wanted.pd.cast::<OwnPd>() };
    // A parent domain of a parent domain is one of the same protection domain.
    let of = if base.of.is_null() { wanted.pd.cast() } else { base.of };
    // SAFETY: a domain stays while another one is made of it.
    unsafe { (*of).users.fetch_add(1, Relaxed) };
    let pd = Pd { context, handle: base.pd.handle };
    link::into_pointer(Ok(OwnPd { pd, users: AtomicU32::new(0), of })).cast()
}

/// Destroys a parent domain; `EBUSY` while address handles use it.
///
/// # Safety
/// The domain is a parent domain, and is not used again unless this fails.
pub unsafe fn free(domain: *mut OwnPd) -> c_int {
    // SAFETY: the contract of this function.
    let OwnPd { users, of, .. } = unsafe { &*domain };
    if users.load(Relaxed) != 0 {
        return libc::EBUSY;
    }
    // SAFETY: a domain stays while another one is made of it.
    unsafe { (**of).users.fetch_sub(1, Relaxed) };
    // SAFETY: the contract of this function.
    drop(unsafe { Box::from_raw(domain) });
    0
}

/// A domain that is made of no other one.
pub fn own(pd: Pd) -> OwnPd {
    OwnPd { pd, users: AtomicU32::new(0), of: null_mut() }
}
