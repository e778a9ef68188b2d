//! Writes faults into the Rust twin.

use std::fmt::Write;

use hdl::StateMachineTable;

use crate::block::{Block, owner};
use crate::fault::{Operator, Planted};
use crate::shape::{self, Language};

/// Environment variable with the number of the active fault.
pub const VARIABLE: &str = "MEMONET_MUTANT_RUST";

/// The module that blocks with faults call: its file in the copy of crate `hdl`, and its text.
pub const MODULE: (&str, &str) = ("crates/hdl/src/mutated.rs", include_str!("mutated.rs.txt"));

/// Whether this module can change the outputs of a block.
pub fn has_outputs(block: &Block) -> bool {
    owner(&block.rust_text).is_some() || function(&block.rust_text).is_some()
}

/// Whether this module can change the inputs of a block.
pub fn has_inputs(block: &Block) -> bool {
    block.rust_text.contains("\n    fn tick(&mut self, pins: &In) {")
}

/// The first line of the function that implements a block without registers.
fn function(text: &str) -> Option<&str> {
    text.lines().find(|line| line.starts_with("pub fn ") && line.ends_with(") -> Out {"))
}

/// The text of the twin with these faults in it; none is active until its number is selected.
pub fn plant(block: &Block, planted: &[Planted]) -> String {
    let mut lines: Vec<String> = block.rust_text.lines().map(str::to_string).collect();
    conditions(&mut lines, block, planted);
    sums(&mut lines, block, planted);
    let hooks = Hooks::of(block, planted);
    match owner(&block.rust_text) {
        Some(owner) if !hooks.is_empty() => hooks.put(&mut lines, owner),
        None if !hooks.outputs.is_empty() => hooks.wrap(&mut lines),
        _ => {}
    }
    lines.join("\n") + "\n"
}

fn conditions(lines: &mut [String], block: &Block, planted: &[Planted]) {
    let next = shape::next(&block.rust_text, Language::Rust, block.machine);
    for shape::Found { line, range, at } in shape::conditions(&next, Language::Rust) {
        let number = |wanted: &dyn Fn(&Operator) -> bool| {
            planted.iter().find(|planted| wanted(&planted.fault.operator)).map_or(0, |planted| planted.number)
        };
        let swapped =
            number(&|operator| matches!(operator, Operator::SwappedCondition(there) if *there == at));
        let skipped = number(&|operator| matches!(operator, Operator::SkippedCheck(there) if *there == at));
        let original = lines[line][range.clone()].to_string();
        let mut condition = original.clone();
        for Planted { number, fault } in planted {
            if let Some(wrong) = fault.operator.changed_condition(&at, &original) {
                condition = choice(*number, &wrong, &condition);
            }
        }
        if swapped != 0 || skipped != 0 {
            condition = format!("hdl::mutated::condition({swapped}, {skipped}, {condition})");
        }
        lines[line].replace_range(range, &condition);
    }
}

fn sums(lines: &mut [String], block: &Block, planted: &[Planted]) {
    let next = shape::next(&block.rust_text, Language::Rust, block.machine);
    for (line, range, at) in shape::assignments(&next, Language::Rust) {
        for Planted { number, fault } in planted {
            if let Some(wrong) = fault.operator.changed_sum(&at, &lines[line][range.clone()]) {
                let sum = choice(*number, &wrong, &lines[line][range.clone()]);
                lines[line].replace_range(range.clone(), &sum);
            }
        }
    }
}

/// An expression that is `wrong` if the fault with this number is active.
fn choice(number: u32, wrong: &str, right: &str) -> String {
    format!("(if hdl::mutated::number() == {number} {{ {wrong} }} else {{ {right} }})")
}

/// Faulty actions added to the functions of a block, as arms of a `match` over the number of the fault.
#[derive(Default)]
struct Hooks {
    inputs: String,
    tick: String,
    reset: String,
    outputs: String,
    registers: String,
}

impl Hooks {
    fn of(block: &Block, planted: &[Planted]) -> Self {
        let registers = block.registers.as_ref().map(|registers| registers.path.clone()).unwrap_or_default();
        let mut hooks = Hooks { registers, ..Hooks::default() };
        let machine = block.machine;
        for planted in planted {
            hooks.add(block, planted, machine);
        }
        hooks
    }

    fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.tick.is_empty() && self.reset.is_empty() && self.outputs.is_empty()
    }

    fn add(&mut self, block: &Block, planted: &Planted, machine: Option<&'static StateMachineTable>) {
        let name = machine.map_or("", |machine| machine.name);
        let width = |register: &str| {
            let all = block.registers.iter().flat_map(|registers| &registers.all);
            all.into_iter().find(|other| other.name == register).and_then(|other| other.number).unwrap_or(1)
        };
        let within = |state: &Option<&str>| match state {
            Some(state) => format!("if q.state == {name}::{state} "),
            None => String::new(),
        };
        let arc = |from: &str, to: &str, goes: &str| {
            format!("if q.state == {name}::{from} && d.state == {name}::{to} => d.state = {name}::{goes},")
        };
        let number = planted.number;
        let (hook, arm) = match &planted.fault.operator {
            Operator::DroppedAssignment { register, state } => {
                (&mut self.tick, format!("{}=> d.{register} = q.{register},", within(state)))
            }
            Operator::OffByOne { register, state } => {
                let here = state.map_or(String::new(), |state| format!("q.state == {name}::{state} && "));
                let call = format!("hdl::mutated::plus_one(&mut d.{register}, {})", width(register));
                (&mut self.tick, format!("if {here}d.{register} != q.{register} => {call},"))
            }
            Operator::LostBit { register } => {
                let call = format!("hdl::mutated::without_top(&mut d.{register}, {})", width(register));
                (&mut self.tick, format!("=> {call},"))
            }
            Operator::LostArc { from, to } => (&mut self.tick, arc(from, to, from)),
            Operator::WrongArc { from, to, instead } => (&mut self.tick, arc(from, to, instead)),
            Operator::ForgottenReset { register } => {
                (&mut self.reset, format!("=> d.{register} = q.{register},"))
            }
            Operator::WrongBit { output, width } => {
                (&mut self.outputs, format!("=> hdl::mutated::flip(&mut out.{output}, {width}, 0),"))
            }
            Operator::WrongInput { input, width } => {
                let call = format!("hdl::mutated::flip(&mut pins.{input}, {width}, {})", width / 2);
                (&mut self.inputs, format!("=> {call},"))
            }
            Operator::LostEvent { seen, lost } => {
                (&mut self.inputs, format!("=> hdl::mutated::lose(&mut pins.{lost}, &pins.{seen}),"))
            }
            Operator::SwappedCondition(_)
            | Operator::SkippedCheck(_)
            | Operator::ComparisonEdge { .. }
            | Operator::WrongLimit { .. }
            | Operator::LeftOutCondition { .. }
            | Operator::LeftOutTerm { .. } => return,
        };
        writeln!(hook, "            {number} {arm}").expect("a string takes all");
    }

    /// Moves the original trait functions to `sound_…` functions of the struct, and writes functions in their
    /// place that call them.
    ///
    /// If a device replaces parts of a block through its `tick_of`, the inputs are changed there, since
    /// `tick` calls it too.
    fn put(mut self, lines: &mut Vec<String>, owner: &str) {
        if let Some(at) = lines.iter().position(|line| line.starts_with("    pub fn tick_of<")) {
            lines.insert(at + 1, self.changed_inputs());
            self.inputs.clear();
        }
        let begin = lines.iter().position(|line| *line == format!("impl Clocked for {owner} {{"));
        let Some(begin) = begin else { return };
        let Some(length) = lines[begin..].iter().position(|line| line == "}") else { return };
        let mut moved = vec![format!("impl {owner} {{")];
        let mut kept = Vec::new();
        let mut body = lines[begin + 1..begin + length].iter();
        while let Some(line) = body.next() {
            let Some(hook) = self.hook(line) else {
                kept.push(line.clone());
                continue;
            };
            kept.push(hook);
            moved.push(line.replacen("    fn ", "    fn sound_", 1));
            for line in body.by_ref() {
                moved.push(line.clone());
                if line == "    }" {
                    break;
                }
            }
        }
        moved.push("}".to_string());
        kept.push("}".to_string());
        kept.extend(moved);
        lines.splice(begin + 1..=begin + length, kept);
    }

    /// Renames the function that is a block without registers, and adds a function of the old name that calls
    /// it.
    fn wrap(&self, lines: &mut Vec<String>) {
        let Some(at) = lines.iter().position(|line| function(line).is_some()) else { return };
        let line = lines[at].clone();
        let signature = line.trim_start_matches("pub fn ");
        let (name, rest) = signature.split_once('(').unwrap_or_default();
        let pins = rest.split(':').next().unwrap_or_default();
        lines[at] = format!("fn sound_{signature}");
        lines.insert(at, self.outputs_of(&line, &format!("sound_{name}({pins})")));
    }

    /// A function whose first line is `line`; it changes the outputs that `call` returns.
    fn outputs_of(&self, line: &str, call: &str) -> String {
        format!(
            "{line}\n        let mut out = {call};\n        match hdl::mutated::number() {{\n{}            _ => {{}}\n        }}\n        out\n    }}",
            self.outputs
        )
    }

    /// Statements that change the input pins; empty if no fault changes them.
    fn changed_inputs(&self) -> String {
        let arms = &self.inputs;
        if arms.is_empty() {
            return String::new();
        }
        format!(
            "        let mut pins = *pins;
        match hdl::mutated::number() {{
{arms}            _ => {{}}
        }}
        let pins = &pins;
"
        )
    }

    /// The function that replaces the one with this first line; `None` if no fault changes it.
    fn hook(&self, line: &str) -> Option<String> {
        let registers = &self.registers;
        let name = line.strip_prefix("    fn ")?.split_once('(')?.0;
        let registers = match registers.as_str() {
            "" | "self" => "*self",
            field => field,
        };
        let changed = |before: &str, call: &str, arms: &str| {
            format!(
                "{line}
        if hdl::mutated::number() == 0 {{
            return {call};
        }}
        let q = ({registers}).clone();
{before}        {call};
        let d = &mut {registers};
        match hdl::mutated::number() {{
{arms}            _ => {{}}
        }}
    }}"
            )
        };
        match name {
            "tick" if !self.tick.is_empty() || !self.inputs.is_empty() => {
                let pins = line.split_once("self, ")?.1.split_once(':')?.0;
                Some(changed(&self.changed_inputs(), &format!("self.sound_tick({pins})"), &self.tick))
            }
            "reset" if !self.reset.is_empty() => Some(changed("", "self.sound_reset()", &self.reset)),
            "outputs" if !self.outputs.is_empty() => Some(self.outputs_of(line, "self.sound_outputs()")),
            _ => None,
        }
    }
}
