//! UDP of the kernel as a network of shared memory: `sendto` and `recvfrom`, as in the paper on Fagus (section 3.2).

use std::time::Duration;

use cluster::{NodeId, Time};
use ethernet::{Udp, UdpSettings, UdpSocket};
use fagus::Error;
use fagus::carrier::machine::{Station, Step};
use machine_api::shared::{span, wall};

use crate::Driver;

/// The port of all nodes. Our choice.
const PORT: u16 = 4711;

/// A node of shared memory over a socket.
pub struct OverUdp {
    socket: UdpSocket<Driver>,
}

impl OverUdp {
    /// Opens the socket.
    pub async fn open(udp: Udp<Driver>) -> Self {
        let socket = udp.bind(PORT, UdpSettings::default()).await;
        OverUdp { socket: socket.expect("no other socket has the port") }
    }
}

impl Station for OverUdp {
    fn now(&self) -> Duration {
        wall(self.socket.host().processor().now())
    }

    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>> {
        Box::pin(async move {
            let sent = self.socket.send(NodeId(to), PORT, &bytes).await;
            sent.map_err(|error| Error::System(error.to_string()))
        })
    }

    /// A look that finds nothing costs nothing: the return of the last call has told whether a datagram waits.
    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>> {
        Box::pin(async move {
            if !self.socket.is_readable() {
                return None;
            }
            let arrived = self.socket.try_receive().await?;
            Some((arrived.from.0, arrived.bytes))
        })
    }

    /// The process sleeps in `select`.
    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()> {
        Box::pin(async move {
            self.socket.poll(until.map(|until| Time::ZERO + span(until))).await;
        })
    }

    fn compute(&mut self, time: Duration) -> Step<'_, ()> {
        Box::pin(async move { self.socket.host().processor().compute(span(time)).await })
    }
}
