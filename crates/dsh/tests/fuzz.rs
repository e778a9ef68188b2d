//! Random lines from the table of commands of each machine: none panics, every error is one line. Random numbers: they
//! are read whole or refused, except in commands of the manual.
//!
//! `DSH_FUZZ_LINES=10000000 cargo test --release -p dsh fuzz` runs more lines, `DSH_FUZZ_SEED` sets the seed.

use std::rc::Rc;

use cenju3_machine::Cenju3;
use dimmnet2_machine::Dimmnet2;
use dsh::table::{Entry, Kind, Parameter, command_names, entries};
use dsh::{End, LineShell, Models, Shell, Start};
use gigae_pm_machine::GigaePm;
use hca_machine::Hca;
use hdl::Stimulus;
use machine_api::Driven;
use machine_api::command::strtoul;
use machine_api::{number, number_up_to};

/// Lines of a session; each session has new boards, so that turning time back stays short.
const SESSION: u64 = 100;

/// Words outside of the table: conditions, registers, free names, and nonsense. No file can be created at these paths.
const WORDS: [&str; 37] = [
    "a",
    "frame lost from node1",
    "frame to node0",
    "RVS from node0",
    "b",
    "model",
    "rtl",
    "/nowhere/x.fst",
    "botf.state",
    "node1.packet_control.state",
    "request_acceptor",
    "core_logic.",
    "node9.x",
    "state",
    "botf.state == Botf1",
    "user_register0.botf_count >= 1",
    "botf Botf1->Botf2",
    "node1.packet_control Decode->Memory",
    "botf Botf1->Prim",
    "botf ->",
    "->",
    "node0..x == 1",
    "x=y=z",
    "state < 0",
    ".",
    "..",
    "==",
    "=",
    "<=",
    "#",
    "'",
    "\u{e9}",
    "\0",
    "%s%n",
    "from=",
    "BOTF",
    "node1.",
];

const NUMBERS: [&str; 36] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "55ff",
    "010",
    "089",
    "0x",
    "0x1f8",
    "0x200",
    "512",
    "1000",
    "0x7ff8",
    "0x8000",
    "0xffff",
    "65536",
    "0x1000000",
    "0xffffffff",
    "0x100000000",
    "0xffffffffffffffff",
    "99999999999999999999",
    "-1",
    "xyz",
    "1e2",
    "1_000",
    "1.5e3",
    "1.5",
    "24x",
    "+7",
    "0x1e2",
    "1e",
    "1e99999999999",
    "_",
    "\u{661}",
    "1\u{fffd}",
];

struct Lines<M: Driven> {
    random: Stimulus,
    entries: Vec<Entry<M>>,
    /// All words that may stand in a line.
    words: Vec<&'static str>,
}

impl<M: Driven> Lines<M> {
    fn new(seed: u64) -> Self {
        let entries = entries::<M>();
        let parameters = || entries.iter().flat_map(|entry| entry.parameters);
        let mut words: Vec<&str> = entries.iter().flat_map(|entry| entry.names).copied().collect();
        words.extend(parameters().flat_map(|parameter| match parameter.kind {
            Kind::Choice(choices) | Kind::Register(choices, _) => choices(),
            _ => vec![parameter.shown],
        }));
        words.extend(WORDS);
        words.extend(NUMBERS);
        words.sort_unstable();
        words.dedup();
        Lines { random: Stimulus::new(seed), entries, words }
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len() as u64) as usize]
    }

    /// A number that is often in range and often a multiple of 8.
    fn number(&mut self, most: u64) -> String {
        match self.random.below(8) {
            0 => format!("{}", self.random.word()),
            1 => self.pick(&NUMBERS).to_string(),
            2..4 => format!("{:#x}", self.random.below(most.min(0x1000).saturating_add(1))),
            _ if most < 8 => format!("{}", self.random.below(most + 1)),
            _ => format!("{}", 8 * self.random.below(65)),
        }
    }

    /// Words of commands in random order.
    fn jumble(&mut self) -> String {
        let mut line = String::new();
        for _ in 0..self.random.below(12) {
            line += &match self.random.below(8) {
                0 => self.number(u64::MAX),
                1 => format!(
                    "{}={}",
                    self.pick(&["from", "it", "val", "dt", "src", "ww", "to", ""]),
                    self.number(512)
                ),
                2 => (0..self.random.below(6)).map(|_| char::from(self.random.below(256) as u8)).collect(),
                _ => {
                    let words = std::mem::take(&mut self.words);
                    let word = self.pick(&words).to_string();
                    self.words = words;
                    word
                }
            };
            line.push(' ');
        }
        line
    }

    fn value(&mut self, parameter: &Parameter) -> String {
        match parameter.kind {
            Kind::Number(most) | Kind::ManualNumber(most) => self.number(most),
            Kind::Choice(choices) | Kind::Register(choices, _) => self.pick(&choices()).to_string(),
            Kind::Command => self.pick(&command_names::<M>()).to_string(),
            Kind::Literal => parameter.shown.to_string(),
            Kind::Expression | Kind::Words(_) | Kind::File | Kind::Word => self.pick(&WORDS).to_string(),
        }
    }

    /// A command with its parameters.
    fn command(&mut self) -> String {
        let entries = std::mem::take(&mut self.entries);
        let entry = self.pick(&entries);
        self.entries = entries;
        let mut words = vec![self.pick(entry.names).to_string()];
        for parameter in entry.parameters {
            if parameter.optional && self.random.one_in(2) {
                break;
            }
            let value = self.value(parameter);
            words.push(parameter.key.map_or(value.clone(), |key| format!("{key}={value}")));
        }
        words.join(" ")
    }

    fn line(&mut self) -> String {
        if self.random.one_in(4) {
            return self.jumble();
        }
        let line = self.command();
        // A word is missing or added from time to time.
        match self.random.below(16) {
            0 => line.chars().take(line.chars().count() / 2).collect(),
            1 => line + " 1",
            _ => line,
        }
    }
}

/// Prints the line that panics.
struct ToldOnPanic<'a>(u64, &'a [u8]);

impl Drop for ToldOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("line {}: {}", self.0, self.1.escape_ascii());
        }
    }
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Carries out random lines; of 64, one has a byte that is not UTF-8.
fn play<M: Driven<Device: Default>>(lines: u64) {
    let seed = variable("DSH_FUZZ_SEED", 1);
    println!("{}, seed {seed}", M::TITLE);
    let start = Start { processes: 2, pid: 0, wid: false };
    let open = || Shell::<M>::start(start, Rc::new(Models), "model").unwrap();
    let mut random = Lines::<M>::new(seed);
    let (mut shell, mut done, mut failed) = (open(), 0, 0);
    for n in 0..lines {
        if n % SESSION == 0 {
            shell = open();
        }
        let mut line = random.line().into_bytes();
        if random.random.one_in(64) {
            line.insert(random.random.below(line.len() as u64 + 1) as usize, 0xff);
        }
        let told = ToldOnPanic(n, &line);
        let end = shell.line_of_bytes(&line).end.expect("boards of its own are not lost");
        drop(told);
        match end {
            End::Next | End::Quit => {
                assert!(line.is_ascii() || std::str::from_utf8(&line).is_ok(), "{}", line.escape_ascii());
                done += 1;
            }
            End::Failed(error) => {
                failed += 1;
                assert!(!error.contains('\n') || line.contains(&b'\n'), "{}: {error}", line.escape_ascii());
            }
        }
    }
    println!("{done} lines done, {failed} refused");
    assert!(done > lines / 10 && failed > lines / 10, "the lines are of both kinds");
}

#[test]
fn random_lines_never_panic_and_errors_are_one_line() {
    play::<Dimmnet2>(variable("DSH_FUZZ_LINES", 5_000));
}

#[test]
fn random_lines_of_other_machines_never_panic() {
    let lines = variable("DSH_FUZZ_LINES", 3_000) / 3;
    play::<GigaePm>(lines);
    play::<Cenju3>(lines);
    play::<Hca>(lines);
}

/// Value of digits, if it has at most 64 bits.
fn value(digits: impl Iterator<Item = u32>, radix: u32) -> Option<u64> {
    let mut value = 0u128;
    for digit in digits {
        value = (value * u128::from(radix) + u128::from(digit)).min(u128::from(u64::MAX) + 1);
    }
    u64::try_from(value).ok()
}

/// The number that a text is by the grammar of the documentation, letter by letter; `None` for any other text.
fn expected(text: &str) -> Option<u64> {
    let text: String = text.chars().filter(|letter| *letter != '_').collect();
    let text = text.strip_prefix('+').unwrap_or(&text);
    let decimal = |text: &str| text.chars().map(|digit| digit.to_digit(10)).collect::<Option<Vec<_>>>();
    if text.to_ascii_lowercase().starts_with("0x") {
        let digits: Vec<_> = text[2..].chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
        return value(digits.iter().copied(), 16).filter(|_| !digits.is_empty());
    }
    let lower = text.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let exponent = value(decimal(exponent).filter(|digits| !digits.is_empty())?.into_iter(), 10)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = [decimal(whole)?, decimal(fraction)?].concat();
    if digits.is_empty() || exponent < fraction.len() as u64 {
        return None;
    }
    let zeros = exponent - fraction.len() as u64;
    if zeros > 19 {
        // Zero with many zeros is refused, as the power itself has more than 64 bits.
        return None;
    }
    digits.extend((0..zeros).map(|_| 0));
    value(digits.into_iter(), 10)
}

#[test]
fn random_lines_of_numbers_are_read_whole_or_refused() {
    const LETTERS: &[u8] = b"0123456789012345678900011aefxXEF_.+-g ";
    let mut random = Stimulus::new(variable("DSH_FUZZ_SEED", 1));
    let (mut read, mut refused) = (0, 0);
    let lines = variable("DSH_FUZZ_LINES", 100_000);
    for _ in 0..lines {
        let mut text: String = (0..random.below(9))
            .map(|_| char::from(LETTERS[random.below(LETTERS.len() as u64) as usize]))
            .collect();
        match random.below(8) {
            0 => text = format!("0x{text}"),
            1 => text = format!("{}", random.word()),
            2 => text = format!("{:#x}{text}", random.word()),
            3 => text = format!("{}e{}", random.below(100), random.below(25)),
            4 => text = format!("{}.{}e{}", random.below(100), random.below(100), random.below(25)),
            5 => text = (0..random.below(6)).map(|_| char::from(random.word() as u8)).collect(),
            _ => {}
        }
        let number = number(&text).ok();
        assert_eq!(number, expected(&text), "{text:?}");
        let bits = random.below(40);
        let most = random.below(1 << bits);
        assert_eq!(number_up_to(&text, most).ok(), number.filter(|number| *number <= most), "{text:?}");
        match number {
            Some(_) => read += 1,
            None => refused += 1,
        }
        // A number of the manual is the longest beginning of the text that is one.
        if let Ok(prefix) = strtoul(&text, u64::MAX) {
            let whole = text.strip_suffix(prefix.tail).expect("the tail is the end of the text");
            let again = strtoul(whole, u64::MAX).expect("the rest is a number");
            assert_eq!((again.value, again.tail), (prefix.value, ""), "{text:?}");
            let Some(next) = prefix.tail.chars().next() else { continue };
            let longer = format!("{whole}{next}");
            let longer = strtoul(&longer, u64::MAX);
            assert!(longer.is_err() || longer.is_ok_and(|longer| !longer.tail.is_empty()), "{text:?}");
        }
    }
    assert!(read > lines / 10 && refused > lines / 10, "{read} read, {refused} refused");
}
