//! Calls of a verbs program and their answers; the library and the simulator share these types.
//!
//! The simulator knows a memory region by its key, and a buffer by its offset in the region. Addresses are outside of
//! the [`Call`], so that fingerprints do not depend on them.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::connections::call::{ConnectionAnswer, ConnectionCall};

/// A call, and what the program did before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallMessage {
    /// The function of verbs or POSIX that the program called, for reports.
    pub function: String,
    /// Virtual time that reading clocks has cost since the last answer, in ps.
    pub computed_ps: u64,
    /// Since the last answer the program wrote to a socket, listened on one or closed one.
    pub sent_out_of_band: bool,
    /// Ports on which the program has begun to listen since the last answer.
    pub listens: Vec<Listener>,
    /// Address of the memory that the call is about: of a region in this process, or of RDMA or an atomic operation at the peer.
    pub memory: Option<MemoryAddress>,
    /// Function and arguments.
    pub call: Call,
}

/// A TCP port on which a program listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    /// Port, in host byte order.
    pub port: u16,
    /// At the address that the run has for itself; otherwise at that of the program.
    pub is_at_run: bool,
}

/// Where programs of the run listen on a port: [`Answer::Number`] of [`Call::WaitForPeer`].
pub mod listening {
    /// None does.
    pub const NOWHERE: u32 = 0;
    /// At the address of the program.
    pub const AT_PROGRAM: u32 = 1;
    /// At the address that the run has for itself.
    pub const AT_RUN: u32 = 2;
}

/// A place in the memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryAddress {
    /// Number of the process that makes the call, at the operating system.
    pub process: u32,
    /// The address, in the process that has the memory.
    pub address: u64,
}

/// A call of a verbs program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// `ibv_open_device` and queries: [`Answer::Lid`].
    Open,
    /// `ibv_alloc_pd`: [`Answer::Number`].
    AllocateDomain,
    /// `ibv_dealloc_pd`, by number.
    DeallocateDomain(u8),
    /// `ibv_reg_mr`: [`Answer::Number`], the key.
    RegisterMemory {
        /// Protection domain.
        domain: u8,
        /// Bytes of the region.
        length: u64,
        /// `ibv_access_flags`.
        access: u32,
        /// Address by which peers and work requests name the first byte, minus its address in the process; wraps.
        shift: u64,
    },
    /// `ibv_rereg_mr`; what is missing stays. A new length comes with the address of the new memory.
    ReregisterMemory {
        /// Key of the region.
        key: u32,
        /// Protection domain.
        domain: Option<u8>,
        /// Bytes of the region.
        length: Option<u64>,
        /// `ibv_access_flags`.
        access: Option<u32>,
    },
    /// `ibv_dereg_mr`, by key.
    DeregisterMemory(u32),
    /// `ibv_create_cq` with at least this many entries: [`Answer::CompletionQueue`].
    CreateCompletionQueue(u32),
    /// `ibv_resize_cq` to at least this many entries: [`Answer::CompletionQueue`].
    ResizeCompletionQueue {
        /// Number of the completion queue.
        queue: u8,
        /// Entries at least.
        entries: u32,
    },
    /// `ibv_destroy_cq`, by number.
    DestroyCompletionQueue(u8),
    /// `ibv_create_qp`: [`Answer::QueuePair`].
    CreateQueuePair(QueuePairInit),
    /// `ibv_modify_qp`.
    ModifyQueuePair {
        /// Number of the queue pair.
        pair: u8,
        /// Attributes that change.
        attributes: QueuePairAttributes,
    },
    /// `ibv_query_qp`, by number: [`Answer::QueuePairState`].
    QueryQueuePair(u8),
    /// `ibv_destroy_qp`, by number.
    DestroyQueuePair(u8),
    /// `ibv_post_send` of one work request.
    PostSend {
        /// Number of the queue pair.
        pair: u8,
        /// The work request.
        request: SendRequest,
    },
    /// `ibv_post_recv` of one work request.
    PostReceive {
        /// Number of the queue pair.
        pair: u8,
        /// `wr_id`, which the completion returns.
        id: u64,
        /// Buffers for the message, in their order.
        pieces: Vec<Buffer>,
    },
    /// `ibv_poll_cq`: [`Answer::Completions`].
    Poll {
        /// Number of the completion queue.
        queue: u8,
        /// Completions at most.
        most: u32,
    },
    /// `ibv_req_notify_cq`: the next completion of this queue is an event.
    RequestNotification(u8),
    /// `ibv_get_cq_event` on a channel with these queues: [`Answer::Number`], the queue.
    WaitForEvent(Vec<u8>),
    /// `ibv_get_async_event`: [`Answer::AsyncEvent`], or `EAGAIN`.
    TakeAsyncEvent {
        /// Waits for an event if there is none.
        waits: bool,
    },
    /// The program is about to use sockets without blocking: it waits for a time at which none of its peers does the
    /// opposite.
    UseSockets {
        /// It does something that peers see; otherwise it looks at what they did.
        sends: bool,
    },
    /// A fork that had the slot has ended: what it has made and not destroyed is freed.
    EndFork,
    /// The program is about to block in a socket.
    WaitForSocket {
        /// It has looked since the last answer and found nothing.
        again: bool,
    },
    /// The program is about to connect to this port: it waits until another program has used a socket, if there is
    /// another one. [`Answer::Number`]: where a program of the run [listens](listening) on the port.
    WaitForPeer {
        /// Port, in host byte order.
        port: u16,
        /// The program blocks; otherwise it only asks.
        blocks: bool,
    },
    /// The program has looked at descriptors, found nothing, and blocks. [`Answer::Number`] is the queue of an event;
    /// [`Answer::Done`] asks the program to look again.
    Wait(Wanted),
    /// The program spins on memory: it waits until the adapter writes memory that peers may write, or for a while.
    WaitForMemory,
    /// Sleeps, in ps.
    Sleep(u64),
    /// A call of the connection manager: [`Answer::Done`], [`Answer::Number`] or [`Answer::Connection`].
    Connection(ConnectionCall),
    /// As [`Wait`](Call::Wait), and an event of one of these channels of the connection manager ends the wait too.
    WaitForConnection(Wanted, Vec<u32>),
    /// `ibv_create_srq`: [`Answer::SharedQueue`].
    CreateSharedQueue {
        /// Protection domain.
        domain: u8,
        /// Outstanding receive requests.
        requests: u32,
        /// Scatter/gather elements of a receive request.
        pieces: u32,
    },
    /// `ibv_modify_srq`: an event tells once that fewer receive requests than this are left; 0 for no event.
    SetLimit {
        /// Number of the shared receive queue.
        queue: u8,
        /// Receive requests that are enough.
        least: u32,
    },
    /// `ibv_query_srq`, by number: [`Answer::Number`], the limit.
    QueryLimit(u8),
    /// `ibv_destroy_srq`, by number.
    DestroySharedQueue(u8),
    /// `ibv_post_srq_recv` of one work request.
    PostShared {
        /// Number of the shared receive queue.
        queue: u8,
        /// `wr_id`, which the completion returns.
        id: u64,
        /// Buffers for the message, in their order.
        pieces: Vec<Buffer>,
    },
    /// `ibv_create_qp` with a shared receive queue, by number: [`Answer::QueuePair`].
    CreateSharingPair(QueuePairInit, u8),
    /// `ibv_attach_mcast`.
    AttachGroup(Attachment),
    /// `ibv_detach_mcast`.
    DetachGroup(Attachment),
    /// `ibv_alloc_mw` of type 1: [`Answer::Number`], a key that allows nothing yet.
    AllocateWindow {
        /// Protection domain.
        domain: u8,
    },
    /// `ibv_dealloc_mw`, by key.
    FreeWindow(u32),
    /// `ibv_bind_mw`: [`Answer::Number`], the new key.
    BindWindow {
        /// Number of the queue pair.
        pair: u8,
        /// Key of the memory window.
        window: u32,
        /// Bytes and rights of peers.
        binding: Binding,
    },
}

impl Call {
    /// Whether the adapter carries out the call. Others are about time, sockets, forks, and waits for any of these.
    pub fn is_of_adapter(&self) -> bool {
        !matches!(
            self,
            Call::UseSockets { .. }
                | Call::EndFork
                | Call::WaitForSocket { .. }
                | Call::WaitForPeer { .. }
                | Call::Wait(_)
                | Call::WaitForConnection(..)
                | Call::Sleep(_)
        )
    }
}

/// A queue pair in a multicast group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Attachment {
    /// Number of the queue pair.
    pub pair: u8,
    /// LID of the group.
    pub lid: u16,
    /// GID of the group, in network order.
    pub gid: [u8; 16],
}

/// The request that binds a memory window (`ibv_mw_bind`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// `wr_id`, which the completion returns.
    pub id: u64,
    /// Success makes a completion.
    pub signalled: bool,
    /// Bytes of a memory region; none for a window that allows nothing.
    pub buffer: Option<Buffer>,
    /// `ibv_access_flags`.
    pub access: u32,
}

/// Ends of the wait of a program that has blocked in `poll` or the like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Completion queues whose next event ends the wait.
    pub queues: Vec<u8>,
    /// Socket operations of other programs end the wait.
    pub sockets: bool,
    /// Descriptors of the operating system may become ready too, at any time of the computer's clock.
    pub outside: bool,
    /// Virtual time at which the wait ends, in ps since the run began; `u64::MAX` for never.
    pub until_ps: u64,
}

impl Wanted {
    /// Time alone.
    pub fn until(until_ps: u64) -> Self {
        Wanted { queues: Vec::new(), sockets: false, outside: false, until_ps }
    }
}

/// Transport service of a queue pair (`ibv_qp_type`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Service {
    /// Reliable connection (RC).
    ReliableConnection,
    /// Unreliable connection (UC): no acknowledgements, no RDMA READs and no atomic operations.
    UnreliableConnection,
    /// Unreliable datagrams (UD).
    #[default]
    Datagram,
}

impl Service {
    /// Whether the queue pair has a peer.
    pub fn is_connected(self) -> bool {
        self != Self::Datagram
    }
}

/// Attributes of a new queue pair (`ibv_qp_init_attr`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePairInit {
    /// Transport service.
    pub service: Service,
    /// Protection domain.
    pub domain: u8,
    /// Completion queue of sends.
    pub send_queue: u8,
    /// Completion queue of receives.
    pub receive_queue: u8,
    /// Outstanding send requests.
    pub sends: u32,
    /// Outstanding receive requests.
    pub receives: u32,
    /// Scatter/gather elements of a send request.
    pub send_pieces: u32,
    /// Scatter/gather elements of a receive request.
    pub receive_pieces: u32,
    /// Bytes of inline data of a send request.
    pub inline: u32,
}

/// Attributes of a queue pair (`ibv_qp_attr`), those that the mask names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePairAttributes {
    /// `ibv_qp_attr_mask`.
    pub mask: u32,
    /// `ibv_qp_state`.
    pub state: u32,
    /// The state in which the program believes the queue pair.
    pub current_state: u32,
    /// An event reports that the send queue is drained.
    pub reports_drained: bool,
    /// `ibv_access_flags` of peers.
    pub access: u32,
    /// Index of the partition key.
    pub partition: u16,
    /// Number of the port.
    pub port: u8,
    /// Q_Key, 32 bits.
    pub q_key: u32,
    /// LID of the remote port.
    pub peer_lid: u16,
    /// Code of the path MTU: 1 is 256 bytes, 4 is 2,048.
    pub mtu: u32,
    /// Code of the acknowledgement timeout, 5 bits.
    pub timeout: u8,
    /// Retries after a timeout, 0 to 7.
    pub retries: u8,
    /// Retries after an RNR NAK, 0 to 7; 7 is without end.
    pub rnr_retries: u8,
    /// PSN of the first packet received, 24 bits.
    pub receive_psn: u32,
    /// Outstanding RDMA READs and atomic operations of this side.
    pub reads: u8,
    /// Code of the RNR NAK timer, 5 bits.
    pub rnr_timer: u8,
    /// PSN of the first packet sent, 24 bits.
    pub send_psn: u32,
    /// Outstanding RDMA READs and atomic operations of the peer.
    pub peer_reads: u8,
    /// Number of the remote queue pair, 24 bits.
    pub peer: u32,
}

/// Values of `ibv_qp_state`.
pub mod state {
    /// Nothing is set.
    pub const RESET: u32 = 0;
    /// Receives may be posted.
    pub const INIT: u32 = 1;
    /// Packets are received.
    pub const READY_TO_RECEIVE: u32 = 2;
    /// Requests are sent, too.
    pub const READY_TO_SEND: u32 = 3;
    /// The send queue is drained (SQD).
    pub const DRAINED: u32 = 4;
    /// The send queue of a datagram queue pair has failed (SQE).
    pub const SEND_ERROR: u32 = 5;
    /// Both queues are flushed.
    pub const ERROR: u32 = 6;
}

/// Rights of peers in `ibv_access_flags`.
pub mod access {
    /// RDMA WRITEs.
    pub const REMOTE_WRITE: u32 = 2;
    /// RDMA READs.
    pub const REMOTE_READ: u32 = 4;
    /// Atomic operations.
    pub const REMOTE_ATOMIC: u32 = 8;
    /// `IBV_ACCESS_MW_BIND`.
    pub const BIND: u32 = 1 << 4;
    /// Those by which peers change memory.
    pub const REMOTE_CHANGES: u32 = REMOTE_WRITE | REMOTE_ATOMIC;
}

/// Bits of `ibv_qp_attr_mask`.
pub mod mask {
    /// The state changes.
    pub const STATE: u32 = 1 << 0;
    /// The program names the present state.
    pub const CURRENT_STATE: u32 = 1 << 1;
    /// An event for a drained send queue.
    pub const REPORTS_DRAINED: u32 = 1 << 2;
    /// Access flags of peers.
    pub const ACCESS: u32 = 1 << 3;
    /// Index of the partition key.
    pub const PARTITION: u32 = 1 << 4;
    /// Number of the port.
    pub const PORT: u32 = 1 << 5;
    /// Q_Key.
    pub const Q_KEY: u32 = 1 << 6;
    /// Address of the peer.
    pub const ADDRESS: u32 = 1 << 7;
    /// Path MTU.
    pub const MTU: u32 = 1 << 8;
    /// Acknowledgement timeout.
    pub const TIMEOUT: u32 = 1 << 9;
    /// Retries after a timeout.
    pub const RETRIES: u32 = 1 << 10;
    /// Retries after an RNR NAK.
    pub const RNR_RETRIES: u32 = 1 << 11;
    /// First PSN received.
    pub const RECEIVE_PSN: u32 = 1 << 12;
    /// RDMA READs of this side.
    pub const READS: u32 = 1 << 13;
    /// A second path.
    pub const ALTERNATE_PATH: u32 = 1 << 14;
    /// RNR NAK timer.
    pub const RNR_TIMER: u32 = 1 << 15;
    /// First PSN sent.
    pub const SEND_PSN: u32 = 1 << 16;
    /// RDMA READs of the peer.
    pub const PEER_READS: u32 = 1 << 17;
    /// Migration to the second path.
    pub const MIGRATION: u32 = 1 << 18;
    /// Number of the remote queue pair.
    pub const PEER: u32 = 1 << 20;
}
impl QueuePairAttributes {
    /// These attributes, with those of a change in their place.
    pub fn updated_with(&self, change: &QueuePairAttributes) -> QueuePairAttributes {
        let mut all = *self;
        use mask::*;
        let mask = change.mask;
        macro_rules! take {
            ($($bit:ident $field:ident),*) => {
                $(if mask & $bit != 0 { all.$field = change.$field; })*
            };
        }
        take!(
            STATE state, CURRENT_STATE current_state, REPORTS_DRAINED reports_drained, ACCESS access, PARTITION partition, PORT port, Q_KEY q_key,
            ADDRESS peer_lid, MTU mtu, TIMEOUT timeout, RETRIES retries, RNR_RETRIES rnr_retries,
            RECEIVE_PSN receive_psn, READS reads, RNR_TIMER rnr_timer, SEND_PSN send_psn,
            PEER_READS peer_reads, PEER peer
        );
        all.mask |= mask;
        all
    }
}

/// Bytes of a memory region (`ibv_sge`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffer {
    /// Local key of the region.
    pub key: u32,
    /// Offset from the start of the region; an address below it wraps around 2^64.
    pub offset: u64,
    /// Length in bytes.
    pub length: u32,
}

/// Operation of a send request (`ibv_wr_opcode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SendOperation {
    /// A message to the receive queue of the peer.
    #[default]
    Send,
    /// RDMA WRITE.
    Write,
    /// RDMA READ.
    Read,
    /// Atomic compare-and-swap.
    CompareSwap,
    /// Atomic fetch-and-add.
    FetchAdd,
    /// A memory window is bound.
    Bind,
}

impl SendOperation {
    /// Whether data of the peer come into the buffers.
    pub fn reads(self) -> bool {
        matches!(self, SendOperation::Read | SendOperation::CompareSwap | SendOperation::FetchAdd)
    }
}

/// A work request to send (`ibv_send_wr`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendRequest {
    /// `wr_id`, which the completion returns.
    pub id: u64,
    /// SEND, RDMA WRITE, RDMA READ or atomic operation.
    pub operation: SendOperation,
    /// Buffers of the message, in their order.
    pub pieces: Vec<Buffer>,
    /// Contents of the message, if they are inline.
    pub inline: Option<ByteBuf>,
    /// Success makes a completion.
    pub signalled: bool,
    /// The receiver gets an event.
    pub solicited: bool,
    /// Immediate data, in network byte order.
    pub immediate: Option<u32>,
    /// Remote key of an RDMA or atomic operation.
    pub remote_key: u32,
    /// Value that an atomic operation swaps in or adds.
    pub swap: u64,
    /// Value with which a compare-and-swap compares.
    pub compare: u64,
    /// Destination of a datagram.
    pub destination: Option<Destination>,
}

/// Destination of a datagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    /// LID of the remote port.
    pub lid: u16,
    /// Number of the remote queue pair, 24 bits.
    pub pair: u32,
    /// Q_Key of the remote queue pair.
    pub q_key: u32,
}

/// An answer of the simulator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The call has succeeded and returns nothing.
    Done,
    /// LID of the host's port.
    Lid(u16),
    /// A key or the number of an object.
    Number(u32),
    /// The new completion queue: number and granted entries.
    CompletionQueue(u8, u32),
    /// The new queue pair, with the granted sizes.
    QueuePair {
        /// Number of the queue pair.
        number: u8,
        /// Send requests that it holds.
        sends: u32,
        /// Receive requests that it holds.
        receives: u32,
    },
    /// The present state, which errors change too.
    QueuePairState {
        /// `ibv_qp_state`.
        state: u32,
        /// The send queue is being drained.
        is_draining: bool,
    },
    /// An asynchronous event.
    AsyncEvent(AsyncEvent),
    /// Completions, oldest first.
    Completions(Vec<Completion>),
    /// The polled queue is empty.
    Empty {
        /// Virtual time of a look, in ps.
        look_ps: u64,
        /// No completion arrives in any queue of the program before this virtual time, in ps since the run began.
        until_ps: u64,
    },
    /// The call has failed with this `errno`.
    Failed(i32),
    /// An answer of the connection manager.
    Connection(ConnectionAnswer),
    /// The new shared receive queue.
    SharedQueue {
        /// Number of the queue.
        number: u8,
        /// Receive requests that it holds.
        requests: u32,
    },
}

/// An asynchronous event of a completion queue, a queue pair or a shared receive queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AsyncEvent {
    /// The completion queue has overflowed.
    QueueError(u8),
    /// The queue pair has failed, and no completion can say so.
    PairFatal(u8),
    /// A peer's RDMA was refused, so the queue pair has failed.
    PairAccessError(u8),
    /// A message has arrived at a queue pair that is ready to receive.
    Established(u8),
    /// The send queue of the queue pair is drained.
    Drained(u8),
    /// The queue pair is in the error state, and takes no more requests of its shared receive queue.
    LastRequest(u8),
    /// The shared receive queue has fewer requests than its limit.
    Limit(u8),
}

/// Operation of a completion (`ibv_wc_opcode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompletedOperation {
    /// A send request for a message.
    #[default]
    Send,
    /// An RDMA WRITE.
    Write,
    /// An RDMA READ.
    Read,
    /// An atomic compare-and-swap.
    CompareSwap,
    /// An atomic fetch-and-add.
    FetchAdd,
    /// A memory window was bound.
    Bind,
    /// A message received.
    Receive,
    /// A receive request taken by an RDMA WRITE with immediate data.
    ReceiveOfWrite,
}

impl CompletedOperation {
    /// Whether it is the completion of a receive request.
    pub fn is_receive(self) -> bool {
        matches!(self, CompletedOperation::Receive | CompletedOperation::ReceiveOfWrite)
    }
}

/// A completion (`ibv_wc`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// `wr_id` of the request.
    pub id: u64,
    /// `ibv_wc_status`; 0 is success.
    pub status: u8,
    /// Operation of the request.
    pub operation: CompletedOperation,
    /// Virtual time at which the adapter wrote it, or the driver made it, in ps since the run began.
    pub time_ps: u64,
    /// Number of the queue pair.
    pub pair: u8,
    /// Bytes received or read, with the 40 bytes before a datagram.
    pub bytes: u32,
    /// Immediate data, in network byte order.
    pub immediate: Option<u32>,
    /// Queue pair that sent the datagram.
    pub source: u32,
    /// LID that sent the datagram.
    pub source_lid: u16,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn update_replaces_the_named_attributes_alone() {
        let before = QueuePairAttributes { mtu: 3, send_psn: 7, ..QueuePairAttributes::default() };
        let new =
            QueuePairAttributes { mask: mask::MTU, mtu: 4, send_psn: 9, ..QueuePairAttributes::default() };
        let after = before.updated_with(&new);
        assert_eq!((after.mtu, after.send_psn), (4, 7));
    }
}
