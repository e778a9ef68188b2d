//! Random lines from the table of commands: none panics, every error is one line.
//!
//! `DSH_FUZZ_LINES=10000000 cargo test --release -p dsh fuzz` runs more lines, `DSH_FUZZ_SEED` sets the seed.

use dimmnet2_machine::Dimmnet2;
use dsh::table::{Kind, Parameter, command_names, entries};
use hdl::Stimulus;

type Entry = dsh::table::Entry<Dimmnet2>;

use crate::shell;

/// Lines of a session; each session has new boards, so that turning time back stays short.
const SESSION: u64 = 100;

/// Words outside of the table: conditions, registers, free names, and nonsense. No file can be created at these paths.
const WORDS: [&str; 34] = [
    "a",
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

const NUMBERS: [&str; 24] = [
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
];

struct Lines {
    random: Stimulus,
    entries: Vec<Entry>,
    /// All words that may stand in a line.
    words: Vec<&'static str>,
}

impl Lines {
    fn new(seed: u64) -> Self {
        let entries = entries::<Dimmnet2>();
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
            Kind::Command => self.pick(&command_names::<Dimmnet2>()).to_string(),
            Kind::Literal => parameter.shown.to_string(),
            Kind::Expression | Kind::File | Kind::Word => self.pick(&WORDS).to_string(),
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
struct ToldOnPanic<'a>(u64, &'a str);

impl Drop for ToldOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("line {}: {:?}", self.0, self.1);
        }
    }
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn random_lines_never_panic_and_errors_are_one_line() {
    let (lines, seed) = (variable("DSH_FUZZ_LINES", 5_000), variable("DSH_FUZZ_SEED", 1));
    println!("seed {seed}");
    let mut random = Lines::new(seed);
    let (mut shell, mut done, mut failed) = (shell(), 0, 0);
    for n in 0..lines {
        if n % SESSION == 0 {
            shell = crate::shell();
        }
        let line = random.line();
        let told = ToldOnPanic(n, &line);
        let outcome = shell.line(&line).outcome;
        drop(told);
        match outcome {
            Ok(_) => done += 1,
            Err(error) => {
                failed += 1;
                let error = error.to_string();
                assert!(!error.contains('\n') || line.contains('\n'), "{line:?}: {error}");
            }
        }
    }
    println!("{done} lines done, {failed} refused");
    assert!(done > lines / 10 && failed > lines / 10, "the lines are of both kinds");
}
