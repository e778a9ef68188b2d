//! Scheduler: runs one engine at a time, which uses the contexts and the bus.
//!
//! Commands have priority. Then arrived packets alternate with send queues that have work. These wait in three
//! lines, those whose doorbell was rung, those that an engine or a command gives work, and those whose deadline is
//! to be checked; the lines are served in turn, a packet each time. All engines share one PCI bus, so running
//! several at a time would gain nothing and make accesses to rows race (decision 0060).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::line::{self, Line};
use crate::numbers::Numbers;

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
        /// An engine or a command gives the send queue of `pair` work.
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
        /// Queue pairs that wait in a line.
        waiting: Numbers,
        /// Queue pairs in the error state; the send engine flushes both of their queues.
        broken: Numbers,
        /// Line that was served last: 0 for doorbells, 1 for work, 2 for deadlines.
        line: u8 : 2,
        /// Queue pair whose send queue is served, or was served last.
        pair: u8,
        /// The receive engine ran last.
        received: bool,
    }
}

/// The scheduler.
#[derive(Clone, Debug, Default)]
pub struct Scheduler {
    /// Registers except the lines.
    pub q: Registers,
    /// Queue pairs whose doorbell was rung.
    pub bells: Line,
    /// Queue pairs that an engine or a command gave work.
    pub turns: Line,
    /// Queue pairs whose deadline is to be checked.
    pub deadlines: Line,
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
        let lines = [self.bells.outputs(), self.turns.outputs(), self.deadlines.outputs()];
        let first = self.q.first(lines.map(|line| line.ready));
        let q = self.q;
        self.q.next_turn(&q, pins, first.map(|line| (line, lines[usize::from(line)].front)));
        let served = (q.state == State::Idle && self.q.state == State::Send).then_some(self.q.line);
        self.join(&q, pins, served);
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.bells.reset();
        self.turns.reset();
        self.deadlines.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.q.state == State::Idle && self.q.waiting.is_empty() { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Registers {
    /// The line to serve: the next one in turn in which a queue pair is in front.
    #[inline(always)]
    fn first(&self, ready: [bool; 3]) -> Option<u8> {
        let order: [u8; 3] = match self.line {
            0 => [1, 2, 0],
            1 => [2, 0, 1],
            _ => [0, 1, 2],
        };
        order.into_iter().find(|line| ready[usize::from(*line)])
    }

    /// State, and the queue pair in front of the line to serve.
    #[inline(always)]
    fn next_turn(&mut self, q: &Self, pins: &In, first: Option<(u8, u8)>) {
        use State::*;
        let d = self;
        let sends = first.filter(|_| pins.enable && pins.free);
        let receives = pins.enable && pins.packet;
        match q.state {
            // Idle: packets and send queues alternate.
            Idle => {
                if pins.command {
                    d.state = Command;
                } else if receives && !(sends.is_some() && q.received) {
                    d.received = true;
                    d.state = Receive;
                } else if let Some((line, pair)) = sends {
                    d.received = false;
                    (d.line, d.pair) = (line, pair);
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
}

impl Scheduler {
    /// Queue pairs with new work join their lines, and the one that is served leaves its line. None is in two places.
    #[inline(always)]
    fn join(&mut self, q: &Registers, pins: &In, served: Option<u8>) {
        let d = &mut self.q;
        if served.is_some() {
            d.waiting.set(d.pair, false);
        }
        let rings = pins.rings && (!pins.refills || q.broken.has(pins.rung)) && !d.waiting.has(pins.rung);
        if rings {
            d.waiting.set(pins.rung, true);
        }
        let wakes = (pins.wakes || pins.breaks) && !d.waiting.has(pins.pair);
        if wakes {
            d.waiting.set(pins.pair, true);
        }
        let due = pins.due && !d.waiting.has(pins.late);
        if due {
            d.waiting.set(pins.late, true);
        }
        if pins.breaks || pins.mends {
            d.broken.set(pins.pair, pins.breaks);
        }
        for (line, number, joins, pair) in [
            (&mut self.bells, 0, rings, pins.rung),
            (&mut self.turns, 1, wakes, pins.pair),
            (&mut self.deadlines, 2, due, pins.late),
        ] {
            line.tick(&line::In { joins, pair, leaves: served == Some(number) });
        }
    }
}

impl Probe for Scheduler {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.block("bells", &self.bells);
        visitor.block("turns", &self.turns);
        visitor.block("deadlines", &self.deadlines);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
