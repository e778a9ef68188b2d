//! Named assertions of the RTL: their list, the modules without one and the reason, and the assertion at which a run
//! with a fault stopped.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cosim::{Simulation, Stimulus};
use hdl::{Bundle, Edges, words_for};
use verilator::Device;

/// Modules without an assertion, with the reason: they rely on no neighbour and have no state that could be wrong.
pub const NONE: &[(&str, &str)] = &[
    ("rtl/common/ram", MEMORY),
    ("rtl/common/bank", MEMORY),
    ("rtl/common/dual_bank", MEMORY),
    ("rtl/common/sram", MEMORY),
    ("rtl/common/synchroniser", "two flip-flops, which may hold anything"),
    ("rtl/common/byte_swap", WIRES),
    ("rtl/dimmnet2/address/clid_to_lid", WIRES),
    ("rtl/dimmnet2/host_interface/amt_address_table", AROUND_A_MEMORY),
    ("rtl/dimmnet2/host_interface/llcm", AROUND_A_MEMORY),
    ("rtl/dimmnet2/host_interface/prefetch_window", AROUND_A_MEMORY),
    ("rtl/dimmnet2/host_interface/write_window", AROUND_A_MEMORY),
    ("rtl/dimmnet2/region", "a table"),
    ("rtl/dimmnet2/request_separator", WIRES),
    ("rtl/gigae_pm/header_word", WIRES),
    ("rtl/gigae_pm/mac/crc32", "a step of a polynomial, of which every value is one"),
    ("rtl/hca/icrc", "a step of a polynomial, of which every value is one"),
    ("rtl/hca/lowest_bit", "a choice among bits, which the proof of the receive engine covers"),
    ("rtl/hca/mtu_bytes", "a table, in which every code stands"),
];

const MEMORY: &str = "a memory: any word, any address, at any time";
const AROUND_A_MEMORY: &str = "wires around a memory, on which both sides may do anything";
const WIRES: &str = "wires, and a decoder at most";

/// A named assertion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assertion {
    /// Name of the module, without path and `.sv`.
    pub module: String,
    /// Label in the RTL, in CamelCase.
    pub name: String,
}

impl Assertion {
    /// Name of the block with the fault that the assertion detects: module and label in snake_case.
    pub fn fault(&self) -> String {
        let mut fault = format!("{}_", self.module);
        for (at, letter) in self.name.char_indices() {
            if letter.is_uppercase() && at > 0 {
                fault.push('_');
            }
            fault.extend(letter.to_lowercase());
        }
        fault
    }

    /// Checks that a run stopped at this assertion.
    ///
    /// # Panics
    /// If the run did not stop, or stopped elsewhere.
    pub fn stopped(&self, stop: Option<String>) {
        let Self { module, name } = self;
        let stop = stop.unwrap_or_else(|| panic!("{module}: {name} has not fired"));
        let line = line_of(&stop).unwrap_or_else(|| panic!("{module}: {name} has not fired, but {stop}"));
        assert_eq!(line.split(" : ").next().map(str::trim), Some(name.as_str()), "{module}: {stop}");
    }
}

/// Root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Modules of the RTL below a folder of the workspace, as paths without `.sv`.
pub fn modules(folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root().join(folder)).expect("the folder is there") {
        let entry = entry.expect("an entry");
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.append(&mut modules(&name));
        } else if let Some(module) = name.strip_suffix(".sv").filter(|name| !name.ends_with("_pkg")) {
            found.insert(module.to_string());
        }
    }
    found
}

/// Assertions labelled in the text of a module, given as a path without `.sv`.
pub fn of_module(module: &str) -> Vec<Assertion> {
    let name = module.rsplit('/').next().expect("a split has at least one part");
    let text = fs::read_to_string(root().join(format!("{module}.sv"))).expect("it is text");
    let named = text.lines().filter_map(|line| line.split_once(" : assert ("));
    named.map(|(found, _)| Assertion { module: name.into(), name: found.trim().into() }).collect()
}

/// Assertions of all modules below a folder of the workspace.
pub fn of_folder(folder: &str) -> BTreeSet<Assertion> {
    modules(folder).iter().flat_map(|module| of_module(module)).collect()
}

/// Assertions with a witness: a fault, named in the proofs of a device, that makes `memonet prove` fail.
pub fn witnessed(device: &str) -> BTreeSet<Assertion> {
    let mut found = BTreeSet::new();
    for module in modules(&format!("testbench/formal/{device}")) {
        let name = module.rsplit('/').next().expect("a split has at least one part");
        let text = fs::read_to_string(root().join(format!("{module}.sv"))).expect("it is text");
        let witnesses = text.lines().filter_map(|line| line.strip_prefix("// Witness: "));
        found.extend(witnesses.map(|line| Assertion {
            module: name.into(),
            name: line.split(" | ").next().unwrap_or_default().trim().into(),
        }));
    }
    found
}

/// Steps a block `count` times with the given pins and returns the message with which it stops, if it does.
pub fn stop<I: Bundle, O: Bundle>(
    mut rtl: Device,
    edges: Edges,
    count: usize,
    mut pins: impl FnMut(&mut Stimulus, &O) -> I,
) -> Option<String> {
    let mut stimulus = Stimulus::new(1);
    let (mut pins_i, mut pins_o) = (vec![0; words_for(I::WIDTH)], vec![0; words_for(O::WIDTH)]);
    rtl.reset(2, &mut pins_o).expect("it is reset");
    (0..count).find_map(|_| {
        let pins = pins(&mut stimulus, &O::take(&pins_o, 0, O::WIDTH));
        pins_i.fill(0);
        pins.put(&mut pins_i, 0, I::WIDTH);
        rtl.step(edges, &pins_i, &mut pins_o).err().map(|stop| stop.to_string())
    })
}

/// Changes registers of a block after a reset and returns the message with which it then stops, if it does. Without
/// the change the block does not stop.
pub fn flip<I: Bundle, O: Bundle>(
    mut rtl: Device,
    edges: Edges,
    registers: &[(&str, u64)],
) -> Option<String> {
    let (pins_i, mut pins_o) = (vec![0; words_for(I::WIDTH)], vec![0; words_for(O::WIDTH)]);
    rtl.reset(2, &mut pins_o).expect("it is reset");
    rtl.step(edges, &pins_i, &mut pins_o).expect("nothing is wrong yet");
    rtl.reset(2, &mut pins_o).expect("it is reset");
    for (register, value) in registers {
        if let Err(stop) = rtl.flip(register, *value) {
            return Some(stop.to_string());
        }
    }
    rtl.step(edges, &pins_i, &mut pins_o).err().map(|stop| stop.to_string())
}

/// The line of the RTL that a stop names: `FILE:LINE: assertion failed`.
fn line_of(stop: &str) -> Option<String> {
    let (file, rest) = stop.split_once(".sv:")?;
    let line: usize = rest.split(':').next()?.parse().ok()?;
    let text = fs::read_to_string(root().join(format!("{file}.sv"))).ok()?;
    text.lines().nth(line - 1).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_has_an_assertion_or_a_reason_to_have_none() {
        let all = modules("rtl");
        assert!(all.len() > 100, "{} modules", all.len());
        for module in &all {
            let reason = NONE.iter().find(|(path, _)| path == module);
            match (of_module(module).is_empty(), reason) {
                (true, None) => panic!("{module}.sv has no named assertion"),
                (false, Some((_, reason))) => panic!("{module}.sv has one, although it is {reason}"),
                _ => {}
            }
        }
        for (path, _) in NONE {
            assert!(all.contains(*path), "{path} is not a module");
        }
    }

    #[test]
    fn fault_has_the_names_of_module_and_assertion() {
        let assertion = Assertion { module: "arbiter".into(), name: "OneOwner".into() };
        assert_eq!(assertion.fault(), "arbiter_one_owner");
    }

    #[test]
    #[should_panic(expected = "arbiter: OneOwner has not fired")]
    fn assertion_that_does_not_fire_is_reported() {
        Assertion { module: "arbiter".into(), name: "OneOwner".into() }.stopped(None);
    }
}
