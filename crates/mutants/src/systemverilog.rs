//! Writes faults into the SystemVerilog twin.

use std::fmt::Write;

use hdl::StateMachineTable;

use crate::block::Block;
use crate::fault::{Operator, Planted};
use crate::shape::{self, Language};

/// Environment variable with the number of the active fault.
pub const VARIABLE: &str = "MEMONET_MUTANT_SYSTEMVERILOG";

/// The first line, from 0, where a register takes its next value.
pub fn clocked(text: &str, register: &str) -> Option<usize> {
    stores(text, register).find(|(_, reset)| !reset).map(|(line, _)| line)
}

/// The first line, from 0, where reset sets a register.
pub fn reset(text: &str, register: &str) -> Option<usize> {
    stores(text, register).find(|(_, reset)| *reset).map(|(line, _)| line)
}

/// Lines, from 0, that store into a register, and whether the store is in a reset branch.
fn stores(text: &str, register: &str) -> impl Iterator<Item = (usize, bool)> {
    let store = format!("{register}_q <= ");
    let mut under_reset = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let line = line.trim_start();
        if line.starts_with("if (!") && line.contains("rst_n") && line.ends_with("begin") {
            under_reset = true;
        } else if line == "end" || line == "end else begin" {
            under_reset = false;
        }
        line.starts_with(&store).then_some((number, under_reset))
    })
}

/// Lines, from 0, that assign an output pin, with the path of the pin.
pub fn outputs(text: &str) -> Vec<(usize, String)> {
    text.lines()
        .enumerate()
        .filter_map(|(number, line)| {
            let (path, value) = line.trim_start().strip_prefix("assign pins_o.")?.split_once(" = ")?;
            let plain = path.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
            (plain && value.ends_with(';')).then(|| (number, path.to_string()))
        })
        .collect()
}

/// The line, from 0, that declares the input pins.
pub fn inputs(text: &str) -> Option<usize> {
    text.lines().position(|line| {
        line.trim_start().starts_with("input ") && line.contains("::in_t ") && line.contains(" pins_i")
    })
}

/// Whether a module names an input pin by its path.
pub fn reads(text: &str, input: &str) -> bool {
    let pin = format!("pins_i.{input}");
    text.match_indices(&pin)
        .any(|(at, _)| !text[at + pin.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// The text of the twin with these faults in it; none is active until its number is selected.
pub fn plant(block: &Block, planted: &[Planted]) -> String {
    let text = &block.systemverilog_text;
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let machine = block.machine;
    for (number, line) in (1..).zip(&mut lines) {
        let here: Vec<_> = planted.iter().filter(|planted| planted.fault.line == number).collect();
        if let Some(changed) = changed(line, &here, machine) {
            *line = changed;
        }
    }
    conditions(&mut lines, block, planted);
    sums(&mut lines, block, planted);
    if let Some(end) = lines.iter().position(|line| line == ");") {
        let number = format!(
            "  int mutant;\n  initial mutant = $c32(\"(std::getenv(\\\"{VARIABLE}\\\") ? std::atoi(std::getenv(\\\"{VARIABLE}\\\")) : 0)\");"
        );
        let pins = pins(&mut lines[end + 1..], block, planted);
        lines.insert(end + 1, format!("{number}\n{pins}"));
    }
    // The inserted expressions may have other widths than their targets.
    format!("/* verilator lint_off WIDTH */ /* verilator lint_off CMPCONST */\n{}\n", lines.join("\n"))
}

/// Makes the module read `mutant_pins` instead of its input pins; returns the declaration of this signal.
fn pins(lines: &mut [String], block: &Block, planted: &[Planted]) -> String {
    let mut faults = String::new();
    for Planted { number, fault } in planted {
        if let Operator::WrongInput { input, width } = &fault.operator {
            let pin = format!("mutant_pins.{input}");
            writeln!(
                faults,
                "    if (mutant == 32'd{number}) {pin} = {pin} ^ {width}'h{:x};",
                1u128 << (width / 2)
            )
            .expect("a string takes all");
        }
        if let Operator::LostEvent { seen, lost } = &fault.operator {
            let condition = format!("mutant == 32'd{number} && mutant_pins.{seen}");
            writeln!(faults, "    if ({condition}) mutant_pins.{lost} = 1'b0;").expect("a string takes all");
        }
    }
    let (false, Some(header)) = (faults.is_empty(), inputs(&block.systemverilog_text)) else {
        return String::new();
    };
    for line in lines {
        *line = line.replace(".pins_i(", ".\0(").replace("pins_i", "mutant_pins").replace('\0', "pins_i");
    }
    let header = block.systemverilog_text.lines().nth(header).unwrap_or_default();
    let kind = header.split_whitespace().nth(1).unwrap_or_default();
    format!("  {kind} mutant_pins;\n  always_comb begin\n    mutant_pins = pins_i;\n{faults}  end")
}

/// The line of a register or an output with its faults inserted; `None` if no fault changes it.
fn changed(line: &str, planted: &[&Planted], machine: Option<&'static StateMachineTable>) -> Option<String> {
    // The first of the two is the assignment; a later `<=` is a comparison.
    let mark = [" <= ", " = "].into_iter().min_by_key(|mark| line.find(mark).unwrap_or(usize::MAX))?;
    let (target, value) = line.split_once(mark)?;
    let value = value.strip_suffix(';')?;
    let register = target.trim_start();
    let mut cases = String::new();
    for Planted { number, fault } in planted {
        let awake = |condition: &str| format!("(mutant == 32'd{number}{condition}) ? ");
        let within = |state: &Option<&str>| match (state, machine) {
            (Some(state), Some(machine)) => format!(" && state_q == {}::{state}", machine.package),
            _ => String::new(),
        };
        let arc = |from: &str, to: &str, goes: &str| {
            let package = machine.map_or("", |machine| machine.package);
            let takes = format!(" && state_q == {package}::{from} && ({value}) == {package}::{to}");
            format!("{}{package}::{goes} : ", awake(&takes))
        };
        let case = match &fault.operator {
            Operator::DroppedAssignment { state, .. } => {
                format!("{}{register} : ", awake(&within(state)))
            }
            Operator::OffByOne { state, .. } => {
                let changes = format!("{} && {register} != ({value})", within(state));
                format!("{}({value}) + 1'b1 : ", awake(&changes))
            }
            Operator::LostBit { .. } => {
                // The value has the same width as the register.
                format!("{}((({value}) << 1) >> 1) : ", awake(""))
            }
            Operator::ForgottenReset { .. } => format!("{}{register} : ", awake("")),
            Operator::LostArc { from, to } => arc(from, to, from),
            Operator::WrongArc { from, to, instead } => arc(from, to, instead),
            Operator::WrongBit { .. } => format!("{}({value}) ^ 1'b1 : ", awake("")),
            Operator::WrongInput { .. }
            | Operator::SwappedCondition(_)
            | Operator::SkippedCheck(_)
            | Operator::ComparisonEdge { .. }
            | Operator::WrongLimit { .. }
            | Operator::LeftOutCondition { .. }
            | Operator::LeftOutTerm { .. }
            | Operator::LostEvent { .. } => continue,
        };
        cases += &case;
    }
    (!cases.is_empty()).then(|| format!("{target}{mark}{cases}({value});"))
}

fn conditions(lines: &mut [String], block: &Block, planted: &[Planted]) {
    let text = &block.systemverilog_text;
    let all = shape::conditions(
        &shape::next(text, Language::SystemVerilog, block.machine),
        Language::SystemVerilog,
    );
    for shape::Found { line, range, at } in all {
        let mut cases = String::new();
        let condition = &text.lines().nth(line).unwrap_or_default()[range.clone()];
        for Planted { number, fault } in planted {
            match &fault.operator {
                Operator::SwappedCondition(where_) if *where_ == at => {
                    write!(cases, "mutant == 32'd{number} ? !({condition}) : ").expect("a string takes all");
                }
                Operator::SkippedCheck(where_) if *where_ == at => {
                    write!(cases, "mutant == 32'd{number} ? 1'b1 : ").expect("a string takes all");
                }
                operator => {
                    if let Some(wrong) = operator.changed_condition(&at, condition) {
                        write!(cases, "mutant == 32'd{number} ? ({wrong}) : ").expect("a string takes all");
                    }
                }
            }
        }
        if !cases.is_empty() {
            lines[line].replace_range(range, &format!("{cases}({condition})"));
        }
    }
}

fn sums(lines: &mut [String], block: &Block, planted: &[Planted]) {
    let next = shape::next(&block.systemverilog_text, Language::SystemVerilog, block.machine);
    for (line, range, at) in shape::assignments(&next, Language::SystemVerilog) {
        for Planted { number, fault } in planted {
            if let Some(wrong) = fault.operator.changed_sum(&at, &lines[line][range.clone()]) {
                let cases = format!("mutant == 32'd{number} ? ({wrong}) : ({})", &lines[line][range.clone()]);
                lines[line].replace_range(range.clone(), &cases);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Fault;

    #[test]
    fn output_that_is_a_comparison_is_changed_as_a_whole() {
        let operator = Operator::WrongBit { output: "low".into(), width: 1 };
        let planted = Planted { number: 7, fault: Fault { block: "any".into(), operator, line: 1 } };
        for (line, expected) in [
            (
                "  assign pins_o.low = !skip_q && (left_q <= 4'd4);",
                "  assign pins_o.low = (mutant == 32'd7) ? (!skip_q && (left_q <= 4'd4)) ^ 1'b1 : (!skip_q && (left_q <= 4'd4));",
            ),
            ("  low_q <= low_d;", "  low_q <= (mutant == 32'd7) ? (low_d) ^ 1'b1 : (low_d);"),
        ] {
            assert_eq!(changed(line, &[&planted], None).as_deref(), Some(expected));
        }
    }
}
