//! The paper's two benchmarks of PM: a message back and forth, and a stream (sections 5.1 and 5.2).

use std::cell::RefCell;
use std::rc::Rc;

use pm::programs::{Wrong, ping, pong, sink, source};
use pm::{Channel, Endpoint, NodeId};
use thiserror::Error;

use crate::tcp::{ConnectError, StreamError};
use crate::{Cluster, Port};
use cluster::{Duration, Output, RunError, Time};

/// The channel that is used.
const CHANNEL: Channel = Channel::new(0).expect("there are four");

/// Turns in which buffers and windows fill; a [`period`] excludes them.
pub const WARM_UP: usize = 20;

/// Why a benchmark has no result.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// The cluster stopped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// PM or TCP delivered wrong data.
    #[error(transparent)]
    Wrong(#[from] Wrong),
    /// TCP opened no connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A connection ended.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

pub(super) type Turns = Rc<RefCell<Vec<Time>>>;

/// Exchanges `rounds` messages of the same size between node 0 and node 1; returns the arrival time of each answer.
pub fn round_trips(cluster: &mut Cluster, size: usize, rounds: u32) -> Result<Vec<Time>, MeasureError> {
    let turns = Turns::default();
    let there = turns.clone();
    let ping = spawn(cluster, 0, "ping", async move |mut port| {
        let turn = note(&port, there);
        ping(&mut port, CHANNEL, NodeId(1), size, rounds, turn).await
    });
    let pong = spawn(cluster, 1, "pong", async move |mut port| {
        pong(&mut port, CHANNEL, NodeId(0), size, rounds).await
    });
    finish(cluster, [ping, pong], &turns, rounds)
}

/// Sends `count` messages from node 0 to node 1; returns the arrival time of each.
pub fn stream(cluster: &mut Cluster, size: usize, count: u32) -> Result<Vec<Time>, MeasureError> {
    let turns = Turns::default();
    let there = turns.clone();
    let source = spawn(cluster, 0, "source", async move |mut port| {
        source(&mut port, CHANNEL, NodeId(1), count, |_| size).await
    });
    let sink = spawn(cluster, 1, "sink", async move |mut port| {
        let turn = note(&port, there);
        sink(&mut port, CHANNEL, NodeId(0), count, |_| size, turn).await
    });
    finish(cluster, [source, sink], &turns, count)
}

/// Microseconds from turn to turn, after the warm-up.
pub fn period(turns: &[Time]) -> f64 {
    let turns = &turns[WARM_UP..];
    (turns[turns.len() - 1] - turns[0]).ps() as f64 / 1e6 / (turns.len() - 1) as f64
}

fn note(port: &Port, turns: Turns) -> impl FnMut(u32) + 'static {
    let processor = port.host().processor().clone();
    move |_| turns.borrow_mut().push(processor.now())
}

fn spawn(
    cluster: &mut Cluster,
    node: usize,
    name: &'static str,
    program: impl AsyncFnOnce(Port) -> Result<(), Wrong> + 'static,
) -> Output<Result<(), Wrong>> {
    cluster.spawn(node, name, move |mut port| async move {
        port.open(CHANNEL, 1).await.expect("a benchmark is the first to open its channel");
        program(port).await
    })
}

/// Runs to the end of both programs; returns the times of their turns.
pub(super) fn finish<E>(
    cluster: &mut Cluster,
    ends: [Output<Result<(), E>>; 2],
    turns: &Turns,
    count: u32,
) -> Result<Vec<Time>, MeasureError>
where
    MeasureError: From<E>,
{
    cluster.run(Duration::from_us(1_000 + 100_000 * u64::from(count)))?;
    for end in ends {
        end.take().expect("the program is done")?;
    }
    Ok(turns.take())
}
