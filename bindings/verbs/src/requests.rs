//! Functions that the header calls through the context: posting of work requests, polling of completion queues.
#![allow(unsafe_code)]

use processes::verbs::Call;
use processes::verbs::call::{Buffer, Destination, SendOperation, SendRequest};
use serde_bytes::ByteBuf;

use crate::abi::send_flags::{FENCE, INLINE, SIGNALLED, SOLICITED};
use crate::abi::*;
use crate::queues::{DATAGRAM, OwnAh, OwnQp};
use crate::{link, memory, memory_windows, polling};

/// `ibv_wr_opcode`.
const RDMA_WRITE: c_int = 0;
const RDMA_WRITE_WITH_IMMEDIATE: c_int = 1;
const SEND: c_int = 2;
const SEND_WITH_IMMEDIATE: c_int = 3;
const RDMA_READ: c_int = 4;
const ATOMIC_COMPARE_AND_SWAP: c_int = 5;
const ATOMIC_FETCH_AND_ADD: c_int = 6;

/// Sets the functions of a context.
pub fn install(ops: &mut ContextOps) {
    ops.alloc_mw = Some(memory_windows::alloc_mw);
    ops.bind_mw = Some(memory_windows::bind_mw);
    ops.dealloc_mw = Some(memory_windows::dealloc_mw);
    ops.poll_cq = Some(polling::poll_cq);
    ops.req_notify_cq = Some(req_notify_cq);
    ops.post_srq_recv = Some(post_srq_recv);
    ops.post_send = Some(post_send);
    ops.post_recv = Some(post_recv);
}

/// Buffers of a request.
///
/// # Safety
/// The list is null, or has `count` valid entries.
unsafe fn pieces<'a>(list: *const Sge, count: c_int) -> Result<&'a [Sge], c_int> {
    match usize::try_from(count) {
        Ok(0) => Ok(&[]),
        // SAFETY: the contract of this function.
        Ok(count) if !list.is_null() => Ok(unsafe { std::slice::from_raw_parts(list, count) }),
        _ => Err(libc::EINVAL),
    }
}

/// Contents of buffers, which need not be registered.
///
/// # Safety
/// The memory is valid for reading.
unsafe fn contents(pieces: &[Sge], most: u32) -> Result<ByteBuf, c_int> {
    let length: u64 = pieces.iter().map(|piece| u64::from(piece.length)).sum();
    if length > most.into() {
        return Err(libc::EINVAL);
    }
    let mut bytes = Vec::with_capacity(length as usize);
    for piece in pieces.iter().filter(|piece| piece.length > 0) {
        // SAFETY: the contract of this function.
        bytes.extend_from_slice(unsafe {
            std::slice::from_raw_parts(piece.addr as *const u8, piece.length as usize)
        });
    }
    Ok(ByteBuf::from(bytes))
}

/// Posts send requests, up to the first one that fails.
///
/// # Safety
/// The requirements of verbs: queue pair and requests are valid, and the memory is registered.
unsafe extern "C" fn post_send(qp: *mut Qp, first: *mut SendWr, bad: *mut *mut SendWr) -> c_int {
    let mut next = first;
    while !next.is_null() {
        // SAFETY: the contract of this function.
        let (own, request) = unsafe { (&*qp.cast::<OwnQp>(), &*next) };
        // SAFETY: the contract of this function.
        let errno = unsafe { send(own, request) }.map_or_else(|errno| errno, |()| 0);
        if errno != 0 {
            // SAFETY: the contract of this function.
            unsafe { *bad = next };
            return errno;
        }
        next = request.next;
    }
    0
}

/// # Safety
/// As [`post_send`].
unsafe fn send(own: &OwnQp, request: &SendWr) -> Result<(), c_int> {
    let operation = match request.opcode {
        SEND | SEND_WITH_IMMEDIATE => SendOperation::Send,
        RDMA_WRITE | RDMA_WRITE_WITH_IMMEDIATE => SendOperation::Write,
        RDMA_READ => SendOperation::Read,
        ATOMIC_COMPARE_AND_SWAP => SendOperation::CompareSwap,
        ATOMIC_FETCH_AND_ADD => SendOperation::FetchAdd,
        _ => return Err(libc::EOPNOTSUPP),
    };
    if request.send_flags & !(FENCE | SIGNALLED | SOLICITED | INLINE) != 0 {
        return Err(libc::EINVAL);
    }
    // SAFETY: the contract of this function.
    let pieces = unsafe { pieces(request.sg_list, request.num_sge) }?;
    let inline = match request.send_flags & INLINE {
        0 => None,
        // SAFETY: the contract of this function.
        _ => Some(unsafe { contents(pieces, own.most_inline()) }?),
    };
    let destination = match own.qp.qp_type == DATAGRAM {
        true if request.ud.ah.is_null() => return Err(libc::EINVAL),
        true => {
            // SAFETY: the contract of this function.
            let lid = unsafe { (*request.ud.ah.cast::<OwnAh>()).lid };
            Some(Destination { lid, pair: request.ud.remote_qpn, q_key: request.ud.remote_qkey })
        }
        false => None,
    };
    let has_immediate = matches!(request.opcode, SEND_WITH_IMMEDIATE | RDMA_WRITE_WITH_IMMEDIATE);
    // The union of the request begins with the address of remote memory.
    let is_remote = operation != SendOperation::Send;
    let remote = is_remote.then(|| link::place(request.ud.ah as u64));
    let (remote_key, swap, compare) = remote_of(operation, &request.ud);
    let request = SendRequest {
        id: request.wr_id,
        operation,
        pieces: if inline.is_some() {
            Vec::new()
        } else {
            pieces.iter().copied().map(memory::buffer).collect()
        },
        inline,
        signalled: own.all_signalled || request.send_flags & SIGNALLED != 0,
        solicited: request.send_flags & SOLICITED != 0,
        immediate: has_immediate.then_some(request.imm_data),
        remote_key,
        swap,
        compare,
        destination,
    };
    let call = Call::PostSend { pair: own.qp.handle as u8, request };
    link::ask_about("ibv_post_send", call, remote).map(|_| ())
}

/// Remote key, value to swap in or to add, and value to compare of a request, from its union. Behind the address is the
/// key; or the value to compare or to add, the value to swap in, and the key.
fn remote_of(operation: SendOperation, union: &ToDatagram) -> (u32, u64, u64) {
    let ToDatagram { remote_qpn, remote_qkey, rest: [second, last], .. } = *union;
    let first = u64::from(remote_qkey) << 32 | u64::from(remote_qpn);
    match operation {
        SendOperation::Send | SendOperation::Bind => (0, 0, 0),
        SendOperation::Write | SendOperation::Read => (remote_qpn, 0, 0),
        SendOperation::CompareSwap => (last as u32, second, first),
        SendOperation::FetchAdd => (last as u32, first, 0),
    }
}

/// Posts receive requests, up to the first one that fails.
///
/// # Safety
/// The requirements of verbs: queue pair and requests are valid.
unsafe extern "C" fn post_recv(qp: *mut Qp, first: *mut RecvWr, bad: *mut *mut RecvWr) -> c_int {
    // SAFETY: the contract of this function.
    let pair = unsafe { (*qp).handle as u8 };
    let post = |id, pieces| link::errno_of("ibv_post_recv", Call::PostReceive { pair, id, pieces });
    // SAFETY: the contract of this function.
    unsafe { receive_all(first, bad, post) }
}

/// Posts receive requests to a shared receive queue, as [`post_recv`].
///
/// # Safety
/// The requirements of verbs: queue and requests are valid.
unsafe extern "C" fn post_srq_recv(srq: *mut Srq, first: *mut RecvWr, bad: *mut *mut RecvWr) -> c_int {
    // SAFETY: the contract of this function.
    let queue = unsafe { (*srq).handle as u8 };
    let post = |id, pieces| link::errno_of("ibv_post_srq_recv", Call::PostShared { queue, id, pieces });
    // SAFETY: the contract of this function.
    unsafe { receive_all(first, bad, post) }
}

/// # Safety
/// The requests are valid.
unsafe fn receive_all(
    first: *mut RecvWr,
    bad: *mut *mut RecvWr,
    post: impl Fn(u64, Vec<Buffer>) -> c_int,
) -> c_int {
    let mut next = first;
    while !next.is_null() {
        // SAFETY: the contract of this function.
        let request = unsafe { &*next };
        // SAFETY: the contract of this function.
        let errno = match unsafe { pieces(request.sg_list, request.num_sge) } {
            Ok(pieces) => post(request.wr_id, pieces.iter().copied().map(memory::buffer).collect()),
            Err(errno) => errno,
        };
        if errno != 0 {
            // SAFETY: the contract of this function.
            unsafe { *bad = next };
            return errno;
        }
        next = request.next;
    }
    0
}

/// Requests an event with the next completion. Verbs allow extra events, so solicited ones are not distinguished.
///
/// # Safety
/// The requirement of verbs: the queue is valid.
unsafe extern "C" fn req_notify_cq(cq: *mut Cq, _solicited_only: c_int) -> c_int {
    // SAFETY: the contract of this function.
    link::errno_of("ibv_req_notify_cq", Call::RequestNotification(unsafe { (*cq).handle as u8 }))
}
