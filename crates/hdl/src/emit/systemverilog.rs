//! Emits a SystemVerilog package.

use std::fmt::Write;

use super::{direction, paragraph, position, snake, wrap};
use crate::{BundleTable, CodeTable, FieldsTable, Item, Kind, Package, RegisterTable, StateMachineTable};

/// Most columns of a generated line (lowRISC style guide).
const COLUMNS: usize = 100;

/// The text of a generated package.
pub fn package(package: &Package) -> String {
    let mut out = String::new();
    let name = package.name();
    writeln!(out, "// Generated from {} by `make tables`; do not edit.", package.source).unwrap();
    writeln!(out, "package {name};").unwrap();
    writeln!(out, "\n  // A table: no design uses every line of it.").unwrap();
    writeln!(out, "  /* verilator lint_off UNUSEDPARAM */").unwrap();
    for item in package.items {
        out.push('\n');
        match item {
            Item::Constant { name, width, value, doc } => {
                comment(&mut out, doc);
                let ty = type_name("", Kind::Vector, *width);
                writeln!(out, "  localparam {ty} {name} = {width}'d{value};").unwrap();
            }
            Item::StateMachine(table) => machine(&mut out, table),
            Item::Bundle(table) => bundle(&mut out, name, table),
            Item::Codes(table) => codes(&mut out, table),
            Item::Fields(table) => fields(&mut out, name, table),
            Item::Registers(table) => registers(&mut out, table),
        }
    }
    writeln!(out, "\n  /* verilator lint_on UNUSEDPARAM */\nendpackage").unwrap();
    out
}

/// A doc comment above a declaration, each paragraph wrapped anew.
fn comment(out: &mut String, doc: &str) {
    let lines: Vec<_> = doc.trim().lines().map(str::trim).collect();
    for (index, part) in lines.split(|line| line.is_empty()).enumerate() {
        if index > 0 {
            writeln!(out, "  //").unwrap();
        }
        for line in wrap(&part.join(" "), COLUMNS - 5) {
            writeln!(out, "  // {line}").unwrap();
        }
    }
}

/// A declaration with its comment: on the same line if it fits, otherwise above it.
fn declare(out: &mut String, indent: usize, code: &str, remark: &str) {
    let line = format!("{:indent$}{code}  // {remark}", "");
    if line.chars().count() <= COLUMNS {
        writeln!(out, "{line}").unwrap();
        return;
    }
    for part in wrap(remark, COLUMNS - indent - 3) {
        writeln!(out, "{:indent$}// {part}", "").unwrap();
    }
    writeln!(out, "{:indent$}{code}", "").unwrap();
}

fn machine(out: &mut String, table: &'static StateMachineTable) {
    comment(out, table.doc);
    let width = table.width();
    writeln!(out, "  typedef enum logic [{}:0] {{", width - 1).unwrap();
    for (code, state) in table.states.iter().enumerate() {
        let comma = if code + 1 < table.states.len() { "," } else { "" };
        declare(out, 4, &format!("{} = {width}'d{code}{comma}", state.name), &paragraph(state.doc));
    }
    let name = snake(table.name);
    writeln!(out, "  }} {name}_e;").unwrap();

    // One row of bits per state: bit `to` of row `from` is 1 if the arc is declared.
    let n = table.states.len();
    writeln!(out, "\n  // Declared arcs of {name}_e: bit [from * {n} + to].").unwrap();
    let mut matrix = vec![false; n * n];
    for (from, to) in table.arcs() {
        matrix[from as usize * n + to as usize] = true;
    }
    writeln!(out, "  localparam logic [{}:0] {}Arcs = {{", n * n - 1, table.name).unwrap();
    for (from, state) in table.states.iter().enumerate().rev() {
        let row = matrix[from * n..(from + 1) * n].iter().rev();
        let bits: String = row.map(|&arc| if arc { '1' } else { '0' }).collect();
        let comma = if from > 0 { "," } else { "" };
        writeln!(out, "    {n}'b{bits}{comma}  // from {}", state.name).unwrap();
    }
    writeln!(out, "  }};").unwrap();
}

/// SystemVerilog type of a member, as seen from `package`.
///
/// Yosys 0.23 does not resolve types of another package inside a package, so a foreign bundle is spelled out
/// and a foreign state becomes a plain vector.
fn type_name(package: &str, kind: Kind, width: u32) -> String {
    match kind {
        Kind::StateMachine(table) if table.package == package => format!("{}_e", snake(table.name)),
        Kind::Bundle(table) if table.package == package => format!("{}_t", snake(table.name)),
        Kind::Bundle(table) => {
            let members = table.fields.iter().rev();
            let members = members.map(|f| format!("{} {};", type_name(package, f.kind, f.width), f.name));
            format!("struct packed {{ {} }}", members.collect::<Vec<_>>().join(" "))
        }
        Kind::Vector | Kind::StateMachine(_) if width == 1 => "logic".into(),
        Kind::Vector | Kind::StateMachine(_) => format!("logic [{}:0]", width - 1),
    }
}

/// Declaration of a member at column `indent`; a spelled-out bundle that does not fit has a line per member.
fn member(package: &str, kind: Kind, width: u32, name: &str, indent: usize) -> String {
    let line = format!("{} {name};", type_name(package, kind, width));
    match kind {
        Kind::Bundle(table) if table.package != package && indent + line.len() > COLUMNS => {
            let mut out = String::from("struct packed {\n");
            for f in table.fields.iter().rev() {
                let inner = member(package, f.kind, f.width, f.name, indent + 2);
                writeln!(out, "{:indent$}  {inner}", "").unwrap();
            }
            write!(out, "{:indent$}}} {name};", "").unwrap();
            out
        }
        _ => line,
    }
}

fn bundle(out: &mut String, package: &str, table: &BundleTable) {
    comment(out, table.doc);
    writeln!(out, "  typedef struct packed {{").unwrap();
    // A packed struct begins with its highest bits.
    for field in table.fields.iter().rev() {
        let code = member(package, field.kind, field.width, field.name, 4);
        declare(out, 4, &code, &paragraph(field.doc));
    }
    writeln!(out, "  }} {}_t;", snake(table.name)).unwrap();
}

fn fields(out: &mut String, package: &str, table: &FieldsTable) {
    comment(out, table.doc);
    writeln!(out, "  typedef struct packed {{").unwrap();
    let mut next = 64;
    for field in table.fields.iter().rev() {
        reserved(out, next, field.high + 1);
        let ty = type_name(package, field.kind, field.width());
        let at = position(field.high, field.low);
        declare(out, 4, &format!("{ty} {};", field.name), &format!("[{at}] {}", paragraph(field.doc)));
        next = field.low;
    }
    reserved(out, next, 0);
    writeln!(out, "  }} {}_t;", snake(table.name)).unwrap();
}

/// A gap from bit `low` up to, but not including, bit `above`.
fn reserved(out: &mut String, above: u32, low: u32) {
    if above > low {
        let width = above - low;
        let ty = type_name("", Kind::Vector, width);
        writeln!(out, "    {ty} reserved_{low};").unwrap();
    }
}

fn codes(out: &mut String, table: &CodeTable) {
    comment(out, table.doc);
    out.push('\n');
    let (ty, width) = (type_name("", Kind::Vector, table.width), table.width as usize);
    for code in table.codes {
        let constant = format!("localparam {ty} {} = {width}'b{:0width$b};", code.name, code.value);
        declare(out, 2, &constant, &paragraph(code.doc));
    }
}

fn registers(out: &mut String, table: &RegisterTable) {
    comment(out, table.doc);
    out.push('\n');
    for register in table.registers {
        let constant = format!("localparam logic [11:0] {} = 12'h{:03x};", register.name, register.offset);
        let remark = format!("{}: {}", direction(register.access), paragraph(register.doc));
        declare(out, 2, &constant, &remark);
    }
    for register in table.registers.iter().filter(|register| register.reset != 0) {
        let (ty, width) = (type_name("", Kind::Vector, register.width), register.width);
        writeln!(out, "\n  // What the host reads from {} after reset.", register.name).unwrap();
        writeln!(out, "  localparam {ty} {}AtReset = {width}'h{:x};", register.name, register.reset).unwrap();
    }
}
