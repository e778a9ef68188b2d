//! PM programs that run together with external traffic, without end.

use std::cell::Cell;
use std::rc::Rc;

use clap::ValueEnum;
use cluster::Output;
use pm::programs::{Wrong, ping, pong, sink, source};
use pm::{Channel, Endpoint, NodeId};
use schemars::JsonSchema;
use serde::Serialize;

use gigae_pm_machine::{Cluster, Port};

const CHANNEL: Channel = Channel::new(0).expect("channel 0 exists");
/// More rounds than any run can complete.
const ROUNDS: u32 = u32::MAX;

/// PM program between each even node and the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A message, an answer of the same size, and so on.
    #[default]
    PingPong,
    /// Messages in one direction at the maximum rate.
    Stream,
    /// No PM traffic, so that the command sleeps while no external frames arrive.
    None,
}

impl Program {
    /// Value of `--pm`.
    pub fn name(self) -> &'static str {
        match self {
            Program::PingPong => "ping-pong",
            Program::Stream => "stream",
            Program::None => "none",
        }
    }
}

/// Running programs and the number of their messages.
#[derive(Default)]
pub struct Traffic {
    messages: Rc<Cell<u64>>,
    ends: Vec<Output<Result<(), Wrong>>>,
}

impl Traffic {
    /// Starts the programs with messages of `bytes` bytes.
    pub fn start(cluster: &mut Cluster, program: Program, bytes: usize) -> Self {
        let mut traffic = Traffic::default();
        if program == Program::None {
            return traffic;
        }
        for first in (0..cluster.nodes().len() - 1).step_by(2) {
            let (one, other) = (NodeId(first as u16), NodeId(first as u16 + 1));
            traffic.spawn(cluster, one, async move |mut port, count: Count| match program {
                Program::PingPong => ping(&mut port, CHANNEL, other, bytes, ROUNDS, count).await,
                _ => source(&mut port, CHANNEL, other, ROUNDS, |_| bytes).await,
            });
            traffic.spawn(cluster, other, async move |mut port, count: Count| match program {
                Program::PingPong => pong(&mut port, CHANNEL, one, bytes, ROUNDS).await,
                _ => sink(&mut port, CHANNEL, one, ROUNDS, |_| bytes, count).await,
            });
        }
        traffic
    }

    fn spawn(
        &mut self,
        cluster: &mut Cluster,
        node: NodeId,
        program: impl AsyncFnOnce(Port, Count) -> Result<(), Wrong> + 'static,
    ) {
        let messages = self.messages.clone();
        let count: Count = Box::new(move |_| messages.set(messages.get() + 1));
        self.ends.push(cluster.spawn(node.0.into(), "PM", move |mut port| async move {
            port.open(CHANNEL, 1).await.expect("the channel is free");
            program(port, count).await
        }));
    }

    /// Messages that arrived; for a ping-pong the answers. Fails if a message was lost, duplicated, reordered
    /// or corrupted.
    pub fn messages(&self) -> Result<u64, Wrong> {
        for end in &self.ends {
            end.take().unwrap_or(Ok(()))?;
        }
        Ok(self.messages.get())
    }
}

/// Callback that counts a message.
type Count = Box<dyn FnMut(u32)>;
