//! Contexts: the state of queue pairs, completion queues and keys, each a row of a RAM (decision 0060).
//!
//! The host writes eight words of 32 bits into the staging registers and then a command. These words, word 0
//! lowest, are a row of [`Attributes`], [`Key`], [`Queue`], [`SharedQueue`], [`Limit`] or [`Group`]; the command
//! [`Kind::Report`] stores a [`Report`] there.

use std::ops::RangeInclusive;

use hdl::{Bits, Bundle, Item, Package};

/// Number of queue pairs.
pub const QPS: usize = 256;
/// Numbers of the queue pairs.
pub const PAIRS: RangeInclusive<u8> = 0..=(QPS - 1) as u8;
/// Number of keys.
pub const KEYS: usize = 4_096;
/// Bits of a key that number its row; its variant is above.
pub const KEY_ROW_BITS: u32 = KEYS.ilog2();
/// Number of completion queues.
pub const CQS: usize = 256;
/// Number of shared receive queues.
pub const SHARED_QUEUES: usize = 4;
/// Number of multicast groups.
pub const GROUPS: usize = 16;
/// Queue pairs in a row of a multicast group.
pub const MEMBERS: usize = 64;
/// Rows of the multicast groups: the group in bits 3:0, the quarter of its queue pairs in bits 5:4.
pub const GROUP_ROWS: usize = GROUPS * QPS / MEMBERS;
/// Requests of a connection that may be outstanding.
pub const OUTSTANDING: usize = 16;
/// Rows of the outstanding requests: 16 of each queue pair.
pub const REQUESTS: usize = QPS * OUTSTANDING;
/// First doorbell of the send queues; a doorbell has 10 bits.
pub const SEND_BELLS: u16 = 0;
/// First doorbell of the receive queues.
pub const RECEIVE_BELLS: u16 = 1 << 8;
/// First doorbell of the shared receive queues.
pub const SHARED_BELLS: u16 = 2 << 8;
/// First doorbell of the completion queues, which are in a RAM of their own.
pub const CQ_BELLS: u16 = 3 << 8;
/// Doorbells of work queues.
pub const DOORBELLS: usize = 2 * QPS + SHARED_QUEUES;

hdl::bundle! {
    /// Attributes of a queue pair, set by the host.
    pub struct Attributes in context_pkg {
        /// State that the host has set, a `PairState`. A failure of the adapter shows in the rows of both queues.
        state: u8 : 3,
        /// Connection, reliable unless `unreliable` is set; otherwise datagrams.
        connected: bool,
        /// Protection domain: the queue pair may use keys of the same domain only.
        domain: u8 : 4,
        /// MTU as a code: 1 for 256 bytes of data in a packet, 2 for 512, 3 for 1,024, 4 for 2,048.
        mtu: u8 : 4,
        /// Binary logarithm of the places of the send ring.
        send_log: u8 : 4,
        /// Binary logarithm of the places of the receive ring.
        receive_log: u8 : 4,
        /// Reserved; any value.
        reserved1: u8 : 4,
        /// Retries after time-outs and PSN sequence errors; 0 to 7.
        retries: u8 : 3,
        /// Retries after RNR NAKs; 7 is unlimited.
        rnr_retries: u8 : 3,
        /// The connection is unreliable: nothing is acknowledged or sent again; connections only.
        unreliable: bool,
        /// Receive WQEs come from a shared receive queue; ignored on an unreliable connection.
        shared: bool,
        /// Byte address of the send ring, a multiple of 64.
        send_base: u32,
        /// Byte address of the receive ring, a multiple of 64.
        receive_base: u32,
        /// Q_Key that an arriving datagram must have.
        q_key: u32,
        /// QPN of the peer; connections only.
        peer: u32 : 24,
        /// Time-out as a code: 4.096 us times 2 to the code; 0 for none.
        timeout: u8 : 5,
        /// Reserved; any value.
        reserved2: u8 : 3,
        /// LID of the port at which the peer is; connections only.
        peer_lid: u16,
        /// Timer code in the RNR NAKs for the peer (IBA volume 1, table 45).
        rnr_timer: u8 : 5,
        /// Number of the shared receive queue.
        shared_queue: u8 : 2,
        /// RDMA READs of the queue pair that may be outstanding; 1 to 16. 0 is 1, more are 16.
        reads: u8 : 5,
        /// Reserved; any value.
        reserved3: u8 : 4,
        /// PSN of the first packet to send.
        send_psn: u32 : 24,
        /// Number of the CQ for the send queue.
        send_cq: u8,
        /// PSN expected of the first packet to arrive.
        receive_psn: u32 : 24,
        /// Number of the CQ for the receive queue.
        receive_cq: u8,
    }
}

hdl::bundle! {
    /// A registered area of host memory. Its key is its row in bits 11:0, `variant` in bits 19:12.
    pub struct Key in context_pkg {
        /// The row is in use.
        valid: bool,
        /// The owner's receives, RDMA READs and atomic operations may write to the area.
        local_write: bool,
        /// A peer's RDMA WRITEs may write to the area.
        remote_write: bool,
        /// A peer's RDMA READs may read from the area.
        remote_read: bool,
        /// Protection domain of the area.
        domain: u8 : 4,
        /// Bits 19:12 of the key: a new area in an old row gets another key.
        variant: u8,
        /// A peer's atomic operations may work on the area.
        remote_atomic: bool,
        /// Reserved; any value.
        reserved: u16 : 15,
        /// First byte of the area.
        base: u32,
        /// Bytes of the area.
        length: u32,
    }
}

impl Key {
    /// The key of a row with this variant.
    pub const fn of(row: u16, variant: u8) -> u32 {
        (variant as u32) << KEY_ROW_BITS | row as u32
    }

    /// Row of a key: bits 11:0.
    pub const fn row_of(key: u32) -> u16 {
        key as u16 & (KEYS - 1) as u16
    }

    /// Variant of a key: bits 19:12.
    pub const fn variant_of(key: u32) -> u8 {
        (key >> KEY_ROW_BITS) as u8
    }
}

hdl::bundle! {
    /// A registered area as the adapter stores it: its end is computed once, when the area is registered.
    pub struct Area in context_pkg {
        /// The row is in use.
        valid: bool,
        /// The owner's receives, RDMA READs and atomic operations may write to the area.
        local_write: bool,
        /// A peer's RDMA WRITEs may write to the area.
        remote_write: bool,
        /// A peer's RDMA READs may read from the area.
        remote_read: bool,
        /// Protection domain of the area.
        domain: u8 : 4,
        /// Bits 19:12 of the key.
        variant: u8,
        /// A peer's atomic operations may work on the area.
        remote_atomic: bool,
        /// First byte of the area.
        base: u32,
        /// Address after the last byte.
        limit: u64 : 33,
    }
}

impl Area {
    /// Area of a key.
    #[inline]
    pub fn of(key: &Key) -> Self {
        let Key { valid, local_write, remote_write, remote_read, remote_atomic, .. } = *key;
        let Key { domain, variant, base, length, .. } = *key;
        let limit = u64::from(base) + u64::from(length);
        Self { valid, local_write, remote_write, remote_read, domain, variant, remote_atomic, base, limit }
    }
}

hdl::bundle! {
    /// A completion queue.
    pub struct Queue in context_pkg {
        /// The row is in use.
        valid: bool,
        /// The queue has overflowed; no CQE is written any more.
        broken: bool,
        /// Reserved; any value.
        reserved: u8 : 2,
        /// Binary logarithm of the places of the ring.
        log: u8 : 4,
        /// Reserved; any value.
        reserved1: u8,
        /// CQEs written; the counter wraps, and its lowest bits are the place of the next one.
        produced: u16,
        /// Byte address of the ring, a multiple of 32.
        base: u32,
    }
}

hdl::bundle! {
    /// A shared receive queue, from whose ring several queue pairs take receive WQEs.
    pub struct SharedQueue in context_pkg {
        /// WQEs taken; the counter wraps.
        taken: u16,
        /// Binary logarithm of the places of the ring.
        log: u8 : 4,
        /// Reserved; any value.
        reserved: u16 : 12,
        /// Byte address of the ring, a multiple of 64.
        base: u32,
    }
}

hdl::bundle! {
    /// Limit of a shared receive queue: once, when fewer WQEs are left, its cause interrupts.
    pub struct Limit in context_pkg {
        /// WQEs that are enough.
        least: u16,
        /// The limit is set.
        armed: bool,
    }
}

hdl::bundle! {
    /// A quarter of the queue pairs of a multicast group.
    pub struct Group in context_pkg {
        /// Queue pairs that are attached, a bit each, the lowest number in bit 0.
        members: u64,
    }
}

impl Group {
    /// Row of a group that has the bit of the queue pair, `pair % MEMBERS`.
    pub const fn row(group: u8, pair: u8) -> u16 {
        (pair as usize / MEMBERS * GROUPS) as u16 + group as u16
    }
}

hdl::bundle! {
    /// Progress of a send queue. All fields from `psn` on belong to the outstanding requests of a connection; `first`,
    /// `last`, `signalled`, `operation` and `length` are those of the oldest one.
    #[derive(Hash)]
    pub struct Requester in context_pkg {
        /// WQEs done; the counter wraps.
        consumed: u16,
        /// The doorbell was beyond the ring: the queue sends no more.
        dead: bool,
        /// A request has failed: the queue pair is in the error state.
        failed: bool,
        /// PSN of the next packet to send.
        psn: u32 : 24,
        /// PSN of the first packet of the request.
        first: u32 : 24,
        /// PSN of the oldest unacknowledged packet.
        oldest: u32 : 24,
        /// PSN of the last packet of the request.
        last: u32 : 24,
        /// PSN of the last packet of the newest request.
        newest: u32 : 24,
        /// A request is outstanding.
        active: bool,
        /// Outstanding requests; 0 to 16.
        begun: u8 : 5,
        /// Outstanding requests before the one of the next packet: all their packets have been sent.
        sent: u8 : 5,
        /// The next request waits until none is outstanding: one of another kind, an atomic operation, or one that
        /// fails.
        held: bool,
        /// The request asks for a CQE.
        signalled: bool,
        /// Operation of the request, an `Operation`.
        operation: u8,
        /// Bytes of the request; a WQE that changes its length while it is outstanding is refused.
        length: u32,
        /// Retries since the last acknowledgement.
        retries: u8 : 3,
        /// RNR NAKs since the last acknowledgement.
        rnr: u8 : 3,
        /// An RNR NAK has arrived: no packet is sent before the deadline.
        waiting: bool,
        /// Tick of 1.024 us at which packets are sent again.
        deadline: u32,
    }
}

impl Requester {
    /// The oldest request that is not done is done.
    #[inline]
    pub fn end(&mut self) {
        self.consumed = self.consumed.wrapping_add(1);
        self.active = self.begun > 1;
        self.held &= self.begun > 1;
        self.begun = self.begun.saturating_sub(1);
        self.sent = self.sent.saturating_sub(1);
    }

    /// The oldest outstanding request.
    #[inline]
    pub fn request(&self) -> Request {
        let Self { first, last, signalled, operation, length, .. } = *self;
        Request { first, last, signalled, operation, length }
    }

    /// Another outstanding request is the oldest one.
    #[inline]
    pub fn advance(&mut self, request: &Request) {
        let Request { first, last, signalled, operation, length } = *request;
        (self.first, self.last) = (first, last);
        (self.signalled, self.operation, self.length) = (signalled, operation, length);
    }
}

hdl::bundle! {
    /// An outstanding request of a connection: what its end and a packet that is sent again need.
    #[derive(Hash)]
    pub struct Request in context_pkg {
        /// PSN of the first packet.
        first: u32 : 24,
        /// PSN of the last packet.
        last: u32 : 24,
        /// The request asks for a CQE.
        signalled: bool,
        /// SEND or RDMA, as an `Operation`.
        operation: u8,
        /// Bytes.
        length: u32,
    }
}

hdl::bundle! {
    /// Progress of a receive queue; all fields from `psn` on are those of a connection.
    #[derive(Hash)]
    pub struct Responder in context_pkg {
        /// WQEs taken; the counter wraps. With a shared receive queue, its count when the latest one was taken.
        consumed: u16,
        /// The doorbell was beyond the ring: the queue receives no more.
        dead: bool,
        /// A request was refused for good: the queue pair is in the error state.
        failed: bool,
        /// PSN expected of the next packet to arrive.
        psn: u32 : 24,
        /// The next packet continues a message.
        midway: bool,
        /// Bytes of the message received so far.
        received: u32,
        /// Messages received; the counter wraps.
        messages: u32 : 24,
        /// A NAK has requested the next packet; no other is sent for it.
        refused: bool,
        /// An acknowledgement or NAK is to be sent.
        answer: bool,
        /// Syndrome of the answer (IBA volume 1, table 44).
        syndrome: u8,
        /// PSN that the answer acknowledges, or at which it refuses.
        answer_psn: u32 : 24,
        /// The message is an RDMA WRITE.
        writes: bool,
        /// Byte address of the next byte of the RDMA WRITE; of the buffer of a SEND.
        address: u32,
        /// Bytes of the RDMA WRITE still to arrive; of the buffer of a SEND.
        length: u32,
        /// r_key of the RDMA WRITE, l_key of the buffer of a SEND; it is checked for each packet.
        key: u32,
    }
}

hdl::bundle! {
    /// Progress of the peer's oldest RDMA READ that is not answered, or the saved answer of its latest atomic operation.
    #[derive(Hash)]
    pub struct Reader in context_pkg {
        /// Data, or the saved answer, are still to be sent.
        active: bool,
        /// The first packet of the data has been sent.
        begun: bool,
        /// PSN of the next packet of the data.
        psn: u32 : 24,
        /// PSN of the last packet of the data; of the atomic operation.
        last: u32 : 24,
        /// Byte address of the next packet's data; bits 31:0 of a saved answer.
        address: u32,
        /// Bytes still to be sent; bits 63:32 of a saved answer.
        left: u32,
        /// r_key of the RDMA READ; it is checked for each packet.
        key: u32,
        /// The row is the saved answer of an atomic operation, which a duplicate receives again.
        atomic: bool,
        /// The RDMA READ is refused when it is its turn: its r_key did not allow it.
        denied: bool,
        /// RDMA READs that wait behind this one; 0 to 15.
        waiting: u8 : 4,
        /// Place of the next one among the waiting RDMA READs of the queue pair.
        place: u8 : 4,
        /// PSN of the last packet of the data of the newest one.
        newest: u32 : 24,
        /// Data of another RDMA READ have been sent: the send queue goes before this one, once.
        yields: bool,
    }
}

hdl::bundle! {
    /// An RDMA READ of the peer that waits until those before it are answered.
    #[derive(Hash)]
    pub struct Read in context_pkg {
        /// PSN of the first packet of the data.
        first: u32 : 24,
        /// PSN of the last packet of the data.
        last: u32 : 24,
        /// Byte address.
        address: u32,
        /// Bytes.
        length: u32,
        /// Its r_key.
        key: u32,
        /// The RDMA READ is refused when it is its turn.
        denied: bool,
    }
}

impl Reader {
    /// The next RDMA READ is answered.
    #[inline]
    pub fn advance(&mut self, read: &Read) {
        let Read { first, last, address, length, key, denied } = *read;
        (self.psn, self.last, self.begun) = (first, last, false);
        (self.address, self.left, self.key, self.denied) = (address, length, key, denied);
        (self.waiting, self.yields) = (self.waiting.wrapping_sub(1), true);
        self.place = Self::WIDTHS.place.wrap(self.place.wrapping_add(1));
    }

    /// Value before the atomic operation, if the row is its saved answer.
    #[inline]
    pub fn original(&self) -> u64 {
        u64::from(self.left) << 32 | u64::from(self.address)
    }
}

hdl::codes! {
    /// State of a queue pair (IBA volume 1, section 10.3.1). The codes are those of verbs (`ibv_qp_state`); the adapter
    /// never enters the state 5, send queue error.
    pub enum PairState in context_pkg, width 3 {
        /// Packets are dropped, and no WQE is taken.
        Reset = 0,
        /// As `Reset`; receive WQEs may be posted.
        Init = 1,
        /// Packets are received and answered; no request is sent.
        ReadyToReceive = 2,
        /// Both queues work.
        ReadyToSend = 3,
        /// As `ReadyToSend`, but no request begins after the outstanding ones.
        Drained = 4,
        /// Packets are dropped, and the WQEs of both queues are flushed.
        Error = 6,
    }
}

impl Attributes {
    /// Whether the state is one of these.
    #[inline]
    fn is_in(&self, states: &[PairState]) -> bool {
        states.iter().any(|state| state.code() == self.state)
    }

    /// Whether packets are received and answered.
    #[inline]
    pub fn receives(&self) -> bool {
        self.is_in(&[PairState::ReadyToReceive, PairState::ReadyToSend, PairState::Drained])
    }

    /// Whether requests are sent; while the queue is drained, only the outstanding ones.
    #[inline]
    pub fn sends(&self, outstanding: bool) -> bool {
        self.is_in(&[PairState::ReadyToSend]) || outstanding && self.is_in(&[PairState::Drained])
    }

    /// Whether receive WQEs come from a shared receive queue.
    #[inline]
    pub fn shares(&self) -> bool {
        self.shared && !(self.connected && self.unreliable)
    }

    /// Whether the queue pair is in the error state, set by the host or by a failure of one of its queues.
    #[inline]
    pub fn is_broken(&self, requester: &Requester, responder: &Responder) -> bool {
        self.is_in(&[PairState::Error]) || self.receives() && (requester.failed || responder.failed)
    }
}

hdl::bundle! {
    /// Progress of a queue pair, which the command `Kind::Report` stores in the staging words.
    pub struct Report in context_pkg {
        /// State of the queue pair, a `PairState`.
        state: u8 : 3,
        /// A request is outstanding. A queue that is drained has none.
        outstanding: bool,
        /// The doorbell of the send queue was beyond the ring: it sends no more.
        sends_dead: bool,
        /// The doorbell of the receive queue was beyond the ring: it receives no more.
        receives_dead: bool,
        /// Reserved; 0.
        reserved0: u32 : 26,
        /// WQEs of the send queue that are done; the counter wraps.
        sends: u16,
        /// WQEs of the receive queue that are done; the counter wraps.
        receives: u16,
        /// PSN of the next packet to send.
        send_psn: u32 : 24,
        /// Reserved; 0.
        reserved1: u8,
        /// PSN expected of the next packet to arrive.
        receive_psn: u32 : 24,
        /// Reserved; 0.
        reserved2: u8,
    }
}

impl Report {
    /// Progress of a queue pair with these rows.
    #[inline]
    pub fn of(attributes: &Attributes, requester: &Requester, responder: &Responder) -> Self {
        let broken = attributes.is_broken(requester, responder);
        Self {
            state: if broken { PairState::Error.code() } else { attributes.state },
            outstanding: requester.active,
            sends_dead: requester.dead,
            receives_dead: responder.dead,
            sends: requester.consumed,
            receives: responder.consumed,
            send_psn: requester.psn,
            receive_psn: responder.psn,
            ..Self::default()
        }
    }
}

hdl::codes! {
    /// Effect of a command, and its context.
    pub enum Kind in context_pkg, width 4 {
        /// Writes a queue pair: its attributes; the rows and doorbells of both queues are reset.
        Pair = 0,
        /// Writes a completion queue.
        Completion = 1,
        /// Writes a key.
        Area = 2,
        /// Writes the attributes of a queue pair; the row and the doorbell of its send queue are reset.
        Sender = 3,
        /// Writes the attributes of a queue pair; both queues go on.
        Change = 4,
        /// Stores the `Report` of a queue pair in staging words 0 to 3.
        Report = 5,
        /// Writes a shared receive queue; its doorbell is reset.
        SharedQueue = 6,
        /// Writes the limit of a shared receive queue.
        Limit = 7,
        /// Writes a quarter of the queue pairs of a multicast group.
        Group = 8,
    }
}

impl Kind {
    /// Word that the host writes to the register `Command` for a row.
    pub const fn word(self, row: u16) -> u32 {
        (self.code() as u32) << 12 | row as u32
    }

    /// Number of rows that the command may name.
    #[inline]
    pub const fn rows(self) -> usize {
        match self {
            Self::Pair | Self::Sender | Self::Change | Self::Report => QPS,
            Self::Completion => CQS,
            Self::Area => KEYS,
            Self::SharedQueue | Self::Limit => SHARED_QUEUES,
            Self::Group => GROUP_ROWS,
        }
    }

    /// Command and row of a word for the register `Command`; none if there is no such row.
    #[inline]
    pub fn of_word(word: u32) -> Option<(Self, u16)> {
        let (kind, row) = (Self::from_code((word >> 12) as u8 & 0xf)?, word as u16 & 0xfff);
        (usize::from(row) < kind.rows()).then_some((kind, row))
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/context_pkg",
    source: file!(),
    items: &[
        Item::Bundle(Attributes::TABLE),
        Item::Bundle(Key::TABLE),
        Item::Bundle(Area::TABLE),
        Item::Bundle(Queue::TABLE),
        Item::Bundle(SharedQueue::TABLE),
        Item::Bundle(Limit::TABLE),
        Item::Bundle(Group::TABLE),
        Item::Bundle(Requester::TABLE),
        Item::Bundle(Request::TABLE),
        Item::Bundle(Responder::TABLE),
        Item::Bundle(Reader::TABLE),
        Item::Bundle(Read::TABLE),
        Item::Bundle(Report::TABLE),
        Item::Constant {
            name: "AreaBits",
            width: 32,
            value: Area::WIDTH as u64,
            doc: "Bits of a row of the keys.",
        },
        Item::Constant {
            name: "RequesterBits",
            width: 32,
            value: Requester::WIDTH as u64,
            doc: "Bits of a row of the send queues.",
        },
        Item::Constant {
            name: "RequestBits",
            width: 32,
            value: Request::WIDTH as u64,
            doc: "Bits of a row of the outstanding requests.",
        },
        Item::Constant {
            name: "Outstanding",
            width: 5,
            value: OUTSTANDING as u64,
            doc: "Requests of a connection that may be outstanding.",
        },
        Item::Constant {
            name: "ResponderBits",
            width: 32,
            value: Responder::WIDTH as u64,
            doc: "Bits of a row of the receive queues.",
        },
        Item::Constant {
            name: "ReaderBits",
            width: 32,
            value: Reader::WIDTH as u64,
            doc: "Bits of a row of the RDMA READs.",
        },
        Item::Constant {
            name: "ReadBits",
            width: 32,
            value: Read::WIDTH as u64,
            doc: "Bits of a row of the waiting RDMA READs.",
        },
        Item::Codes(PairState::TABLE),
        Item::Codes(Kind::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_their_parts_where_the_staging_words_begin() {
        let offset = |table: &hdl::BundleTable, name: &str| {
            table.fields.iter().find(|field| field.name == name).expect("the field is there").offset
        };
        for (name, word) in [
            ("send_base", 1),
            ("receive_base", 2),
            ("q_key", 3),
            ("peer", 4),
            ("peer_lid", 5),
            ("send_psn", 6),
            ("receive_psn", 7),
        ] {
            assert_eq!(offset(Attributes::TABLE, name), 32 * word, "{name}");
        }
        assert_eq!(Attributes::TABLE.width, 256);
        assert_eq!((offset(Key::TABLE, "base"), offset(Key::TABLE, "length")), (32, 64));
        assert_eq!(offset(Queue::TABLE, "base"), 32);
        assert_eq!(offset(SharedQueue::TABLE, "base"), 32);
        for (name, word) in [("sends", 1), ("send_psn", 2), ("receive_psn", 3)] {
            assert_eq!(offset(Report::TABLE, name), 32 * word, "{name}");
        }
        assert_eq!(Report::TABLE.width, 128);
    }
}
