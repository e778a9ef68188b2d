//! Queue pairs and their rings.

use hca::contexts::{Attributes, PairState};
use hca::layout::ReceiveWqe;

use super::errno::EINVAL;
use super::transitions::state::RESET;
use crate::verbs::call::{Buffer, CompletedOperation, QueuePairAttributes, QueuePairInit, Service};

/// The first queue pair for programs: 0 and 1 belong to management (IBA volume 1, section 3.9.1).
pub(super) const FIRST_PAIR: usize = 2;
/// Logarithm of the largest ring: 16,384 requests.
pub(super) const MOST_REQUESTS_LOG: u8 = 14;
/// Logarithm of the smallest ring: 16 requests, which satisfies the alignment that the adapter needs (our choice).
const LEAST_REQUESTS_LOG: u8 = 4;
/// Code of the MTU of datagrams: 2,048 bytes.
const DATAGRAM_MTU: u32 = 4;

/// A queue pair, its attributes and its rings.
#[derive(Clone, Debug)]
pub(super) struct QueuePair {
    pub init: QueuePairInit,
    /// Number of the shared receive queue, from which receive requests come in place of `receives`.
    pub shared: Option<u8>,
    /// `ibv_qp_state`.
    pub state: u32,
    /// Attributes that the program has set since the last reset.
    pub attributes: QueuePairAttributes,
    /// The adapter has the row, so requests ring doorbells.
    pub is_loaded: bool,
    /// Packets that have brought the messages received so far.
    pub packets: u32,
    /// An event has reported the first message.
    pub is_established: bool,
    /// The send queue is being drained: an event may be due.
    pub is_draining: bool,
    pub sends: Ring<Send>,
    pub receives: Ring<Receive>,
}

/// A ring of work requests in host memory.
#[derive(Clone, Debug)]
pub(super) struct Ring<T> {
    pub base: u32,
    pub log: u8,
    /// Requests posted, modulo 2^16.
    pub posted: u16,
    /// Requests completed, modulo 2^16. With a shared receive queue: its count behind the last request that the queue
    /// pair has completed.
    pub completed: u16,
    /// Requests of which the doorbell has told the adapter, modulo 2^16.
    pub rung: u16,
    /// Data about the requests that is needed at completion, by index in the ring.
    pub requests: Vec<T>,
}

/// A send request in its ring.
#[derive(Clone, Debug, Default)]
pub(super) struct Send {
    pub id: u64,
    pub operation: CompletedOperation,
    /// The program gets a completion of success.
    pub signalled: bool,
    pub bounce: Option<Bounce>,
}

/// A receive request in its ring.
#[derive(Clone, Debug, Default)]
pub(super) struct Receive {
    pub id: u64,
    pub buffer: Buffer,
    pub bounce: Option<Bounce>,
}

/// A buffer of the driver that takes the place of several buffers of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounce {
    /// Address in host memory.
    pub base: u32,
    /// Bus addresses and lengths of the program's buffers, into which arriving data are scattered; none for data sent.
    pub pieces: Vec<(u32, u32)>,
}

impl Receive {
    /// The request as the adapter reads it.
    pub fn wqe(&self) -> Vec<u8> {
        let Buffer { key, offset, length } = self.buffer;
        ReceiveWqe { l_key: key, address: offset as u32, length }.bytes()
    }
}

impl<T: Clone + Default> Ring<T> {
    pub fn new(base: u32, log: u8) -> Self {
        Ring { base, log, posted: 0, completed: 0, rung: 0, requests: vec![T::default(); 1 << log] }
    }

    /// Index in the ring of the request of this count.
    pub fn index(&self, count: u16) -> usize {
        usize::from(count) & ((1 << self.log) - 1)
    }

    pub fn has_room(&self) -> bool {
        usize::from(self.posted.wrapping_sub(self.completed)) < 1 << self.log
    }

    /// Puts a request behind the others; its count.
    pub fn push(&mut self, request: T) -> u16 {
        let count = self.posted;
        let at = self.index(count);
        self.requests[at] = request;
        self.posted = count.wrapping_add(1);
        count
    }

    /// The request of this count.
    pub fn request(&mut self, count: u16) -> &mut T {
        let at = self.index(count);
        &mut self.requests[at]
    }

    /// Counts again from the first request that is not complete.
    pub fn recount(&mut self) {
        let first = self.index(self.completed);
        self.requests.rotate_left(first);
        self.posted = self.posted.wrapping_sub(self.completed);
        (self.completed, self.rung) = (0, 0);
    }

    pub fn clear(&mut self) {
        (self.posted, self.completed, self.rung) = (0, 0, 0);
    }
}

/// Logarithm of a ring of at least `requests` requests.
pub(super) fn ring_log(requests: u32) -> Result<u8, i32> {
    let log = requests.max(1).checked_next_power_of_two().ok_or(EINVAL)?.ilog2() as u8;
    if log > MOST_REQUESTS_LOG { Err(EINVAL) } else { Ok(log.max(LEAST_REQUESTS_LOG)) }
}

impl QueuePair {
    pub fn new(init: QueuePairInit, sends: Ring<Send>, receives: Ring<Receive>) -> Self {
        QueuePair {
            init,
            shared: None,
            state: RESET,
            attributes: QueuePairAttributes::default(),
            is_loaded: false,
            packets: 0,
            is_established: false,
            is_draining: false,
            sends,
            receives,
        }
    }

    /// The row of the adapter, whose responder goes on after the packets that have arrived.
    pub fn row(&self) -> Attributes {
        let QueuePair { init, attributes, sends, receives, .. } = self;
        Attributes {
            state: PairState::ReadyToSend.code(),
            connected: init.service.is_connected(),
            unreliable: init.service == Service::UnreliableConnection,
            domain: init.domain,
            mtu: self.mtu() as u8,
            send_log: sends.log,
            receive_log: receives.log,
            send_cq: init.send_queue,
            receive_cq: init.receive_queue,
            retries: attributes.retries & 7,
            rnr_retries: attributes.rnr_retries & 7,
            send_base: sends.base,
            receive_base: receives.base,
            q_key: attributes.q_key,
            peer: attributes.peer & 0xff_ffff,
            timeout: attributes.timeout & 31,
            peer_lid: attributes.peer_lid,
            rnr_timer: attributes.rnr_timer & 31,
            shared: self.shared.is_some(),
            shared_queue: self.shared.unwrap_or_default(),
            send_psn: attributes.send_psn & 0xff_ffff,
            reads: attributes.reads.min(super::MOST_READS),
            receive_psn: attributes.receive_psn.wrapping_add(self.packets) & 0xff_ffff,
            ..Attributes::default()
        }
    }

    /// Counts the packets of a message that has arrived.
    pub fn count_packets(&mut self, bytes: u32) {
        let mtu = 128 << self.mtu();
        self.packets = self.packets.wrapping_add(bytes.div_ceil(mtu).max(1));
    }

    /// Code of the MTU.
    fn mtu(&self) -> u32 {
        if self.init.service.is_connected() {
            self.attributes.mtu.clamp(1, DATAGRAM_MTU)
        } else {
            DATAGRAM_MTU
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_hold_the_requested_number_or_are_refused() {
        assert_eq!(
            (ring_log(0), ring_log(1), ring_log(500), ring_log(16_384)),
            (Ok(4), Ok(4), Ok(9), Ok(14))
        );
        assert_eq!((ring_log(16_385), ring_log(u32::MAX)), (Err(EINVAL), Err(EINVAL)));
    }

    #[test]
    fn counting_again_keeps_requests_that_are_not_complete() {
        let mut ring = Ring::new(0, 4);
        for id in 0..5 {
            ring.push(Receive { id, ..Receive::default() });
        }
        ring.completed = 2;
        ring.recount();
        assert_eq!((ring.posted, ring.completed), (3, 0));
        assert_eq!([0, 1, 2].map(|count| ring.request(count).id), [2, 3, 4]);
    }

    #[test]
    fn responder_goes_on_after_the_packets_of_all_messages() {
        let init = QueuePairInit { service: Service::ReliableConnection, ..QueuePairInit::default() };
        let mut pair = QueuePair::new(init, Ring::new(0, 4), Ring::new(0, 4));
        pair.attributes = QueuePairAttributes { mtu: 3, receive_psn: 0xff_ffff, ..pair.attributes };
        for bytes in [0, 1024, 1025] {
            pair.count_packets(bytes);
        }
        assert_eq!(pair.row().receive_psn, 3);
    }
}
