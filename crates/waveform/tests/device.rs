use hdl::{Bits, Probe, Role, Signal, Visitor};

hdl::fsm! {
    /// Sends something.
    pub enum State in unit_pkg {
        /// Waits for something to send.
        Idle => [Transmit],
        /// Sends it.
        Transmit => [Wait, Idle],
        /// Waits for the acknowledge.
        Wait => [Idle],
    }
}

hdl::bundle! {
    /// A line in flight.
    pub struct Line in unit_pkg {
        /// 64 bits of data.
        data: u64,
        /// Line identifier.
        id: u8 : 2,
    }
}

hdl::bundle! {
    /// Input pins.
    pub struct In in unit_pkg {
        /// High for one cycle.
        start: bool,
        /// The receiver accepts a line.
        ready: bool,
    }
}

hdl::bundle! {
    /// Output pins.
    pub struct Out in unit_pkg {
        /// `line` is driven in this cycle.
        valid: bool,
        /// A line, not on a word boundary.
        line: Line,
        /// The state, visible outside.
        shown: State,
        /// A field of 100 bits.
        address: u128 : 100,
    }
}

hdl::bundle! {
    /// Registers, and the block itself.
    pub struct Unit in unit_pkg {
        /// State of the state machine.
        state: State,
        /// Ten bits of count.
        count: u16 : 10,
        /// A field of 128 bits.
        header: u128,
        /// A nested bundle.
        last: Line,
        /// A single bit.
        flag: bool,
    }
}

impl Unit {
    pub fn outputs(&self) -> Out {
        let valid = self.state == State::Transmit;
        Out { valid, line: self.last, shown: self.state, address: self.header & ((1 << 100) - 1) }
    }
}

impl Probe for Unit {
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Inputs, || In { start: self.flag, ready: !self.flag });
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

/// A device whose blocks are named like those of DIMMnet-2; each is a [`Unit`].
#[derive(Default)]
pub struct Device {
    pub units: [Unit; 11],
    pub cycles: u32,
}

impl Probe for Device {
    fn probe(&self, visitor: &mut impl Visitor) {
        let mut units = self.units.iter();
        let mut block = |visitor: &mut _, name| {
            let unit = units.next().expect("eleven units");
            Visitor::block(visitor, name, unit);
        };
        visitor.register("cycles", u32::WIDTH, self.cycles);
        block(visitor, "host_interface");
        visitor.enter("window_controller");
        for name in ["request_fifo", "request_acceptor", "request_executor", "botf"] {
            block(visitor, name);
        }
        visitor.leave();
        visitor.enter("swif");
        for name in ["encapsulation", "decapsulation"] {
            block(visitor, name);
        }
        visitor.leave();
        for name in ["receive_controller", "write_unit", "status_write_unit", "sodimm_interface"] {
            block(visitor, name);
        }
    }
}

pub fn sample(block: &impl Probe) -> Vec<u64> {
    let mut words = Vec::new();
    hdl::sample(block, &mut words);
    words
}

pub fn signals() -> Vec<Signal> {
    hdl::signals(&Unit::default())
}

/// A file in the test directory, one per test.
pub fn file(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
