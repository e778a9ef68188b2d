//! What the header calls through the context: requests, and looks at completion queues.
#![allow(unsafe_code)]

use processes::verbs::call::{Completion, Destination, Place, Send};
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::queues::{DATAGRAM, OwnAh, OwnQp};
use crate::{link, memory};

/// `IBV_WR_SEND` and `IBV_WR_SEND_WITH_IMM`.
const SEND: c_int = 2;
const SEND_WITH_IMMEDIATE: c_int = 3;
/// Bits of `ibv_send_flags`. A fence is always there: one request is under way at a time.
const FENCE: c_uint = 1;
const SIGNALLED: c_uint = 2;
const SOLICITED: c_uint = 4;
/// `IBV_WC_SEND` and `IBV_WC_RECV`.
const SENT: c_int = 0;
const RECEIVED: c_int = 128;
/// `IBV_WC_WITH_IMM`.
const WITH_IMMEDIATE: c_uint = 2;

/// Puts these calls into a context.
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

/// The bytes of a request: one piece of memory at most.
///
/// # Safety
/// A list of one entry is there.
unsafe fn piece(list: *const Sge, count: c_int) -> Result<Place, c_int> {
    match count {
        0 => Ok(Place::default()),
        // SAFETY: that of this function.
        1 if !list.is_null() => Ok(memory::place(unsafe { *list })),
        _ => Err(libc::EINVAL),
    }
}

/// Puts requests to send into the ring.
///
/// # Safety
/// Those of verbs: queue pair and requests are there, and the memory is registered.
unsafe extern "C" fn post_send(qp: *mut Qp, first: *mut SendWr, bad: *mut *mut SendWr) -> c_int {
    let mut next = first;
    while !next.is_null() {
        // SAFETY: that of this function.
        let (own, request) = unsafe { (&*qp.cast::<OwnQp>(), &*next) };
        // SAFETY: that of this function.
        let errno = unsafe { send(own, request) }.map_or_else(|errno| errno, |()| 0);
        if errno != 0 {
            // SAFETY: that of this function.
            unsafe { *bad = next };
            return errno;
        }
        next = request.next;
    }
    0
}

/// # Safety
/// That of [`post_send`].
unsafe fn send(own: &OwnQp, request: &SendWr) -> Result<(), c_int> {
    if !matches!(request.opcode, SEND | SEND_WITH_IMMEDIATE) {
        return Err(libc::EOPNOTSUPP);
    }
    if request.send_flags & !(FENCE | SIGNALLED | SOLICITED) != 0 {
        return Err(libc::EINVAL);
    }
    // SAFETY: that of this function.
    let place = unsafe { piece(request.sg_list, request.num_sge) }?;
    let to = match own.qp.qp_type == DATAGRAM {
        true if request.ud.ah.is_null() => return Err(libc::EINVAL),
        true => {
            // SAFETY: that of this function.
            let lid = unsafe { (*request.ud.ah.cast::<OwnAh>()).lid };
            Some(Destination { lid, pair: request.ud.remote_qpn, q_key: request.ud.remote_qkey })
        }
        false => None,
    };
    let request = Send {
        id: request.wr_id,
        place,
        data: memory::bytes(place),
        signalled: own.all_signalled || request.send_flags & SIGNALLED != 0,
        solicited: request.send_flags & SOLICITED != 0,
        immediate: (request.opcode == SEND_WITH_IMMEDIATE).then_some(request.imm_data),
        to,
    };
    link::ask("ibv_post_send", Call::Send { pair: own.qp.handle as u8, request }).map(|_| ())
}

/// Puts requests to receive into the ring.
///
/// # Safety
/// Those of verbs: queue pair and requests are there.
unsafe extern "C" fn post_recv(qp: *mut Qp, first: *mut RecvWr, bad: *mut *mut RecvWr) -> c_int {
    let mut next = first;
    while !next.is_null() {
        // SAFETY: that of this function.
        let (pair, request) = unsafe { ((*qp).handle as u8, &*next) };
        // SAFETY: that of this function.
        let place = unsafe { piece(request.sg_list, request.num_sge) };
        let posted = place
            .and_then(|place| link::ask("ibv_post_recv", Call::Receive { pair, id: request.wr_id, place }));
        if let Err(errno) = posted {
            // SAFETY: that of this function.
            unsafe { *bad = next };
            return errno;
        }
        next = request.next;
    }
    0
}

/// Looks at a completion queue.
///
/// # Safety
/// Those of verbs: the queue is there, and places for so many completions.
unsafe extern "C" fn poll_cq(cq: *mut Cq, entries: c_int, places: *mut Wc) -> c_int {
    // SAFETY: that of this function.
    let queue = unsafe { (*cq).handle as u8 };
    let Ok(most) = u32::try_from(entries) else { return -libc::EINVAL };
    let completions = match link::ask("ibv_poll_cq", Call::Poll { queue, most }) {
        Ok(Answer::Completions(completions)) => completions,
        Ok(_) => return -libc::EIO,
        Err(errno) => return -errno,
    };
    for (at, completion) in completions.iter().take(most as usize).enumerate() {
        if let Some((place, bytes)) = &completion.received {
            memory::put(*place, bytes);
        }
        // SAFETY: that of this function.
        unsafe { places.add(at).write(told(completion)) };
    }
    completions.len().min(most as usize) as c_int
}

fn told(completion: &Completion) -> Wc {
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

/// The next completion is an event. Whether the sender has asked for one makes no difference: an event too many harms nobody.
///
/// # Safety
/// That of verbs: the queue is there.
unsafe extern "C" fn req_notify_cq(cq: *mut Cq, _solicited_only: c_int) -> c_int {
    // SAFETY: that of this function.
    link::done("ibv_req_notify_cq", Call::Arm(unsafe { (*cq).handle as u8 }))
}

unsafe extern "C" fn post_srq_recv(_: *mut c_void, _: *mut RecvWr, _: *mut *mut RecvWr) -> c_int {
    libc::EOPNOTSUPP
}

unsafe extern "C" fn alloc_mw(_: *mut Pd, _: c_int) -> *mut c_void {
    link::fail(libc::EOPNOTSUPP);
    std::ptr::null_mut()
}

unsafe extern "C" fn bind_mw(_: *mut Qp, _: *mut c_void, _: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}

unsafe extern "C" fn dealloc_mw(_: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}
