//! Traces of the checker, played on cards.
//!
//! A [`Script`] is the shortest trace in the world that the firmware of the card makes ([`World::on_card`]). [`Script::play`] sets up a
//! card for every node, and then nothing happens by itself: wires hold every frame until the script lets it arrive or loses it,
//! timers do not expire and GO is not sent before registers are written, hosts take messages one by one. After every
//! step the control structures in NIC memory are compared with the state of the checker. After the last step faults cease: hosts
//! send all that is left and take all that comes, wires lose nothing, timers run. A protocol in a trap does not recover even so
//! ([`Ending`]).
//!
//! Any implementation of the card will do: model, RTL, or both in lockstep (decision 0035).

mod ending;
mod script;
mod stage;

use ::gigae_pm::header::{self, Identity, header_bytes};
use ::gigae_pm::header::{ETHER_TYPE, MAC_PREFIX};
use ::gigae_pm::memory_map::SLOTS;
use ::gigae_pm::pins::{In, Out};
use ::gigae_pm::protocol::{Control, Receiving, Rules};
use ::gigae_pm::registers::Register;
use ::gigae_pm::traffic::host::Setup;
use ::gigae_pm::traffic::wire::with_preamble;
use hdl::{Nic, NicError};
use stateright::Model;

pub use ending::{Ending, PATIENCE, TIMEOUT};
pub use script::{Difference, Script};

use crate::core::{self, Testbed};
use crate::gigae_pm::channel::{Direction, Frame, MOST};
use crate::gigae_pm::state::State;
use crate::gigae_pm::world::{Action, World};
use crate::gigae_pm::wrong::Wrong;
use stage::{CHANNEL, Stage};

/// A timeout that no timer reaches.
const NEVER: u32 = 1 << 30;
/// More free slots than a receive ring has: no GO is sent.
const NO_ROOM: u32 = 31;
/// Cycles between visits of the timer scan, less one: while nothing is to expire, and while something is.
const SLOW_SCAN: u32 = 2_000;
const QUICK_SCAN: u32 = 100;
/// Core clock edges within which a card has carried out a step of the script.
const SOON: u64 = 20_000;

/// A script as cards played it. Times are picoseconds since reset, when the cards had come to rest.
pub type Replay = core::Replay<Ending>;

impl Replay {
    /// Whether the cards ended as a finding says, or well if there is none.
    pub fn shows(&self, finding: Option<Wrong>) -> bool {
        self.agrees()
            && match finding {
                None => self.ending.is_good(),
                // The step was one of the script; agreement says that the cards took it.
                Some(wrong) if wrong.is_step() => true,
                Some(wrong) => self.ending.trap == Some(wrong) || self.ending.violations.contains(&wrong),
            }
    }
}

impl Script {
    /// A card for each sender and one for the receiver.
    pub fn cards(&self) -> usize {
        self.world.senders + 1
    }

    /// Plays the script on cards after reset, the senders first. Fails if a card fails.
    pub fn play<N: Nic<In = In, Out = Out>>(&self, cards: Vec<N>) -> Result<Replay, NicError> {
        assert_eq!(cards.len(), self.cards(), "a card for every node");
        assert!(!self.world.mutual && self.world == self.world.on_card(), "the world is that of a card");
        let mut player = Player::new(&self.world, cards)?;
        let begins = player.stage.edges();
        let (steps, last) = core::play(&self.world, &self.actions, &mut player)?;
        Ok(Replay { steps, ending: player.end(begins, &last)? })
    }
}

/// Plays a script.
struct Player<'a, N> {
    world: &'a World,
    stage: Stage<N>,
    /// Slots of the receive ring that are filled, so that the world's number of slots is left.
    fillers: u8,
    /// The number from which every sender began.
    starts: Vec<u32>,
}

impl<'a, N: Nic<In = In, Out = Out>> Player<'a, N> {
    /// Cards that know what the nodes of the world know at its beginning.
    fn new(world: &'a World, cards: Vec<N>) -> Result<Self, NicError> {
        let nodes = cards.len() as u16;
        let setup = |node| Setup {
            nodes,
            rules: Rules::REPAIRED,
            timeout: NEVER,
            room: NO_ROOM as u8,
            scan_period: SLOW_SCAN as u16,
            ..Setup::pair(node)
        };
        let model = world.init_states().remove(0);
        let starts = model.links[world.senders()].iter().map(|link| link.sender.sent).collect();
        let fillers = world.slots.map_or(0, |slots| SLOTS - slots);
        let mut player = Self { world, stage: Stage::new(cards, setup), fillers, starts };
        player.fill()?;
        player.begin(&model)?;
        Ok(player)
    }

    /// The node of the receiver; senders have their own numbers.
    fn receiver(&self) -> u16 {
        self.world.senders as u16
    }

    /// Takes up slots of the receive ring with messages that the host does not take.
    fn fill(&mut self) -> Result<(), NicError> {
        let receiver = self.receiver();
        self.stage.hosts().for_each(|host| host.takes = false);
        self.stage.host(receiver).takes = self.world.slots.is_none();
        self.stage.settle()?;
        self.stage.flows = true;
        for _ in 0..self.fillers {
            self.stage.host(0).send(CHANNEL, receiver, ending::FILLER.to_vec());
        }
        self.stage.settle()?;
        self.stage.flows = false;
        Ok(())
    }

    /// Begins a new session: sets rules and control structures, and puts the world's frames onto the wires.
    fn begin(&mut self, model: &State) -> Result<(), NicError> {
        let receiver = self.receiver();
        self.stage.deaf = self.world.deaf.then_some(receiver);
        self.stage.set_registers(Register::Rules, self.world.rules.bits());
        self.stage.set_registers(Register::Window, self.world.window.into());
        self.stage.set_registers(Register::Limit, self.world.limit.into());
        for (index, link) in model.links[self.world.senders()].iter().enumerate() {
            let node = index as u16;
            self.stage.set_control(node, receiver, link.sender);
            self.stage.set_control(receiver, node, link.receiver);
            let sources = [(node, receiver, &link.data), (receiver, node, &link.replies)];
            for (from, to, channel) in sources {
                for &frame in channel.frames() {
                    self.stage.forge(from, to, frame, forged(from, to, frame));
                }
            }
        }
        self.stage.settle()
    }

    /// The cards as a state of the checker. Fields that no node knows are copied from the checker.
    fn seen(&self, model: &State) -> State {
        let receiver = self.receiver();
        let timeless = |control: Control| Control { stamp: 0, ..control };
        let mut state = *model;
        for index in self.world.senders() {
            let node = index as u16;
            let mut link = state.links[index];
            link.sender = timeless(self.stage.control(node, receiver));
            link.receiver = timeless(self.stage.control(receiver, node));
            (link.data, link.replies) = Default::default();
            for (from, channel) in [(node, &mut link.data), (receiver, &mut link.replies)] {
                let held = self.stage.held.iter().filter(|held| held.from == from);
                let own = held.filter(|held| held.from == node || held.to == node);
                own.take(MOST).for_each(|held| channel.send(held.frame, self.world.ordered()));
            }
            state.links[index] = link;
        }
        let discards = self.stage.discards(receiver);
        state.receiving[0] = if discards { Receiving::Discard } else { Receiving::Open };
        if self.world.slots.is_some() {
            state.used[0] = self.stage.slots_held(receiver).wrapping_sub(self.fillers);
        }
        state
    }

    fn carry_out(&mut self, before: &State, action: Action) -> Result<(), NicError> {
        let receiver = self.receiver();
        match action {
            Action::Send(index) => {
                let number = before.links[index].sender.highest.wrapping_add(1);
                self.stage.host(index as u16).send(CHANNEL, receiver, ending::message(index, number));
            }
            Action::Timer(index, _) => return self.expire(index as u16),
            Action::Arrive(index, way, at) => {
                if let Some(place) = self.place(before, index, way, at) {
                    let held = self.stage.held.remove(place);
                    self.stage.arrive(&held);
                }
            }
            Action::Repeat(index, way, at) => {
                if let Some(place) = self.place(before, index, way, at) {
                    let held = self.stage.held[place].clone();
                    self.stage.arrive(&held);
                }
            }
            Action::Lose(index, way, at) => {
                if let Some(place) = self.place(before, index, way, at) {
                    self.stage.held.remove(place);
                }
            }
            Action::HostFrees(_) => {
                let before = self.stage.host(receiver).deliveries.len();
                self.stage.host(receiver).takes = true;
                self.wait(|stage| stage.host(receiver).deliveries.len() > before)?;
                self.stage.host(receiver).takes = false;
            }
            Action::Room(_) => {
                self.stage.host(receiver).write_register(Register::Room, 1);
                self.wait(|stage| !stage.discards(receiver))?;
                self.stage.host(receiver).write_register(Register::Room, NO_ROOM);
            }
            Action::Stored(_) => unreachable!("the firmware of a card stores within the same step"),
        }
        Ok(())
    }

    /// Lets the timer of a sender expire, once.
    fn expire(&mut self, node: u16) -> Result<(), NicError> {
        let before = self.stage.expired(node);
        self.stage.host(node).write_register(Register::ScanPeriod, QUICK_SCAN);
        self.stage.host(node).write_register(Register::Timeout, 0);
        self.wait(|stage| stage.expired(node) != before)?;
        self.stage.host(node).write_register(Register::Timeout, NEVER);
        self.stage.host(node).write_register(Register::ScanPeriod, SLOW_SCAN);
        Ok(())
    }

    /// Runs until the condition holds, for [`SOON`] at most.
    fn wait(&mut self, mut holds: impl FnMut(&mut Stage<N>) -> bool) -> Result<(), NicError> {
        let end = self.stage.edges() + SOON;
        while !holds(&mut self.stage) && self.stage.edges() < end {
            self.stage.run(1)?;
        }
        Ok(())
    }

    /// Where among the held frames that of a channel of the checker is; nowhere if the cards have not sent it.
    fn place(&self, before: &State, index: usize, way: Direction, at: usize) -> Option<usize> {
        let link = &before.links[index];
        let (from, to, channel) = match way {
            Direction::Data => (index as u16, self.receiver(), &link.data),
            Direction::Replies => (self.receiver(), index as u16, &link.replies),
        };
        let frame = channel.frames()[at];
        self.stage.held.iter().position(|held| (held.from, held.to, held.frame) == (from, to, frame))
    }
}

impl<N: Nic<In = In, Out = Out>> Testbed<World> for Player<'_, N> {
    fn act(&mut self, before: &State, action: Action) -> Result<(), NicError> {
        self.carry_out(before, action)?;
        self.stage.settle()
    }

    fn agrees(&mut self, state: &State) -> Result<bool, NicError> {
        Ok(self.seen(state) == *state)
    }

    fn knowledge(&mut self, state: &State) -> Result<Vec<String>, NicError> {
        Ok(self.world.known(&self.seen(state)))
    }

    fn time(&self) -> u64 {
        self.stage.now()
    }
}

/// A control frame that an earlier session left on the wire.
fn forged(from: u16, to: u16, frame: Frame) -> Vec<u8> {
    let identity = Identity { mac_prefix: MAC_PREFIX, ether_type: ETHER_TYPE, node: from };
    let Frame { kind, epoch, number } = frame;
    let frame = header::Frame { kind, epoch, number, channel: CHANNEL, node: to, ..Default::default() };
    with_preamble(&header_bytes(&identity, &frame))
}
