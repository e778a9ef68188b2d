//! Arbitrary files are valid schedules and topologies or give a one-line error; they never panic.
//!
//! `FUZZ_ROUNDS=1000000 cargo test --release -p workload fuzz` tries more files.

use std::ops::RangeInclusive;

use hdl::Stimulus;

use crate::schedule::{Schedule, Setting};
use crate::topology::Topology;

/// Number of files of each kind to try.
fn rounds() -> u32 {
    std::env::var("FUZZ_ROUNDS").map_or(3_000, |rounds| rounds.parse().expect("a number of rounds"))
}

/// Words of generated files, so that mutations get past the syntax check.
const WORDS: &[&str] = &[
    "[[message]]\n",
    "[[switch]]\n",
    "[[cable]]\n",
    "from",
    "to",
    "bytes",
    "id",
    "at",
    "after",
    "delay",
    "every",
    "count",
    "spread",
    "poll",
    "primitive",
    "name",
    "ports",
    "nodes",
    "ends",
    " = ",
    "\"",
    "\n",
    ",",
    "-",
    "+",
    ":",
    "all",
    "next",
    "previous",
    "others",
    "true",
    "0",
    "1",
    "3",
    "9223372036854775807",
    "18446744073709551615",
    "-1",
    "0.5",
    "us",
    "ps",
    "1000s",
    "[",
    "]",
    "{",
    "}",
    "#",
    "\0",
    "é",
    "\u{feff}",
    "\u{202e}",
    "\r",
    "'",
    "\\u001b",
    "leaf",
    "num_ranks 3\n",
    "rank 1 {\n",
    "l1: ",
    "send 8b to 1",
    "recv 8b from 0",
    "calc 100",
    " tag 2",
    "l2 requires l1\n",
    "l1 irequires l2\n",
    "/*",
    "//",
    "leaf0",
    "spine",
    "first",
    "second",
    "ping 1",
    "inf",
    "nan",
    "1979-05-27",
    "0x7fff",
    "1e400",
    "\"\"\"",
];

fn limits(name: &str) -> Option<RangeInclusive<u64>> {
    (name == "put").then_some(1..=4096)
}

/// Parses a text as each kind of file.
fn take(text: &str) {
    let setting = Setting { nodes: 5, primitive: "put", primitives: &["put"], limits: &limits };
    for parse in [Schedule::from_toml, Schedule::from_csv, Schedule::from_goal] {
        let schedule = parse(text, &setting);
        // A valid schedule can be planned.
        match schedule {
            Ok(schedule) => assert_eq!(std::sync::Arc::new(schedule).plans().len(), 5),
            Err(found) => is_a_line(&found.problem.to_string()),
        }
    }
    if let Err(found) = Topology::from_toml(text, 5) {
        is_a_line(&found.problem.to_string());
    }
}

fn is_a_line(error: &str) {
    assert!(!error.is_empty() && !error.contains(char::is_control), "{error:?}");
    assert!(error.len() < 1_000, "{error}");
}

/// Mutates a file at a few places.
fn mutate(text: &str, random: &mut Stimulus) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() as u64 + 1) as usize;
        let end = (at + random.below(8) as usize).min(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(at),
            1 => drop(bytes.splice(at..end, [random.word() as u8])),
            2 => drop(bytes.drain(at..end)),
            _ => {
                let word = WORDS[random.below(WORDS.len() as u64) as usize];
                bytes.splice(at..end, word.bytes());
            }
        }
    }
    bytes
}

#[test]
fn random_text_never_panics() {
    let mut random = Stimulus::new(1);
    for _ in 0..rounds() {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.word() as u8 & 0x7f).collect();
        take(&String::from_utf8_lossy(&bytes));
        let words: String =
            (0..length / 4).map(|_| WORDS[random.below(WORDS.len() as u64) as usize]).collect();
        take(&words);
    }
}

#[test]
fn mutated_examples_never_panic() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut random = Stimulus::new(2);
    for file in ["sparse.toml", "ring.toml", "pingpong.csv", "exchange.goal", "two-level.toml"] {
        let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        take(&text);
        for _ in 0..rounds() / 2 {
            take(&String::from_utf8_lossy(&mutate(&text, &mut random)));
        }
    }
}
