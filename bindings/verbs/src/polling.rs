//! Polling of completion queues.
#![allow(unsafe_code)]

use processes::verbs::call::{CompletedOperation, Completion};
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::{empty, link};

/// `IBV_WC_WITH_IMM`.
const WITH_IMMEDIATE: c_uint = 2;

/// At most `most` completions of a queue, oldest first.
///
/// # Safety
/// The requirement of verbs: the queue is valid.
pub unsafe fn completions(cq: *mut Cq, most: u32) -> Result<Vec<Completion>, c_int> {
    // SAFETY: the contract of this function.
    let queue = unsafe { (*cq).handle as u8 };
    if empty::is_known() {
        return Ok(Vec::new());
    }
    match link::ask("ibv_poll_cq", Call::Poll { queue, most })? {
        Answer::Completions(completions) => Ok(completions),
        Answer::Empty { look_ps, until_ps } => {
            empty::note(look_ps, until_ps);
            Ok(Vec::new())
        }
        _ => Err(libc::EIO),
    }
}

/// Polls a completion queue; the number of completions, or a negated `errno`.
///
/// # Safety
/// The requirements of verbs: the queue is valid, and so is room for `entries` completions.
pub unsafe extern "C" fn poll_cq(cq: *mut Cq, entries: c_int, completed: *mut Wc) -> c_int {
    let Ok(most) = u32::try_from(entries) else { return -libc::EINVAL };
    // SAFETY: the contract of this function.
    match unsafe { completions(cq, most) } {
        Ok(found) => {
            for (at, completion) in found.iter().take(most as usize).enumerate() {
                // SAFETY: the contract of this function.
                unsafe { completed.add(at).write(work_completion(completion)) };
            }
            found.len().min(most as usize) as c_int
        }
        Err(errno) => -errno,
    }
}

/// A completion as `ibv_poll_cq` returns it.
pub fn work_completion(completion: &Completion) -> Wc {
    Wc {
        wr_id: completion.id,
        status: completion.status.into(),
        // `ibv_wc_opcode`.
        opcode: match completion.operation {
            CompletedOperation::Send => 0,
            CompletedOperation::Write => 1,
            CompletedOperation::Read => 2,
            CompletedOperation::CompareSwap => 3,
            CompletedOperation::FetchAdd => 4,
            CompletedOperation::Bind => 5,
            CompletedOperation::Receive => 128,
            CompletedOperation::ReceiveOfWrite => 129,
        },
        vendor_err: 0,
        byte_len: completion.bytes,
        imm_data: completion.immediate.unwrap_or_default(),
        qp_num: completion.pair.into(),
        src_qp: completion.source,
        wc_flags: if completion.immediate.is_some() { WITH_IMMEDIATE } else { 0 },
        pkey_index: 0,
        slid: completion.source_lid,
        sl: 0,
        dlid_path_bits: 0,
    }
}
