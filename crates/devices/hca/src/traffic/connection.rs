//! A program at one end of a reliable connection: one queue pair, one completion queue, one key.
//!
//! Rings and buffers lie at the addresses of `datagrams`; the program chooses the length of its buffers.

use hdl::Stimulus;

use super::datagrams::{self, AREA, COMPLETION_QUEUE, COMPLETIONS, KEY, RECEIVE_RING, SEND_RING};
use super::host::{Cqe, Host};
use crate::contexts::{Attributes, Key, PairState, Queue};
use crate::layout::SendWqe;
use crate::layout::{ATOMIC_BYTES, Operation, RECEIVED, Status, WRITTEN};
use crate::registers::{Doorbell, Register};

/// Address of the send buffers, and bytes from one to the next.
pub const SEND_BUFFERS: (u32, u32) = (0x1_0003, 0x4001);
/// Address of the receive buffers, and bytes from one to the next.
pub const RECEIVE_BUFFERS: (u32, u32) = (0x3_0005, 0x3001);
/// Bytes of a receive buffer.
pub const BUFFER: u32 = 0x3000;
/// Address and length of the area for the peer's RDMA.
pub const WINDOW: (u32, u32) = (0x6_1000, 0xf000);
/// Key of that area; the other key lets only the owner write.
pub const WINDOW_KEY: u32 = Key::of(0x5c6, 0x2a);

/// Program at one end of a connection.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Queue pair of the program.
    pub pair: u8,
    /// Attributes of the queue pair.
    pub attributes: Attributes,
    /// WQEs put into the send ring.
    pub sent: u16,
    /// Sends whose CQE the program has taken.
    pub done: u16,
    /// WQEs put into the receive ring.
    pub posted: u16,
    /// CQEs taken.
    pub taken: u16,
    /// Messages that arrived, with their immediate data.
    pub received: Vec<(Vec<u8>, Option<u32>)>,
    /// Bytes received by RDMA READs, and original values of atomic operations.
    pub read: Vec<Vec<u8>>,
    /// Status of each CQE that reports an error.
    pub errors: Vec<Cqe>,
    /// Requests ask for no CQE; they are done with the next one that does.
    pub silent: bool,
}

impl Connection {
    /// Sets up adapter and queue pair; no receive buffer is posted.
    pub fn new(host: &mut Host, lid: u16, pair: u8, attributes: Attributes) -> Self {
        host.write_register(Register::Lid, lid.into());
        host.write_register(Register::InterruptEnable, 0x1ff);
        host.write_register(Register::Control, 1);
        let queue = Queue { valid: true, log: COMPLETIONS.1, base: COMPLETIONS.0, ..Queue::default() };
        host.set_queue(COMPLETION_QUEUE, queue);
        let domain = attributes.domain;
        let key = Key {
            valid: true,
            local_write: true,
            domain,
            variant: Key::variant_of(KEY),
            base: AREA.0,
            length: AREA.1,
            ..Key::default()
        };
        host.set_key(KEY, key);
        host.set_key(WINDOW_KEY, Key { domain, ..Self::window() });
        datagrams::share_ring(host, &attributes);
        host.set_pair(pair, attributes);
        Self {
            pair,
            attributes,
            sent: 0,
            done: 0,
            posted: 0,
            taken: 0,
            received: vec![],
            read: vec![],
            errors: vec![],
            silent: false,
        }
    }

    /// Attributes of a queue pair whose peer has this LID and QPN. Its PSNs start close to where they wrap.
    pub fn attributes(peer_lid: u16, peer: u32) -> Attributes {
        Attributes {
            state: PairState::ReadyToSend.code(),
            connected: true,
            domain: 3,
            mtu: 2,
            send_log: SEND_RING.1,
            receive_log: RECEIVE_RING.1,
            send_cq: COMPLETION_QUEUE,
            receive_cq: COMPLETION_QUEUE,
            retries: 7,
            rnr_retries: 7,
            timeout: 3,
            rnr_timer: 1,
            send_base: SEND_RING.0,
            receive_base: RECEIVE_RING.0,
            peer,
            peer_lid,
            send_psn: 0xff_fff0,
            receive_psn: 0xff_fff0,
            ..Attributes::default()
        }
    }

    /// Attributes of both ends of a connection, whose LIDs and QPNs are given. Each attribute that an end may choose
    /// for itself differs from that of the other end.
    pub fn unlike(random: &mut Stimulus, lids: [u16; 2], pairs: [u8; 2]) -> [Attributes; 2] {
        let mut two = |least: u64, most: u64| {
            let first = least + random.below(most - least + 1);
            let other = least + random.below(most - least);
            [first, if other >= first { other + 1 } else { other }]
        };
        // PSNs soon wrap.
        let (psns, domains) = (two(0xff_ffc0, 0xff_ffff), two(0, 15));
        let (timeouts, timers) = (two(2, 5), two(1, 9));
        let (retries, rnr_retries) = (two(3, 7), two(3, 7));
        let q_keys = two(0, u32::MAX.into());
        let mtu = two(1, 4)[0] as u8;
        [0, 1].map(|end: usize| Attributes {
            domain: domains[end] as u8,
            mtu,
            timeout: timeouts[end] as u8,
            rnr_timer: timers[end] as u8,
            retries: retries[end] as u8,
            rnr_retries: rnr_retries[end] as u8,
            q_key: q_keys[end] as u32,
            send_psn: psns[end] as u32,
            receive_psn: psns[1 - end] as u32,
            ..Self::attributes(lids[1 - end], pairs[1 - end].into())
        })
    }

    /// Area that the peer may write and read.
    pub fn window() -> Key {
        Key {
            valid: true,
            remote_write: true,
            remote_read: true,
            remote_atomic: true,
            domain: 3,
            variant: Key::variant_of(WINDOW_KEY),
            base: WINDOW.0,
            length: WINDOW.1,
            ..Key::default()
        }
    }

    fn buffer(count: u16) -> u32 {
        RECEIVE_BUFFERS.0 + RECEIVE_BUFFERS.1 * u32::from(count % 16)
    }

    /// Posts a receive buffer.
    pub fn post(&mut self, host: &mut Host) {
        host.put_receive(RECEIVE_RING.0, RECEIVE_RING.1, self.posted, Self::buffer(self.posted), BUFFER, KEY);
        self.posted = self.posted.wrapping_add(1);
        datagrams::ring_receive(host, self.pair, &self.attributes, self.posted);
    }

    /// Request that sends the bytes from the next send buffer.
    pub fn request(&self, length: u32) -> SendWqe {
        let place = u32::from(self.sent) & ((1 << SEND_RING.1) - 1);
        SendWqe {
            operation: Operation::Send.code(),
            signalled: !self.silent,
            address: SEND_BUFFERS.0 + SEND_BUFFERS.1 * place,
            length,
            l_key: KEY,
            ..SendWqe::default()
        }
    }

    /// Puts a request into the ring and rings the doorbell.
    pub fn send_request(&mut self, host: &mut Host, wqe: &SendWqe) {
        host.put_send(SEND_RING.0, self.attributes.send_log, self.sent, wqe);
        self.sent = self.sent.wrapping_add(1);
        host.ring(Doorbell::SendBell, self.pair, self.sent, false);
    }

    /// Sends a message.
    pub fn send(&mut self, host: &mut Host, bytes: &[u8], immediate: Option<u32>) {
        let mut wqe = self.request(bytes.len() as u32);
        if let Some(immediate) = immediate {
            (wqe.operation, wqe.immediate) = (Operation::SendImmediate.code(), immediate);
        }
        host.store(wqe.address, bytes);
        self.send_request(host, &wqe);
    }

    /// RDMA request of `length` bytes at `remote`.
    pub fn remote(&self, operation: Operation, length: u32, remote: u32) -> SendWqe {
        SendWqe {
            operation: operation.code(),
            r_key: WINDOW_KEY,
            remote: remote.into(),
            ..self.request(length)
        }
    }

    /// Writes into the memory of the peer.
    pub fn write(&mut self, host: &mut Host, bytes: &[u8], remote: u32, immediate: Option<u32>) {
        let mut wqe = self.remote(Operation::RdmaWrite, bytes.len() as u32, remote);
        if let Some(immediate) = immediate {
            (wqe.operation, wqe.immediate) = (Operation::RdmaWriteImmediate.code(), immediate);
        }
        host.store(wqe.address, bytes);
        self.send_request(host, &wqe);
    }

    /// Reads the memory of the peer.
    pub fn read(&mut self, host: &mut Host, length: u32, remote: u32) {
        let wqe = self.remote(Operation::RdmaRead, length, remote);
        self.send_request(host, &wqe);
    }

    /// Adds to a word in the memory of the peer, whose original value is read.
    pub fn fetch_add(&mut self, host: &mut Host, add: u64, remote: u32) {
        let wqe = self.remote(Operation::FetchAdd, ATOMIC_BYTES, remote);
        self.send_request(host, &SendWqe { swap: add, ..wqe });
    }

    /// Replaces a word in the memory of the peer if it equals `compare`; its original value is read.
    pub fn compare_swap(&mut self, host: &mut Host, compare: u64, swap: u64, remote: u32) {
        let wqe = self.remote(Operation::CompareSwap, ATOMIC_BYTES, remote);
        self.send_request(host, &SendWqe { swap, compare, ..wqe });
    }

    /// Outstanding requests.
    pub fn waiting(&self) -> u16 {
        self.sent.wrapping_sub(self.done)
    }

    /// Takes a CQE if one is there.
    pub fn poll(&mut self, host: &mut Host) {
        let Some(cqe) = host.poll(COMPLETIONS.0, COMPLETIONS.1, self.taken) else { return };
        self.taken = self.taken.wrapping_add(1);
        if cqe.status != Status::Success.code() {
            self.errors.push(cqe);
        } else if cqe.operation & RECEIVED != 0 {
            let immediate = (cqe.operation & 1 != 0).then_some(cqe.immediate);
            // An RDMA WRITE does not use the receive buffer.
            let bytes = if cqe.operation & WRITTEN != 0 { 0 } else { cqe.bytes };
            self.received.push((host.load(Self::buffer(cqe.index), bytes as usize), immediate));
        } else if [Operation::RdmaRead, Operation::CompareSwap, Operation::FetchAdd]
            .map(Operation::code)
            .contains(&cqe.operation)
        {
            let place = u32::from(cqe.index) & ((1 << SEND_RING.1) - 1);
            self.read.push(host.load(SEND_BUFFERS.0 + SEND_BUFFERS.1 * place, cqe.bytes as usize));
        }
        if cqe.operation & RECEIVED == 0 {
            self.done = cqe.index.wrapping_add(1);
        }
        host.ring(Doorbell::CompletionBell, COMPLETION_QUEUE, self.taken, true);
    }
}
