//! Numbers of the command line. The shell reads them by the same function, `machine_api::number`.

use std::ops::RangeInclusive;
use std::time::Duration;

use machine_api::command::NotANumber;

/// Parses a whole number of 0 to 2^64 - 1.
pub fn number(text: &str) -> Result<u64, String> {
    machine_api::number(text).map_err(|error| error.to_string())
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
    usize::try_from(number(text)?).map_err(|_| NotANumber::TooLarge.to_string())
}

/// A parser of whole numbers in this range; its error names the quantity: `the number of nodes is 2 to 16`.
pub fn within<T>(
    range: RangeInclusive<u64>,
    quantity: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<u64>,
{
    move |text| {
        let found = number(text)?;
        let fits =
            Some(found).filter(|found| range.contains(found)).and_then(|found| T::try_from(found).ok());
        fits.ok_or_else(|| match (*range.start(), *range.end()) {
            (least, u64::MAX) => format!("{quantity} is at least {least}"),
            (least, most) => format!("{quantity} is {least} to {most}"),
        })
    }
}

/// Parses a load: more than 0, at most 1.
pub fn load(text: &str) -> Result<f64, &'static str> {
    let load = text.parse::<f64>().ok().filter(|load| *load > 0.0 && *load <= 1.0);
    load.ok_or("a load is a number, more than 0 and at most 1")
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn number_out_of_range_is_named() {
        let nodes = within::<u16>(2..=16, "the number of nodes");
        assert_eq!((nodes("2"), nodes("1.6e1")), (Ok(2), Ok(16)));
        for text in ["1", "17", "99999"] {
            assert_eq!(nodes(text), Err("the number of nodes is 2 to 16".to_string()), "{text}");
        }
        assert_eq!(within::<u64>(1..=u64::MAX, "the count")("0"), Err("the count is at least 1".to_string()));
        assert!(nodes("many").unwrap_err().contains("not a number"));
    }

    #[test]
    fn load_is_a_share_of_more_than_nothing() {
        assert_eq!((load("1"), load("0.25")), (Ok(1.0), Ok(0.25)));
        for text in ["0", "-1", "1.01", "nan", "inf", "", "x"] {
            assert!(load(text).is_err(), "{text}");
        }
    }

    #[test]
    fn minimum_of_a_positive_number_is_1() {
        assert_eq!(positive("0").unwrap_err(), "the minimum is 1");
        assert_eq!(positive("1e3"), Ok(1000));
        assert!(positive("24x").is_err());
    }
}
