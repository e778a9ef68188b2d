//! Protection domains, parent domains and thread domains.
//!
//! Queues lie in memory of the driver, which needs no lock of the program. So a parent domain is a name: its objects are in
//! the protection domain that it was made of.
#![allow(unsafe_code)]

use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use processes::verbs::Call;

use crate::abi::extended::*;
use crate::abi::*;
use crate::link;

/// Bits of `ibv_parent_domain_init_attr_mask`: functions that allocate memory of queues, and their argument. No memory of
/// the program holds queues, so they are not called.
const WITH_ALLOCATORS: u32 = 1;
const WITH_CONTEXT: u32 = 1 << 1;

/// A protection domain with its private part.
#[repr(C)]
pub struct OwnPd {
    pub pd: Pd,
    /// Address handles and parent domains of the domain.
    pub users: AtomicU32,
    /// The domain that this parent domain is made of; null if it is none.
    pub of: *mut OwnPd,
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Allocates a protection domain.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_alloc_pd(context: *mut Context) -> *mut Pd {
    let made = link::number("ibv_alloc_pd", Call::AllocateDomain);
    let own = |handle| OwnPd { pd: Pd { context, handle }, users: AtomicU32::new(0), of: null_mut() };
    link::into_pointer(made.map(own)).cast()
}

/// Deallocates a protection domain or a parent domain; `EBUSY` while other objects use it.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_dealloc_pd(pd: *mut Pd) -> c_int {
    // SAFETY: see above.
    let OwnPd { pd: Pd { handle, .. }, users, of } = unsafe { &*pd.cast::<OwnPd>() };
    if users.load(Relaxed) != 0 {
        return libc::EBUSY;
    }
    if of.is_null() {
        let errno = link::errno_of("ibv_dealloc_pd", Call::DeallocateDomain(*handle as u8));
        if errno != 0 {
            return errno;
        }
    } else {
        // SAFETY: a domain stays while another one is made of it.
        unsafe { (**of).users.fetch_sub(1, Relaxed) };
    }
    // SAFETY: see above; the caller gives the object up.
    drop(unsafe { Box::from_raw(pd.cast::<OwnPd>()) });
    0
}

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
