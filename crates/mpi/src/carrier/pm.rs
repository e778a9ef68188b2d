//! PM as a carrier: each packet is one PM message on a channel of one session; PM's own flow control limits
//! senders.

use pm::{Channel, Endpoint, GetSendBufferError, NodeId, OpenError, SendError};

use super::{Carrier, Packet, Sent};
use crate::host::Host;

/// Carrier of a process over a PM endpoint. Process and node numbers are equal.
pub struct OverPm<E> {
    endpoint: E,
    channel: Channel,
    ranks: usize,
    host: Host,
}

impl<E: Endpoint> OverPm<E> {
    /// Opens the channel for a session. All processes pass the same session number.
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

    /// An unsuccessful poll only reads the flag of a descriptor.
    fn looks_alike(&self) -> bool {
        true
    }

    fn host(&self) -> Host {
        self.host.clone()
    }

    async fn send(&mut self, to: usize, packet: &[u8]) -> Sent {
        let mut buffer = match self.endpoint.get_send_buffer(self.channel, packet.len()).await {
            Ok(buffer) => buffer,
            Err(GetSendBufferError::NoneFree) => return Sent::NoRoom,
            // The channel is open and the packet fits, so other errors are not expected.
            Err(_) => return Sent::Unreachable(to),
        };
        buffer.copy_from_slice(packet);
        match self.endpoint.send_message(buffer, NodeId(to as u16)).await {
            Ok(()) => Sent::Yes,
            Err(SendError::PeerDead(node)) => Sent::Unreachable(node.into()),
            Err(_) => Sent::Unreachable(to),
        }
    }

    async fn receive(&mut self) -> Option<Packet> {
        let message = self.endpoint.receive(self.channel).await?;
        let packet = Packet { from: message.sender.0.into(), bytes: message.to_vec() };
        self.endpoint.put_receive_buffer(message).await;
        Some(packet)
    }

    async fn pause(&mut self) {
        self.endpoint.pause().await;
    }
}
