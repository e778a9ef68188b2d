//! Counts down: waits for `start`, lets `cycles` cycles pass, and says that it is done.
//!
//! The tables, `machine!` and `bundle!`, are the one place where states, pins and registers are named. The SystemVerilog package is
//! written from them by `build.rs`; the logic is written twice, here and in `rtl/my_block/my_block.sv`.

use hdl::{Bits, Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

hdl::machine! {
    /// States of the block, each with those that may follow.
    pub enum State in my_block_pkg {
        /// Waits for `start`.
        Idle => [Count],
        /// Counts down.
        Count => [Done],
        /// Says that it is done, for one cycle.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins.
    pub struct In in my_block_pkg {
        /// Begins to count; looked at in `Idle` alone.
        start: bool,
        /// Cycles to count; 0 counts as 1.
        cycles: u8,
    }
}

hdl::bundle! {
    /// Output pins.
    pub struct Out in my_block_pkg {
        /// It counts, and does not look at `start`.
        busy: bool,
        /// It has counted.
        done: bool,
    }
}

hdl::bundle! {
    /// Registers. Lockstep compares each of them in every cycle.
    pub struct MyBlock in my_block_pkg {
        /// State.
        state: State,
        /// Cycles that are left.
        left: u8,
    }
}

/// The package that is written from the tables.
pub const PACKAGE: Package = Package {
    path: "my_block/my_block_pkg",
    source: "src/my_block.rs",
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for MyBlock {
    type In = In;
    type Out = Out;

    fn outputs(&self) -> Out {
        Out { busy: self.state != State::Idle, done: self.state == State::Done }
    }

    fn tick(&mut self, pins: &In) {
        // Registers before the edge are q, those after it d, as in the RTL.
        let q = *self;
        let mut d = q;
        match q.state {
            State::Idle => {
                if pins.start {
                    d.left = pins.cycles;
                    d.state = State::Count;
                }
            }
            State::Count => {
                d.left = q.left.wrapping_sub(1);
                if q.left <= 1 {
                    d.state = State::Done;
                }
            }
            State::Done => d.state = State::Idle,
        }
        *self = d;
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for MyBlock {
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

/// Pins of any bits, 8 bytes for each cycle: for fuzzing. Whatever they are, the block is idle again at last.
pub fn any_pins(bytes: &[u8]) {
    let mut block = MyBlock::default();
    for word in bytes.as_chunks().0 {
        let before = block.outputs();
        block.tick(&In::take(&[u64::from_le_bytes(*word)], 0, In::WIDTH));
        assert!(!(before.done && block.outputs().busy), "it is done for one cycle");
    }
    for _ in 0..=u8::MAX {
        block.tick(&In::default());
    }
    block.tick(&In::default());
    assert!(!block.outputs().busy, "it is idle at last");
}
