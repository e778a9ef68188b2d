//! Emitters of tables: SystemVerilog packages, pages for docs/registers, C headers, SystemRDL, Python. Logic
//! is never emitted.

mod c_header;
mod generated;
mod markdown;
mod python;
mod systemrdl;
mod systemverilog;

pub use c_header::c_header;
pub use generated::{Generated, driver_files, files, sources_list, stale, write};
pub use markdown::{package_page, register_page, sections};
pub use python::pins;
pub use systemrdl::systemrdl;
pub use systemverilog::package;

use crate::{Access, Package};

/// `UpperCamelCase` to `snake_case`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// The Rust files that declare the packages, for the header of a generated file.
fn sources(packages: &[&Package]) -> String {
    packages.iter().map(|package| package.source).collect::<Vec<_>>().join(", ")
}

/// A doc comment as one paragraph.
fn paragraph(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Breaks text into lines of at most `width` characters; a longer word gets a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// Direction of a register in English.
fn direction(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::Any => "read or write",
    }
}

/// Position of a field in the notation of the papers: `5` or `41:32`.
fn position(high: u32, low: u32) -> String {
    if high == low { format!("{low}") } else { format!("{high}:{low}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrap_never_exceeds_the_width_unless_a_word_does() {
        assert_eq!(
            wrap("one two three incomprehensible four", 9),
            ["one two", "three", "incomprehensible", "four"]
        );
    }
}
