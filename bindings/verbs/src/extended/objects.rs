//! Creation of objects with extended attributes.
#![allow(unsafe_code)]

use super::queue_pairs;
use crate::abi::extended::*;
use crate::abi::*;
use crate::{link, queues};

/// Bits of `ibv_create_cq_wc_flags` that a completion has: all but VLANs, flow tags and tags.
const FIELDS: u64 = 0x7f | TIME_STAMP | WALL_CLOCK;
/// `IBV_WC_EX_WITH_COMPLETION_TIMESTAMP`.
const TIME_STAMP: u64 = 1 << 7;
/// `IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK`.
const WALL_CLOCK: u64 = 1 << 11;
/// `IBV_CQ_INIT_ATTR_MASK_FLAGS`: the flags promise that one thread uses the queue, or that it ignores overruns.
const WITH_FLAGS: u32 = 1;
/// `IBV_CQ_INIT_ATTR_MASK_PD`.
const WITH_PARENT_DOMAIN: u32 = 1 << 1;
/// `IBV_CREATE_CQ_ATTR_SINGLE_THREADED`.
const SINGLE_THREADED: u32 = 1;

/// Bits of `ibv_qp_init_attr_mask`.
const WITH_DOMAIN: u32 = 1;
const WITH_CREATE_FLAGS: u32 = 1 << 2;
const WITH_SEND_OPERATIONS: u32 = 1 << 6;
/// Bits of `ibv_qp_create_send_ops_flags`: SEND, RDMA WRITE, each with and without immediate data, RDMA READ, both
/// atomic operations.
const OPERATIONS: u64 = 0b111_1111;

/// Creates a completion queue.
///
/// # Safety
/// The requirements of verbs: all pointers are valid.
pub unsafe extern "C" fn create_cq_ex(context: *mut Context, wanted: *mut CqInitAttrEx) -> *mut CqEx {
    // SAFETY: the contract of this function.
    let wanted = unsafe { &*wanted };
    let is_flagged = wanted.comp_mask & WITH_FLAGS != 0 && wanted.flags & !SINGLE_THREADED != 0;
    if wanted.comp_mask & !(WITH_FLAGS | WITH_PARENT_DOMAIN) != 0
        || is_flagged
        || wanted.wc_flags & !FIELDS != 0
    {
        return link::into_pointer(Err(libc::EOPNOTSUPP));
    }
    let Ok(entries) = c_int::try_from(wanted.cqe) else { return link::into_pointer(Err(libc::EINVAL)) };
    queues::ibv_create_cq(context, entries, wanted.cq_context, wanted.channel, wanted.comp_vector as c_int)
        .cast()
}

/// Creates a queue pair.
///
/// # Safety
/// The requirements of verbs: all pointers are valid.
pub unsafe extern "C" fn create_qp_ex(_context: *mut Context, wanted: *mut QpInitAttrEx) -> *mut Qp {
    // SAFETY: the contract of this function.
    let wanted = unsafe { &mut *wanted };
    let mask = wanted.comp_mask;
    let is_known = mask & !(WITH_DOMAIN | WITH_CREATE_FLAGS | WITH_SEND_OPERATIONS) == 0;
    let has_flags = mask & WITH_CREATE_FLAGS != 0 && wanted.create_flags != 0;
    let builds = mask & WITH_SEND_OPERATIONS != 0;
    if !is_known || has_flags || builds && wanted.send_ops_flags & !OPERATIONS != 0 {
        return link::into_pointer(Err(libc::EOPNOTSUPP));
    }
    if mask & WITH_DOMAIN == 0 {
        return link::into_pointer(Err(libc::EINVAL));
    }
    let qp = queues::ibv_create_qp(wanted.pd, (&raw mut *wanted).cast::<QpInitAttr>());
    if builds && !qp.is_null() {
        queue_pairs::add(qp);
    }
    qp
}
