//! Programs of PM that run for ever beside what comes from outside.

use std::cell::Cell;
use std::rc::Rc;

use clap::ValueEnum;
use cluster::Output;
use pm::programs::{Wrong, ping, pong, sink, source};
use pm::{Channel, Endpoint, NodeId};
use schemars::JsonSchema;
use serde::Serialize;

use gigae_pm_machine::{Cluster, Port};

const CHANNEL: Channel = Channel::new(0).expect("there are four");
/// Longer than anybody waits.
const ROUNDS: u32 = u32::MAX;

/// What PM does between each even node and the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A message there, one of the same size back, and so on.
    #[default]
    PingPong,
    /// Messages one way, as fast as they go.
    Stream,
    /// Nothing, so that the machine sleeps when nothing comes from outside.
    None,
}

impl Program {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Program::PingPong => "ping-pong",
            Program::Stream => "stream",
            Program::None => "none",
        }
    }
}

/// Running programs.
#[derive(Default)]
pub struct Traffic {
    messages: Rc<Cell<u64>>,
    ends: Vec<Output<Result<(), Wrong>>>,
}

impl Traffic {
    /// Starts programs with messages of that size.
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
            port.open(CHANNEL, 1).await.expect("nobody else uses PM");
            program(port, count).await
        }));
    }

    /// Messages that arrived: of a ping-pong the answers. The first that is not as it should be is an error.
    pub fn messages(&self) -> Result<u64, Wrong> {
        for end in &self.ends {
            end.take().unwrap_or(Ok(()))?;
        }
        Ok(self.messages.get())
    }
}

/// Counts a message.
type Count = Box<dyn FnMut(u32)>;
