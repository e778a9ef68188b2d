//! The time at which all nodes are ready for a schedule, and schedules that a board cannot play.

use cluster::Duration;
use machine_api::Placement;
use thiserror::Error;
use workload::Schedule;

use super::room::PLACES;
use super::{Primitive, primitives};
use crate::programs::measure::READY;

/// Limit of the time, for each sender, in which a receiver sets itself up and sends its grants, alone on its board.
const SETTING_UP: Duration = Duration::from_ns(400);
const TELLING: Duration = Duration::from_ns(1_500);

/// Limit of the time that a grant takes.
const WAY: Duration = Duration::from_us(10);

/// Why a board cannot play a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// Each sender needs a place.
    #[error(
        "{senders} nodes push messages to node {node}, some by lhs, but its LH Buffer holds {PLACES}; \
         let fewer nodes push to it, or let all of them do it by ipush"
    )]
    Senders {
        /// The receiver.
        node: u32,
        /// Number of its senders.
        senders: usize,
    },
}

/// Time at which all processes have rings. Those of a board set themselves up over one bus.
pub(super) fn rings_there(placement: Placement) -> Duration {
    READY + SETTING_UP * set_ups(placement)
}

/// Set-ups at a board at most: each of its processes may have all others as senders.
fn set_ups(placement: Placement) -> u64 {
    (placement.ranks() * placement.per_node()) as u64
}

/// Time at which a schedule may begin: all processes are set up and have their grants.
pub fn begin(schedule: &Schedule, placement: Placement) -> Result<Duration, ScheduleError> {
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
    Ok(rings_there(placement) + WAY + TELLING * set_ups(placement))
}
