//! What a guest asks for, and what it is answered. Addresses of the process stay in the process: an area is known by its key, a place by its offset.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// A call with what is told about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Called {
    /// The function of verbs, for reports.
    pub function: String,
    /// What the guest has computed since the last answer, in ps: reading clocks takes time.
    pub computed_ps: u64,
    /// Since then it has told others something beside the adapter: it wrote to a socket, listened at one or closed one.
    pub spoke: bool,
    /// What it asks for.
    pub call: Call,
}

/// What a guest asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// The adapter's number in the network.
    Open,
    /// A protection domain.
    MakeDomain,
    /// It is not used any more.
    EndDomain(u8),
    /// An area of memory.
    Register {
        /// Its protection domain.
        domain: u8,
        /// Its bytes.
        length: u64,
        /// Its address in the process, the lowest three bits of it: what is aligned stays so.
        alignment: u8,
        /// Access that is allowed, as bits of verbs (`ibv_access_flags`).
        access: u32,
    },
    /// The area of this key is not used any more.
    Deregister(u32),
    /// A completion queue of at least so many entries.
    MakeQueue(u32),
    /// It is not used any more.
    EndQueue(u8),
    /// A queue pair.
    MakePair(PairWanted),
    /// Changes it.
    Modify {
        /// Its number.
        pair: u8,
        /// To what.
        change: Change,
    },
    /// It is not used any more.
    EndPair(u8),
    /// A request to send.
    Send {
        /// The queue pair.
        pair: u8,
        /// The request.
        request: Send,
    },
    /// A request to receive.
    Receive {
        /// The queue pair.
        pair: u8,
        /// What the completion tells of it.
        id: u64,
        /// Where it goes.
        place: Place,
    },
    /// A look at a completion queue.
    Poll {
        /// The queue.
        queue: u8,
        /// Completions at most.
        most: u32,
    },
    /// The next completion of this queue is an event.
    Arm(u8),
    /// Waits for an event of one of these queues.
    Event(Vec<u8>),
    /// It waits for what others tell it beside the adapter; `again` if it has looked since the last answer and found nothing.
    Waits {
        /// It has looked already.
        again: bool,
    },
    /// It waits until another guest has said anything beside the adapter, if there is another one.
    Meets,
    /// It sleeps for so long, in ps.
    Sleep(u64),
}

/// What is wanted of a new queue pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairWanted {
    /// Reliable connection; otherwise unreliable datagrams.
    pub connected: bool,
    /// Protection domain.
    pub domain: u8,
    /// Completion queue of what is sent.
    pub send_queue: u8,
    /// Of what is received.
    pub receive_queue: u8,
    /// Requests to send at once.
    pub sends: u32,
    /// Requests to receive at once.
    pub receives: u32,
}

/// Attributes of a queue pair that change; those that are not given stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// State, as verbs count them (`ibv_qp_state`).
    pub state: Option<u32>,
    /// Q_Key.
    pub q_key: Option<u32>,
    /// MTU, by its code.
    pub mtu: Option<u32>,
    /// Queue pair of the peer.
    pub peer: Option<u32>,
    /// LID of the peer.
    pub peer_lid: Option<u16>,
    /// PSN of the first packet that arrives.
    pub receive_psn: Option<u32>,
    /// PSN of the first packet that is sent.
    pub send_psn: Option<u32>,
    /// Code of the RNR NAK timer.
    pub rnr_timer: Option<u8>,
    /// Code of the time-out.
    pub timeout: Option<u8>,
    /// Retries.
    pub retries: Option<u8>,
    /// Retries after RNR NAKs.
    pub rnr_retries: Option<u8>,
}

/// Bytes in a registered area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Key of the area.
    pub key: u32,
    /// From its beginning on. Below it is a number near 2^64.
    pub offset: u64,
    /// Bytes.
    pub length: u32,
}

/// A request to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Send {
    /// What the completion tells of it.
    pub id: u64,
    /// From where.
    pub place: Place,
    /// The bytes, if they are in the area.
    pub data: ByteBuf,
    /// It wants a completion.
    pub signalled: bool,
    /// It wants an event at the receiver.
    pub solicited: bool,
    /// Immediate data, in the order of the network.
    pub immediate: Option<u32>,
    /// Where a datagram goes.
    pub to: Option<Destination>,
}

/// Where a datagram goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    /// LID of the adapter.
    pub lid: u16,
    /// Queue pair.
    pub pair: u32,
    /// Its Q_Key.
    pub q_key: u32,
}

/// What the simulator answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It is done.
    Done,
    /// The LID.
    Opened(u16),
    /// A key or a number.
    Number(u32),
    /// A completion queue: its number, and entries that it has.
    Queue(u8, u32),
    /// A queue pair.
    Pair {
        /// Its number.
        number: u8,
        /// Requests to send that it holds.
        sends: u32,
        /// Requests to receive.
        receives: u32,
    },
    /// What is complete.
    Completions(Vec<Completion>),
    /// It cannot be: the error number of the operating system.
    Failed(i32),
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// That of its request.
    pub id: u64,
    /// How it ended (`ibv_wc_status`).
    pub status: u8,
    /// The queue pair.
    pub pair: u8,
    /// Bytes that came, what is in front of a datagram among them.
    pub bytes: u32,
    /// Where they go; nothing for a request to send.
    pub received: Option<(Place, ByteBuf)>,
    /// Immediate data.
    pub immediate: Option<u32>,
    /// Queue pair of the sender of a datagram.
    pub source: u32,
    /// LID of the sender of a datagram.
    pub source_lid: u16,
}
