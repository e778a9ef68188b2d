//! Functions that the header calls through the context: posting of work requests, polling of completion queues.
#![allow(unsafe_code)]

use processes::verbs::call::{Buffer, Completion, Destination, SendRequest};
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::queues::{DATAGRAM, OwnAh, OwnQp};
use crate::{empty, link, memory};

/// `IBV_WR_SEND` and `IBV_WR_SEND_WITH_IMM`.
const SEND: c_int = 2;
const SEND_WITH_IMMEDIATE: c_int = 3;
/// Bits of `ibv_send_flags`. A fence has no effect: the adapter carries out one request at a time.
const FENCE: c_uint = 1;
const SIGNALLED: c_uint = 2;
const SOLICITED: c_uint = 4;
/// `IBV_WC_SEND` and `IBV_WC_RECV`.
const SENT: c_int = 0;
const RECEIVED: c_int = 128;
/// `IBV_WC_WITH_IMM`.
const WITH_IMMEDIATE: c_uint = 2;

/// Sets the functions of a context.
pub fn install(ops: &mut ContextOps) {
    ops.alloc_mw = Some(alloc_mw);
    ops.bind_mw = Some(bind_mw);
    ops.dealloc_mw = Some(dealloc_mw);
    ops.poll_cq = Some(poll_cq);
    ops.req_notify_cq = Some(req_notify_cq);
    ops.post_srq_recv = Some(post_srq_recv);
    ops.post_send = Some(post_send);
    ops.post_recv = Some(post_recv);
}

/// Buffer of a request, which has one scatter/gather entry at most.
///
/// # Safety
/// The list is null, or has `count` valid entries.
unsafe fn buffer(list: *const Sge, count: c_int) -> Result<Buffer, c_int> {
    match count {
        0 => Ok(Buffer::default()),
        // SAFETY: the contract of this function.
        1 if !list.is_null() => Ok(memory::buffer(unsafe { *list })),
        _ => Err(libc::EINVAL),
    }
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
    if !matches!(request.opcode, SEND | SEND_WITH_IMMEDIATE) {
        return Err(libc::EOPNOTSUPP);
    }
    if request.send_flags & !(FENCE | SIGNALLED | SOLICITED) != 0 {
        return Err(libc::EINVAL);
    }
    // SAFETY: the contract of this function.
    let buffer = unsafe { buffer(request.sg_list, request.num_sge) }?;
    let destination = match own.qp.qp_type == DATAGRAM {
        true if request.ud.ah.is_null() => return Err(libc::EINVAL),
        true => {
            // SAFETY: the contract of this function.
            let lid = unsafe { (*request.ud.ah.cast::<OwnAh>()).lid };
            Some(Destination { lid, pair: request.ud.remote_qpn, q_key: request.ud.remote_qkey })
        }
        false => None,
    };
    let request = SendRequest {
        id: request.wr_id,
        buffer,
        data: memory::bytes(buffer),
        signalled: own.all_signalled || request.send_flags & SIGNALLED != 0,
        solicited: request.send_flags & SOLICITED != 0,
        immediate: (request.opcode == SEND_WITH_IMMEDIATE).then_some(request.imm_data),
        destination,
    };
    link::ask("ibv_post_send", Call::PostSend { pair: own.qp.handle as u8, request }).map(|_| ())
}

/// Posts receive requests, up to the first one that fails.
///
/// # Safety
/// The requirements of verbs: queue pair and requests are valid.
unsafe extern "C" fn post_recv(qp: *mut Qp, first: *mut RecvWr, bad: *mut *mut RecvWr) -> c_int {
    let mut next = first;
    while !next.is_null() {
        // SAFETY: the contract of this function.
        let (pair, request) = unsafe { ((*qp).handle as u8, &*next) };
        // SAFETY: the contract of this function.
        let buffer = unsafe { buffer(request.sg_list, request.num_sge) };
        let posted = buffer.and_then(|buffer| {
            link::ask("ibv_post_recv", Call::PostReceive { pair, id: request.wr_id, buffer })
        });
        if let Err(errno) = posted {
            // SAFETY: the contract of this function.
            unsafe { *bad = next };
            return errno;
        }
        next = request.next;
    }
    0
}

/// Polls a completion queue; the number of completions, or a negated `errno`.
///
/// # Safety
/// The requirements of verbs: the queue is valid, and so is room for `entries` completions.
unsafe extern "C" fn poll_cq(cq: *mut Cq, entries: c_int, completed: *mut Wc) -> c_int {
    // SAFETY: the contract of this function.
    let queue = unsafe { (*cq).handle as u8 };
    let Ok(most) = u32::try_from(entries) else { return -libc::EINVAL };
    if empty::is_known() {
        return 0;
    }
    let completions = match link::ask("ibv_poll_cq", Call::Poll { queue, most }) {
        Ok(Answer::Completions(completions)) => completions,
        Ok(Answer::Empty { look_ps, until_ps }) => {
            empty::note(look_ps, until_ps);
            return 0;
        }
        Ok(_) => return -libc::EIO,
        Err(errno) => return -errno,
    };
    for (at, completion) in completions.iter().take(most as usize).enumerate() {
        if let Some((buffer, bytes)) = &completion.received {
            memory::put(*buffer, bytes);
        }
        // SAFETY: the contract of this function.
        unsafe { completed.add(at).write(work_completion(completion)) };
    }
    completions.len().min(most as usize) as c_int
}

fn work_completion(completion: &Completion) -> Wc {
    Wc {
        wr_id: completion.id,
        status: completion.status.into(),
        opcode: if completion.received.is_some() { RECEIVED } else { SENT },
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

/// Requests an event with the next completion. Verbs allow extra events, so solicited ones are not distinguished.
///
/// # Safety
/// The requirement of verbs: the queue is valid.
unsafe extern "C" fn req_notify_cq(cq: *mut Cq, _solicited_only: c_int) -> c_int {
    // SAFETY: the contract of this function.
    link::errno_of("ibv_req_notify_cq", Call::RequestNotification(unsafe { (*cq).handle as u8 }))
}

unsafe extern "C" fn post_srq_recv(_: *mut c_void, _: *mut RecvWr, _: *mut *mut RecvWr) -> c_int {
    libc::EOPNOTSUPP
}

unsafe extern "C" fn alloc_mw(_: *mut Pd, _: c_int) -> *mut c_void {
    link::set_errno(libc::EOPNOTSUPP);
    std::ptr::null_mut()
}

unsafe extern "C" fn bind_mw(_: *mut Qp, _: *mut c_void, _: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}

unsafe extern "C" fn dealloc_mw(_: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}
