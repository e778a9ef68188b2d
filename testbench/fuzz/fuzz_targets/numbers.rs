//! Arbitrary text as a number of the shell and the command line, and as one of the manual of DIMMnet-2.

#![no_main]

use machine_api::command::{number, number_up_to, strtoul};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let value = number(text);
    for most in [0, 255, u64::from(u32::MAX), u64::MAX] {
        assert_eq!(number_up_to(text, most).ok(), value.ok().filter(|value| *value <= most));
    }
    if let Ok(value) = value {
        assert!(text.chars().all(|letter| letter.is_ascii_hexdigit() || "xX_+.".contains(letter)));
        for same in [value.to_string(), format!("{value:#x}"), format!("0{value}")] {
            assert_eq!(number(&same), Ok(value));
            assert!(number(&format!("{same}z")).is_err());
        }
    }
    if let Ok(prefix) = strtoul(text, u64::MAX) {
        let whole = text.strip_suffix(prefix.tail).expect("the tail is the end of the text");
        let again = strtoul(whole, u64::MAX).expect("the rest is a number");
        assert_eq!((again.value, again.tail), (prefix.value, ""));
    }
});
