//! GigaE PM over a faulty network: one receiver, one or two senders, and the channels between them.
//!
//! The nodes run the NIC's own functions, [`gigae_pm::protocol`].
//!
//! ```
//! use checker::core::Walk;
//! use checker::gigae_pm::{Network, Rules, World, Wrong};
//!
//! let world = World { rules: Rules::PRINTED, network: Network::LOSS, slots: None, ..World::default() };
//! let verdict = world.check(1000).unwrap();
//! // One lost message is enough.
//! assert_eq!(verdict.events_to(Wrong::Deadlock), Some(2));
//!
//! let verdict = World { rules: Rules::REPAIRED, ..world }.check(1000).unwrap();
//! assert!(verdict.holds());
//! ```

mod channel;
mod hazard;
mod model;
mod network;
pub mod replay;
pub mod search;
mod sighting;
mod state;
mod step;
pub mod storm;
mod words;
mod world;
mod wrong;

pub use ::gigae_pm::protocol::Rules;
pub use hazard::Hazard;
pub use network::{Network, NoSuchFault, Timers};
pub use replay::{Replay, Script};
pub use sighting::Sighting;
pub use world::{Before, Grain, Misreading, World};
pub use wrong::Wrong;

use crate::core::{Exploration, Finding, Judged, OnVisit, Protocol, Scripted, describe};

/// The protocol of GigaE PM.
#[derive(Clone, Copy, Debug)]
pub enum GigaePm {}

impl Protocol for GigaePm {
    type World = World;
    type Wrong = Wrong;
    type Script = Script;

    fn hazards() -> Vec<Hazard> {
        hazard::all()
    }

    fn repaired(hazard: &Hazard) -> Option<World> {
        Some(World { rules: Rules::REPAIRED, ..hazard.world().clone() })
    }

    fn walk(world: &World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        let exploration = Exploration::new(world, limit, on_visit)?;
        let mut verdict = exploration.verdict();
        if let Some(step) = world.seeks {
            let Sighting { steps, trace } = world.sight_in(&exploration, step);
            let finding = |trace| Finding { times: Some(steps), ..describe(world, step, &trace) };
            verdict.findings.extend(trace.map(finding));
        }
        Ok(verdict)
    }

    /// A kind of step that the world seeks takes precedence over `wrong`.
    fn script(world: &World, _: Option<Wrong>, limit: usize) -> Scripted<Script> {
        Script::find(world, limit)
    }
}
