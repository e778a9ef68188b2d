//! A down counter: waits for `start`, counts `cycles` cycles, and asserts `done` for one cycle.
//!
//! The tables `fsm!` and `bundle!` are the only place that defines states, pins and registers. `build.rs`
//! generates the SystemVerilog package from them; the logic is written twice, here and in
//! `rtl/my_block/my_block.sv`.

use hdl::{Bits, Bundle, Clocked, Item, StateMachine, Package, Probe, Quiet, Role, Visitor};

hdl::fsm! {
    /// States of the block with their arcs; a state that has several states the condition of each.
    pub enum State in my_block_pkg {
        /// Waits for `start`.
        Idle => [Count: "start", Idle: "otherwise"],
        /// Counts down.
        Count => [Done: "last cycle", Count: "otherwise"],
        /// Asserts `done` for one cycle.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins.
    pub struct In in my_block_pkg {
        /// Starts counting; sampled in `Idle` only.
        start: bool,
        /// Cycles to count, 1 to 255; 0 counts as 1.
        cycles: u8,
    }
}

hdl::bundle! {
    /// Output pins.
    pub struct Out in my_block_pkg {
        /// The block is counting or done and ignores `start`.
        busy: bool,
        /// Counting has ended; high for one cycle.
        done: bool,
    }
}

hdl::bundle! {
    /// Registers; lockstep compares each of them in every cycle.
    pub struct MyBlock in my_block_pkg {
        /// State of the counter.
        state: State,
        /// Cycles left to count.
        left: u8,
    }
}

/// The generated SystemVerilog package.
pub const PACKAGE: Package = Package {
    path: "my_block/my_block_pkg",
    source: "src/my_block.rs",
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for MyBlock {
    type In = In;
    type Out = Out;

    fn outputs(&self) -> Out {
        Out { busy: self.state != State::Idle, done: self.state == State::Done }
    }

    fn tick(&mut self, pins: &In) {
        // `q` are the registers before the edge, `d` those after it, as in the RTL.
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

/// Drives the pins with arbitrary bits, 8 bytes for each cycle, for fuzzing. The block must always return to
/// idle.
pub fn any_pins(bytes: &[u8]) {
    let mut block = MyBlock::default();
    for word in bytes.as_chunks().0 {
        let before = block.outputs();
        block.tick(&In::take(&[u64::from_le_bytes(*word)], 0, In::WIDTH));
        assert!(!(before.done && block.outputs().busy), "done lasts one cycle");
    }
    for _ in 0..=u8::MAX {
        block.tick(&In::default());
    }
    block.tick(&In::default());
    assert!(!block.outputs().busy, "the block returns to idle");
}
