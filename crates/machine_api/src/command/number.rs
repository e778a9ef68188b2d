//! Numbers as C's `strtoul` reads them with base 0 (thesis section C.3.1, note 2).

use thiserror::Error;

/// Reason why a text is not a valid number of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NumberError {
    /// The text does not begin with a digit.
    #[error("`{0}` is not a number")]
    NoDigits(String),
    /// The number exceeds the parameter's limit.
    #[error("{text} is out of range, the most is {}", like(.text, *.most))]
    Range {
        /// Text of the parameter.
        text: String,
        /// Largest permitted value.
        most: u64,
    },
}

/// Formats a number in the base of the typed one, for comparison.
fn like(text: &str, number: u64) -> String {
    match text.trim_start_matches(['+', '-']).as_bytes() {
        [b'0', b'x' | b'X', ..] => format!("{number:#x}"),
        [b'0', b'0'..=b'7', ..] => format!("0{number:o}"),
        _ => number.to_string(),
    }
}

/// Parses a number up to `most`: `0x` begins a hexadecimal number, `0` an octal one. The first invalid
/// character ends the number, so that `55ff` is 55.
///
/// A minus sign wraps around at 32 bits, or at 64 if `most` needs them, as in C. A text without any digit is
/// an error, where `strtoul` would return 0.
///
/// ```
/// assert_eq!(machine_api::number("55ff", 255), Ok(55));
/// assert_eq!(machine_api::number("0x55ff", 0xffff), Ok(0x55ff));
/// assert_eq!(machine_api::number("0755", 0xffff), Ok(0o755));
/// assert_eq!(machine_api::number("-1", 0xffff_ffff), Ok(0xffff_ffff));
/// ```
pub fn number(text: &str, most: u64) -> Result<u64, NumberError> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X"));
    // `0x` without a following digit is the octal number 0 and an invalid character.
    let (radix, digits) = match hexadecimal {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_hexdigit()) => (16, digits),
        _ if unsigned.starts_with('0') => (8, unsigned),
        _ => (10, unsigned),
    };
    let mut values = digits.chars().map_while(|c| c.to_digit(radix)).peekable();
    if values.peek().is_none() {
        return Err(NumberError::NoDigits(text.to_string()));
    }
    let value = values
        .try_fold(0u64, |value, digit| value.checked_mul(u64::from(radix))?.checked_add(u64::from(digit)));
    let width_mask = if most > u64::from(u32::MAX) { u64::MAX } else { u64::from(u32::MAX) };
    let value = match value {
        Some(value) if text.starts_with('-') && value <= width_mask => {
            Some(value.wrapping_neg() & width_mask)
        }
        value => value,
    };
    let range = || NumberError::Range { text: text.to_string(), most };
    value.filter(|value| *value <= most).ok_or_else(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: u64 = u32::MAX as u64;

    #[test]
    fn prefix_chooses_the_base() {
        assert_eq!(number("200", WORD), Ok(200));
        assert_eq!(number("0xaaaa0000", WORD), Ok(0xaaaa_0000));
        assert_eq!(number("0Xf", WORD), Ok(15));
        assert_eq!(number("010", WORD), Ok(8));
        assert_eq!(number("0", WORD), Ok(0));
        assert_eq!(number("+7", WORD), Ok(7));
    }

    #[test]
    fn first_bad_character_ends_the_number() {
        for (text, value) in [("55ff", 55), ("089", 0), ("0x", 0), ("0xg", 0), ("0778", 0o77), ("1e3", 1)] {
            assert_eq!(number(text, WORD), Ok(value), "{text}");
        }
    }

    #[test]
    fn text_without_a_digit_is_refused() {
        for text in ["", "x", "-", "+-1", "ff", " 1", "--1"] {
            assert_eq!(number(text, WORD), Err(NumberError::NoDigits(text.to_string())));
        }
    }

    #[test]
    fn value_beyond_the_most_is_out_of_range() {
        assert_eq!(number("3", 3), Ok(3));
        assert_eq!(number("4", 3).unwrap_err().to_string(), "4 is out of range, the most is 3");
        assert_eq!(number("0x4", 3).unwrap_err().to_string(), "0x4 is out of range, the most is 0x3");
        assert_eq!(number("011", 8).unwrap_err().to_string(), "011 is out of range, the most is 010");
        assert!(number("0x1ffffffffffffffff", u64::MAX).is_err());
        assert_eq!(number("18446744073709551615", u64::MAX), Ok(u64::MAX));
    }

    #[test]
    fn minus_sign_wraps_at_the_width() {
        assert_eq!(number("-1", WORD), Ok(WORD));
        assert_eq!(number("-0x10", WORD), Ok(0xffff_fff0));
        assert_eq!(number("-1", u64::MAX), Ok(u64::MAX));
        assert_eq!(number("-0", 3), Ok(0));
        assert!(number("-1", 3).is_err());
        assert!(number("-0x100000001", WORD).is_err());
    }
}
