//! Conclusions from a failure: the block, its registers, the first wrong wire, and the lines of both sources.

use std::path::PathBuf;

use hdl::{BlockType, Clock, Kind, Role, Signal, SignalRole, Visibility};

use crate::divergence::{Register, differences, path};
use crate::follower::Fault;
use crate::source::{self, Active};
use crate::value::{leaves, leaves_of};
use crate::waves::{self, Waves};
use crate::{Difference, Divergence, Replay};

/// A device whose failures are explained.
pub(crate) struct Subject {
    pub clocks: &'static [Clock],
    /// The compared signals.
    pub signals: Vec<Signal>,
    pub visibility: Visibility,
    pub types: Vec<BlockType>,
    /// Table of the input pins.
    pub pins_i: &'static hdl::BundleTable,
    /// How to repeat the run.
    pub replay: Replay,
    /// Folder for waveforms; `None` selects the default.
    pub folder: Option<PathBuf>,
}

impl Subject {
    /// The report of a failure.
    pub fn explain(&self, fault: &Fault) -> Divergence {
        let differences = differences(&self.signals, &fault.model, &fault.rtl);
        let block = match (&fault.stop, differences.first()) {
            (Some(stop), _) => self.block_of_message(&stop.0),
            (None, Some(first)) => first.block.clone(),
            (None, None) => String::new(),
        };
        let names: Vec<_> =
            differences.iter().filter(|d| d.block == block).map(|d| d.name.as_str()).collect();
        let (sources, wires) = match fault.stop {
            // Output pins follow from registers after the edge, registers from those before it.
            None if names.iter().all(|name| name.starts_with("pins_")) => {
                (self.places(&block, &fault.model, &names), self.wires(&differences))
            }
            None => (self.places(&block, &fault.before, &names), self.wires(&differences)),
            Some(_) => (self.places(&block, &fault.before, &[]), Vec::new()),
        };
        Divergence {
            clock: self.clocks[0].name,
            cycle: fault.cycle,
            stop: fault.stop.clone(),
            registers: self.registers(&block, fault),
            waves: self.waves(&block, fault),
            states: self.states(&fault.before),
            pins: self.pins(&fault.pins_i),
            replay: self.replay.at(fault.cycle),
            differences,
            block,
            wires,
            sources,
        }
    }

    /// The report of an undeclared arc from one state to another, after its first line.
    pub fn explain_arc(
        &self,
        register: &str,
        from: &str,
        cycle: u64,
        before: &[u64],
        pins: &[u64],
    ) -> String {
        let (block, name) = register.rsplit_once('.').unwrap_or(("", register));
        let show = |list: Vec<(String, String)>| {
            let list: Vec<_> = list.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
            list.join(", ")
        };
        let mut lines = vec![format!("first in {} cycle {cycle}", self.clocks[0].name)];
        let registers = self.values(block, before);
        if !registers.is_empty() {
            lines.push(format!("registers of the block before the edge: {}", show(registers)));
        }
        let pins = self.pins(pins);
        if !pins.is_empty() {
            lines.push(format!("input pins, without zeros: {}", show(pins)));
        }
        let (type_path, active) = (self.type_of(block), Active { register: name, state: from });
        lines.extend(source::places(type_path, &[active], &[name]));
        if let Some(place) = source::declaration(type_path, from) {
            lines.push(format!("the arcs from {from} are declared in {place}"));
        }
        lines.push(self.replay.at(cycle).to_string());
        lines.join("\n    ")
    }

    /// State of every state machine in a sample: path of the register and name of the state.
    pub fn states(&self, sample: &[u64]) -> Vec<(String, String)> {
        let is_machine =
            |signal: &&Signal| matches!(signal.role, SignalRole::Register(Kind::StateMachine(_)));
        let machines = self.signals.iter().filter(is_machine);
        let show = |signal: &Signal| leaves(signal)[0].show(signal.words(sample));
        machines.map(|signal| (path(&signal.block, signal.name), show(signal))).collect()
    }

    /// Fields of the input pins that are not 0.
    fn pins(&self, words: &[u64]) -> Vec<(String, String)> {
        let zero = vec![0; words.len()];
        let pins = leaves_of(Kind::Bundle(self.pins_i), self.pins_i.width).into_iter();
        pins.filter(|leaf| leaf.differs(words, &zero))
            .map(|leaf| (leaf.name.clone(), leaf.show(words)))
            .collect()
    }

    /// Registers of a block, with the fields of a register on their own.
    fn registers_of(&self, block: &str) -> impl Iterator<Item = &Signal> {
        let is_register = |signal: &&Signal| matches!(signal.role, SignalRole::Register(_));
        self.signals.iter().filter(is_register).filter(move |signal| signal.block == block)
    }

    /// Names and values of the registers of a block.
    fn values(&self, block: &str, sample: &[u64]) -> Vec<(String, String)> {
        let each = self.registers_of(block).flat_map(|signal| {
            let words = signal.words(sample);
            leaves(signal).into_iter().map(move |leaf| (path_of(signal.name, &leaf.name), leaf.show(words)))
        });
        each.collect()
    }

    /// Registers of a block, the differing ones first.
    fn registers(&self, block: &str, fault: &Fault) -> Vec<Register> {
        let [before, model, rtl] =
            [&fault.before, &fault.model, &fault.rtl].map(|sample| self.values(block, sample));
        let rows = before.into_iter().zip(model).zip(rtl);
        let rows = rows.map(|(((name, before), (_, model)), (_, rtl))| Register { name, before, model, rtl });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|register| register.model == register.rtl);
        rows
    }

    /// Rust type of a block, or of the nearest block above it that has one.
    fn type_of(&self, block: &str) -> &'static str {
        let own = self.types.iter().find(|known| known.block == block);
        match (own, block.rsplit_once('.')) {
            (Some(own), _) => own.path,
            (None, Some((above, _))) => self.type_of(above),
            (None, None) => self.types.first().map_or("", |top| top.path),
        }
    }

    /// Lines in both sources of a block that decide its signals.
    fn places(&self, block: &str, before: &[u64], names: &[&str]) -> Vec<String> {
        let states = self.registers_of(block).filter_map(|signal| match signal.role {
            SignalRole::Register(Kind::StateMachine(table)) => {
                let state = table.state(signal.words(before)[0])?;
                Some(Active { register: signal.name, state })
            }
            _ => None,
        });
        let states: Vec<_> = states.collect();
        // Pins follow from registers, unless only pins differ.
        let registers: Vec<_> = names.iter().copied().filter(|name| !name.starts_with("pins_")).collect();
        let names = if registers.is_empty() { names } else { &registers };
        source::places(self.type_of(block), &states, names)
    }

    /// Sentences about the wire that was wrong first.
    fn wires(&self, differences: &[Difference]) -> Vec<String> {
        let Some(first) = differences.first() else { return Vec::new() };
        let is_pin = |difference: &&Difference| difference.name.starts_with("pins_");
        // Outputs depend on registers of the block and of the blocks in it.
        let follows = |pin: &Difference| {
            differences.iter().any(|other| {
                let inside = other.block.starts_with(&path(&pin.block, "")) && other.block != pin.block;
                inside || other.block == pin.block && !is_pin(&other)
            })
        };
        let wrong = differences.iter().filter(is_pin).filter(|pin| !follows(pin));
        let mut lines: Vec<_> = wrong
            .map(|pin| {
                format!(
                    "wrong wire: {}, because all registers behind it are equal",
                    path(&pin.block, &pin.name)
                )
            })
            .collect();
        if !is_pin(&first) {
            lines.push(match self.visibility {
                Visibility::Full => {
                    "no wire was wrong before: all output pins of all blocks were equal up to this edge".into()
                }
                Visibility::Lean => {
                    "pins of blocks were not compared: a run that records waves compares them and names a wrong wire".into()
                }
            });
            if let Some((above, name)) =
                first.block.rsplit_once('.').or((!first.block.is_empty()).then_some(("", &first.block)))
                && let Some(place) = source::instance(self.type_of(above), name)
            {
                lines.push(format!("input pins of {} are connected in {place}", first.block));
            }
        }
        lines
    }

    fn waves(&self, block: &str, fault: &Fault) -> Option<Result<PathBuf, String>> {
        if fault.history.is_empty() {
            return None;
        }
        let pins_i = Signal {
            block: String::new(),
            name: "pins_i",
            width: self.pins_i.width,
            word: 0,
            role: SignalRole::Pins(Role::Inputs, self.pins_i),
            clocks: hdl::Edges::all(self.clocks.len()),
        };
        let (clocks, signals, history, rtl) = (self.clocks, &self.signals, &fault.history, &fault.rtl);
        let folder = self.folder.clone().unwrap_or_else(waves::default_folder);
        let name = waves::file_name(source::module(self.type_of("")), self.replay.seed);
        Some(Waves { clocks, pins_i, signals, history, rtl, block }.write(&folder, &name))
    }

    /// Block named at the end of an assertion's message, as instances `u_a.u_b`.
    fn block_of_message(&self, message: &str) -> String {
        let scope = message.rsplit(" in ").next().unwrap_or_default();
        let parts: Vec<_> = scope.split('.').filter_map(|part| part.strip_prefix("u_")).collect();
        let known = |block: &String| self.types.iter().any(|known| known.block == *block);
        (0..=parts.len()).rev().map(|count| parts[..count].join(".")).find(known).unwrap_or_default()
    }
}

fn path_of(register: &str, field: &str) -> String {
    if field.is_empty() { register.to_string() } else { format!("{register}.{field}") }
}
