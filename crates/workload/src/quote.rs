//! Quotations of file contents in errors.

/// Largest number of quoted characters.
const MOST: usize = 40;

/// Quotes a text, shortened and without terminal control characters.
pub(crate) fn quote(text: &str) -> String {
    let dots = if text.chars().nth(MOST).is_some() { "..." } else { "" };
    format!("`{}{dots}`", plain(text.chars().take(MOST)))
}

/// Escapes terminal control characters.
pub(crate) fn plain(text: impl Iterator<Item = char>) -> String {
    let mut plain = String::new();
    for c in text {
        match c {
            '"' | '\'' | '\\' => plain.push(c),
            _ => plain.extend(c.escape_debug()),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_short_and_escaped() {
        assert_eq!(quote("a \"b\""), "`a \"b\"`");
        assert_eq!(quote("\x1b[2Jx\n"), "`\\u{1b}[2Jx\\n`");
        assert_eq!(quote(&"x".repeat(41)), format!("`{}...`", "x".repeat(40)));
    }
}
