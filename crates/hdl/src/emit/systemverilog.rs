//! Emits a SystemVerilog package.

use std::fmt::Write;

use super::{paragraph, snake, tagline};
use crate::{Access, BundleTable, FieldsTable, Item, Kind, MachineTable, Package, RegisterTable};

/// The text of a generated package.
pub fn package(package: &Package) -> String {
    let mut out = String::new();
    let name = package.name();
    writeln!(out, "// Generated from {} by `make tables`; do not edit.", package.source).unwrap();
    writeln!(out, "package {name};").unwrap();
    // A package is a table: no module uses every line of it.
    writeln!(out, "\n  /* verilator lint_off UNUSEDPARAM */").unwrap();
    for item in package.items {
        out.push('\n');
        match item {
            Item::Constant { name, width, value, doc } => {
                comment(&mut out, doc);
                writeln!(out, "  localparam logic [{}:0] {name} = {width}'d{value};", width - 1).unwrap();
            }
            Item::Machine(table) => machine(&mut out, table),
            Item::Bundle(table) => bundle(&mut out, name, table),
            Item::Fields(table) => fields(&mut out, name, table),
            Item::Registers(table) => registers(&mut out, table),
        }
    }
    writeln!(out, "\nendpackage").unwrap();
    out
}

fn comment(out: &mut String, doc: &str) {
    for line in doc.trim().lines() {
        writeln!(out, "  // {}", line.trim()).unwrap();
    }
}

fn machine(out: &mut String, table: &'static MachineTable) {
    comment(out, table.doc);
    let width = table.width();
    writeln!(out, "  typedef enum logic [{}:0] {{", width - 1).unwrap();
    for (code, state) in table.states.iter().enumerate() {
        let comma = if code + 1 < table.states.len() { "," } else { "" };
        writeln!(out, "    {} = {width}'d{code}{comma}  // {}", state.name, tagline(state.doc)).unwrap();
    }
    let name = snake(table.name);
    writeln!(out, "  }} {name}_e;").unwrap();

    // One row of bits per state: bit `to` of row `from` says that the arc is declared.
    let n = table.states.len();
    writeln!(out, "\n  // Declared arcs of {name}_e: bit [from * {n} + to].").unwrap();
    let mut matrix = vec![false; n * n];
    for (from, to) in table.arcs() {
        matrix[from as usize * n + to as usize] = true;
    }
    let bits: String = matrix.iter().rev().map(|&arc| if arc { '1' } else { '0' }).collect();
    let rows: Vec<_> = (0..n).map(|row| &bits[row * n..(row + 1) * n]).collect();
    writeln!(out, "  localparam logic [{}:0] {}Arcs = {}'b{};", n * n - 1, table.name, n * n, rows.join("_"))
        .unwrap();
}

/// SystemVerilog type of a member, as seen from `package`.
///
/// Yosys 0.23 does not find the types of another package inside a package, so a bundle from elsewhere is
/// spelled out and a state from elsewhere is a plain vector.
fn type_name(package: &str, kind: Kind, width: u32) -> String {
    match kind {
        Kind::Machine(table) if table.package == package => format!("{}_e", snake(table.name)),
        Kind::Bundle(table) if table.package == package => format!("{}_t", snake(table.name)),
        Kind::Bundle(table) => {
            let members = table.fields.iter().rev();
            let members = members.map(|f| format!("{} {};", type_name(package, f.kind, f.width), f.name));
            format!("struct packed {{ {} }}", members.collect::<Vec<_>>().join(" "))
        }
        Kind::Vector | Kind::Machine(_) if width == 1 => "logic".into(),
        Kind::Vector | Kind::Machine(_) => format!("logic [{}:0]", width - 1),
    }
}

fn bundle(out: &mut String, package: &str, table: &BundleTable) {
    comment(out, table.doc);
    writeln!(out, "  typedef struct packed {{").unwrap();
    // A packed struct begins with its highest bits.
    for field in table.fields.iter().rev() {
        let ty = type_name(package, field.kind, field.width);
        writeln!(out, "    {ty} {};  // {}", field.name, tagline(field.doc)).unwrap();
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
        let at = if field.width() == 1 {
            format!("[{}]", field.low)
        } else {
            format!("[{}:{}]", field.high, field.low)
        };
        writeln!(out, "    {ty} {};  // {at} {}", field.name, tagline(field.doc)).unwrap();
        next = field.low;
    }
    reserved(out, next, 0);
    writeln!(out, "  }} {}_t;", snake(table.name)).unwrap();
}

/// A gap from bit `low` up to below bit `above`.
fn reserved(out: &mut String, above: u32, low: u32) {
    if above > low {
        let width = above - low;
        let ty = type_name("", Kind::Vector, width);
        writeln!(out, "    {ty} reserved_{low};").unwrap();
    }
}

fn registers(out: &mut String, table: &RegisterTable) {
    comment(out, table.doc);
    for register in table.registers {
        let access = match register.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::Any => "read or write",
        };
        let doc = paragraph(register.doc);
        let doc = doc.split(". ").next().unwrap_or("").trim_end_matches('.');
        writeln!(
            out,
            "  localparam logic [11:0] {} = 12'h{:03x};  // {access}: {doc}",
            register.name, register.offset
        )
        .unwrap();
    }
}
