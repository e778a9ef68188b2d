//! A host as a carrier of MPI: a connection to each other rank.

use mpi::Envelope;
use mpi::carrier::{Carrier, Packet, Sent};

use crate::layout::LONGEST;
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
}

impl OverConnections {
    /// Sets the adapter up.
    pub async fn open(port: Port, processor: mpi::Host) -> Self {
        port.open().await;
        OverConnections { port, processor, lost: Vec::new(), told: 0 }
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
            Ok(()) => Sent::Yes,
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

    fn lost(&mut self) -> Option<usize> {
        let lost = self.lost.get(self.told).copied();
        self.told += usize::from(lost.is_some());
        lost
    }

    async fn pause(&mut self) {
        self.port.host().compute(self.port.host().costs().turn).await;
    }
}
