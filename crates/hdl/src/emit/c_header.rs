//! Emits a C header with the definitions that a driver of the device needs.

use std::fmt::Write;

use super::{direction, paragraph, snake, wrap};
use crate::{CodeTable, FieldsTable, Item, Package, RegisterTable};

/// Longest line of a comment.
const COLUMNS: usize = 100;

/// A header with the registers, packed words, codes and constants of packages; pins and states are left out.
pub fn c_header(device: &str, packages: &[&Package]) -> String {
    let (sources, prefix) = (super::sources(packages), device.to_uppercase());
    let mut out = format!("/* Generated from {sources} by `make tables`; do not edit. */\n");
    let guard = format!("MEMONET_{prefix}_H");
    writeln!(out, "#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>").unwrap();
    comment(
        &mut out,
        &format!(
            "{prefix}_GET(word, FIELD) is a field of a word, {prefix}_PUT(value, FIELD) a word with that field alone; FIELD is a name \
             below, without _MASK or _SHIFT."
        ),
    );
    writeln!(out, "#define {prefix}_GET(word, field) (((uint64_t)(word) & field##_MASK) >> field##_SHIFT)")
        .unwrap();
    writeln!(out, "#define {prefix}_PUT(value, field) (((uint64_t)(value) << field##_SHIFT) & field##_MASK)")
        .unwrap();
    for item in packages.iter().flat_map(|package| package.items) {
        match item {
            Item::Registers(table) => registers(&mut out, &prefix, table),
            Item::Fields(table) => fields(&mut out, &prefix, table),
            Item::Codes(table) => codes(&mut out, &prefix, table),
            Item::Constant { name, value, doc, .. } => {
                comment(&mut out, doc);
                define(&mut out, &format!("{prefix}_{}", upper(name)), *value);
            }
            Item::StateMachine(_) | Item::Bundle(_) => {}
        }
    }
    writeln!(out, "\n#endif").unwrap();
    out
}

/// Offset, meaningful bits and reset value of each register. The suffix `Register` of the page's name is
/// dropped.
fn registers(out: &mut String, prefix: &str, table: &RegisterTable) {
    comment(out, table.doc);
    let page = match table.name.trim_end_matches("Register") {
        "" => String::new(),
        page => upper(page) + "_",
    };
    for register in table.registers {
        comment(out, &format!("{} The host may {} it.", paragraph(register.doc), direction(register.access)));
        let name = format!("{prefix}_{page}{}", upper(register.name));
        writeln!(out, "#define {name}_OFFSET 0x{:03x}u", register.offset).unwrap();
        define(out, &format!("{name}_MASK"), u64::MAX >> (64 - register.width));
        define(out, &format!("{name}_RESET"), register.reset);
    }
}

/// Position and mask of each field of a word.
fn fields(out: &mut String, prefix: &str, table: &FieldsTable) {
    comment(out, table.doc);
    for field in table.fields {
        comment(out, field.doc);
        let name = format!("{prefix}_{}_{}", upper(table.name), field.name.to_uppercase());
        writeln!(out, "#define {name}_SHIFT {}", field.low).unwrap();
        define(out, &format!("{name}_MASK"), u64::MAX >> (64 - field.width()) << field.low);
    }
}

fn codes(out: &mut String, prefix: &str, table: &CodeTable) {
    comment(out, table.doc);
    for code in table.codes {
        comment(out, code.doc);
        writeln!(out, "#define {prefix}_{}_{} 0x{:02x}u", upper(table.name), upper(code.name), code.value)
            .unwrap();
    }
}

fn define(out: &mut String, name: &str, value: u64) {
    writeln!(out, "#define {name} UINT64_C(0x{value:x})").unwrap();
}

fn upper(name: &str) -> String {
    snake(name).to_uppercase()
}

/// A doc comment above its declaration.
fn comment(out: &mut String, doc: &str) {
    let doc = paragraph(doc).replace("*/", "* /").replace("/*", "/ *");
    let lines = wrap(&doc, COLUMNS - 6);
    writeln!(out, "\n/* {} */", lines.join("\n   ")).unwrap();
}

#[cfg(test)]
#[allow(dead_code)] // Of these types only the tables are looked at.
mod tests {
    use super::*;

    crate::registers! {
        /// A page.
        pub enum PageRegister in page_pkg {
            /// It begins /* or ends.
            Begin = 0x010 Any, width 5, reset 0x3;
        }
    }

    crate::fields! {
        /// A word.
        pub struct Word in page_pkg {
            /// High part.
            [41:40] high: u8,
        }
    }

    crate::codes! {
        /// Kinds.
        pub enum Kind in page_pkg, width 3 {
            /// The only kind.
            One = 0b101,
        }
    }

    #[test]
    fn header_defines_registers_fields_and_codes() {
        const PACKAGE: Package = Package {
            path: "device/page_pkg",
            source: "page.rs",
            items: &[
                Item::Registers(PageRegister::TABLE),
                Item::Fields(Word::TABLE),
                Item::Codes(Kind::TABLE),
            ],
        };
        let header = c_header("device", &[&PACKAGE]);
        for line in [
            "/* It begins / * or ends. The host may read or write it. */",
            "#define DEVICE_PAGE_BEGIN_OFFSET 0x010u",
            "#define DEVICE_PAGE_BEGIN_MASK UINT64_C(0x1f)",
            "#define DEVICE_PAGE_BEGIN_RESET UINT64_C(0x3)",
            "#define DEVICE_WORD_HIGH_SHIFT 40",
            "#define DEVICE_WORD_HIGH_MASK UINT64_C(0x30000000000)",
            "#define DEVICE_KIND_ONE 0x05u",
        ] {
            assert!(header.lines().any(|other| other == line), "{line} in {header}");
        }
    }
}
