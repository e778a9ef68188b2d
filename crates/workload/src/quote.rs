//! Words of a file as errors show them.

/// Characters that are shown of a word.
const MOST: usize = 40;

/// The word in quotes: short, and without what a terminal would act on.
pub(crate) fn quote(text: &str) -> String {
    let dots = if text.chars().nth(MOST).is_some() { "..." } else { "" };
    format!("`{}{dots}`", plain(text.chars().take(MOST)))
}

/// Text without what a terminal would act on.
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
    fn words_are_shown_short_and_plain() {
        assert_eq!(quote("a \"b\""), "`a \"b\"`");
        assert_eq!(quote("\x1b[2Jx\n"), "`\\u{1b}[2Jx\\n`");
        assert_eq!(quote(&"x".repeat(41)), format!("`{}...`", "x".repeat(40)));
    }
}
