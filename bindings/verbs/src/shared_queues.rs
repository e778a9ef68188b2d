//! Shared receive queues.
#![allow(unsafe_code)]

use std::mem::zeroed;

use processes::verbs::{Answer, Call};

use crate::abi::extended::SrqInitAttrEx;
use crate::abi::*;
use crate::{events, link};

/// Bits of `ibv_srq_attr_mask`.
const LENGTH: c_int = 1;
const LIMIT: c_int = 1 << 1;
/// Bits of `ibv_srq_init_attr_mask`.
const WITH_TYPE: u32 = 1;
const WITH_DOMAIN: u32 = 1 << 1;
/// `IBV_SRQT_BASIC`.
const BASIC: c_int = 0;

/// A shared receive queue with its private part.
#[repr(C)]
struct OwnSrq {
    /// The public part, at the address that programs have.
    srq: Srq,
    /// The granted sizes.
    granted: SrqAttr,
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Creates a shared receive queue. Its limit is not set, whatever the attributes say.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_srq(pd: *mut Pd, wanted: *mut SrqInitAttr) -> *mut Srq {
    // SAFETY: see above.
    let (domain, wanted) = unsafe { (&*pd, &mut *wanted) };
    let mut create = || {
        let SrqAttr { max_wr: requests, max_sge: pieces, .. } = wanted.attr;
        let call = Call::CreateSharedQueue { domain: domain.handle as u8, requests, pieces };
        let Answer::SharedQueue { number, requests } = link::ask("ibv_create_srq", call)? else {
            return Err(libc::EIO);
        };
        (wanted.attr.max_wr, wanted.attr.max_sge) = (requests, pieces.max(1));
        // SAFETY: null pointers, numbers and an unlocked mutex may be zero.
        let mut srq: Srq = unsafe { zeroed() };
        (srq.context, srq.srq_context, srq.pd) = (domain.context, wanted.srq_context, pd);
        srq.handle = number.into();
        Ok(OwnSrq { srq, granted: wanted.attr })
    };
    let srq = link::into_pointer(create()).cast();
    events::add_shared(srq);
    srq
}

/// Creates a shared receive queue of the basic type: no other one is supported.
///
/// # Safety
/// The requirements of verbs: all pointers are valid.
pub unsafe extern "C" fn create_srq_ex(_context: *mut Context, wanted: *mut SrqInitAttrEx) -> *mut Srq {
    // SAFETY: the contract of this function.
    let extended = unsafe { &*wanted };
    let mask = extended.comp_mask;
    if mask & !(WITH_TYPE | WITH_DOMAIN) != 0 || mask & WITH_TYPE != 0 && extended.srq_type != BASIC {
        return link::into_pointer(Err(libc::EOPNOTSUPP));
    }
    if mask & WITH_DOMAIN == 0 {
        return link::into_pointer(Err(libc::EINVAL));
    }
    ibv_create_srq(extended.pd, wanted.cast())
}

/// Sets the limit of a queue; its length cannot be changed.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_modify_srq(srq: *mut Srq, attributes: *mut SrqAttr, mask: c_int) -> c_int {
    // SAFETY: see above.
    let (queue, least) = unsafe { ((*srq).handle as u8, (*attributes).srq_limit) };
    match mask {
        0 => 0,
        LIMIT => link::errno_of("ibv_modify_srq", Call::SetLimit { queue, least }),
        _ if mask & LENGTH != 0 => libc::EOPNOTSUPP,
        _ => libc::EINVAL,
    }
}

/// Returns the sizes of a queue, and its limit: 0 if none is set, or if its event has come.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_srq(srq: *mut Srq, attributes: *mut SrqAttr) -> c_int {
    // SAFETY: see above.
    let own = unsafe { &*srq.cast::<OwnSrq>() };
    match link::number("ibv_query_srq", Call::QueryLimit(own.srq.handle as u8)) {
        Ok(srq_limit) => {
            // SAFETY: see above.
            unsafe { attributes.write(SrqAttr { srq_limit, ..own.granted }) };
            0
        }
        Err(errno) => errno,
    }
}

/// Destroys a queue; `EBUSY` while a queue pair uses it. Waits until all its events are acknowledged.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_srq(srq: *mut Srq) -> c_int {
    // SAFETY: see above.
    let errno = link::errno_of("ibv_destroy_srq", Call::DestroySharedQueue(unsafe { (*srq).handle } as u8));
    if errno == 0 {
        // SAFETY: see above.
        unsafe { events::remove_shared(srq) };
        // SAFETY: see above; the caller gives the object up.
        drop(unsafe { Box::from_raw(srq.cast::<OwnSrq>()) });
    }
    errno
}

/// Returns the number of a queue.
///
/// # Safety
/// The requirements of verbs: all pointers are valid.
pub unsafe extern "C" fn get_srq_num(srq: *mut Srq, number: *mut u32) -> c_int {
    // SAFETY: the contract of this function.
    unsafe { *number = (*srq).handle };
    0
}
