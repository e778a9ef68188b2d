//! Completion queues, queue pairs, address handles.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::ptr::null_mut;

use processes::verbs::call::{QueuePairAttributes, QueuePairInit};
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::extended::{completions, queue_pairs};
use crate::{events, link};

/// `IBV_QPT_RC`.
const CONNECTION: c_int = 2;
/// `IBV_QPT_UD`.
pub const DATAGRAM: c_int = 4;

/// A queue pair with its private part.
#[repr(C)]
pub struct OwnQp {
    /// The public part, at the address that programs have.
    pub qp: Qp,
    /// All send requests make completions (`sq_sig_all`).
    pub all_signalled: bool,
    /// Initial attributes, with the granted sizes.
    init: QpInitAttr,
    /// Attributes after the last change.
    attributes: QpAttr,
}

/// An address handle with its private part.
#[repr(C)]
pub struct OwnAh {
    ah: Ah,
    /// LID of the remote port.
    pub lid: u16,
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Creates a completion queue.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_cq(
    context: *mut Context,
    entries: c_int,
    own: *mut c_void,
    channel: *mut CompChannel,
    vector: c_int,
) -> *mut Cq {
    let create = || {
        let entries = u32::try_from(entries).map_err(|_| libc::EINVAL)?;
        if vector != 0 {
            return Err(libc::EINVAL);
        }
        let Answer::CompletionQueue(number, entries) =
            link::ask("ibv_create_cq", Call::CreateCompletionQueue(entries))?
        else {
            return Err(libc::EIO);
        };
        // SAFETY: null pointers, numbers and an unlocked mutex may be zero.
        let mut cq: Cq = unsafe { zeroed() };
        (cq.context, cq.channel, cq.cq_context) = (context, channel, own);
        (cq.handle, cq.cqe) = (number.into(), entries as c_int);
        Ok((number, cq))
    };
    let (number, queue) = match create() {
        Ok((number, cq)) => (number, completions::allocate(cq)),
        Err(errno) => return link::into_pointer(Err(errno)),
    };
    events::add(number, queue, channel);
    queue
}

/// Fails: a queue keeps its size.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_resize_cq(_cq: *mut Cq, _entries: c_int) -> c_int {
    libc::EOPNOTSUPP
}

/// Destroys a completion queue; `EBUSY` while a queue pair uses it.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_cq(cq: *mut Cq) -> c_int {
    // SAFETY: see above.
    let number = unsafe { (*cq).handle } as u8;
    let errno = link::errno_of("ibv_destroy_cq", Call::DestroyCompletionQueue(number));
    if errno == 0 {
        events::remove(number);
        // SAFETY: see above; the caller gives the object up.
        unsafe { completions::free(cq) };
    }
    errno
}

/// Creates a queue pair for a reliable connection or for datagrams.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_qp(pd: *mut Pd, wanted: *mut QpInitAttr) -> *mut Qp {
    // SAFETY: see above.
    let (domain, wanted) = unsafe { (&*pd, &mut *wanted) };
    let mut create = || {
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
        let call = Call::CreateQueuePair(QueuePairInit {
            connected: wanted.qp_type == CONNECTION,
            domain: domain.handle as u8,
            send_queue: send_cq.handle as u8,
            receive_queue: recv_cq.handle as u8,
            sends: max_send_wr,
            receives: max_recv_wr,
        });
        let Answer::QueuePair { number, sends, receives } = link::ask("ibv_create_qp", call)? else {
            return Err(libc::EIO);
        };
        wanted.cap = QpCap {
            max_send_wr: sends,
            max_recv_wr: receives,
            max_send_sge: 1,
            max_recv_sge: 1,
            max_inline_data: 0,
        };
        // SAFETY: null pointers, numbers and an unlocked mutex may be zero.
        let (mut qp, mut attributes): (Qp, QpAttr) = unsafe { (zeroed(), zeroed()) };
        (qp.context, qp.qp_context, qp.pd) = (domain.context, wanted.qp_context, pd);
        (qp.send_cq, qp.recv_cq) = (wanted.send_cq, wanted.recv_cq);
        (qp.handle, qp.qp_num, qp.qp_type) = (number.into(), number.into(), wanted.qp_type);
        attributes.cap = wanted.cap;
        Ok(OwnQp { qp, all_signalled: wanted.sq_sig_all != 0, init: *wanted, attributes })
    };
    link::into_pointer(create()).cast()
}

/// The value, if the mask has this bit.
fn given<T>(mask: c_int, bit: u32, value: T) -> Option<T> {
    (mask >> bit & 1 == 1).then_some(value)
}

/// Attributes that a mask selects (`ibv_qp_attr_mask`).
fn selected(of: &QpAttr, mask: c_int) -> QueuePairAttributes {
    QueuePairAttributes {
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

/// Changes attributes of a queue pair, and its state.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_modify_qp(qp: *mut Qp, attributes: *mut QpAttr, mask: c_int) -> c_int {
    // SAFETY: see above.
    let (own, of) = unsafe { (&mut *qp.cast::<OwnQp>(), &*attributes) };
    let port = given(mask, 5, of.port_num).is_some_and(|port| port != 1);
    let partition = given(mask, 4, of.pkey_index).is_some_and(|index| index != 0);
    let global = given(mask, 7, of.ah_attr.is_global).is_some_and(|global| global != 0);
    // There is one port and one partition; packets have no global route header; remote access is not supported.
    let reads = given(mask, 3, of.qp_access_flags).is_some_and(|access| access & !1 != 0);
    if port || partition || global || reads {
        return if reads { libc::EOPNOTSUPP } else { libc::EINVAL };
    }
    let change = selected(of, mask);
    let errno = link::errno_of(
        "ibv_modify_qp",
        Call::ModifyQueuePair { pair: own.qp.handle as u8, attributes: change.clone() },
    );
    if errno == 0 {
        let (kept, cap) = (own.attributes, own.init.cap);
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

/// Returns the attributes of a queue pair, as the program has set them.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_qp(
    qp: *mut Qp,
    attributes: *mut QpAttr,
    _mask: c_int,
    init: *mut QpInitAttr,
) -> c_int {
    // SAFETY: see above.
    unsafe {
        let own = &*qp.cast::<OwnQp>();
        *attributes = own.attributes;
        *init = own.init;
    }
    0
}

/// Destroys a queue pair.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_qp(qp: *mut Qp) -> c_int {
    // SAFETY: see above.
    let errno = link::errno_of("ibv_destroy_qp", Call::DestroyQueuePair(unsafe { (*qp).handle } as u8));
    if errno == 0 {
        queue_pairs::forget(qp);
        // SAFETY: see above; the caller gives the object up.
        drop(unsafe { Box::from_raw(qp.cast::<OwnQp>()) });
    }
    errno
}

/// Creates an address handle of a LID; global routing is not supported.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_ah(pd: *mut Pd, attributes: *mut AhAttr) -> *mut Ah {
    // SAFETY: see above.
    let (domain, wanted) = unsafe { (&*pd, &*attributes) };
    let is_supported = wanted.is_global == 0 && wanted.port_num == 1 && wanted.dlid != 0;
    let handle = OwnAh { ah: Ah { context: domain.context, pd, handle: 0 }, lid: wanted.dlid };
    link::into_pointer(if is_supported { Ok(handle) } else { Err(libc::EINVAL) }).cast()
}

/// Sets the attributes of an address handle for the sender of a received datagram.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_init_ah_from_wc(
    _context: *mut Context,
    port: u8,
    completion: *mut Wc,
    _grh: *mut c_void,
    attributes: *mut AhAttr,
) -> c_int {
    // SAFETY: see above; the attributes are numbers alone.
    let (completion, mut wanted) = unsafe { (&*completion, zeroed::<AhAttr>()) };
    (wanted.dlid, wanted.sl) = (completion.slid, completion.sl);
    (wanted.src_path_bits, wanted.port_num) = (completion.dlid_path_bits, port);
    // SAFETY: see above.
    unsafe { attributes.write(wanted) };
    0
}

/// Creates an address handle for the sender of a received datagram.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_ah_from_wc(
    pd: *mut Pd,
    completion: *mut Wc,
    grh: *mut c_void,
    port: u8,
) -> *mut Ah {
    // SAFETY: the attributes are numbers alone.
    let mut attributes = unsafe { zeroed() };
    // SAFETY: see above.
    ibv_init_ah_from_wc(unsafe { (*pd).context }, port, completion, grh, &mut attributes);
    ibv_create_ah(pd, &mut attributes)
}

/// Destroys an address handle.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_ah(ah: *mut Ah) -> c_int {
    // SAFETY: see above; the caller gives the object up.
    let own = unsafe { Box::from_raw(ah.cast::<OwnAh>()) };
    debug_assert!(own.ah.handle == 0);
    0
}

/// Fails: multicast is not supported.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_attach_mcast(_qp: *mut Qp, _gid: *const c_void, _lid: u16) -> c_int {
    libc::EOPNOTSUPP
}

/// Fails, as [`ibv_attach_mcast`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_detach_mcast(_qp: *mut Qp, _gid: *const c_void, _lid: u16) -> c_int {
    libc::EOPNOTSUPP
}

/// Fails: shared receive queues are not supported.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_srq(_pd: *mut Pd, _wanted: *mut c_void) -> *mut c_void {
    link::set_errno(libc::EOPNOTSUPP);
    null_mut()
}

/// Fails, as [`ibv_create_srq`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_modify_srq(_srq: *mut c_void, _attributes: *mut c_void, _mask: c_int) -> c_int {
    libc::EOPNOTSUPP
}

/// Fails, as [`ibv_create_srq`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_srq(_srq: *mut c_void, _attributes: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}

/// Fails, as [`ibv_create_srq`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_srq(_srq: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}
