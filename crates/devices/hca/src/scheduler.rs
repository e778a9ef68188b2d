//! Scheduler: runs one engine at a time, which uses the contexts and the bus.
//!
//! Commands have priority. Then arrived packets alternate with send queues that have work; these are served
//! round-robin, a packet each. The next one is looked for while another one has its turn (decision 0107). All engines
//! share one PCI bus, so running several at a time would gain nothing and make accesses to rows race (decision 0060).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::numbers::Numbers;
use crate::search::{self, Search};

hdl::fsm! {
    /// Scheduler.
    pub enum State in scheduler_pkg {
        /// Looks for work.
        Idle => [
            Command: "command",
            Receive: "packet, alone or its turn",
            Send: "send queue, alone or its turn",
            Idle: "otherwise",
        ],
        /// A command runs.
        Command => [Idle: "done", Command: "otherwise"],
        /// The receive engine handles a packet.
        Receive => [Idle: "done", Receive: "otherwise"],
        /// The send engine serves a send queue.
        Send => [Idle: "done", Send: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the scheduler.
    pub struct In in scheduler_pkg {
        /// The engines are enabled; commands run regardless.
        enable: bool,
        /// The host rings the doorbell of a send queue or of a receive queue.
        rings: bool,
        /// The doorbell is that of the receive queue: work for a queue pair in the error state alone.
        refills: bool,
        /// Queue pair of the doorbell.
        rung: u8,
        /// The send queue that is served has more work; with `done`.
        again: bool,
        /// The receive engine or a command gives the send queue of `pair` work. It counts a cycle later, as all of `pair`.
        wakes: bool,
        /// `pair` enters the error state; its WQEs are to be flushed.
        breaks: bool,
        /// `pair` is set up anew.
        mends: bool,
        /// Queue pair of the engine or command that runs.
        pair: u8,
        /// The deadline of `late` is to be checked.
        due: bool,
        /// Its queue pair.
        late: u8,
        /// A command is waiting.
        command: bool,
        /// A packet is waiting.
        packet: bool,
        /// The transmitter has a free slot.
        free: bool,
        /// The running engine is done.
        done: bool,
    }
}

hdl::bundle! {
    /// Output pins of the scheduler.
    pub struct Out in scheduler_pkg {
        /// Runs a command.
        command: bool,
        /// Runs the receive engine.
        receive: bool,
        /// The send engine serves a send queue.
        send: bool,
        /// Queue pair of the send queue.
        pair: u8,
    }
}

hdl::bundle! {
    /// Registers of the scheduler.
    pub struct Registers in scheduler_pkg {
        /// Engine that runs.
        state: State,
        /// The doorbell of the receive queue of `refilled` was rung in the error state.
        refills: bool,
        /// Queue pair of the latest such doorbell.
        refilled: u8,
        /// The send queue of `told` got work in the cycle before.
        wakes: bool,
        /// `told` entered the error state in the cycle before.
        breaks: bool,
        /// `told` was set up anew in the cycle before.
        mends: bool,
        /// Queue pair of the latest of these events.
        told: u8,
        /// Send queues that may have work.
        work: Numbers,
        /// Queue pairs in the error state; the send engine flushes both of their queues.
        broken: Numbers,
        /// Queue pair whose send queue is served, or was served last.
        pair: u8,
        /// The receive engine ran last.
        received: bool,
    }
}

/// Scheduler of a round over all queue pairs.
#[derive(Clone, Debug, Default)]
pub struct Scheduler {
    /// Registers except those of the search.
    pub q: Registers,
    /// Search for the next send queue with work.
    pub search: Search,
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/scheduler_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Scheduler {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = &self.q;
        Out { command: q.state == Command, receive: q.state == Receive, send: q.state == Send, pair: q.pair }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let events = pins.rings | pins.due | pins.wakes | pins.breaks | pins.mends | pins.done;
        if !events && self.q.state != State::Idle && self.in_turn() != Quiet::Busy {
            return;
        }
        let gains = self.q.gains(pins);
        let first = gains.into_iter().find(|(gains, _)| *gains);
        let refills = pins.rings && pins.refills && self.q.broken.has(pins.rung);
        let search = self.search.outputs();
        let last = self.q.pair;
        let was = self.q.state;
        self.q.next(pins, &search);
        let serves = was == State::Idle && self.q.state == State::Send;
        if serves || first.is_some() || self.in_turn() == Quiet::Busy {
            let gainer = first.unwrap_or(gains[gains.len() - 1]).1;
            self.search.tick(&search::In { work: self.q.work, last, gains: first.is_some(), gainer, serves });
        }
        if serves {
            self.q.work.set(search.front, false);
        }
        // Work that comes in the cycle in which its queue gets a turn is for another turn.
        for (_, pair) in gains.into_iter().filter(|(gains, _)| *gains) {
            self.q.work.set(pair, true);
        }
        self.q.next_told(pins, refills);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let rests = self.q.state == State::Idle && self.q.work.is_empty();
        if rests { self.in_turn() } else { Quiet::Busy }
    }
}

impl Scheduler {
    /// Whether nothing changes while an engine has its turn: the next queue pair is known, if one has work.
    #[inline]
    pub(crate) fn in_turn(&self) -> Quiet {
        let q = &self.q;
        let told = q.refills || q.wakes || q.breaks || q.mends;
        let known = self.search.ready || q.work.is_empty();
        if known && !told { self.search.quiescent() } else { Quiet::Busy }
    }
}

impl Registers {
    #[inline(always)]
    fn next(&mut self, pins: &In, search: &search::Out) {
        use State::*;
        let q = *self;
        let d = self;
        let sends = pins.enable && pins.free && search.ready;
        let receives = pins.enable && pins.packet;
        match q.state {
            // Idle: packets and send queues alternate.
            Idle => {
                if pins.command {
                    d.state = Command;
                } else if receives && !(sends && q.received) {
                    d.received = true;
                    d.state = Receive;
                } else if sends {
                    d.received = false;
                    d.pair = search.front;
                    d.state = Send;
                }
            }
            Command | Receive | Send => {
                if pins.done {
                    d.state = Idle;
                }
            }
        }
    }

    /// Queue pairs that get work in this cycle, the one that may be in front at once first.
    #[inline(always)]
    fn gains(&self, pins: &In) -> [(bool, u8); 5] {
        let again = self.state == State::Send && pins.done && pins.again;
        [
            (pins.rings && !pins.refills, pins.rung),
            (again, self.pair),
            (self.wakes || self.breaks, self.told),
            (self.refills, self.refilled),
            (pins.due, pins.late),
        ]
    }

    /// Keeps what counts a cycle later; `refills` says that a doorbell does.
    #[inline(always)]
    fn next_told(&mut self, pins: &In, refills: bool) {
        let d = self;
        if d.breaks || d.mends {
            d.broken.set(d.told, d.breaks);
        }
        d.refills = refills;
        if refills {
            d.refilled = pins.rung;
        }
        (d.wakes, d.breaks, d.mends) = (pins.wakes, pins.breaks, pins.mends);
        if pins.wakes || pins.breaks || pins.mends {
            d.told = pins.pair;
        }
    }
}

impl Probe for Scheduler {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.block("search", &self.search);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
