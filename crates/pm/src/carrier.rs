//! PM as a carrier of MPI: a packet is a message of PM on the channel of one session. PM itself holds senders back.

use cluster::NodeId;
use mpi::Host;
use mpi::carrier::{Carrier, Packet, Received, Sent};

use crate::{Channel, Endpoint, GetSendBufferError, OpenError, SendError};

/// The carrier of a rank over an endpoint of PM. Rank and node have the same number.
pub struct OverPm<E> {
    endpoint: E,
    channel: Channel,
    ranks: usize,
    host: Host,
}

impl<E: Endpoint> OverPm<E> {
    /// Opens the channel for a session, whose number is the same on all ranks.
    pub async fn open(
        mut endpoint: E,
        channel: Channel,
        session: u16,
        ranks: usize,
        host: Host,
    ) -> Result<Self, OpenError> {
        endpoint.open(channel, session).await?;
        Ok(OverPm { endpoint, channel, ranks, host })
    }
}

impl<E: Endpoint> Carrier for OverPm<E> {
    fn rank(&self) -> usize {
        self.endpoint.node().0.into()
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn most_bytes(&self) -> usize {
        self.endpoint.most_bytes()
    }

    /// A look reads the flag of a descriptor.
    fn looks_alike(&self) -> bool {
        true
    }

    fn host(&self) -> Host {
        self.host.clone()
    }

    async fn send(&mut self, to: usize, packet: &Packet) -> Sent {
        let mut buffer = match self.endpoint.get_send_buffer(self.channel, packet.length()).await {
            Ok(buffer) => buffer,
            Err(GetSendBufferError::NoneFree) => return Sent::NoRoom,
            // Not expected: the channel is open and a packet fits.
            Err(_) => return Sent::Unreachable(to),
        };
        buffer.copy_from_slice(&packet.to_bytes());
        match self.endpoint.send_message(buffer, NodeId(to as u16)).await {
            Ok(()) => Sent::Yes,
            Err(SendError::PeerDead(node)) => Sent::Unreachable(node.into()),
            Err(_) => Sent::Unreachable(to),
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        let message = self.endpoint.receive(self.channel).await?;
        let received = Received::bytes(message.sender.0.into(), message.to_vec());
        self.endpoint.put_receive_buffer(message).await;
        Some(received)
    }

    async fn pause(&mut self) {
        self.endpoint.pause().await;
    }
}
