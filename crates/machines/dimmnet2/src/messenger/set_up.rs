//! When all nodes are set up for a schedule, and which schedules a board cannot play.

use cluster::Duration;
use thiserror::Error;
use workload::Schedule;

use super::room::PLACES;
use super::{Primitive, primitives};
use crate::programs::measure::READY;

/// A node that gives room needs no longer for each node than this to set itself up, and then to tell it.
const SETTING_UP: Duration = Duration::from_ns(400);
const TELLING: Duration = Duration::from_ns(1_500);

/// What a packet takes to tell of room, and more.
const WAY: Duration = Duration::from_us(10);

/// Why a schedule cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// A message of each sender takes a place.
    #[error(
        "{senders} nodes push messages to node {node}, some by lhs, but its LH Buffer holds {PLACES}; \
         let fewer nodes push to it, or let all of them do it by ipush"
    )]
    Senders {
        /// The receiver.
        node: u32,
        /// Those who push to it.
        senders: usize,
    },
}

/// When all of so many nodes have rings, so that others may push to them.
pub(super) fn rings_there(nodes: usize) -> Duration {
    READY + SETTING_UP * nodes as u64
}

/// When a schedule may begin: all nodes are set up, and know of their room.
pub fn begin(schedule: &Schedule) -> Result<Duration, ScheduleError> {
    let primitives = primitives(schedule.primitives());
    if !primitives.iter().any(|primitive| primitive.is_pushed()) {
        return Ok(READY);
    }
    let pushed = schedule.messages().iter().filter_map(|message| {
        let primitive = primitives[message.primitive as usize];
        primitive.is_pushed().then_some((message.to, message.from, primitive == Primitive::Lhs))
    });
    let mut pushed: Vec<_> = pushed.collect();
    pushed.sort_unstable();
    pushed.dedup();
    for to in pushed.chunk_by(|a, b| a.0 == b.0) {
        let senders = to.chunk_by(|a, b| a.1 == b.1).count();
        if senders as u64 > PLACES && to.iter().any(|(_, _, lhs)| *lhs) {
            return Err(ScheduleError::Senders { node: to[0].0, senders });
        }
    }
    Ok(rings_there(schedule.nodes()) + WAY + TELLING * schedule.nodes() as u64)
}
