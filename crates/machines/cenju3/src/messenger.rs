//! Messages of workloads: those of the NIF, into receive message buffer 0.

use std::collections::VecDeque;

use cenju3::memory_map::SLOT_BYTES;
use cluster::Time;
use workload::{Arrival, SendError};

use crate::{Port, Ring};

/// Primitives that carry messages, with the sizes that they carry.
pub const PRIMITIVES: &[(&str, std::ops::RangeInclusive<u64>)] = &[("message", 1..=SLOT_BYTES as u64)];

/// A PE as a workload uses it. Senders own no places of a receiver: a full ring stalls the network.
pub struct Messenger {
    port: Port,
    /// Messages that arrived while another waited for room in the queue.
    arrived: VecDeque<Arrival>,
}

impl Messenger {
    /// The messenger of a PE, with its NIF set up.
    pub async fn open(port: Port) -> Self {
        port.open(false).await;
        Messenger { port, arrived: VecDeque::new() }
    }

    /// Looks once at the ring.
    async fn look(&mut self) -> Option<Arrival> {
        let message = self.port.look(Ring::Messages).await?;
        Some(Arrival { from: message.from, bytes: message.bytes.into() })
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
        // A sender that waits for room takes arriving messages, so that two senders cannot deadlock.
        while !self.port.deen().has_room(self.port.host()).await {
            let arrival = self.look().await;
            self.arrived.extend(arrival);
        }
        let first = self.now();
        let message = vec![to as u8; bytes as usize];
        let sent = self.port.send_message(to as u8, [0; 4], &message).await;
        sent.map_err(|error| SendError::Refused(error.to_string()))?;
        Ok(first)
    }

    async fn poll(&mut self) -> Option<Arrival> {
        match self.arrived.pop_front() {
            Some(arrival) => Some(arrival),
            None => {
                let arrival = self.look().await;
                self.port.host().compute(self.port.host().costs().turn).await;
                arrival
            }
        }
    }
}
