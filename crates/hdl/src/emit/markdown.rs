//! Emits register and packet pages for docs/registers.

use std::fmt::Write;

use super::paragraph;
use crate::{Access, FieldsTable, RegisterTable};

/// A page of documentation for a page of registers.
pub fn register_page(title: &str, source: &str, table: &RegisterTable) -> String {
    let mut out = header(title, source, table.doc);
    writeln!(out, "| Offset | Host | Register | Bits | Reset | Meaning |\n|---|---|---|---|---|---|")
        .unwrap();
    for register in table.registers {
        let access = match register.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::Any => "read or write",
        };
        writeln!(
            out,
            "| 0x{:03x} | {access} | {} | {} | {:#x} | {} |",
            register.offset,
            register.name,
            register.width,
            register.reset,
            paragraph(register.doc)
        )
        .unwrap();
    }
    for register in table.registers {
        if let Some(layout) = register.layout {
            writeln!(out, "\n## {} (0x{:03x})\n", register.name, register.offset).unwrap();
            writeln!(out, "{}\n", paragraph(layout.doc)).unwrap();
            field_table(&mut out, layout);
        }
    }
    out
}

/// A page of documentation for packed words.
pub fn fields_page(title: &str, source: &str, intro: &str, words: &[&FieldsTable]) -> String {
    let mut out = header(title, source, intro);
    for word in words {
        writeln!(out, "## {}\n\n{}\n", word.name, paragraph(word.doc)).unwrap();
        field_table(&mut out, word);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn header(title: &str, source: &str, intro: &str) -> String {
    format!(
        "<!-- Generated from {source} by `make tables`; do not edit. -->\n# {title}\n\n{}\n\n",
        paragraph(intro)
    )
}

fn field_table(out: &mut String, table: &FieldsTable) {
    writeln!(out, "| Bits | Field | Meaning |\n|---|---|---|").unwrap();
    for field in table.fields {
        let bits = if field.high == field.low {
            format!("{}", field.low)
        } else {
            format!("{}:{}", field.high, field.low)
        };
        writeln!(out, "| {bits} | {} | {} |", field.name, paragraph(field.doc)).unwrap();
    }
}
