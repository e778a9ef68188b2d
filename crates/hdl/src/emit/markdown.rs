//! Emits pages for docs/registers.

use std::fmt::Write;

use super::{direction, paragraph, position};
use crate::{BundleTable, CodeTable, FieldsTable, Item, Package, RegisterTable};

/// A page of documentation for a page of registers.
pub fn register_page(title: &str, source: &str, table: &RegisterTable) -> String {
    let mut out = header(title, source, table.doc);
    writeln!(out, "| Offset | Host | Register | Bits | Reset | Meaning |\n|---|---|---|---|---|---|")
        .unwrap();
    for register in table.registers {
        let name = match register.layout {
            Some(layout) => format!("[{}](#{})", register.name, layout.name.to_lowercase()),
            None => register.name.to_string(),
        };
        writeln!(
            out,
            "| 0x{:03x} | {} | {name} | {} | {:#x} | {} |",
            register.offset,
            direction(register.access),
            register.width,
            register.reset,
            cell(register.doc)
        )
        .unwrap();
    }
    let mut printed: Vec<&str> = Vec::new();
    for layout in table.registers.iter().filter_map(|register| register.layout) {
        if !printed.contains(&layout.name) {
            printed.push(layout.name);
            fields(&mut out, layout);
        }
    }
    out
}

/// A page of documentation for the declarations of packages: packed words, bundles and codes.
pub fn package_page(title: &str, intro: &str, packages: &[&Package]) -> String {
    let mut out = header(title, &super::sources(packages), intro);
    out.truncate(out.trim_end().len());
    out.push('\n');
    for package in packages {
        out += &sections(package.items);
    }
    out
}

/// One section for each packed word, bundle, set of codes and constant.
pub fn sections(items: &[Item]) -> String {
    let mut out = String::new();
    for item in items {
        match item {
            Item::Fields(table) => fields(&mut out, table),
            Item::Bundle(table) => bundle(&mut out, table),
            Item::Codes(table) => codes(&mut out, table),
            Item::Constant { name, width, value, doc } => {
                let width = *width as usize;
                writeln!(out, "\n`{name}` = {width}'b{value:0width$b}: {}", paragraph(doc)).unwrap();
            }
            Item::StateMachine(_) | Item::Registers(_) => {}
        }
    }
    out
}

fn header(title: &str, sources: &str, intro: &str) -> String {
    format!(
        "<!-- Generated from {sources} by `make tables`; do not edit. -->\n# {title}\n\n{}\n\n",
        paragraph(intro)
    )
}

/// A doc comment as the text of one table cell.
fn cell(doc: &str) -> String {
    paragraph(doc).replace('|', "\\|")
}

fn section(out: &mut String, name: &str, doc: &str) {
    writeln!(out, "\n## {name}\n\n{}\n", paragraph(doc)).unwrap();
}

fn fields(out: &mut String, table: &FieldsTable) {
    section(out, table.name, table.doc);
    writeln!(out, "| Bits | Field | Meaning |\n|---|---|---|").unwrap();
    for field in table.fields {
        let at = position(field.high, field.low);
        writeln!(out, "| {at} | {} | {} |", field.name, cell(field.doc)).unwrap();
    }
}

fn bundle(out: &mut String, table: &BundleTable) {
    section(out, table.name, table.doc);
    writeln!(out, "| Bits | Field | Meaning |\n|---|---|---|").unwrap();
    for field in table.fields {
        let at = position(field.offset + field.width - 1, field.offset);
        writeln!(out, "| {at} | {} | {} |", field.name, cell(field.doc)).unwrap();
    }
}

fn codes(out: &mut String, table: &CodeTable) {
    section(out, table.name, table.doc);
    writeln!(out, "| Code | Hex | Name | Meaning |\n|---|---|---|---|").unwrap();
    let width = table.width as usize;
    for code in table.codes {
        let (value, digits) = (code.value, width.div_ceil(4));
        writeln!(
            out,
            "| {width}'b{value:0width$b} | {value:0digits$x} | {} | {} |",
            code.name,
            cell(code.doc)
        )
        .unwrap();
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_escape_vertical_bars() {
        assert_eq!(super::cell(" one | two\n"), "one \\| two");
    }
}
