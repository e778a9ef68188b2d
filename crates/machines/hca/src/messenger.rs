//! Messages of workloads, by connections. Datagrams carry none: who counts messages in their order must not lose one.

use std::collections::VecDeque;

use cluster::Time;
use workload::{Arrival, SendError};

use crate::port::{self, Completion, Port, Service};

/// What carries messages, and how many bytes it carries.
pub const PRIMITIVES: &[(&str, std::ops::RangeInclusive<u64>)] = &[("rc", 1..=65_536)];

/// A host as a workload uses it. A connection whose receiver has no buffer is held back by the adapter.
pub struct Messenger {
    port: Port,
    /// What came while a message waited for room in the ring.
    arrived: VecDeque<Arrival>,
}

impl Messenger {
    /// A host whose adapter is set up.
    pub async fn open(port: Port) -> Self {
        port.open().await;
        Messenger { port, arrived: VecDeque::new() }
    }

    /// One look at the completion queue.
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
                // Who waits for room takes what comes, so that nobody waits for him.
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
