//! Tables as text: SystemVerilog packages and register pages. No logic is ever emitted.

mod markdown;
mod systemverilog;

pub use markdown::{fields_page, register_page};
pub use systemverilog::package;

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

/// The first sentence or line of a doc comment, for a trailing comment or a table cell.
fn tagline(doc: &str) -> &str {
    doc.trim().lines().next().unwrap_or("").trim()
}

/// A doc comment as one paragraph.
fn paragraph(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}
