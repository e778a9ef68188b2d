//! Numbers of the command line. The shell reads them by the same function, `machine_api::number`.

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

/// Parses a share such as 1% or 0.01%; returns millionths.
pub fn share(text: &str) -> Result<u32, &'static str> {
    let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    match percent.filter(|percent| (0.0..=100.0).contains(percent)) {
        Some(percent) => Ok((percent * 1e4).round() as u32),
        None => Err("a share is a number with %, such as 1% or 0.01%"),
    }
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
    fn minimum_of_a_positive_number_is_1() {
        assert_eq!(positive("0").unwrap_err(), "the minimum is 1");
        assert_eq!(positive("1e3"), Ok(1000));
        assert!(positive("24x").is_err());
    }
}
