//! Calls of a verbs program and their answers; the library and the simulator share these types.
//!
//! Addresses of the process stay in the process: the simulator knows a memory region by its key, and a buffer by its
//! offset in the region.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

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
    pub listens: Vec<u16>,
    /// Function and arguments, with the data to be sent.
    pub call: Call,
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
        /// Lowest three bits of its address in the process, so that alignment is kept.
        alignment: u8,
        /// `ibv_access_flags`.
        access: u32,
    },
    /// `ibv_dereg_mr`, by key.
    DeregisterMemory(u32),
    /// `ibv_create_cq` with at least this many entries: [`Answer::CompletionQueue`].
    CreateCompletionQueue(u32),
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
        /// Buffer for the message.
        buffer: Buffer,
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
    /// The program is about to block in a socket.
    WaitForSocket {
        /// It has looked since the last answer and found nothing.
        again: bool,
    },
    /// The program is about to connect to this port: it waits until another program has used a socket, if there is
    /// another one. [`Answer::Number`]: 1 if a program of the run listens on the port, 0 if none does.
    WaitForPeer {
        /// Port, in host byte order.
        port: u16,
        /// The program blocks; otherwise it only asks.
        blocks: bool,
    },
    /// The program has looked at descriptors, found nothing, and blocks. [`Answer::Number`] is the queue of an event;
    /// [`Answer::Done`] asks the program to look again.
    Wait(Wanted),
    /// Sleeps, in ps.
    Sleep(u64),
}

/// What a program waits for that has blocked in `poll` or the like.
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

/// Attributes of a new queue pair (`ibv_qp_init_attr`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePairInit {
    /// Reliable connection; unreliable datagram otherwise.
    pub connected: bool,
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
}

/// Attributes of a queue pair that a call changes (`ibv_qp_attr`); missing ones stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePairAttributes {
    /// `ibv_qp_state`.
    pub state: Option<u32>,
    /// Q_Key, 32 bits.
    pub q_key: Option<u32>,
    /// Code of the path MTU: 1 is 256 bytes, 4 is 2,048.
    pub mtu: Option<u32>,
    /// Number of the remote queue pair, 24 bits.
    pub peer: Option<u32>,
    /// LID of the remote port.
    pub peer_lid: Option<u16>,
    /// PSN of the first packet received, 24 bits.
    pub receive_psn: Option<u32>,
    /// PSN of the first packet sent, 24 bits.
    pub send_psn: Option<u32>,
    /// Code of the RNR NAK timer, 5 bits.
    pub rnr_timer: Option<u8>,
    /// Code of the acknowledgement timeout, 5 bits.
    pub timeout: Option<u8>,
    /// Retries after a timeout, 0 to 7.
    pub retries: Option<u8>,
    /// Retries after an RNR NAK, 0 to 7; 7 is without end.
    pub rnr_retries: Option<u8>,
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

/// A work request to send (`ibv_send_wr`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendRequest {
    /// `wr_id`, which the completion returns.
    pub id: u64,
    /// Buffer of the message.
    pub buffer: Buffer,
    /// Contents of the buffer; empty if it is not in its region.
    pub data: ByteBuf,
    /// Success makes a completion.
    pub signalled: bool,
    /// The receiver gets an event.
    pub solicited: bool,
    /// Immediate data, in network byte order.
    pub immediate: Option<u32>,
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
}

/// A completion (`ibv_wc`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// `wr_id` of the request.
    pub id: u64,
    /// `ibv_wc_status`; 0 is success.
    pub status: u8,
    /// Number of the queue pair.
    pub pair: u8,
    /// Bytes received, with the 40 bytes before a datagram.
    pub bytes: u32,
    /// Buffer and data of a receive; none for a send.
    pub received: Option<(Buffer, ByteBuf)>,
    /// Immediate data, in network byte order.
    pub immediate: Option<u32>,
    /// Queue pair that sent the datagram.
    pub source: u32,
    /// LID that sent the datagram.
    pub source_lid: u16,
}
