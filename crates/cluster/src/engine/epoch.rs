//! Parts of a cluster that run beside each other, epoch by epoch.
//!
//! What one part does can be felt in another only one lookahead later. So all parts go through the instants of an epoch that is no
//! longer than that, each by itself; then they meet and hand over what crosses switches.
//!
//! A run ends with the last of its programs, and what happens later must not have happened in any part. So a part whose programs
//! are done holds, and goes through the rest of the epoch only when it is known that another part is not done. That takes a second
//! meeting, unless there is nothing left in the epoch.

use thiserror::Error;

use super::cluster::{CargoOf, Cluster};
use super::error::RunError;
use crate::fabric::{Crossing, Switch};
use crate::machine::Machine;
use crate::{Duration, Time};

/// What a part tells all others when they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// When something happens next, in the part or by what it sends.
    pub next: Time,
    /// When it last had something to do, and when its last program was done.
    pub now: Time,
    /// The same for programs.
    pub done_at: Time,
    /// Nodes with programs that are not done.
    pub unfinished: u64,
    /// Nodes with programs that may go on.
    pub hopeful: u64,
    /// Parts that hold in the midst of an epoch.
    pub held: u64,
    /// Parts that failed.
    pub failed: u64,
}

impl Report {
    /// Of a part that cannot begin.
    pub(crate) const FAILED: Report = Report {
        next: Time::END,
        now: Time::ZERO,
        done_at: Time::ZERO,
        unfinished: 0,
        hopeful: 0,
        held: 0,
        failed: 1,
    };

    /// What everybody knows when two have told each other.
    pub fn and(self, other: Report) -> Report {
        Report {
            next: self.next.min(other.next),
            now: self.now.max(other.now),
            done_at: self.done_at.max(other.done_at),
            unfinished: self.unfinished + other.unfinished,
            hopeful: self.hopeful + other.hopeful,
            held: self.held + other.held,
            failed: self.failed + other.failed,
        }
    }
}

/// What goes from one part to another.
pub type Parcel<C> = Vec<Crossing<C>>;

/// Why parts cannot meet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExchangeError(pub String);

/// Where the parts of a cluster meet.
pub trait Exchange<C> {
    /// How many parts there are.
    fn parts(&self) -> usize;

    /// Tells the others, sends a parcel to each, and learns what they have told and sent. All parts call this equally often. What
    /// one part sends to another keeps its order.
    fn meet(&mut self, report: Report, parcels: Vec<Parcel<C>>)
    -> Result<(Report, Parcel<C>), ExchangeError>;
}

/// Runs a part until the programs of all parts are done, but no longer than `limit`; returns when the last one was done.
/// `owner` names the part that has each port.
pub(crate) fn run_part<M: Machine>(
    part: &mut Cluster<M>,
    owner: &[usize],
    exchange: &mut impl Exchange<CargoOf<M>>,
    limit: Duration,
) -> Result<Time, RunError> {
    let lookahead = <M::Switch as Switch>::lookahead(&M::SWITCH);
    let limit = part.now() + limit;
    part.set_leaping(true)?;
    let mut failure = None;
    let (mut horizon, mut held) = (Time::ZERO, false);
    loop {
        let all = meet(part, owner, exchange, held, failure.is_some())?;
        if all.failed > 0 {
            return Err(
                failure.unwrap_or_else(|| RunError::Elsewhere("another part of the run failed".into()))
            );
        }
        if all.unfinished == 0 {
            let went = part.proceed(Time::from_ps(all.done_at.ps() + 1), false);
            part.set_now(all.done_at);
            let went = went.and_then(|()| part.set_leaping(false));
            // What still crosses is handed over, or counters would tell how many parts there were.
            meet(part, owner, exchange, false, went.is_err())?;
            return went.map(|()| all.done_at);
        }
        let went = if all.held > 0 {
            // Somebody else is not done: the rest of the epoch happens.
            if std::mem::take(&mut held) { part.proceed(horizon, false) } else { Ok(()) }
        } else if all.hopeful == 0 {
            return Err(RunError::Stalled { time: all.now, waiting: part.report() });
        } else if all.next > limit {
            part.set_now(limit);
            part.set_leaping(false)?;
            return Err(RunError::Limit { limit, waiting: part.report() });
        } else {
            horizon = (all.next + lookahead).min(Time::from_ps(limit.ps() + 1));
            let went = part.proceed(horizon, true);
            held = part.unfinished() == 0 && part.next() < horizon;
            went
        };
        failure = went.err();
    }
}

/// Tells how far a part is, hands over what crosses switches, and learns how far all are.
fn meet<M: Machine>(
    part: &mut Cluster<M>,
    owner: &[usize],
    exchange: &mut impl Exchange<CargoOf<M>>,
    held: bool,
    failed: bool,
) -> Result<Report, RunError> {
    let mut parcels: Vec<_> = (0..exchange.parts()).map(|_| Parcel::new()).collect();
    let mut next = part.next();
    for crossing in part.outbox.drain(..) {
        next = next.min(crossing.at);
        parcels[owner[crossing.to as usize]].push(crossing);
    }
    let report = Report {
        next,
        now: part.now(),
        done_at: part.done_at(),
        unfinished: part.unfinished() as u64,
        hopeful: part.hopeful() as u64,
        held: u64::from(held),
        failed: u64::from(failed),
    };
    let met = exchange.meet(report, parcels);
    let (all, parcel) = met.map_err(|error| RunError::Elsewhere(error.to_string()))?;
    part.take(parcel);
    Ok(all)
}
