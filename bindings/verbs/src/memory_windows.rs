//! Memory windows of type 1: keys for a part of a region, which are bound through a send queue.
#![allow(unsafe_code)]

use processes::verbs::Call;
use processes::verbs::call::Binding;

use crate::abi::send_flags::{FENCE, SIGNALLED, SOLICITED};
use crate::abi::*;
use crate::queues::OwnQp;
use crate::{link, memory, spins};

/// `IBV_MW_TYPE_1`.
const BOUND_BY_CALL: c_int = 1;
/// `IBV_MW_TYPE_2`.
const BOUND_BY_REQUEST: c_int = 2;

/// Creates a memory window; those of type 2 are not supported.
///
/// # Safety
/// The requirement of verbs: the protection domain is valid.
pub unsafe extern "C" fn alloc_mw(pd: *mut Pd, kind: c_int) -> *mut Mw {
    // SAFETY: the contract of this function.
    let Pd { context, handle } = *unsafe { &*pd };
    let create = || {
        match kind {
            BOUND_BY_CALL => (),
            BOUND_BY_REQUEST => return Err(libc::EOPNOTSUPP),
            _ => return Err(libc::EINVAL),
        }
        let rkey = link::number("ibv_alloc_mw", Call::AllocateWindow { domain: handle as u8 })?;
        Ok(Mw { context, pd, rkey, handle: rkey, kind })
    };
    link::into_pointer(create())
}

/// Binds a window to bytes of a region, or to none if the length is 0. The header has checked type and protection domains.
///
/// # Safety
/// The requirements of verbs: all pointers are valid.
pub unsafe extern "C" fn bind_mw(qp: *mut Qp, mw: *mut Mw, bind: *mut MwBind) -> c_int {
    // SAFETY: the contract of this function.
    let (own, window, MwBind { wr_id: id, send_flags, bind_info }) =
        unsafe { (&*qp.cast::<OwnQp>(), &mut *mw, *bind) };
    if send_flags & !(FENCE | SIGNALLED | SOLICITED) != 0 {
        return libc::EINVAL;
    }
    let Ok(length) = u32::try_from(bind_info.length) else { return libc::EINVAL };
    let buffer = (length != 0).then(|| {
        // SAFETY: the contract of this function; the header refuses bytes of no region.
        let lkey = unsafe { (*bind_info.mr).lkey };
        memory::buffer(Sge { addr: bind_info.addr, length, lkey })
    });
    let signalled = own.all_signalled || send_flags & SIGNALLED != 0;
    let binding = Binding { id, signalled, buffer, access: bind_info.mw_access_flags };
    let call = Call::BindWindow { pair: own.qp.handle as u8, window: window.rkey, binding };
    match link::number("ibv_bind_mw", call) {
        Ok(rkey) => {
            window.rkey = rkey;
            spins::watch();
            0
        }
        Err(errno) => errno,
    }
}

/// Destroys a window.
///
/// # Safety
/// The requirement of verbs: the window is valid.
pub unsafe extern "C" fn dealloc_mw(mw: *mut Mw) -> c_int {
    // SAFETY: the contract of this function.
    let errno = link::errno_of("ibv_dealloc_mw", Call::FreeWindow(unsafe { (*mw).rkey }));
    if errno == 0 {
        // SAFETY: the contract of this function; the caller gives the object up.
        drop(unsafe { Box::from_raw(mw) });
    }
    errno
}
