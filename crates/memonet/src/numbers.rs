//! Numbers as users type them: 5000000, 5_000_000, 5e6.

use std::time::Duration;

/// Parses a whole number of 0 to 2^64 - 1.
pub fn number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let (mantissa, exponent) = match plain.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa.to_string(), exponent.parse::<u32>().map_err(wrong)?),
        None => (plain, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((&mantissa, ""));
    // 1.5e6 is a whole number, 1.55e1 is not.
    let zeros = exponent.checked_sub(fraction.len() as u32).ok_or("this is not a whole number")?;
    let digits: u64 = format!("{whole}{fraction}").parse().map_err(wrong)?;
    10u64.checked_pow(zeros).and_then(|power| digits.checked_mul(power)).ok_or_else(|| TOO_LARGE.to_string())
}

/// Parses a whole number of at least 1.
pub fn positive(text: &str) -> Result<u64, String> {
    match number(text)? {
        0 => Err("the minimum is 1".to_string()),
        number => Ok(number),
    }
}

/// Parses a number that fits in memory.
pub fn count(text: &str) -> Result<usize, String> {
    usize::try_from(number(text)?).map_err(|_| TOO_LARGE.to_string())
}

/// Parses a share such as 1% or 0.01%; returns millionths.
pub fn share(text: &str) -> Result<u32, &'static str> {
    let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    match percent.filter(|percent| (0.0..=100.0).contains(percent)) {
        Some(percent) => Ok((percent * 1e4).round() as u32),
        None => Err("a share is a number with %, such as 1% or 0.01%"),
    }
}

/// Parses a time of the computer's clock in seconds, such as 10 or 0.5.
pub fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or("a time in seconds is a number above 0, such as 10 or 0.5")
}

/// Formats a share in millionths as users type it.
pub fn percent(share: u32) -> String {
    format!("{}%", f64::from(share) / 1e4)
}

const TOO_LARGE: &str = "the number is too large; the maximum is 18446744073709551615";

fn wrong(error: std::num::ParseIntError) -> String {
    match error.kind() {
        std::num::IntErrorKind::PosOverflow => TOO_LARGE.to_string(),
        _ => "this is not a number such as 5000000, 5_000_000 or 5e6".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_underscores_and_exponents() {
        for (text, value) in [
            ("0", 0),
            ("5000000", 5_000_000),
            ("5_000_000", 5_000_000),
            ("5e6", 5_000_000),
            ("1.5E3", 1_500),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn shares_are_formatted_as_they_are_parsed() {
        for text in ["0%", "0.0001%", "1%", "12.5%", "100%"] {
            assert_eq!(percent(share(text).unwrap()), text);
        }
    }

    #[test]
    fn seconds_are_positive_and_finite() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "0", "-1", "inf", "nan", "1e99", "10s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn fractions_and_overflows_are_refused() {
        for text in [
            "",
            "e",
            "1e",
            "e6",
            "1.5",
            "1.55e1",
            "-1",
            "+-1",
            "1e20",
            "18446744073709551616",
            "many",
            "1e99999999999",
        ] {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(positive("0").is_err() && positive("1").is_ok());
    }
}
