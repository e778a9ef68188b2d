//! A host as a carrier of MPI: a connection to each other rank.

use std::collections::{BTreeMap, VecDeque};

use mpi::carrier::{Carrier, Packet, Sent};
use mpi::{Envelope, Error};

use crate::layout::{LONGEST, SHARED};
use crate::port::{Completion, Port, SendError, Service};

/// Bytes of data of the longest packet.
const UNIT: usize = 64 << 10;
const _: () = assert!(Envelope::BYTES + UNIT <= LONGEST);
/// Bytes of the longest eager message. Our choice (decision 0064): up to this size a copy on either side costs less
/// than a request.
const EAGER: usize = 8 << 10;

/// The carrier of a rank. Rank and host have the same number.
pub struct OverConnections {
    port: Port,
    processor: mpi::Host,
    /// Ranks whose connections have failed, in the order of discovery.
    lost: Vec<usize>,
    /// Number of them that the library was told of.
    told: usize,
    /// Requests of each connection that are not complete: whether each is an RDMA WRITE of a window.
    posted: BTreeMap<u8, VecDeque<bool>>,
    /// Ranks to which a WRITE is complete, in that order.
    written: VecDeque<usize>,
}

impl OverConnections {
    /// Sets the adapter up.
    pub async fn open(port: Port, processor: mpi::Host) -> Self {
        port.open().await;
        OverConnections {
            port,
            processor,
            lost: Vec::new(),
            told: 0,
            posted: BTreeMap::new(),
            written: VecDeque::new(),
        }
    }
}

impl OverConnections {
    /// Notes a request that was posted.
    fn post(&mut self, to: usize, is_write: bool) {
        self.posted.entry(self.port.verbs().pair_of(to)).or_default().push_back(is_write);
    }

    /// Notes that the oldest request of a connection is complete.
    fn complete(&mut self, pair: u8) {
        if self.posted.get_mut(&pair).and_then(VecDeque::pop_front) == Some(true) {
            self.written.push_back(self.port.verbs().peer_of(pair));
        }
    }
}

impl Carrier for OverConnections {
    fn rank(&self) -> usize {
        self.port.verbs().node()
    }

    fn ranks(&self) -> usize {
        self.port.verbs().nodes()
    }

    fn most_bytes(&self) -> usize {
        Envelope::BYTES + UNIT
    }

    fn most_eager(&self) -> usize {
        EAGER
    }

    /// A look reads the next entry of the completion queue.
    fn looks_alike(&self) -> bool {
        true
    }

    fn host(&self) -> mpi::Host {
        self.processor.clone()
    }

    /// A connection that has failed accepts every packet, and `send` reports it.
    fn has_room(&mut self, to: usize, _: &Envelope) -> bool {
        let pair = self.port.verbs().pair(self.port.verbs().pair_of(to));
        pair.has_room() || pair.failed.is_some()
    }

    async fn send(&mut self, to: usize, packet: &[u8]) -> Sent {
        if !self.has_room(to, &Envelope::split(packet).expect("the library sends packets of MPI").0) {
            return Sent::NoRoom;
        }
        // Copied into a buffer for which the adapter has a key.
        self.port.host().copy(packet.len()).await;
        match self.port.send(to, Service::Connection, packet).await {
            Ok(()) => {
                self.post(to, false);
                Sent::Yes
            }
            Err(SendError::Failed(_)) => Sent::Unreachable(to),
            Err(SendError::NoRoom) => Sent::NoRoom,
            Err(error @ (SendError::TooLong | SendError::NoPeer)) => {
                unreachable!("the library knows its ranks: {error}")
            }
        }
    }

    async fn receive(&mut self) -> Option<Packet> {
        // Completions without a packet of MPI are skipped.
        loop {
            match self.port.poll().await? {
                Completion::Received(message) if message.service == Service::Connection => {
                    return Some(Packet { from: message.from, bytes: message.data });
                }
                Completion::Sent(pair) => self.complete(pair),
                Completion::Failed(pair, _) if pair != crate::layout::DATAGRAMS => {
                    let peer = self.port.verbs().peer_of(pair);
                    if !self.lost.contains(&peer) {
                        self.lost.push(peer);
                    }
                }
                _ => {}
            }
        }
    }

    fn has_remote_writes(&self) -> bool {
        true
    }

    /// An RDMA WRITE.
    async fn write(&mut self, to: usize, data: &[u8]) -> Sent {
        let pair = self.port.verbs().pair_of(to);
        if self.port.verbs().pair(pair).failed.is_some() {
            return Sent::Unreachable(to);
        }
        if data.len() > UNIT {
            return Sent::Refused(Error::Count(data.len()));
        }
        if !self.port.verbs().pair(pair).has_room() {
            return Sent::NoRoom;
        }
        // Copied into a buffer for which the adapter has a key.
        self.port.host().copy(data.len()).await;
        match self.port.write(to, SHARED, data).await {
            Ok(()) => {
                self.post(to, true);
                Sent::Yes
            }
            Err(SendError::NoRoom) => Sent::NoRoom,
            Err(_) => Sent::Unreachable(to),
        }
    }

    fn written(&mut self) -> Option<usize> {
        self.written.pop_front()
    }

    fn lost(&mut self) -> Option<usize> {
        let lost = self.lost.get(self.told).copied();
        self.told += usize::from(lost.is_some());
        lost
    }

    async fn pause(&mut self) {
        self.port.host().compute(self.port.host().costs().turn).await;
    }
}
