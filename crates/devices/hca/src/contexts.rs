//! Contexts: what the adapter knows of queue pairs, completion queues and keys, a row of a RAM each (decision 0060).
//!
//! The host writes eight words of 32 bits into the staging registers and then a command. A row of [`Attributes`], [`Key`] or
//! [`Queue`] is these words, word 0 lowest.

use hdl::{Bits, Bundle, Item, Package};

/// Queue pairs.
pub const QPS: usize = 16;
/// Keys.
pub const KEYS: usize = 16;
/// Completion queues.
pub const CQS: usize = 4;
/// Rows of the doorbells: 16 of send queues, 16 of receive queues, 4 of completion queues.
pub const DOORBELLS: usize = 64;

hdl::bundle! {
    /// What the host says of a queue pair.
    pub struct Attributes in context_pkg {
        /// It is there.
        valid: bool,
        /// Reliable connection; otherwise unreliable datagram.
        connected: bool,
        /// Nothing.
        reserved0: u8 : 2,
        /// Protection domain, that of the keys it may use.
        domain: u8 : 4,
        /// Bytes of data in a packet: 1 for 256, 2 for 512, 3 for 1,024, 4 for 2,048.
        mtu: u8 : 4,
        /// Logarithm of the WQEs of the send ring.
        send_log: u8 : 4,
        /// Logarithm of those of the receive ring.
        receive_log: u8 : 4,
        /// CQ of the send queue.
        send_cq: u8 : 2,
        /// CQ of the receive queue.
        receive_cq: u8 : 2,
        /// Retries after time-outs and sequence errors.
        retries: u8 : 3,
        /// Retries after RNR NAKs; 7 for any number.
        rnr_retries: u8 : 3,
        /// Nothing.
        reserved1: u8 : 2,
        /// Byte address of the send ring, a multiple of 64.
        send_base: u32,
        /// Byte address of the receive ring, a multiple of 64.
        receive_base: u32,
        /// Q_Key that a datagram must have.
        q_key: u32,
        /// QPN of the peer of a connection.
        peer: u32 : 24,
        /// Logarithm of the ticks of 4.096 us until a packet is sent again; 0 for never.
        timeout: u8 : 5,
        /// Nothing.
        reserved2: u8 : 3,
        /// LID of the peer.
        peer_lid: u16,
        /// RNR NAK timer that is asked of the peer (IBA volume 1, table 45).
        rnr_timer: u8 : 5,
        /// Nothing.
        reserved3: u16 : 11,
        /// PSN of the first packet that is sent.
        send_psn: u32 : 24,
        /// Nothing.
        reserved4: u8,
        /// PSN of the first packet that arrives.
        receive_psn: u32 : 24,
        /// Nothing.
        reserved5: u8,
    }
}

hdl::bundle! {
    /// A registered area of host memory. Its key is its row in bits 7:0, `variant` in bits 15:8.
    pub struct Key in context_pkg {
        /// It is there.
        valid: bool,
        /// The adapter may write there for the owner.
        local_write: bool,
        /// A peer may write there.
        remote_write: bool,
        /// A peer may read there.
        remote_read: bool,
        /// Protection domain.
        domain: u8 : 4,
        /// Bits 15:8 of the key, so that a new area in an old row has another key.
        variant: u8,
        /// Nothing.
        reserved: u16,
        /// Byte address of the area.
        base: u32,
        /// Bytes.
        length: u32,
    }
}

hdl::bundle! {
    /// A registered area as the adapter keeps it: its end is looked for when it is registered, not when it is used.
    pub struct Area in context_pkg {
        /// It is there.
        valid: bool,
        /// The adapter may write there for the owner.
        local_write: bool,
        /// A peer may write there.
        remote_write: bool,
        /// A peer may read there.
        remote_read: bool,
        /// Protection domain.
        domain: u8 : 4,
        /// Bits 15:8 of the key.
        variant: u8,
        /// Byte address of the area.
        base: u32,
        /// Address behind its last byte.
        limit: u64 : 33,
    }
}

impl Area {
    /// The area of a key.
    #[inline]
    pub fn of(key: &Key) -> Self {
        let Key { valid, local_write, remote_write, remote_read, domain, variant, base, length, .. } = *key;
        let limit = u64::from(base) + u64::from(length);
        Self { valid, local_write, remote_write, remote_read, domain, variant, base, limit }
    }
}

hdl::bundle! {
    /// A completion queue.
    pub struct Queue in context_pkg {
        /// It is there.
        valid: bool,
        /// It has overflowed: nothing is written any more.
        broken: bool,
        /// Nothing.
        reserved: u8 : 2,
        /// Logarithm of its CQEs.
        log: u8 : 4,
        /// Nothing.
        reserved1: u8,
        /// CQEs written, counted; the lowest bits are the place of the next one.
        produced: u16,
        /// Byte address of the ring, a multiple of 32.
        base: u32,
    }
}

hdl::bundle! {
    /// How far a send queue is. What is of a request counts for connections, which have one under way at a time.
    #[derive(Hash)]
    pub struct Requester in context_pkg {
        /// WQEs done, counted.
        consumed: u16,
        /// The ring made no sense: nothing more is sent.
        dead: bool,
        /// A request failed: those behind it are flushed.
        failed: bool,
        /// PSN of the next packet.
        psn: u32 : 24,
        /// PSN of the first packet of the request.
        first: u32 : 24,
        /// PSN of its first packet that is not acknowledged.
        oldest: u32 : 24,
        /// PSN of its last packet.
        last: u32 : 24,
        /// A request is under way.
        active: bool,
        /// It wants a CQE.
        signalled: bool,
        /// Its operation.
        operation: u8,
        /// Its length: a WQE whose length changes under way is refused.
        length: u32,
        /// Retries since something was acknowledged.
        retries: u8 : 3,
        /// RNR NAKs since then.
        rnr: u8 : 3,
        /// The peer had no receive WQE: nothing is sent before the deadline.
        waiting: bool,
        /// Tick at which packets are sent again.
        deadline: u32,
    }
}

hdl::bundle! {
    /// How far a receive queue is. What is behind `psn` counts for connections.
    #[derive(Hash)]
    pub struct Responder in context_pkg {
        /// WQEs taken, counted.
        consumed: u16,
        /// The ring made no sense, or a request was refused for good: nothing more is received.
        dead: bool,
        /// PSN of the next packet.
        psn: u32 : 24,
        /// It belongs to a message that has begun.
        midway: bool,
        /// Bytes of the message so far.
        received: u32,
        /// Messages received, counted.
        messages: u32 : 24,
        /// The next packet has been asked for by a NAK.
        refused: bool,
        /// An answer is to be sent.
        answer: bool,
        /// What it says (IBA volume 1, table 44).
        syndrome: u8,
        /// PSN that it is for.
        answer_psn: u32 : 24,
        /// The message that has begun is an RDMA WRITE.
        writes: bool,
        /// Where its next byte goes.
        write_address: u32,
        /// Its bytes that are still to come.
        write_left: u32,
        /// Its r_key, which is looked at for each packet.
        write_key: u32,
    }
}

hdl::bundle! {
    /// The RDMA READ that a peer has asked for last: how far its data are sent.
    #[derive(Hash)]
    pub struct Reader in context_pkg {
        /// There are data to be sent.
        active: bool,
        /// A packet of them is sent.
        begun: bool,
        /// PSN of the next packet of them.
        psn: u32 : 24,
        /// PSN of the last one.
        last: u32 : 24,
        /// Where the next one begins.
        address: u32,
        /// Bytes that are still to be sent.
        left: u32,
        /// The r_key, which is looked at for each packet.
        key: u32,
    }
}

hdl::codes! {
    /// What a row is written for.
    pub enum Kind in context_pkg, width 2 {
        /// A queue pair: its attributes; both of its queues begin anew.
        Pair = 0,
        /// A completion queue.
        Completion = 1,
        /// A key.
        Area = 2,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/context_pkg",
    source: file!(),
    items: &[
        Item::Bundle(Attributes::TABLE),
        Item::Bundle(Key::TABLE),
        Item::Bundle(Area::TABLE),
        Item::Bundle(Queue::TABLE),
        Item::Bundle(Requester::TABLE),
        Item::Bundle(Responder::TABLE),
        Item::Bundle(Reader::TABLE),
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
    }
}
