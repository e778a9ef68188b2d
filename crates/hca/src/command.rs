//! Commands: writes the row of a context as the host has staged it (decision 0060).
//!
//! A new queue begins with its counts at 0, in its row and in its doorbell; the host's own doorbells go first. No engine works
//! meanwhile, so none sees half a row.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::contexts::Kind;

hdl::machine! {
    /// Commands.
    pub enum State in command_pkg {
        /// Waits for a command.
        Idle => [Write],
        /// Writes the row.
        Write => [SendBell, CompletionBell, Done],
        /// Sets the doorbell of the send queue to 0.
        SendBell => [ReceiveBell],
        /// Sets that of the receive queue to 0.
        ReceiveBell => [Done],
        /// Sets that of the completion queue to 0.
        CompletionBell => [Done],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the commands.
    pub struct In in command_pkg {
        /// Starts one; looked at in `Idle` only.
        start: bool,
        /// What the row is of.
        kind: u8 : 2,
        /// The row.
        row: u8 : 4,
        /// The host writes a doorbell in this cycle.
        bell_write: bool,
    }
}

hdl::bundle! {
    /// Output pins of the commands.
    pub struct Out in command_pkg {
        /// Writes the attributes of a queue pair, and its queues anew.
        pair_write: bool,
        /// Writes a completion queue.
        queue_write: bool,
        /// Writes a key.
        key_write: bool,
        /// The row.
        row: u8 : 4,
        /// Wants to set a doorbell to 0.
        bell_clear: bool,
        /// Which one.
        bell: u8 : 6,
        /// A command is done; high for one cycle.
        done: bool,
    }
}

hdl::bundle! {
    /// Registers of the commands.
    pub struct Command in command_pkg {
        /// State.
        state: State,
        /// What the row is of.
        kind: u8 : 2,
        /// The row.
        row: u8 : 4,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/command_pkg",
    source: "crates/hca/src/command.rs",
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Command {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let writes = |kind: Kind| q.state == Write && q.kind == kind.code();
        let bells = match q.state {
            ReceiveBell => 1,
            CompletionBell => 2,
            _ => 0,
        };
        Out {
            pair_write: writes(Kind::Pair),
            queue_write: writes(Kind::Completion),
            key_write: writes(Kind::Area),
            row: q.row,
            bell_clear: matches!(q.state, SendBell | ReceiveBell | CompletionBell),
            bell: bells << 4 | q.row,
            done: q.state == Done,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Command {
    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        match q.state {
            // Idle: a command waits until no engine works.
            Idle => {
                if pins.start {
                    d.kind = pins.kind;
                    d.row = pins.row;
                    d.state = Write;
                }
            }
            // Write: a row is a word of its memory.
            Write => {
                d.state = match Kind::from_code(q.kind) {
                    Some(Kind::Pair) => SendBell,
                    Some(Kind::Completion) => CompletionBell,
                    _ => Done,
                }
            }
            // SendBell, ReceiveBell, CompletionBell: the host goes first.
            SendBell => {
                if !pins.bell_write {
                    d.state = ReceiveBell;
                }
            }
            ReceiveBell | CompletionBell => {
                if !pins.bell_write {
                    d.state = Done;
                }
            }
            // Done: the host may write the next one.
            Done => d.state = Idle,
        }
    }
}

impl Probe for Command {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
