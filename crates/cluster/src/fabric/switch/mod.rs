//! Switches, modelled port by port.
//!
//! A port has two halves: its input sends crossings to the outputs of other ports, and they send crossings
//! back to the input. Both directions take at least [`Switch::lookahead`], so ports may be simulated at
//! different times up to that distance. This lets parts of a cluster run on different threads.

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

/// Counters of a port of a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchCounters {
    /// Frames that left by the port.
    pub forwarded: u64,
    /// Frames received without a port for their address or without room; a switch discards them silently.
    pub discarded: u64,
    /// Greatest number of units at its output, or of frames in a store-and-forward switch.
    pub deepest: u64,
    /// Total time for which units or frames waited at the output although they were ready.
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

/// Payload on the way from one port of a switch to another.
#[derive(Clone, Debug)]
pub struct Crossing<C> {
    /// Number of the sending port in the topology.
    pub from: u32,
    /// Number of the receiving port.
    pub to: u32,
    /// Time at which it takes effect, at least one lookahead after it was sent.
    pub at: Time,
    /// Payload.
    pub cargo: C,
}

/// The two links of a cable, as seen from one end.
pub struct Cable<'a, U> {
    /// Outgoing link.
    pub up: &'a mut Link<U>,
    /// Incoming link.
    pub down: &'a mut Link<U>,
}

impl<U: Unit> Cable<'_, U> {
    /// Events that the other end receives from this one: arrival of the next unit, completion of the next
    /// frame, and the next change of readiness. In picoseconds, to be compared as one piece; 2^64 - 1 for none.
    #[inline]
    pub(crate) fn felt(&self) -> [u64; 3] {
        let ps = |event: Option<Time>| event.map_or(u64::MAX, Time::ps);
        [ps(self.up.next_arrival()), ps(self.up.next_frame_end()), ps(self.down.next_change())]
    }
}

/// A port of a switch.
pub trait Switch: 'static {
    /// Unit of its cables.
    type Unit: Unit;
    /// Payload of its crossings.
    type Cargo: Send + 'static;
    /// Parameters of the switch.
    type Timing: Copy + Send + Sync + 'static;

    /// Port number `number` of the topology.
    fn new(number: u32, timing: &Self::Timing) -> Self;

    /// Shortest delay between sending a crossing and its effect.
    fn lookahead(timing: &Self::Timing) -> Duration;

    /// Time of the next event, as far as known; may be in the past.
    fn next(&self, cable: &Cable<'_, Self::Unit>) -> Option<Time>;

    /// Executes the events of `now`; crossings go into `out`.
    fn step(
        &mut self,
        now: Time,
        cable: &mut Cable<'_, Self::Unit>,
        routes: &Routes,
        out: &mut Vec<Crossing<Self::Cargo>>,
    );

    /// Receives a crossing from another port. It may be delivered before it takes effect; that does not
    /// affect the result.
    fn deliver(
        &mut self,
        crossing: Crossing<Self::Cargo>,
        cable: &mut Cable<'_, Self::Unit>,
        out: &mut Vec<Crossing<Self::Cargo>>,
    );

    /// Whether the port holds nothing.
    fn is_idle(&self) -> bool;

    /// Units inside of the switch that will leave by this port.
    fn held(&self) -> usize;

    /// Counters so far.
    fn counters(&self) -> SwitchCounters;

    /// Recorded events.
    fn log(&self) -> &Log;

    /// Recorded events, for enabling the recording.
    fn log_mut(&mut self) -> &mut Log;

    /// Packs a payload into words, for parts of a cluster in other processes.
    fn pack(cargo: &Self::Cargo, words: &mut Vec<u64>);

    /// Unpacks a payload; `None` if the words are invalid.
    fn unpack(words: &mut impl Iterator<Item = u64>) -> Option<Self::Cargo>;
}
