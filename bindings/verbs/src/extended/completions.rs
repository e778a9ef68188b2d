//! Completion queues from which a program reads one completion after the other, field by field (`ibv_cq_ex`).
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::time::Duration;

use slots::clock::EPOCH;

use crate::abi::extended::*;
use crate::abi::*;
use crate::polling;

/// A completion queue with the completion that the program reads. Queues of `ibv_create_cq` have it too.
#[repr(C)]
struct OwnCq {
    ex: CqEx,
    current: Wc,
    /// Virtual time at which the adapter wrote the completion.
    time: Duration,
}

/// Moves a queue to where programs can use it.
pub fn allocate(cq: Cq) -> *mut Cq {
    // SAFETY: numbers and absent functions may be zero.
    let mut own: OwnCq = unsafe { zeroed() };
    own.ex.cq = cq;
    own.ex.start_poll = Some(start_poll);
    own.ex.next_poll = Some(next_poll);
    own.ex.end_poll = Some(end_poll);
    own.ex.read_opcode = Some(read_opcode);
    own.ex.read_vendor_err = Some(read_vendor_err);
    own.ex.read_byte_len = Some(read_byte_len);
    own.ex.read_imm_data = Some(read_imm_data);
    own.ex.read_qp_num = Some(read_qp_num);
    own.ex.read_src_qp = Some(read_src_qp);
    own.ex.read_wc_flags = Some(read_wc_flags);
    own.ex.read_slid = Some(read_slid);
    own.ex.read_sl = Some(read_sl);
    own.ex.read_dlid_path_bits = Some(read_dlid_path_bits);
    own.ex.read_completion_ts = Some(read_completion_ts);
    own.ex.read_completion_wallclock_ns = Some(read_completion_wallclock_ns);
    Box::into_raw(Box::new(own)).cast()
}

/// Frees a queue.
///
/// # Safety
/// [`allocate`] has made the queue, and it is not used again.
pub unsafe fn free(cq: *mut Cq) {
    // SAFETY: the contract of this function.
    drop(unsafe { Box::from_raw(cq.cast::<OwnCq>()) });
}

// SAFETY of all below: the header calls these functions for queues of this library, and the ones that read after
// `start_poll` has returned 0.

unsafe extern "C" fn start_poll(cq: *mut CqEx, attributes: *mut PollCqAttr) -> c_int {
    // SAFETY: see above.
    if unsafe { !attributes.is_null() && (*attributes).comp_mask != 0 } {
        return libc::EINVAL;
    }
    // SAFETY: see above.
    unsafe { next_poll(cq) }
}

unsafe extern "C" fn next_poll(cq: *mut CqEx) -> c_int {
    // SAFETY: see above.
    let own = unsafe { &mut *cq.cast::<OwnCq>() };
    // SAFETY: see above.
    match unsafe { polling::completions(&mut own.ex.cq, 1) } {
        Ok(found) => match found.first() {
            Some(completion) => {
                own.current = polling::work_completion(completion);
                own.time = Duration::from_nanos(completion.time_ps / 1_000);
                (own.ex.status, own.ex.wr_id) = (own.current.status, own.current.wr_id);
                0
            }
            None => libc::ENOENT,
        },
        Err(errno) => errno,
    }
}

/// Reads when the adapter wrote the completion, by the clock of `ibv_query_rt_values_ex`.
unsafe extern "C" fn read_completion_ts(cq: *mut CqEx) -> u64 {
    // SAFETY: see above.
    unsafe { (*cq.cast::<OwnCq>()).time.as_nanos() as u64 }
}

/// Reads when the adapter wrote the completion, by `CLOCK_REALTIME`.
unsafe extern "C" fn read_completion_wallclock_ns(cq: *mut CqEx) -> u64 {
    // SAFETY: see above.
    unsafe { ((*cq.cast::<OwnCq>()).time + EPOCH).as_nanos() as u64 }
}

unsafe extern "C" fn end_poll(_cq: *mut CqEx) {}

/// Functions that read a field of the completion.
macro_rules! readers {
    ($($name:ident: $field:ident as $kind:ty;)*) => {
        $(unsafe extern "C" fn $name(cq: *mut CqEx) -> $kind {
            // SAFETY: see above.
            unsafe { (*cq.cast::<OwnCq>()).current.$field as $kind }
        })*
    };
}

readers! {
    read_opcode: opcode as c_int;
    read_vendor_err: vendor_err as u32;
    read_byte_len: byte_len as u32;
    read_imm_data: imm_data as u32;
    read_qp_num: qp_num as u32;
    read_src_qp: src_qp as u32;
    read_wc_flags: wc_flags as c_uint;
    read_slid: slid as u32;
    read_sl: sl as u8;
    read_dlid_path_bits: dlid_path_bits as u8;
}
