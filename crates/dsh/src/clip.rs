//! Typed text in error messages, without the middle of very long ones.

/// Longest text that is quoted whole.
const LONGEST: usize = 2000;

/// Length of the two ends of a longer one: an error begins with the reason and ends with the remedy.
const ENDS: usize = 300;

/// The text, without its middle if it is long.
pub(crate) fn clip(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let front: String = text.chars().take(ENDS).collect();
    let behind = text.chars().count().saturating_sub(ENDS);
    format!("{front} ... {}", text.chars().skip(behind.max(ENDS)).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_lose_their_middle_and_short_ones_nothing() {
        assert_eq!(clip("short".to_string()), "short");
        for long in ["x".repeat(10_000_000), "\u{1f980}".repeat(501)] {
            let clipped = clip(format!("begin {long} end"));
            assert!(clipped.starts_with("begin ") && clipped.ends_with(" end"), "{clipped}");
            assert!(clipped.chars().count() <= 2 * ENDS + 5, "{clipped}");
        }
    }
}
