//! Completion queues, queue pairs, addresses of datagrams.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::ptr::null_mut;

use processes::verbs::call::{Change, PairWanted};
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::{events, link};

/// `IBV_QPT_RC`.
const CONNECTION: c_int = 2;
/// `IBV_QPT_UD`.
pub const DATAGRAM: c_int = 4;

/// A queue pair, and what verbs do not show of it.
#[repr(C)]
pub struct OwnQp {
    /// What programs see.
    pub qp: Qp,
    /// All requests to send want completions.
    pub all_signalled: bool,
    /// What it was made with, the sizes as they are.
    made: QpInitAttr,
    /// What was said of it last.
    attributes: QpAttr,
}

/// An address of datagrams.
#[repr(C)]
pub struct OwnAh {
    ah: Ah,
    /// LID.
    pub lid: u16,
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Pointers are those of the caller, who by the documentation of verbs gives
// places that are there and objects that this library has made and not ended.
/// A completion queue.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_cq(
    context: *mut Context,
    entries: c_int,
    own: *mut c_void,
    channel: *mut CompChannel,
    vector: c_int,
) -> *mut Cq {
    let make = || {
        let entries = u32::try_from(entries).map_err(|_| libc::EINVAL)?;
        if vector != 0 {
            return Err(libc::EINVAL);
        }
        let Answer::Queue(number, entries) = link::ask("ibv_create_cq", Call::MakeQueue(entries))? else {
            return Err(libc::EIO);
        };
        // SAFETY: zeros are a queue: null pointers, numbers, a lock that is open.
        let mut cq: Cq = unsafe { zeroed() };
        (cq.context, cq.channel, cq.cq_context) = (context, channel, own);
        (cq.handle, cq.cqe) = (number.into(), entries as c_int);
        Ok((number, cq))
    };
    let (number, made) = match make() {
        Ok((number, cq)) => (number, link::made(Ok(cq))),
        Err(errno) => return link::made(Err(errno)),
    };
    events::add(number, made, channel);
    made
}

/// Another size for it: not here.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_resize_cq(_cq: *mut Cq, _entries: c_int) -> c_int {
    libc::EOPNOTSUPP
}

/// It is not used any more.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_cq(cq: *mut Cq) -> c_int {
    // SAFETY: see above.
    let number = unsafe { (*cq).handle } as u8;
    let errno = link::done("ibv_destroy_cq", Call::EndQueue(number));
    if errno == 0 {
        events::remove(number);
        // SAFETY: see above; it is used no more.
        drop(unsafe { Box::from_raw(cq) });
    }
    errno
}

/// A queue pair: a connection, or one of datagrams.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_qp(pd: *mut Pd, wanted: *mut QpInitAttr) -> *mut Qp {
    // SAFETY: see above.
    let (of, wanted) = unsafe { (&*pd, &mut *wanted) };
    let mut make = || {
        if !matches!(wanted.qp_type, CONNECTION | DATAGRAM) || !wanted.srq.is_null() {
            return Err(libc::EOPNOTSUPP);
        }
        let QpCap { max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data } = wanted.cap;
        if wanted.send_cq.is_null()
            || wanted.recv_cq.is_null()
            || max_send_sge > 1
            || max_recv_sge > 1
            || max_inline_data > 0
        {
            return Err(libc::EINVAL);
        }
        // SAFETY: see above.
        let (send_cq, recv_cq) = unsafe { (&*wanted.send_cq, &*wanted.recv_cq) };
        let call = Call::MakePair(PairWanted {
            connected: wanted.qp_type == CONNECTION,
            domain: of.handle as u8,
            send_queue: send_cq.handle as u8,
            receive_queue: recv_cq.handle as u8,
            sends: max_send_wr,
            receives: max_recv_wr,
        });
        let Answer::Pair { number, sends, receives } = link::ask("ibv_create_qp", call)? else {
            return Err(libc::EIO);
        };
        wanted.cap = QpCap {
            max_send_wr: sends,
            max_recv_wr: receives,
            max_send_sge: 1,
            max_recv_sge: 1,
            max_inline_data: 0,
        };
        // SAFETY: zeros are a queue pair and attributes: null pointers, numbers, a lock that is open.
        let (mut qp, mut attributes): (Qp, QpAttr) = unsafe { (zeroed(), zeroed()) };
        (qp.context, qp.qp_context, qp.pd) = (of.context, wanted.qp_context, pd);
        (qp.send_cq, qp.recv_cq) = (wanted.send_cq, wanted.recv_cq);
        (qp.handle, qp.qp_num, qp.qp_type) = (number.into(), number.into(), wanted.qp_type);
        attributes.cap = wanted.cap;
        Ok(OwnQp { qp, all_signalled: wanted.sq_sig_all != 0, made: *wanted, attributes })
    };
    link::made(make()).cast()
}

/// Whether a mask has a bit, and the value with it.
fn given<T>(mask: c_int, bit: u32, value: T) -> Option<T> {
    (mask >> bit & 1 == 1).then_some(value)
}

/// Attributes that a mask names (`ibv_qp_attr_mask`), as the simulator has them.
fn change(of: &QpAttr, mask: c_int) -> Change {
    Change {
        state: given(mask, 0, of.qp_state as u32),
        q_key: given(mask, 6, of.qkey),
        peer_lid: given(mask, 7, of.ah_attr.dlid),
        mtu: given(mask, 8, of.path_mtu as u32),
        timeout: given(mask, 9, of.timeout),
        retries: given(mask, 10, of.retry_cnt),
        rnr_retries: given(mask, 11, of.rnr_retry),
        receive_psn: given(mask, 12, of.rq_psn),
        rnr_timer: given(mask, 15, of.min_rnr_timer),
        send_psn: given(mask, 16, of.sq_psn),
        peer: given(mask, 20, of.dest_qp_num),
    }
}

/// Changes a queue pair.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_modify_qp(qp: *mut Qp, attributes: *mut QpAttr, mask: c_int) -> c_int {
    // SAFETY: see above.
    let (own, of) = unsafe { (&mut *qp.cast::<OwnQp>(), &*attributes) };
    let port = given(mask, 5, of.port_num).is_some_and(|port| port != 1);
    let partition = given(mask, 4, of.pkey_index).is_some_and(|index| index != 0);
    let global = given(mask, 7, of.ah_attr.is_global).is_some_and(|global| global != 0);
    // One port, one partition; packets have no global route header. Peers reach into no memory, so no access is given.
    let reads = given(mask, 3, of.qp_access_flags).is_some_and(|access| access & !1 != 0);
    if port || partition || global || reads {
        return if reads { libc::EOPNOTSUPP } else { libc::EINVAL };
    }
    let change = change(of, mask);
    let errno =
        link::done("ibv_modify_qp", Call::Modify { pair: own.qp.handle as u8, change: change.clone() });
    if errno == 0 {
        let (kept, cap) = (own.attributes, own.made.cap);
        own.attributes = QpAttr {
            qp_state: change.state.map_or(kept.qp_state, |state| state as c_int),
            path_mtu: change.mtu.map_or(kept.path_mtu, |mtu| mtu as c_int),
            qkey: change.q_key.unwrap_or(kept.qkey),
            rq_psn: change.receive_psn.unwrap_or(kept.rq_psn),
            sq_psn: change.send_psn.unwrap_or(kept.sq_psn),
            dest_qp_num: change.peer.unwrap_or(kept.dest_qp_num),
            ah_attr: given(mask, 7, of.ah_attr).unwrap_or(kept.ah_attr),
            min_rnr_timer: change.rnr_timer.unwrap_or(kept.min_rnr_timer),
            timeout: change.timeout.unwrap_or(kept.timeout),
            retry_cnt: change.retries.unwrap_or(kept.retry_cnt),
            rnr_retry: change.rnr_retries.unwrap_or(kept.rnr_retry),
            port_num: 1,
            cap,
            ..kept
        };
        own.attributes.cur_qp_state = own.attributes.qp_state;
        own.qp.state = own.attributes.qp_state;
    }
    errno
}

/// What was said of a queue pair.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_qp(
    qp: *mut Qp,
    attributes: *mut QpAttr,
    _mask: c_int,
    made: *mut QpInitAttr,
) -> c_int {
    // SAFETY: see above.
    unsafe {
        let own = &*qp.cast::<OwnQp>();
        *attributes = own.attributes;
        *made = own.made;
    }
    0
}

/// It is not used any more.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_qp(qp: *mut Qp) -> c_int {
    // SAFETY: see above.
    let errno = link::done("ibv_destroy_qp", Call::EndPair(unsafe { (*qp).handle } as u8));
    if errno == 0 {
        // SAFETY: see above; it is used no more.
        drop(unsafe { Box::from_raw(qp.cast::<OwnQp>()) });
    }
    errno
}

/// Calls behind those of the header: none.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_qp_to_qp_ex(_qp: *mut Qp) -> *mut c_void {
    null_mut()
}

/// An address of datagrams: a LID.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_ah(pd: *mut Pd, attributes: *mut AhAttr) -> *mut Ah {
    // SAFETY: see above.
    let (of, wanted) = unsafe { (&*pd, &*attributes) };
    let right = wanted.is_global == 0 && wanted.port_num == 1 && wanted.dlid != 0;
    let made = OwnAh { ah: Ah { context: of.context, pd, handle: 0 }, lid: wanted.dlid };
    link::made(if right { Ok(made) } else { Err(libc::EINVAL) }).cast()
}

/// It is not used any more.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_ah(ah: *mut Ah) -> c_int {
    // SAFETY: see above; it is used no more.
    let own = unsafe { Box::from_raw(ah.cast::<OwnAh>()) };
    debug_assert!(own.ah.handle == 0);
    0
}

/// A group of datagrams: not here.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_attach_mcast(_qp: *mut Qp, _gid: *const c_void, _lid: u16) -> c_int {
    libc::EOPNOTSUPP
}

/// The same.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_detach_mcast(_qp: *mut Qp, _gid: *const c_void, _lid: u16) -> c_int {
    libc::EOPNOTSUPP
}

/// A receive queue of several queue pairs: not here.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_srq(_pd: *mut Pd, _wanted: *mut c_void) -> *mut c_void {
    link::fail(libc::EOPNOTSUPP);
    null_mut()
}

/// The same.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_modify_srq(_srq: *mut c_void, _attributes: *mut c_void, _mask: c_int) -> c_int {
    libc::EOPNOTSUPP
}

/// The same.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_srq(_srq: *mut c_void, _attributes: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}

/// The same.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_srq(_srq: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}
