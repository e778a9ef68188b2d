//! State machines of a device, and the blocks that contain them.

use hdl::{Item, Kind, Package, Probe, Signal, SignalRole, StateMachineTable};

/// A state machine of a device.
pub struct DeviceMachine {
    /// Name in snake_case, unique within the device.
    pub name: String,
    pub table: &'static StateMachineTable,
    /// Rust file with its declaration.
    pub source: &'static str,
    /// Blocks whose state register is this machine.
    pub blocks: Vec<String>,
    /// Registers of the first of these blocks other than its state, with their contents.
    pub registers: Vec<(&'static str, String)>,
}

/// All state machines of a device, in the order of its packages.
pub fn machines(packages: &[&Package], device: &impl Probe) -> Vec<DeviceMachine> {
    let signals = hdl::signals(device);
    let mut machines = Vec::new();
    for package in packages {
        for item in package.items {
            if let Item::StateMachine(table) = item {
                machines.push(device_machine(package, table, &signals));
            }
        }
    }
    machines
}

fn device_machine(package: &Package, table: &'static StateMachineTable, signals: &[Signal]) -> DeviceMachine {
    let is_state = |signal: &&Signal| match signal.role {
        SignalRole::Register(Kind::StateMachine(of)) => signal.name == "state" && std::ptr::eq(of, table),
        _ => false,
    };
    let blocks: Vec<_> = signals.iter().filter(is_state).map(|signal| signal.block.clone()).collect();
    let of_block = |signal: &&Signal| blocks.first().is_some_and(|block| signal.block == *block);
    let others = signals.iter().filter(of_block).filter(|signal| !is_state(signal));
    let registers = others.filter_map(|signal| match signal.role {
        SignalRole::Register(kind) => Some((signal.name, holds(kind, signal.width))),
        SignalRole::Pins(..) => None,
    });
    DeviceMachine {
        name: table.drawing(),
        table,
        source: package.source,
        registers: registers.collect(),
        blocks,
    }
}

fn holds(kind: Kind, width: u32) -> String {
    match kind {
        Kind::Vector if width == 1 => "1 bit".to_string(),
        Kind::Vector => format!("{width} bits"),
        Kind::StateMachine(table) => format!("{}, {width} bits", table.name),
        Kind::Bundle(table) => format!("{}, {width} bits", table.name),
    }
}
