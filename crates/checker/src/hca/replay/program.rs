//! The program of a host in a replay, and its judgement.

use ::hca::contexts::{Attributes, Requester};
use ::hca::layout::{ATOMIC_BYTES, Operation, RECEIVED, Status};
use ::hca::registers::Doorbell;
use ::hca::traffic::connection::{Connection, RECEIVE_BUFFERS, SEND_BUFFERS, WINDOW};
use ::hca::traffic::datagrams::{COMPLETION_QUEUE, COMPLETIONS, RECEIVE_RING, SEND_RING};
use ::hca::traffic::host::{Cqe, Host};

use super::super::world::{ADDEND, Request, World, distance};
use super::super::wrong::Wrong;
use super::link::{LIDS, PAIRS};
use super::view::BYTES;

/// A program at one end of the connection.
#[derive(Clone, Debug)]
pub struct Program {
    me: usize,
    connection: Connection,
    /// Requests done or given up when the queue pair was made the last time.
    pub done: u16,
    /// Receive WQEs that were used up by then.
    pub taken: u16,
    /// Requests that have ended since.
    ended: u16,
    /// Completions of requests: number and status.
    pub completed: Vec<(u8, Status)>,
    /// The packet of the peer's SENDs that has to be received next: number of the request, number in it.
    pub next: (u8, u8),
}

impl Program {
    /// Sets up adapter and queue pair.
    pub fn new(host: &mut Host, me: usize, attributes: Attributes) -> Self {
        let connection = Connection::new(host, LIDS[me], PAIRS[me], attributes);
        Self { me, connection, done: 0, taken: 0, ended: 0, completed: Vec::new(), next: (0, 0) }
    }

    /// Makes the queue pair again; `done` requests are done or given up, `taken` receive WQEs used.
    pub fn remake(&mut self, host: &mut Host, attributes: Attributes, (done, taken): (u16, u16)) {
        host.set_pair(PAIRS[self.me], attributes);
        let left = self.connection.posted + self.taken - taken;
        (self.done, self.taken, self.ended) = (done, taken, 0);
        (self.connection.sent, self.connection.posted) = (0, 0);
        (0..left).for_each(|_| self.post(host));
    }

    /// Posts a receive WQE.
    pub fn post(&mut self, host: &mut Host) {
        self.connection.post(host);
    }

    /// Posts requests that are neither done nor given up, as many as the window allows. Tells whether there are any.
    pub fn request(&mut self, host: &mut Host, requests: &[Request], window: u8) -> bool {
        let room = u16::from(window).saturating_sub(self.connection.sent - self.ended);
        let first = self.done + self.connection.sent;
        for (number, request) in (0..).zip(requests).skip(first.into()).take(room.into()) {
            let bytes = u32::from(request.packets()) * BYTES;
            match *request {
                Request::Send(packets) => {
                    let data: Vec<u8> =
                        (0..packets).flat_map(|at| [key(number, at); BYTES as usize]).collect();
                    self.connection.send(host, &data, None);
                }
                Request::Write(_) => {
                    self.connection.write(host, &vec![number + 1; bytes as usize], WINDOW.0, None);
                }
                Request::Read(_) => self.connection.read(host, bytes, WINDOW.0),
                Request::Add => self.connection.fetch_add(host, u64::from_ne_bytes([ADDEND; 8]), WINDOW.0),
            }
        }
        self.done + self.connection.sent != first
    }

    /// A CQE that has come.
    pub fn poll(&mut self, host: &mut Host) -> Option<Cqe> {
        let cqe = host.poll(COMPLETIONS.0, COMPLETIONS.1, self.connection.taken)?;
        self.connection.taken = self.connection.taken.wrapping_add(1);
        host.ring(Doorbell::CompletionBell, COMPLETION_QUEUE, self.connection.taken, false);
        Some(cqe)
    }

    /// Judges the packets of a SEND that a receive WQE has.
    pub fn receive(&mut self, host: &Host, cqe: Cqe, requests: &[Request]) -> Option<Wrong> {
        match Status::from_code(cqe.status) {
            Some(Status::Success) => {}
            Some(Status::Flushed) => return None,
            _ => return Some(Wrong::Broken),
        }
        let place = u32::from(cqe.index) % (1 << RECEIVE_RING.1);
        let data = host.load(RECEIVE_BUFFERS.0 + RECEIVE_BUFFERS.1 * place, cqe.bytes as usize);
        let mut wrong = None;
        for packet in data.chunks(BYTES as usize) {
            let key = packet_of(packet[0]);
            let more = requests.get(usize::from(key.0)).is_some_and(|request| key.1 + 1 < request.packets());
            let found = match key.cmp(&self.next) {
                std::cmp::Ordering::Less => Some(Wrong::Duplicate),
                std::cmp::Ordering::Greater => Some(Wrong::Gap),
                std::cmp::Ordering::Equal => None,
            };
            if found.is_none() {
                self.next = if more { (key.0, key.1 + 1) } else { (key.0 + 1, 0) };
            }
            wrong = wrong.or(found);
        }
        wrong
    }

    /// Judges the completion of a request.
    pub fn complete(&mut self, cqe: Cqe, world: &World, received: (u8, u8)) -> Option<Wrong> {
        let number = (self.done + cqe.index) as u8;
        let Some(status) = Status::from_code(cqe.status) else { return Some(Wrong::Broken) };
        self.completed.push((number, status));
        self.ended += 1;
        let sends = matches!(world.requests[self.me].get(usize::from(number)), Some(Request::Send(_)));
        match status {
            Status::Success => (sends && received.0 <= number).then_some(Wrong::Unexecuted),
            Status::RetryExceeded => (!world.dead).then_some(Wrong::GivesUp),
            Status::RnrRetryExceeded => Some(Wrong::GivesUp),
            Status::Flushed => None,
            _ => Some(Wrong::Broken),
        }
    }

    /// Judges the data that the RDMA READ or atomic operation under way, or the last one, has brought.
    pub fn read(&self, host: &Host, row: &Requester, world: &World) -> Option<Wrong> {
        let packets =
            if row.active { distance(row.first, row.oldest) } else { distance(row.first, row.last) + 1 };
        let index = if row.active { row.consumed } else { row.consumed.checked_sub(1)? };
        let number = (self.done + index) as u8;
        let succeeded = row.active || self.completed.contains(&(number, Status::Success));
        let bytes = match Operation::from_code(row.operation) {
            Some(Operation::RdmaRead) => BYTES,
            Some(Operation::FetchAdd) => ATOMIC_BYTES,
            _ => return None,
        };
        if !succeeded {
            return None;
        }
        let place = u32::from(index) % (1 << SEND_RING.1);
        let data = host.load(SEND_BUFFERS.0 + SEND_BUFFERS.1 * place, (packets * bytes) as usize);
        // An atomic operation adds to the first 8 bytes of a packet alone.
        let expected = |at: usize| {
            let byte = world.expected(self.me, number, at / BYTES as usize);
            if at % (BYTES as usize) < ATOMIC_BYTES as usize { byte } else { byte % ADDEND }
        };
        let right = data.iter().enumerate().all(|(at, byte)| *byte == expected(at));
        (!right).then_some(Wrong::WrongData)
    }
}

impl Program {
    /// Whether a CQE is that of a receive WQE.
    pub fn is_receive(cqe: &Cqe) -> bool {
        cqe.operation & RECEIVED != 0
    }
}

/// The byte in all places of a packet of a SEND.
fn key(number: u8, packet: u8) -> u8 {
    number << 4 | packet
}

/// The request and the packet that a byte belongs to.
fn packet_of(key: u8) -> (u8, u8) {
    (key >> 4, key & 0xf)
}
