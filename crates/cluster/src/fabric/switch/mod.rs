//! Switches, port by port.
//!
//! A port is two halves: what comes in goes to the outputs of other ports, and what those send back comes to the input. Both ways take
//! at least [`Switch::lookahead`], so ports can be at different times as long as they are no further apart: that is what
//! lets parts of a cluster run on threads of their own.

#[cfg(test)]
mod bench;
mod cut_through;
mod depth;
mod store_forward;

pub use cut_through::{CutThrough, CutThroughTiming};
pub use store_forward::{StoreForward, StoreForwardTiming};

use super::link::Link;
use super::topology::Routes;
use super::unit::Unit;
use crate::look::Log;
use crate::{Duration, Time};

/// What a port of a switch has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchCounters {
    /// Frames that left by it.
    pub forwarded: u64,
    /// Frames that came in and had no port for their address, or found no room; a switch discards them
    /// silently.
    pub discarded: u64,
    /// Most units that its output held, or most frames where it stores them.
    pub deepest: u64,
    /// For how long they waited there, all together, once they might have left.
    pub waited: Duration,
}

impl std::ops::AddAssign for SwitchCounters {
    fn add_assign(&mut self, other: Self) {
        self.forwarded += other.forwarded;
        self.discarded += other.discarded;
        self.deepest = self.deepest.max(other.deepest);
        self.waited = self.waited + other.waited;
    }
}

/// What crosses a switch from port to port.
#[derive(Clone, Debug)]
pub struct Crossing<C> {
    /// From this port of the topology.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// When it counts there: one lookahead later at the earliest.
    pub at: Time,
    /// What.
    pub cargo: C,
}

/// A cable's two directions, as its end sees them.
pub struct Cable<'a, U> {
    /// From here.
    pub up: &'a mut Link<U>,
    /// To here.
    pub down: &'a mut Link<U>,
}

/// A port of a switch.
pub trait Switch: 'static {
    /// What its cables carry.
    type Unit: Unit;
    /// What crosses it.
    type Cargo: Send + 'static;
    /// How long things take.
    type Timing: Copy + Send + Sync + 'static;

    /// Port `number` of the topology.
    fn new(number: u32, timing: &Self::Timing) -> Self;

    /// What crosses it counts on the other side so much later, or later still.
    fn lookahead(timing: &Self::Timing) -> Duration;

    /// When there is something to do next, for all that is known; perhaps at once.
    fn next(&self, cable: &Cable<'_, Self::Unit>) -> Option<Time>;

    /// Does what is to be done at `now`; what crosses the switch goes into `out`.
    fn step(
        &mut self,
        now: Time,
        cable: &mut Cable<'_, Self::Unit>,
        routes: &Routes,
        out: &mut Vec<Crossing<Self::Cargo>>,
    );

    /// Takes what another port has sent. It may come earlier than it counts; that makes no difference.
    fn deliver(
        &mut self,
        crossing: Crossing<Self::Cargo>,
        cable: &mut Cable<'_, Self::Unit>,
        out: &mut Vec<Crossing<Self::Cargo>>,
    );

    /// Whether it holds nothing.
    fn is_idle(&self) -> bool;

    /// What it has done.
    fn counters(&self) -> SwitchCounters;

    /// What was observed at it.
    fn log(&self) -> &Log;

    /// The same, to observe.
    fn log_mut(&mut self) -> &mut Log;

    /// What crosses, as words: for parts of a cluster in other processes.
    fn pack(cargo: &Self::Cargo, words: &mut Vec<u64>);

    /// Back from words; none if they make no sense.
    fn unpack(words: &mut impl Iterator<Item = u64>) -> Option<Self::Cargo>;
}
