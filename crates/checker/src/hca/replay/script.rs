//! A script: a trace that adapters can follow, and its expected finding.

use stateright::Model;

use super::super::defect::Defect;
use super::super::world::{Action, World};
use super::super::wrong::Wrong;
use crate::core::{Exploration, NoScript};

/// Packets in flight at most in a world of eager send queues: more than any of its requests has.
pub(super) const ROOMY: usize = 16;

/// A part of the replay that can leave out a rule of adapters, which have all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The hosts, which choose the PSNs.
    Hosts,
    /// The link, which drops or changes the packets that the rule is about.
    Link,
}

impl Defect {
    /// The part that can leave out this rule; `None` if it is in the hardware of an adapter alone.
    pub fn switch(self) -> Option<Switch> {
        match self {
            Self::ReusesPsns => Some(Switch::Hosts),
            Self::TakesDuplicates
            | Self::TakesGaps
            | Self::DropsDuplicates
            | Self::AcknowledgesReads
            | Self::TakesAnyAck
            | Self::TakesAnyData
            | Self::TakesNaksForAcks
            | Self::DropsRnrNaks
            | Self::EndsAll
            | Self::DropsLaterAnswers => Some(Switch::Link),
            Self::RepeatsNaks
            | Self::KeepsRetries
            | Self::RetriesForever
            | Self::ContinuesReads
            | Self::RepeatsAtomics
            | Self::ForgetsAnswers
            | Self::CountsLast
            | Self::PassesReads
            | Self::KeepsReads
            | Self::LimitsRnrNaks => None,
        }
    }

    /// The part of hosts or link in a replay, as a sentence; of adapters, if it is in their hardware alone.
    pub fn in_replay(self) -> &'static str {
        match self {
            Self::TakesDuplicates => {
                "The link gives a packet that comes again the PSN that the responder expects."
            }
            Self::TakesGaps => "The link gives a packet behind a gap the PSN that the responder expects.",
            Self::DropsDuplicates => "The link drops packets that come again.",
            Self::AcknowledgesReads => {
                "The link turns an RDMA READ that comes again into a SEND with its PSN."
            }
            Self::TakesAnyAck => "The link gives each ACK the last PSN of the request under way.",
            Self::TakesAnyData => {
                "The link gives all data of an RDMA READ the PSN that the requester expects."
            }
            Self::TakesNaksForAcks => "The link turns NAKs into ACKs.",
            Self::DropsRnrNaks => "The link drops RNR NAKs.",
            Self::EndsAll => "The link gives each ACK the last PSN of all requests under way.",
            Self::DropsLaterAnswers => "The link drops answers to later requests than the oldest one.",
            Self::ReusesPsns => "The hosts choose the same PSNs again.",
            Self::RepeatsNaks
            | Self::KeepsRetries
            | Self::RetriesForever
            | Self::ContinuesReads
            | Self::RepeatsAtomics
            | Self::ForgetsAnswers
            | Self::CountsLast
            | Self::PassesReads
            | Self::KeepsReads
            | Self::LimitsRnrNaks => {
                "The rule is in the adapter, which has no switch for it: it withstands the same deliveries."
            }
        }
    }
}

/// Events for two adapters.
#[derive(Clone, Debug)]
pub struct Script {
    /// The world, with eager send queues.
    pub world: World,
    /// The events, in order.
    pub actions: Vec<Action>,
    /// The finding at its end; `None` if all is expected to end well.
    pub finding: Option<Wrong>,
}

impl World {
    /// The world with send queues that are as eager as those of adapters. Its link has room for all packets, unless it is
    /// about a link that is full.
    pub fn on_adapter(&self) -> Self {
        let room = if self.room < Self::default().room { self.room } else { ROOMY };
        Self { eager: true, room, ..self.clone() }
    }
}

impl Script {
    /// The shortest trace, in steps of adapters, to a finding of a world. That of a livelock goes once around.
    pub fn find(world: &World, wrong: Option<Wrong>, limit: usize) -> Result<Self, NoScript> {
        let world = world.on_adapter();
        let exploration = Exploration::new(&world, limit, &mut || ())?;
        let (finding, trace) = exploration.trace(wrong).ok_or(NoScript::NothingFound)?;
        let mut actions = trace.actions();
        if finding == Wrong::Livelock {
            let last = trace.steps.last().map_or(&trace.start, |(_, state)| state);
            actions.extend(world.circle(last));
        }
        Ok(Self { actions, finding: Some(finding), world: world.clone() })
    }

    /// The same events with all rules of the adapter, which are expected to bear them, up to the last completion.
    pub fn with_all_rules(self) -> Self {
        let world = World { defect: None, ..self.world };
        let mut state = world.start();
        let goes_on = |action: &Action| {
            let open = !world.has_completed(&state);
            let mut possible = Vec::new();
            world.actions(&state, &mut possible);
            if let Some(next) = world.next_state(&state, *action).filter(|_| possible.contains(action)) {
                state = next;
            }
            open
        };
        let actions = self.actions.into_iter().take_while(goes_on).collect();
        Self { world, actions, finding: None }
    }
}

impl World {
    /// Actions from a state until one is reached for the second time.
    fn circle(&self, start: &<Self as Model>::State) -> Vec<Action> {
        let (mut seen, mut circle) = (vec![start.clone()], Vec::new());
        loop {
            let state = seen.last().expect("it begins with the start");
            let mut actions = Vec::new();
            self.actions(state, &mut actions);
            let step = actions.into_iter().find_map(|action| Some((action, self.next_state(state, action)?)));
            let Some((action, next)) = step else { return circle };
            circle.push(action);
            if seen.contains(&next) {
                return circle;
            }
            seen.push(next);
        }
    }
}
