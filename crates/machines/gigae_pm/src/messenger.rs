//! Messages of workloads over PM.

use std::collections::VecDeque;

use cluster::Time;
use gigae_pm::memory_map::MTU;
use pm::{Channel, Endpoint, GetSendBufferError, NodeId};
use workload::{Arrival, SendError};

use crate::Port;

/// The channel of workloads.
const CHANNEL: Channel = Channel::new(0).expect("there are four");

/// Primitives that carry messages, with the sizes that they carry.
pub const PRIMITIVES: &[(&str, std::ops::RangeInclusive<u64>)] = &[("pm", 1..=MTU as u64)];

/// PM's endpoint as a workload uses it.
pub struct Messenger {
    port: Port,
    /// Messages that arrived while another waited for a buffer.
    arrived: VecDeque<Arrival>,
}

impl Messenger {
    /// The messenger of an endpoint, with its channel open.
    pub async fn open(mut port: Port) -> Self {
        port.open(CHANNEL, 1).await.expect("nobody else has opened it");
        Messenger { port, arrived: VecDeque::new() }
    }

    /// Looks once at the receive ring.
    async fn look(&mut self) -> Option<Arrival> {
        let message = self.port.receive(CHANNEL).await?;
        let arrival = Arrival { from: message.sender.0.into(), bytes: message.len() as u64 };
        self.port.put_receive_buffer(message).await;
        Some(arrival)
    }
}

impl workload::Messenger for Messenger {
    fn now(&self) -> Time {
        self.port.host().processor().now()
    }

    async fn wait_until(&mut self, time: Time) {
        let processor = self.port.host().processor();
        if time > processor.now() {
            processor.compute(time - processor.now()).await;
        }
    }

    async fn send(&mut self, to: usize, bytes: u64, _primitive: usize) -> Result<Time, SendError> {
        let refused = |error: &dyn std::fmt::Display| SendError::Refused(error.to_string());
        let mut buffer = loop {
            match self.port.get_send_buffer(CHANNEL, bytes as usize).await {
                Ok(buffer) => break buffer,
                Err(GetSendBufferError::NoneFree) => {
                    let arrival = self.look().await;
                    self.arrived.extend(arrival);
                }
                Err(error) => return Err(refused(&error)),
            }
        };
        buffer.fill(to as u8);
        let first = self.now();
        match self.port.send_message(buffer, NodeId(to as u16)).await {
            Ok(()) => Ok(first),
            Err(pm::SendError::PeerDead(node)) => Err(SendError::PeerDead(node.into())),
            Err(error) => Err(refused(&error)),
        }
    }

    async fn poll(&mut self) -> Option<Arrival> {
        match self.arrived.pop_front() {
            Some(arrival) => Some(arrival),
            None => {
                let arrival = self.look().await;
                self.port.pause().await;
                arrival
            }
        }
    }
}
