//! Emits SystemRDL 2.0: registers for generators of drivers, pages and verification models.

use std::fmt::Write;

use super::{paragraph, snake};
use crate::{Access, Item, Package, RegisterInfo, RegisterTable};

/// One address map per page of registers; the host reads and writes words of `word` bits.
pub fn systemrdl(device: &str, word: u32, packages: &[&Package]) -> String {
    let sources = super::sources(packages);
    let mut out = format!("// Generated from {sources} by `make tables`; do not edit.\n");
    for item in packages.iter().flat_map(|package| package.items) {
        if let Item::Registers(table) = item {
            page(&mut out, device, word, table);
        }
    }
    out
}

fn page(out: &mut String, device: &str, word: u32, table: &RegisterTable) {
    writeln!(out, "\naddrmap {device}_{} {{", snake(table.name)).unwrap();
    writeln!(out, "  name = \"{}\";\n  desc = {};", table.name, quoted(table.doc)).unwrap();
    writeln!(out, "  default regwidth = {word};\n  default accesswidth = {word};").unwrap();
    for register in table.registers {
        self::register(out, register);
    }
    writeln!(out, "}};").unwrap();
}

fn register(out: &mut String, register: &RegisterInfo) {
    writeln!(out, "\n  reg {{\n    name = \"{}\";\n    desc = {};", register.name, quoted(register.doc))
        .unwrap();
    let whole = [("value", "", register.width - 1, 0)];
    let parts: Vec<_> = match register.layout {
        Some(layout) => {
            layout.fields.iter().map(|field| (field.name, field.doc, field.high, field.low)).collect()
        }
        None => whole.into(),
    };
    // The device writes what the host reads, and vice versa.
    let (host, device) = match register.access {
        Access::Read => ("r", "w"),
        Access::Write => ("w", "r"),
        Access::Any => ("rw", "rw"),
    };
    for (name, doc, high, low) in parts {
        let width = high - low + 1;
        let reset = register.reset >> low & u64::MAX >> (64 - width);
        let says = if doc.is_empty() { String::new() } else { format!(" desc = {};", quoted(doc)) };
        // Names are escaped with a backslash, because they may be keywords.
        writeln!(
            out,
            "    field {{ sw = {host}; hw = {device};{says} }} \\{name}[{high}:{low}] = {width}'h{reset:x};"
        )
        .unwrap();
    }
    writeln!(out, "  }} \\{} @ 0x{:03x};", snake(register.name), register.offset).unwrap();
}

/// A doc comment as a SystemRDL string.
fn quoted(doc: &str) -> String {
    format!("\"{}\"", paragraph(doc).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
#[allow(dead_code)] // Of these types only the tables are looked at.
mod tests {
    use super::*;

    crate::fields! {
        /// A word.
        pub struct Word in page_pkg {
            /// Says "low".
            [3:0] low: u8,
            /// High.
            [8] high: bool,
        }
    }

    crate::registers! {
        /// A page.
        pub enum PageRegister in page_pkg {
            /// A register without fields.
            Whole = 0x010 Write, width 5, reset 0x3;
            /// A register with fields.
            Parts = 0x020 Read, width 9, reset 0x10f, layout Word;
        }
    }

    #[test]
    fn fields_have_their_bits_and_reset_values() {
        const PACKAGE: Package = Package {
            path: "device/page_pkg",
            source: "page.rs",
            items: &[Item::Registers(PageRegister::TABLE)],
        };
        let text = systemrdl("device", 32, &[&PACKAGE]);
        for line in [
            "addrmap device_page_register {",
            "  default regwidth = 32;",
            r"    field { sw = w; hw = r; } \value[4:0] = 5'h3;",
            r"  } \whole @ 0x010;",
            r#"    field { sw = r; hw = w; desc = "Says \"low\"."; } \low[3:0] = 4'hf;"#,
            r#"    field { sw = r; hw = w; desc = "High."; } \high[8:8] = 1'h1;"#,
        ] {
            assert!(text.lines().any(|other| other == line), "{line} in {text}");
        }
    }
}
