//! Numbers as users type them, in the shell and on the command line: `5000000`, `5_000_000`, `5e6`, `0x200`.

use thiserror::Error;

/// Reason why a text is not a whole number of 0 to 2^64 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotANumber {
    /// A character is not part of a number, or digits are missing.
    #[error("this is not a number such as 5000000, 5_000_000, 5e6 or 0x200")]
    Malformed,
    /// The number has a fraction.
    #[error("this is not a whole number")]
    Fraction,
    /// The number needs more than 64 bits.
    #[error("the number is too large; the maximum is 18446744073709551615")]
    TooLarge,
}

/// Reason why a text is not a valid number of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NumberError {
    /// The text is not a number.
    #[error("`{text}`: {error}")]
    Number {
        /// Text of the parameter.
        text: String,
        /// Reason.
        error: NotANumber,
    },
    /// The text of a parameter of the manual does not begin with a digit.
    #[error("`{0}` is not a number")]
    NoDigits(String),
    /// The number exceeds the parameter's limit.
    #[error("{text} is out of range, the most is {most}")]
    Range {
        /// Text of the parameter.
        text: String,
        /// Largest permitted value, in the base of the text.
        most: String,
    },
}

/// Parses a whole number of 0 to 2^64 - 1.
///
/// Digits are decimal, also after leading zeros, or hexadecimal after `0x`. Underscores are ignored. A decimal
/// number may have an exponent, and a fraction that the exponent makes whole. Any other character is an error.
///
/// ```
/// use machine_api::number;
///
/// assert_eq!(number("1_000_000"), Ok(1_000_000));
/// assert_eq!(number("1.5e6"), Ok(1_500_000));
/// assert_eq!(number("0x200"), Ok(512));
/// assert_eq!(number("010"), Ok(10));
/// assert!(number("24x").is_err() && number("1.5").is_err() && number("-1").is_err());
/// ```
pub fn number(text: &str) -> Result<u64, NotANumber> {
    let plain = text.replace('_', "");
    let plain = plain.strip_prefix('+').unwrap_or(&plain);
    if let Some(digits) = plain.strip_prefix("0x").or(plain.strip_prefix("0X")) {
        return accumulate(digits, 16);
    }
    let (mantissa, exponent) = match plain.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, accumulate(exponent.strip_prefix('+').unwrap_or(exponent), 10)?)
        }
        None => (plain, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = accumulate(&format!("{whole}{fraction}"), 10)?;
    // 1.5e6 is a whole number, 1.55e1 is not.
    let zeros = exponent.checked_sub(fraction.len() as u64).ok_or(NotANumber::Fraction)?;
    let power = u32::try_from(zeros).ok().and_then(|zeros| 10u64.checked_pow(zeros));
    power.and_then(|power| digits.checked_mul(power)).ok_or(NotANumber::TooLarge)
}

/// The value of digits; at least one is required.
fn accumulate(digits: &str, radix: u32) -> Result<u64, NotANumber> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(NotANumber::Malformed);
    }
    u64::from_str_radix(digits, radix).map_err(|_| NotANumber::TooLarge)
}

/// Parses a number up to `most`, as [`number`] does.
///
/// ```
/// assert_eq!(machine_api::number_up_to("1e3", 1000), Ok(1000));
/// assert!(machine_api::number_up_to("1001", 1000).is_err());
/// ```
pub fn number_up_to(text: &str, most: u64) -> Result<u64, NumberError> {
    let shown = || text.to_string();
    let value = number(text).map_err(|error| NumberError::Number { text: shown(), error })?;
    if value > most {
        let is_hexadecimal = text.trim_start_matches('+').starts_with(['0']) && text.contains(['x', 'X']);
        let most = if is_hexadecimal { format!("{most:#x}") } else { most.to_string() };
        return Err(NumberError::Range { text: shown(), most });
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_underscores_exponents_and_a_prefix() {
        for (text, value) in [
            ("0", 0),
            ("5000000", 5_000_000),
            ("5_000_000", 5_000_000),
            ("5e6", 5_000_000),
            ("1.5E3", 1_500),
            ("+7", 7),
            ("0x200", 0x200),
            ("0XfF_fF", 0xffff),
            ("0x1e6", 0x1e6),
            ("18446744073709551615", u64::MAX),
            ("0xffffffffffffffff", u64::MAX),
        ] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn leading_zeros_are_decimal() {
        for (text, value) in [("010", 10), ("089", 89), ("00", 0), ("0_1", 1), ("01e2", 100)] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn tails_fractions_and_signs_are_refused() {
        for text in [
            "",
            "_",
            "e",
            "1e",
            "e6",
            "-1",
            "+-1",
            "++1",
            "many",
            "24x",
            "55ff",
            "0x",
            "0xg",
            "0x+5",
            "x10",
            "1 0",
            " 1",
            "1.+5e2",
            ".",
            "1e-3",
            "1e2.5",
            "0b11",
            "0o7",
            "\u{661}",
            "1\u{fffd}",
        ] {
            assert_eq!(number(text), Err(NotANumber::Malformed), "{text}");
        }
        for text in ["1.5", "1.55e1"] {
            assert_eq!(number(text), Err(NotANumber::Fraction), "{text}");
        }
        for text in
            ["1e20", "18446744073709551616", "0x10000000000000000", "1e99999999999", "1e99999999999999999999"]
        {
            assert_eq!(number(text), Err(NotANumber::TooLarge), "{text}");
        }
    }

    #[test]
    fn limit_is_shown_in_the_base_of_the_number() {
        assert_eq!(number_up_to("3", 3), Ok(3));
        for (text, error) in [
            ("4", "4 is out of range, the most is 3"),
            ("0x4", "0x4 is out of range, the most is 0x3"),
            ("04", "04 is out of range, the most is 3"),
            ("24x", "`24x`: this is not a number such as 5000000, 5_000_000, 5e6 or 0x200"),
        ] {
            assert_eq!(number_up_to(text, 3).unwrap_err().to_string(), error);
        }
    }
}
