//! Messages of workloads, by connections. Datagrams may be lost, and a workload counts its messages.

use std::collections::VecDeque;

use cluster::Time;
use workload::{Arrival, SendError};

use crate::port::{self, Completion, Port, Service};

/// Primitives that carry messages, with the sizes that they carry.
pub const PRIMITIVES: &[(&str, std::ops::RangeInclusive<u64>)] = &[("rc", 1..=65_536)];

/// A host as a workload uses it. The adapter holds a connection back while its receiver has no buffer.
pub struct Messenger {
    port: Port,
    /// Messages that arrived while another waited for room in the ring.
    arrived: VecDeque<Arrival>,
}

impl Messenger {
    /// The messenger of a host, with its adapter set up.
    pub async fn open(port: Port) -> Self {
        port.open().await;
        Messenger { port, arrived: VecDeque::new() }
    }

    /// Polls the completion queue once.
    async fn look(&mut self) -> Option<Arrival> {
        match self.port.poll().await? {
            Completion::Received(message) => {
                Some(Arrival { from: message.from, bytes: message.data.len() as u64 })
            }
            Completion::Sent(_) | Completion::Failed(..) => None,
        }
    }
}

impl workload::Messenger for Messenger {
    fn now(&self) -> Time {
        self.port.host().processor().now()
    }

    async fn wait_until(&mut self, time: Time) {
        if time > self.now() {
            self.port.host().compute(time - self.now()).await;
        }
    }

    async fn send(&mut self, to: usize, bytes: u64, _primitive: usize) -> Result<Time, SendError> {
        let message = vec![to as u8; bytes as usize];
        loop {
            let first = self.now();
            match self.port.send(to, Service::Connection, &message).await {
                Ok(()) => return Ok(first),
                // A sender that waits for room takes arriving messages, so that two senders cannot deadlock.
                Err(port::SendError::NoRoom) => {
                    let arrival = self.look().await;
                    self.arrived.extend(arrival);
                }
                Err(port::SendError::Failed(_)) => return Err(SendError::PeerDead(to)),
                Err(error) => return Err(SendError::Refused(error.to_string())),
            }
        }
    }

    async fn poll(&mut self) -> Option<Arrival> {
        match self.arrived.pop_front() {
            Some(arrival) => Some(arrival),
            None => self.look().await,
        }
    }
}
