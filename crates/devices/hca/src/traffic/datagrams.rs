//! A program that sends and receives datagrams: one queue pair, one completion queue, one key.

use super::host::{Cqe, Host};
use crate::contexts::{Attributes, Key, PairState, Queue, SharedQueue};
use crate::layout::SendWqe;
use crate::layout::{GRH_BYTES, Operation, RECEIVED, Status};
use crate::registers::{Doorbell, Register};

/// Q_Key of all datagrams.
pub const Q_KEY: u32 = 0x1234_5678;
/// Number of the completion queue.
pub const COMPLETION_QUEUE: u8 = 41;
/// Address of the send ring, and the logarithm of its places.
pub const SEND_RING: (u32, u8) = (0x1000, 3);
/// Address of the receive ring, and the logarithm of its places.
pub const RECEIVE_RING: (u32, u8) = (0x2000, 4);
/// Address of the completion queue, and the logarithm of its places.
pub const COMPLETIONS: (u32, u8) = (0x4000, 5);
/// Address and length of the registered area.
pub const AREA: (u32, u32) = (0x1_0000, 0x6_0000);
/// Key of the area.
pub const KEY: u32 = Key::of(0xa35, 7);
/// Address of the data to send.
pub const SEND_BUFFERS: u32 = 0x1_0003;
/// Address of the receive buffers; it is unaligned.
pub const RECEIVE_BUFFERS: u32 = 0x4_0001;
/// Bytes from one receive buffer to the next.
pub const STRIDE: u32 = 2_305;
/// Bytes of a receive buffer.
pub const BUFFER: u32 = 2_048 + GRH_BYTES;

/// Makes the receive ring that of the shared receive queue, if the queue pair has one.
pub(super) fn share_ring(host: &mut Host, attributes: &Attributes) {
    if attributes.shares() {
        let row = SharedQueue { log: RECEIVE_RING.1, base: RECEIVE_RING.0, ..SharedQueue::default() };
        host.set_shared(attributes.shared_queue, row);
    }
}

/// Rings the doorbell of the receive queue, or of the shared one.
pub(super) fn ring_receive(host: &mut Host, pair: u8, attributes: &Attributes, posted: u16) {
    if attributes.shares() {
        host.ring(Doorbell::SharedBell, attributes.shared_queue, posted, false);
    } else {
        host.ring(Doorbell::ReceiveBell, pair, posted, false);
    }
}

/// A received datagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// LID of the sender.
    pub lid: u16,
    /// QPN of the sender.
    pub pair: u32,
    /// Immediate data, if there are any.
    pub immediate: Option<u32>,
    /// Data of the datagram.
    pub bytes: Vec<u8>,
}

/// The program.
#[derive(Clone, Debug)]
pub struct Datagrams {
    /// Its queue pair.
    pub pair: u8,
    /// Attributes of the queue pair.
    pub attributes: Attributes,
    /// WQEs put into the send ring, and those whose CQE has been taken.
    pub sent: u16,
    /// Sends found complete.
    pub done: u16,
    /// WQEs put into the receive ring.
    pub posted: u16,
    /// CQEs taken.
    pub taken: u16,
    /// Datagrams received, in order.
    pub received: Vec<Datagram>,
    /// Status of each CQE that reports an error.
    pub errors: Vec<Cqe>,
}

impl Datagrams {
    /// Sets up adapter and queue pair, with all receive buffers posted.
    pub fn new(host: &mut Host, lid: u16, pair: u8) -> Self {
        Self::with(host, lid, pair, Self::attributes())
    }

    /// As `new`, with attributes of its own.
    pub fn with(host: &mut Host, lid: u16, pair: u8, attributes: Attributes) -> Self {
        host.write_register(Register::Lid, lid.into());
        host.write_register(Register::InterruptEnable, 0x1ff);
        host.write_register(Register::Control, 1);
        let queue = Queue { valid: true, log: COMPLETIONS.1, base: COMPLETIONS.0, ..Queue::default() };
        host.set_queue(COMPLETION_QUEUE, queue);
        let key = Key {
            valid: true,
            local_write: true,
            domain: 3,
            variant: Key::variant_of(KEY),
            base: AREA.0,
            length: AREA.1,
            ..Key::default()
        };
        host.set_key(KEY, key);
        share_ring(host, &attributes);
        host.set_pair(pair, attributes);
        let mut program = Self {
            pair,
            attributes,
            sent: 0,
            done: 0,
            posted: 0,
            taken: 0,
            received: vec![],
            errors: vec![],
        };
        for _ in 0..1 << RECEIVE_RING.1 {
            program.post(host);
        }
        program.ring_receive(host);
        program
    }

    /// Attributes of the queue pair.
    pub fn attributes() -> Attributes {
        Attributes {
            state: PairState::ReadyToSend.code(),
            domain: 3,
            mtu: 4,
            send_log: SEND_RING.1,
            receive_log: RECEIVE_RING.1,
            send_cq: COMPLETION_QUEUE,
            receive_cq: COMPLETION_QUEUE,
            send_base: SEND_RING.0,
            receive_base: RECEIVE_RING.0,
            q_key: Q_KEY,
            ..Attributes::default()
        }
    }

    fn buffer(count: u16) -> u32 {
        RECEIVE_BUFFERS + STRIDE * (u32::from(count) & ((1 << RECEIVE_RING.1) - 1))
    }

    fn post(&mut self, host: &mut Host) {
        host.put_receive(RECEIVE_RING.0, RECEIVE_RING.1, self.posted, Self::buffer(self.posted), BUFFER, KEY);
        self.posted = self.posted.wrapping_add(1);
    }

    fn ring_receive(&self, host: &mut Host) {
        ring_receive(host, self.pair, &self.attributes, self.posted);
    }

    /// The request that sends bytes from the next place.
    pub fn request(&self, lid: u16, pair: u32, length: u32) -> SendWqe {
        let place = u32::from(self.sent) & ((1 << SEND_RING.1) - 1);
        SendWqe {
            operation: Operation::Send.code(),
            signalled: true,
            address: SEND_BUFFERS + STRIDE * place,
            length,
            l_key: KEY,
            destination: pair,
            lid,
            q_key: Q_KEY,
            ..SendWqe::default()
        }
    }

    /// Puts a request into the ring and rings the doorbell.
    pub fn send_request(&mut self, host: &mut Host, wqe: &SendWqe) {
        host.put_send(SEND_RING.0, SEND_RING.1, self.sent, wqe);
        self.sent = self.sent.wrapping_add(1);
        host.ring(Doorbell::SendBell, self.pair, self.sent, false);
    }

    /// Sends a datagram.
    pub fn send(&mut self, host: &mut Host, lid: u16, pair: u32, bytes: &[u8], immediate: Option<u32>) {
        let mut wqe = self.request(lid, pair, bytes.len() as u32);
        if let Some(immediate) = immediate {
            (wqe.operation, wqe.immediate) = (Operation::SendImmediate.code(), immediate);
        }
        host.store(wqe.address, bytes);
        self.send_request(host, &wqe);
    }

    /// Requests under way.
    pub fn waiting(&self) -> u16 {
        self.sent.wrapping_sub(self.done)
    }

    /// Takes a CQE if one is there, and posts its buffer again.
    pub fn poll(&mut self, host: &mut Host) {
        let Some(cqe) = host.poll(COMPLETIONS.0, COMPLETIONS.1, self.taken) else { return };
        self.taken = self.taken.wrapping_add(1);
        if cqe.status != Status::Success.code() {
            self.errors.push(cqe);
        } else if cqe.operation & RECEIVED != 0 {
            let bytes = host.load(Self::buffer(cqe.index) + GRH_BYTES, (cqe.bytes - GRH_BYTES) as usize);
            let immediate = (cqe.operation & 1 != 0).then_some(cqe.immediate);
            self.received.push(Datagram { lid: cqe.source_lid, pair: cqe.source, immediate, bytes });
        }
        if cqe.operation & RECEIVED == 0 {
            self.done = self.done.wrapping_add(1);
        } else {
            self.post(host);
            self.ring_receive(host);
        }
        host.ring(Doorbell::CompletionBell, COMPLETION_QUEUE, self.taken, true);
    }
}
