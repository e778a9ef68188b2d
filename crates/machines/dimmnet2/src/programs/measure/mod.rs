//! The measuring programs of thesis chapters 6 and 7.
//!
//! [`botf`] sends out of Write Windows (section 6.2), [`sodimm`] from SO-DIMM to SO-DIMM and on to main memory (sections
//! 6.3 and 7.1), [`lhs`] sends messages with envelopes (section 7.2). Each measures in one of three ways:
//!
//! * one way: a node sends messages and waits after each until its own part is done;
//! * both ways: both nodes do that at once;
//! * with reception: a node sends a message and waits for one of the same size, which the other sends when it has received
//!   all of the first. Half of that time counts.

pub mod botf;
pub mod lhs;
pub mod sodimm;

use super::botf::Peer;
use super::{Board, Habits, Process};
use crate::{Host, lid};
use cluster::{Duration, Time};
use dimmnet2::registers::ReadOptions;

/// One process per node, of one group.
pub const PROCESS: Process = Process { wid: false, pgid: 0xa5 };

/// The process on a node.
pub fn peer(node: usize) -> Peer {
    Peer { lid: lid(node), wid: false }
}

/// Time at which all boards are initialised.
pub const READY: Duration = Duration::from_us(20);

/// Messages of a measurement, after one that warms the caches; their mean counts. Few of the large ones suffice.
pub const fn messages(bytes: usize) -> u64 {
    if bytes <= 64 << 10 { 8 } else { 2 }
}

/// Conditions under which a measuring program begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Practices of the program.
    pub habits: Habits,
    /// How the boards read data for packets.
    pub read_options: ReadOptions,
    /// Delay of the second node.
    pub apart: Duration,
}

/// An initialised board, at the time at which all are.
pub async fn ready(host: Host, start: Start) -> Board {
    let board = Board::initialise(host, PROCESS).await.with(start.habits);
    board.set_read_options(start.read_options).await;
    let host = board.host();
    host.compute((Time::ZERO + READY) - host.now()).await;
    if host.node() == 1 && start.apart > Duration::ZERO {
        host.compute(start.apart).await;
    }
    board
}

/// Sends messages one after the other; returns the mean time of one.
pub async fn repeat(board: &mut Board, bytes: usize, mut message: impl AsyncFnMut(&mut Board)) -> Duration {
    message(board).await;
    let start = board.host().now();
    for _ in 0..messages(bytes) {
        message(board).await;
    }
    Duration::from_ps((board.host().now() - start).ps() / messages(bytes))
}

/// The two halves of an exchange.
pub trait Exchange {
    /// Sends a message to the other node.
    fn send(&mut self, board: &mut Board) -> impl Future<Output = ()>;
    /// Waits for a message from the other node and receives it.
    fn receive(&mut self, board: &mut Board) -> impl Future<Output = ()>;
    /// Prepares the next message, outside of the measured time.
    fn prepare(&mut self, board: &mut Board) -> impl Future<Output = ()>;
}

/// Sends messages and waits for as many, if `first`; otherwise answers them. Returns half of the mean time of a round.
///
/// Each round begins in another phase of the polling loops, so that their phase does not show in the mean.
pub async fn exchange(
    board: &mut Board,
    first: bool,
    bytes: usize,
    exchange: &mut impl Exchange,
) -> Duration {
    let poll = board.host().costs().poll();
    let messages = messages(bytes);
    let mut all = Duration::ZERO;
    for round in 0..=messages {
        exchange.prepare(board).await;
        if !first {
            exchange.receive(board).await;
            exchange.send(board).await;
            continue;
        }
        board.host().compute(Duration::from_ps(poll.ps() * round / messages)).await;
        let start = board.host().now();
        exchange.send(board).await;
        exchange.receive(board).await;
        if round > 0 {
            all = all + (board.host().now() - start);
        }
    }
    Duration::from_ps(all.ps() / messages / 2)
}
