//! UDP of the kernel as shared memory's network: `sendto` and `recvfrom`, as the paper on Fagus has them (section 3.2).

use std::time::Duration;

use cluster::Time;
use fagus::Error;
use fagus::carrier::machine::{Station, Step};
use lab::shared::{span, wall};
use pm::NodeId;

use crate::card::{Card, Host as _};
use crate::udp::{Udp, UdpSettings, UdpSocket};

/// The port of all nodes. Ours.
const PORT: u16 = 4711;

/// A socket in the hands of a node.
pub struct OverUdp<C: Card> {
    socket: UdpSocket<C>,
}

impl<C: Card> OverUdp<C> {
    /// Opens the socket.
    pub async fn open(udp: Udp<C>) -> Self {
        let socket = udp.bind(PORT, UdpSettings::default()).await;
        OverUdp { socket: socket.expect("nobody else has the port") }
    }
}

impl<C: Card> Station for OverUdp<C> {
    fn now(&self) -> Duration {
        wall(self.socket.host().processor().now())
    }

    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>> {
        Box::pin(async move {
            let sent = self.socket.send(NodeId(to), PORT, &bytes).await;
            sent.map_err(|error| Error::System(error.to_string()))
        })
    }

    /// Whether there is something the kernel has told with the return of the last call, so a look that finds nothing costs nothing.
    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>> {
        Box::pin(async move {
            if !self.socket.is_readable() {
                return None;
            }
            let arrived = self.socket.try_receive().await?;
            Some((arrived.from.0, arrived.bytes))
        })
    }

    /// The process sleeps in the kernel (`select`).
    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()> {
        Box::pin(async move {
            self.socket.poll(until.map(|until| Time::ZERO + span(until))).await;
        })
    }

    fn compute(&mut self, time: Duration) -> Step<'_, ()> {
        Box::pin(async move { self.socket.host().processor().compute(span(time)).await })
    }
}
