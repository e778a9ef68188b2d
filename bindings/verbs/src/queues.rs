//! Completion queues, queue pairs, address handles.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::sync::atomic::Ordering::Relaxed;

use processes::verbs::call::{Attachment, QueuePairAttributes, QueuePairInit, Service};
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::domains::OwnPd;
use crate::extended::{completions, queue_pairs};
use crate::{events, link};

/// `IBV_QPT_RC`.
const CONNECTION: c_int = 2;
/// `IBV_QPT_UC`.
const UNRELIABLE_CONNECTION: c_int = 3;
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

impl OwnQp {
    /// Bytes of inline data of a request.
    pub fn most_inline(&self) -> u32 {
        self.init.cap.max_inline_data
    }
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

/// Gives a queue room for at least this many completions.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_resize_cq(cq: *mut Cq, entries: c_int) -> c_int {
    // SAFETY: see above.
    let own = unsafe { &mut *cq };
    let Ok(entries) = u32::try_from(entries) else { return libc::EINVAL };
    match link::ask("ibv_resize_cq", Call::ResizeCompletionQueue { queue: own.handle as u8, entries }) {
        Ok(Answer::CompletionQueue(_, granted)) => {
            own.cqe = granted as c_int;
            0
        }
        Ok(_) => libc::EIO,
        Err(errno) => errno,
    }
}

/// Destroys a completion queue; `EBUSY` while a queue pair uses it. Waits until all its events are acknowledged.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_cq(cq: *mut Cq) -> c_int {
    // SAFETY: see above.
    let number = unsafe { (*cq).handle } as u8;
    let errno = link::errno_of("ibv_destroy_cq", Call::DestroyCompletionQueue(number));
    if errno == 0 {
        // SAFETY: see above; the caller gives the object up.
        unsafe { events::remove(number, cq) };
        // SAFETY: as above.
        unsafe { completions::free(cq) };
    }
    errno
}

/// Transport service of an `ibv_qp_type`.
fn service(kind: c_int) -> Option<Service> {
    match kind {
        CONNECTION => Some(Service::ReliableConnection),
        UNRELIABLE_CONNECTION => Some(Service::UnreliableConnection),
        DATAGRAM => Some(Service::Datagram),
        _ => None,
    }
}

/// The call that makes a queue pair. One with a shared receive queue has no receive requests of its own.
fn call_of(init: QueuePairInit, srq: *const Srq) -> Call {
    // SAFETY: verbs require a valid queue, or none.
    match unsafe { srq.as_ref() } {
        None => Call::CreateQueuePair(init),
        Some(srq) => {
            let init = QueuePairInit { receives: 0, receive_pieces: 0, ..init };
            Call::CreateSharingPair(init, srq.handle as u8)
        }
    }
}

/// Creates a queue pair for a connection, reliable or not, or for datagrams.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_qp(pd: *mut Pd, wanted: *mut QpInitAttr) -> *mut Qp {
    // SAFETY: see above.
    let (domain, wanted) = unsafe { (&*pd, &mut *wanted) };
    let mut create = || {
        let service = service(wanted.qp_type).ok_or(libc::EOPNOTSUPP)?;
        let QpCap { max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data } = wanted.cap;
        if wanted.send_cq.is_null() || wanted.recv_cq.is_null() {
            return Err(libc::EINVAL);
        }
        // SAFETY: see above.
        let (send_cq, recv_cq) = unsafe { (&*wanted.send_cq, &*wanted.recv_cq) };
        let init = QueuePairInit {
            service,
            domain: domain.handle as u8,
            send_queue: send_cq.handle as u8,
            receive_queue: recv_cq.handle as u8,
            sends: max_send_wr,
            receives: max_recv_wr,
            send_pieces: max_send_sge,
            receive_pieces: max_recv_sge,
            inline: max_inline_data,
        };
        let call = call_of(init, wanted.srq);
        let Answer::QueuePair { number, sends, receives } = link::ask("ibv_create_qp", call)? else {
            return Err(libc::EIO);
        };
        wanted.cap = QpCap {
            max_send_wr: sends,
            max_recv_wr: receives,
            max_send_sge: max_send_sge.max(1),
            max_recv_sge: if wanted.srq.is_null() { max_recv_sge.max(1) } else { 0 },
            max_inline_data,
        };
        // SAFETY: null pointers, numbers and an unlocked mutex may be zero.
        let (mut qp, mut attributes): (Qp, QpAttr) = unsafe { (zeroed(), zeroed()) };
        (qp.context, qp.qp_context, qp.pd) = (domain.context, wanted.qp_context, pd);
        (qp.send_cq, qp.recv_cq, qp.srq) = (wanted.send_cq, wanted.recv_cq, wanted.srq);
        (qp.handle, qp.qp_num, qp.qp_type) = (number.into(), number.into(), wanted.qp_type);
        attributes.cap = wanted.cap;
        Ok(OwnQp { qp, all_signalled: wanted.sq_sig_all != 0, init: *wanted, attributes })
    };
    let qp = link::into_pointer(create()).cast();
    events::add_pair(qp);
    qp
}

/// The attributes that a mask selects (`ibv_qp_attr_mask`).
fn selected(of: &QpAttr, mask: c_int) -> QueuePairAttributes {
    let all = QueuePairAttributes {
        mask: mask as u32,
        state: of.qp_state as u32,
        current_state: of.cur_qp_state as u32,
        reports_drained: of.en_sqd_async_notify != 0,
        access: of.qp_access_flags,
        partition: of.pkey_index,
        port: of.port_num,
        q_key: of.qkey,
        peer_lid: of.ah_attr.dlid,
        mtu: of.path_mtu as u32,
        timeout: of.timeout,
        retries: of.retry_cnt,
        rnr_retries: of.rnr_retry,
        receive_psn: of.rq_psn,
        reads: of.max_rd_atomic,
        rnr_timer: of.min_rnr_timer,
        send_psn: of.sq_psn,
        peer_reads: of.max_dest_rd_atomic,
        peer: of.dest_qp_num,
    };
    // Fields that the mask does not name may hold anything.
    QueuePairAttributes::default().updated_with(&all)
}

/// Takes the attributes that a mask selects.
fn take(all: &mut QpAttr, from: &QpAttr, mask: c_int) {
    macro_rules! take {
        ($($bit:literal $field:ident),* $(,)?) => {
            $(if mask >> $bit & 1 == 1 { all.$field = from.$field; })*
        };
    }
    take!(
        2 en_sqd_async_notify, 3 qp_access_flags, 4 pkey_index, 5 port_num, 6 qkey, 7 ah_attr, 8 path_mtu, 9 timeout,
        10 retry_cnt, 11 rnr_retry, 12 rq_psn, 13 max_rd_atomic, 15 min_rnr_timer, 16 sq_psn, 17 max_dest_rd_atomic,
        20 dest_qp_num,
    );
}

/// Bit of `ibv_qp_attr_mask` for the address.
const ADDRESS: c_int = 1 << 7;
/// `IBV_QPS_RESET`.
const RESET: c_int = 0;

/// Whether an address leads through the port: by its LID, and by a global route from the only GID.
fn is_valid_address(address: &AhAttr) -> bool {
    let is_routed = address.is_global == 0 || address.grh.sgid_index == 0;
    is_routed && address.port_num == 1 && address.dlid != 0
}

/// Changes attributes of a queue pair, and its state.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_modify_qp(qp: *mut Qp, attributes: *mut QpAttr, mask: c_int) -> c_int {
    // SAFETY: see above.
    let (own, of) = unsafe { (&mut *qp.cast::<OwnQp>(), &*attributes) };
    if mask & ADDRESS != 0 && !is_valid_address(&of.ah_attr) {
        return libc::EINVAL;
    }
    let call = Call::ModifyQueuePair { pair: own.qp.handle as u8, attributes: selected(of, mask) };
    let errno = link::errno_of("ibv_modify_qp", call);
    if errno == 0 {
        take(&mut own.attributes, of, mask);
        if mask & 1 == 1 {
            own.qp.state = of.qp_state;
            if of.qp_state == RESET {
                // SAFETY: the attributes are numbers alone.
                own.attributes = unsafe { zeroed() };
            }
        }
    }
    errno
}

/// Returns the attributes of a queue pair, with the state that it has now.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_qp(
    qp: *mut Qp,
    attributes: *mut QpAttr,
    _mask: c_int,
    init: *mut QpInitAttr,
) -> c_int {
    // SAFETY: see above.
    let own = unsafe { &mut *qp.cast::<OwnQp>() };
    match link::ask("ibv_query_qp", Call::QueryQueuePair(own.qp.handle as u8)) {
        Ok(Answer::QueuePairState { state, is_draining }) => {
            own.qp.state = state as c_int;
            let now = QpAttr {
                qp_state: own.qp.state,
                cur_qp_state: own.qp.state,
                sq_draining: is_draining.into(),
                cap: own.init.cap,
                ..own.attributes
            };
            // SAFETY: see above.
            unsafe {
                *attributes = now;
                *init = own.init;
            }
            0
        }
        Ok(_) => libc::EIO,
        Err(errno) => errno,
    }
}

/// Destroys a queue pair. Waits until all its events are acknowledged.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_qp(qp: *mut Qp) -> c_int {
    // SAFETY: see above.
    let errno = link::errno_of("ibv_destroy_qp", Call::DestroyQueuePair(unsafe { (*qp).handle } as u8));
    if errno == 0 {
        // SAFETY: see above.
        unsafe { events::remove_pair(qp) };
        queue_pairs::forget(qp);
        // SAFETY: see above; the caller gives the object up.
        drop(unsafe { Box::from_raw(qp.cast::<OwnQp>()) });
    }
    errno
}

/// Creates an address handle. A global route is accepted: the LID leads to the same port.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_ah(pd: *mut Pd, attributes: *mut AhAttr) -> *mut Ah {
    // SAFETY: see above.
    let (domain, wanted) = unsafe { (&*pd, &*attributes) };
    if !is_valid_address(wanted) {
        return link::into_pointer(Err(libc::EINVAL));
    }
    // SAFETY: see above.
    unsafe { &*pd.cast::<OwnPd>() }.users.fetch_add(1, Relaxed);
    let ah = Ah { context: domain.context, pd, handle: 0 };
    link::into_pointer(Ok(OwnAh { ah, lid: wanted.dlid })).cast()
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
    // SAFETY: see above; the domain cannot be deallocated before its address handles are destroyed.
    unsafe { &*own.ah.pd.cast::<OwnPd>() }.users.fetch_sub(1, Relaxed);
    0
}

/// A queue pair in a multicast group.
fn attachment(qp: *mut Qp, gid: *const c_void, lid: u16) -> Attachment {
    // SAFETY: see above; a GID is 16 bytes.
    unsafe { Attachment { pair: (*qp).handle as u8, lid, gid: gid.cast::<[u8; 16]>().read() } }
}

/// Attaches a queue pair for datagrams to a multicast group: it gets datagrams for the group's LID.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_attach_mcast(qp: *mut Qp, gid: *const c_void, lid: u16) -> c_int {
    link::errno_of("ibv_attach_mcast", Call::AttachGroup(attachment(qp, gid, lid)))
}

/// Detaches a queue pair from a multicast group.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_detach_mcast(qp: *mut Qp, gid: *const c_void, lid: u16) -> c_int {
    link::errno_of("ibv_detach_mcast", Call::DetachGroup(attachment(qp, gid, lid)))
}
