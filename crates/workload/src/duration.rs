//! Durations as text: `10us`, `2.5 ms`, or a number of picoseconds.

use cluster::Duration;

use crate::quote::quote;

/// Longest duration in a file, 1,000 s: longer than any run, and short enough that sums of a few never
/// overflow.
pub const LONGEST: Duration = Duration::from_ps(1_000_000_000_000_000);

/// Reason why a text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// The text is not a number with a unit.
    #[error("{} is no time; write a number and a unit, as in 10us, 250ns or 1.5ms, or picoseconds", quote(.0))]
    NotATime(String),
    /// The value has a fraction of a picosecond.
    #[error("{} is finer than a picosecond; leave digits out", quote(.0))]
    TooFine(String),
    /// The duration exceeds [`LONGEST`].
    #[error("{} is beyond 1000s, the longest time in a file", quote(.0))]
    TooLong(String),
}

/// Units and their values in picoseconds.
const UNITS: [(&str, u64); 7] = [
    ("", 1),
    ("ps", 1),
    ("ns", 1_000),
    ("us", 1_000_000),
    ("µs", 1_000_000),
    ("ms", 1_000_000_000),
    ("s", 1_000_000_000_000),
];

/// Parses a duration exactly: a number with a unit (ps, ns, us, ms or s), or a number of picoseconds.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let no_time = || DurationError::NotATime(text.to_owned());
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(end);
    let unit = unit.trim_start();
    let (_, scale) = *UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(no_time)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return Err(no_time());
    }
    let too_long = || DurationError::TooLong(text.to_owned());
    let whole: u64 = whole.parse().map_err(|_| too_long())?;
    let whole = whole.checked_mul(scale).filter(|ps| *ps <= LONGEST.ps()).ok_or_else(too_long)?;
    let too_fine = || DurationError::TooFine(text.to_owned());
    let ps = whole + part_of(fraction.trim_end_matches('0'), scale).ok_or_else(too_fine)?;
    if ps > LONGEST.ps() { Err(too_long()) } else { Ok(Duration::from_ps(ps)) }
}

/// Decimal fraction with these digits of `scale`; `None` unless it is an integer.
fn part_of(digits: &str, scale: u64) -> Option<u64> {
    if digits.is_empty() {
        return Some(0);
    }
    // The largest unit has 12 decimal places.
    let places = u32::try_from(digits.len()).ok().filter(|places| *places <= 12)?;
    let parts = digits.parse::<u128>().ok()? * u128::from(scale);
    let of = 10u128.pow(places);
    parts.is_multiple_of(of).then(|| (parts / of) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_exactly() {
        for (text, ps) in [
            ("0", 0),
            ("250000", 250_000),
            ("7ps", 7),
            ("250ns", 250_000),
            ("2.5us", 2_500_000),
            ("2.50 µs", 2_500_000),
            (" 10 ms ", 10_000_000_000),
            ("0.000000000001s", 1),
            ("1000s", LONGEST.ps()),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_ps(ps)), "{text}");
        }
    }

    #[test]
    fn invalid_durations_are_refused_with_a_remedy() {
        for text in ["", "us", "10 cm", "-1us", "1.us", ".5us", "1.2.3us", "1e3ns", "1us 2", "٣us", "nan"] {
            assert_eq!(parse_duration(text), Err(DurationError::NotATime(text.into())), "{text}");
        }
        for text in ["0.5ps", "1.0001ns", "0.5", "0.0000000000000000000000000000000000001s"] {
            assert_eq!(parse_duration(text), Err(DurationError::TooFine(text.into())), "{text}");
        }
        for text in ["1001s", "99999999999999999999", "18446744073709551615s", "1000.5s"] {
            assert_eq!(parse_duration(text), Err(DurationError::TooLong(text.into())), "{text}");
        }
        let error = parse_duration("10 cm").unwrap_err().to_string();
        assert_eq!(
            error,
            "`10 cm` is no time; write a number and a unit, as in 10us, 250ns or 1.5ms, or picoseconds"
        );
    }
}
