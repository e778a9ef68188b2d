//! Numbers as C's `strtoul` reads them with base 0 (thesis section C.3.1, note 2).

use super::NumberError;

/// A number, and the text behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix<'a> {
    /// The number.
    pub value: u64,
    /// The text from the first character on that is not part of the number.
    pub tail: &'a str,
}

/// Formats a number in the base of the typed one, for comparison.
fn like(text: &str, number: u64) -> String {
    match text.trim_start_matches(['+', '-']).as_bytes() {
        [b'0', b'x' | b'X', ..] => format!("{number:#x}"),
        [b'0', b'0'..=b'7', ..] => format!("0{number:o}"),
        _ => number.to_string(),
    }
}

/// Parses the number up to `most` that a text begins with: `0x` begins a hexadecimal number, `0` an octal one. The
/// first invalid character ends the number, so that `55ff` is 55.
///
/// A minus sign wraps around at 32 bits, or at 64 if `most` needs them, as in C. A text without any digit is
/// an error, where `strtoul` would return 0.
///
/// ```
/// use machine_api::command::{Prefix, strtoul};
///
/// assert_eq!(strtoul("55ff", 255), Ok(Prefix { value: 55, tail: "ff" }));
/// assert_eq!(strtoul("0x55ff", 0xffff), Ok(Prefix { value: 0x55ff, tail: "" }));
/// assert_eq!(strtoul("0755", 0xffff), Ok(Prefix { value: 0o755, tail: "" }));
/// assert_eq!(strtoul("-1", 0xffff_ffff), Ok(Prefix { value: 0xffff_ffff, tail: "" }));
/// ```
pub fn strtoul(text: &str, most: u64) -> Result<Prefix<'_>, NumberError> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X"));
    // `0x` without a following digit is the octal number 0 and an invalid character.
    let (radix, digits) = match hexadecimal {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_hexdigit()) => (16, digits),
        _ if unsigned.starts_with('0') => (8, unsigned),
        _ => (10, unsigned),
    };
    let tail = digits.trim_start_matches(|c: char| c.is_digit(radix));
    let digits = &digits[..digits.len() - tail.len()];
    if digits.is_empty() {
        return Err(NumberError::NoDigits(text.to_string()));
    }
    let width_mask = if most > u64::from(u32::MAX) { u64::MAX } else { u64::from(u32::MAX) };
    let value = match u64::from_str_radix(digits, radix).ok() {
        Some(value) if text.starts_with('-') && value <= width_mask => {
            Some(value.wrapping_neg() & width_mask)
        }
        value => value,
    };
    let value = value.filter(|value| *value <= most);
    let range = || NumberError::Range { text: text.to_string(), most: like(text, most) };
    value.map(|value| Prefix { value, tail }).ok_or_else(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: u64 = u32::MAX as u64;

    fn number(text: &str, most: u64) -> Result<u64, NumberError> {
        strtoul(text, most).map(|prefix| prefix.value)
    }

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
        for (text, value, tail) in [
            ("55ff", 55, "ff"),
            ("089", 0, "89"),
            ("0x", 0, "x"),
            ("0xg", 0, "xg"),
            ("0778", 0o77, "8"),
            ("1e3", 1, "e3"),
            ("1_000", 1, "_000"),
            ("-1x", WORD, "x"),
        ] {
            assert_eq!(strtoul(text, WORD), Ok(Prefix { value, tail }), "{text}");
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
