//! List of the faults that a block can have in both twins.

use std::collections::{BTreeMap, BTreeSet};

use hdl::{BundleTable, Kind};

use crate::block::{Block, Register};
use crate::expression::{Comparison, comparisons, operands, terms};
use crate::fault::{Assignment, Condition, Fault, Operator};
use crate::shape::{self, Found, Language, Line};
use crate::{rust, systemverilog};

/// Every fault that a block can have in both twins, in the order of the SystemVerilog lines.
pub fn of(block: &Block) -> Vec<Fault> {
    let mut faults = Vec::new();
    registers(block, &mut faults);
    arcs(block, &mut faults);
    inputs(block, &mut faults);
    outputs(block, &mut faults);
    conditions(block, &mut faults);
    expressions(block, &mut faults);
    sums(block, &mut faults);
    events(block, &mut faults);
    faults.sort_by_key(|fault| (fault.line, fault.operator.clone()));
    faults
}

fn registers(block: &Block, faults: &mut Vec<Fault>) {
    let next = shape::next(&block.systemverilog_text, Language::SystemVerilog, block.machine);
    for Register { name: register, number } in block.registers.iter().flat_map(|registers| &registers.all) {
        let text = &block.systemverilog_text;
        if let Some(line) = systemverilog::clocked(text, register) {
            let mut add = |operator| faults.push(block.fault(operator, line));
            for state in states(&next, register) {
                add(Operator::DroppedAssignment { register: register.clone(), state });
                if number.is_some() {
                    add(Operator::OffByOne { register: register.clone(), state });
                }
            }
            if number.is_some() {
                add(Operator::LostBit { register: register.clone() });
            }
        }
        if let Some(line) = systemverilog::reset(text, register) {
            faults.push(block.fault(Operator::ForgottenReset { register: register.clone() }, line));
        }
    }
}

/// The states that assign a register; `None` stands for an assignment outside all states.
fn states(lines: &[Line<'_>], register: &str) -> BTreeSet<Option<&'static str>> {
    let next = format!("{register}_d");
    let keeps = format!(" = {register}_q;");
    let assigns = |line: &str| {
        let Some((before, behind)) = line.split_once(&next) else { return false };
        let whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        whole && (behind.starts_with(['.', '[']) || behind.starts_with(" = ") && behind != keeps)
    };
    lines.iter().filter(|line| assigns(line.text)).map(|line| line.state).collect()
}

fn arcs(block: &Block, faults: &mut Vec<Fault>) {
    let (Some(machine), Some(_)) = (block.machine, &block.registers) else { return };
    let Some(line) = systemverilog::clocked(&block.systemverilog_text, "state") else { return };
    let mut add = |operator| faults.push(block.fault(operator, line));
    for state in machine.states {
        for to in state.leaving().map(|arc| arc.to) {
            add(Operator::LostArc { from: state.name, to });
            if let Some(instead) = state.leaving().map(|arc| arc.to).find(|other| *other != to) {
                add(Operator::WrongArc { from: state.name, to, instead });
            }
        }
    }
}

fn inputs(block: &Block, faults: &mut Vec<Fault>) {
    let text = &block.systemverilog_text;
    let (Some(table), Some(line)) = (block.inputs, systemverilog::inputs(text)) else { return };
    if rust::has_inputs(block) {
        leaves(table, "", &mut |input, width| {
            // A pin that the module does not name is unused, or is passed to an inner block as part of a
            // bundle.
            if systemverilog::reads(text, &input) {
                faults.push(block.fault(Operator::WrongInput { input, width }, line));
            }
        });
    }
}

/// Calls `each` with the path and the width in bits of every pin of a bundle.
fn leaves(table: &'static BundleTable, above: &str, each: &mut impl FnMut(String, u32)) {
    for field in table.fields {
        match field.kind {
            Kind::Bundle(inner) => leaves(inner, &format!("{above}{}.", field.name), each),
            Kind::Vector => each(format!("{above}{}", field.name), field.width),
            Kind::StateMachine(_) => {}
        }
    }
}

fn outputs(block: &Block, faults: &mut Vec<Fault>) {
    let Some(table) = block.outputs.filter(|_| rust::has_outputs(block)) else { return };
    for (line, output) in systemverilog::outputs(&block.systemverilog_text) {
        if let Some(width) = width_of(table, &output) {
            faults.push(block.fault(Operator::WrongBit { output, width }, line));
        }
    }
}

/// Width in bits of a vector pin or of a bundle of pins, by its path.
fn width_of(table: &'static BundleTable, path: &str) -> Option<u32> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let field = table.fields.iter().find(|field| field.name == first)?;
    match (&field.kind, rest) {
        (Kind::Bundle(inner), Some(rest)) => width_of(inner, rest),
        (Kind::Vector | Kind::Bundle(_), None) => Some(field.width),
        _ => None,
    }
}

/// Adds the faults of conditions, for each state with the same number of conditions in both twins.
fn conditions(block: &Block, faults: &mut Vec<Fault>) {
    let read = |text, language| shape::conditions(&shape::next(text, language, block.machine), language);
    let theirs = read(&block.systemverilog_text, Language::SystemVerilog);
    let ours = read(&block.rust_text, Language::Rust);
    let count = |all: &[Found], state| all.iter().filter(|found| found.at.state == state).count();
    for Found { line, at, .. } in &theirs {
        if count(&theirs, at.state) == count(&ours, at.state) {
            faults.push(block.fault(Operator::SwappedCondition(at.clone()), *line));
            faults.push(block.fault(Operator::SkippedCheck(at.clone()), *line));
        }
    }
}

/// The conditions that both twins have, as texts: of the SystemVerilog, then of the Rust.
fn pairs(block: &Block) -> Vec<(usize, Condition, String, String)> {
    let read = |text: &str, language| {
        let next = shape::next(text, language, block.machine);
        let text_of = |found: Found| {
            let line = text.lines().nth(found.line).unwrap_or_default();
            (found.at, (found.line, line[found.range].to_string()))
        };
        shape::conditions(&next, language).into_iter().map(text_of).collect::<BTreeMap<_, _>>()
    };
    let ours = read(&block.rust_text, Language::Rust);
    let theirs = read(&block.systemverilog_text, Language::SystemVerilog);
    let count =
        |all: &BTreeMap<Condition, (usize, String)>, state| all.keys().filter(|at| at.state == state).count();
    let is_twin = |at: &Condition| count(&theirs, at.state) == count(&ours, at.state);
    theirs
        .iter()
        .filter(|(at, _)| is_twin(at))
        .filter_map(|(at, (line, text))| Some((*line, at.clone(), text.clone(), ours.get(at)?.1.clone())))
        .collect()
}

/// Adds the faults within conditions, where both twins write the same comparisons and operands.
fn expressions(block: &Block, faults: &mut Vec<Fault>) {
    for (line, at, theirs, ours) in pairs(block) {
        let (theirs_compared, ours_compared) = (comparisons(&theirs), comparisons(&ours));
        let operators =
            |all: &[Comparison<'_>]| all.iter().map(|one| one.operator.to_string()).collect::<Vec<_>>();
        if operators(&theirs_compared) == operators(&ours_compared) {
            for (index, (their, our)) in theirs_compared.iter().zip(&ours_compared).enumerate() {
                let (at, operator) = (at.clone(), their.operator.to_string());
                let limit = |one: &Comparison<'_>| one.limit.as_ref().map(|(value, _)| *value);
                let same_limit = limit(their).filter(|value| limit(our) == Some(*value));
                // Codes have no order, so `==` has an edge with a number only.
                if !matches!(their.operator, "==" | "!=") || same_limit.is_some() {
                    faults.push(
                        block.fault(Operator::ComparisonEdge { at: at.clone(), index, operator }, line),
                    );
                }
                if let Some(limit) = same_limit {
                    faults.push(block.fault(Operator::WrongLimit { at, index, limit }, line));
                }
            }
        }
        if let (Some((theirs, parts)), Some((ours, our_parts))) = (operands(&theirs), operands(&ours))
            && theirs == ours
            && parts.len() == our_parts.len()
        {
            for index in 0..parts.len() {
                faults.push(block.fault(Operator::LeftOutCondition { at: at.clone(), index }, line));
            }
        }
    }
}

/// Number of conditions that have a comparison or several operands in the SystemVerilog, and no fault within,
/// because the Rust has another shape.
pub fn skipped(block: &Block) -> usize {
    let mut faults = Vec::new();
    expressions(block, &mut faults);
    let changed = |here: &Condition| {
        faults.iter().any(|fault| match &fault.operator {
            Operator::ComparisonEdge { at, .. }
            | Operator::WrongLimit { at, .. }
            | Operator::LeftOutCondition { at, .. } => at == here,
            _ => false,
        })
    };
    let next = shape::next(&block.systemverilog_text, Language::SystemVerilog, block.machine);
    let conditions = shape::conditions(&next, Language::SystemVerilog);
    let has_parts = |found: &&Found| {
        let line = block.systemverilog_text.lines().nth(found.line).unwrap_or_default();
        let text = &line[found.range.clone()];
        !comparisons(text).is_empty() || operands(text).is_some()
    };
    conditions.iter().filter(has_parts).filter(|found| !changed(&found.at)).count()
}

/// Adds the faults of sums, for registers that both twins assign equally often in a state.
fn sums(block: &Block, faults: &mut Vec<Fault>) {
    let read = |text: &str, language| {
        let next = shape::next(text, language, block.machine);
        let assigned = shape::assignments(&next, language).into_iter();
        let terms = |line: usize, range: std::ops::Range<usize>| {
            terms(&text.lines().nth(line).unwrap_or_default()[range]).map(|terms| terms.len())
        };
        assigned.map(|(line, range, at)| (at, (line, terms(line, range)))).collect::<BTreeMap<_, _>>()
    };
    let ours = read(&block.rust_text, Language::Rust);
    let theirs = read(&block.systemverilog_text, Language::SystemVerilog);
    let count = |all: &BTreeMap<Assignment, (usize, Option<usize>)>, at: &Assignment| {
        all.keys().filter(|other| (&other.register, other.state) == (&at.register, at.state)).count()
    };
    for (at, (line, terms)) in &theirs {
        let same =
            ours.get(at).is_some_and(|(_, ours)| ours == terms) && count(&ours, at) == count(&theirs, at);
        if same && terms.is_some() {
            let Assignment { register, state, index } = at.clone();
            faults.push(block.fault(Operator::LeftOutTerm { register, state, index }, *line));
        }
    }
}

/// Adds the faults of two inputs of one bit, neighbours in the table of pins.
fn events(block: &Block, faults: &mut Vec<Fault>) {
    let text = &block.systemverilog_text;
    let (Some(table), Some(line)) = (block.inputs, systemverilog::inputs(text)) else { return };
    if !rust::has_inputs(block) {
        return;
    }
    let mut flags = Vec::new();
    leaves(table, "", &mut |input, width| {
        if width == 1 && systemverilog::reads(text, &input) {
            flags.push(input);
        }
    });
    for pair in flags.windows(2) {
        let (seen, lost) = (pair[0].clone(), pair[1].clone());
        faults.push(block.fault(Operator::LostEvent { seen, lost }, line));
    }
}

impl Block {
    fn fault(&self, operator: Operator, line: usize) -> Fault {
        Fault { block: self.name.clone(), operator, line: line + 1 }
    }
}
