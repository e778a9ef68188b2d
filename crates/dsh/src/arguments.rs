//! A line taken apart by the table of commands.

use thiserror::Error;

use crate::number::{NumberError, number};
use crate::options;
use crate::table::{Action, Entry, Kind, Parameter, entries};

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// No such command.
    #[error("there is no command `{0}`; type h for all commands")]
    Unknown(String),
    /// A parameter is not there.
    #[error("{0} is missing")]
    Missing(String),
    /// More than the command takes.
    #[error("`{0}` is too much")]
    Surplus(String),
    /// Twice the same parameter.
    #[error("{0}= is there twice")]
    Twice(&'static str),
    /// Not one of the words that it could be.
    #[error("`{word}` is not one of {choices}")]
    Choice {
        /// What was typed.
        word: String,
        /// What could be.
        choices: String,
    },
    /// A register that goes the other way.
    #[error("{word} can only be {only}; the registers here are {choices}")]
    Direction {
        /// What was typed.
        word: String,
        /// What can be done with it.
        only: &'static str,
        /// What could be here.
        choices: String,
    },
    /// A bad number.
    #[error("{name}: {error}")]
    Number {
        /// Parameter.
        name: &'static str,
        /// Why.
        error: NumberError,
    },
}

/// A line that is no command, and how the command is used, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Why.
    pub error: ParseError,
    /// Name of the command.
    pub command: Option<&'static str>,
}

/// Values of the parameters of a command.
#[derive(Debug, Default)]
pub struct Arguments<'a> {
    values: Vec<(&'static str, Value<'a>)>,
}

#[derive(Clone, Copy, Debug)]
enum Value<'a> {
    Number(u64),
    Text(&'a str),
}

impl Arguments<'_> {
    fn get(&self, name: &str) -> Option<Value<'_>> {
        self.values.iter().find(|(have, _)| *have == name).map(|(_, value)| *value)
    }

    /// A number: of the key, or of the parameter shown so.
    pub fn number(&self, name: &str) -> u64 {
        self.optional_number(name).unwrap_or_else(|| panic!("{name} is a number that must be there"))
    }

    /// A number, if it is there.
    pub fn optional_number(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Value::Number(value) => Some(value),
            Value::Text(_) => None,
        }
    }

    /// A number of at most 32 bits.
    pub fn u32(&self, name: &str) -> u32 {
        u32::try_from(self.number(name)).expect("the table says how large a number may be")
    }

    /// A word, or the rest of the line.
    pub fn word(&self, name: &str) -> &str {
        self.optional_word(name).unwrap_or_else(|| panic!("{name} is a word that must be there"))
    }

    /// A word, if it is there.
    pub fn optional_word(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            Value::Number(_) => None,
        }
    }
}

/// What a line asks for; nothing if it is empty or a remark behind `#`.
pub fn parse(line: &str) -> Result<Option<Action>, BadLine> {
    let line = line.trim();
    let Some(name) = line.split_whitespace().next().filter(|name| !name.starts_with('#')) else {
        return Ok(None);
    };
    let rest = line[name.len()..].trim_start();
    let mut candidates = entries().filter(|entry| entry.names.contains(&name)).collect::<Vec<_>>();
    // Of commands with one name, the one whose first word is there wins.
    let literal = |entry: &&Entry| match entry.parameters.first() {
        Some(first) if matches!(first.kind, Kind::Literal) => {
            rest.split_whitespace().next() == Some(first.shown)
        }
        _ => false,
    };
    if let Some(entry) = candidates.iter().copied().find(literal) {
        candidates = vec![entry];
    }
    let plain = |entry: &&Entry| !entry.parameters.first().is_some_and(|p| matches!(p.kind, Kind::Literal));
    let Some(entry) = candidates.iter().copied().find(plain).or(candidates.first().copied()) else {
        return Err(BadLine { error: ParseError::Unknown(name.to_string()), command: None });
    };
    match arguments(entry, rest) {
        Ok(arguments) => Ok(Some((entry.build)(&arguments))),
        Err(error) => Err(BadLine { error, command: Some(entry.names[0]) }),
    }
}

fn arguments<'a>(entry: &Entry, line: &'a str) -> Result<Arguments<'a>, ParseError> {
    let mut arguments = Arguments::default();
    let mut rest = line;
    let mut places = entry.parameters.iter().filter(|parameter| parameter.key.is_none());
    while !rest.is_empty() {
        let word = rest.split_whitespace().next().expect("the rest begins with a word");
        let (parameter, text) = match named(entry, word) {
            Some((parameter, text)) => (parameter, text),
            None => (places.next().ok_or_else(|| ParseError::Surplus(word.to_string()))?, word),
        };
        if matches!(parameter.kind, Kind::Expression) {
            arguments.values.push((parameter.shown, Value::Text(rest.trim_end())));
            break;
        }
        let name = parameter.key.unwrap_or(parameter.shown);
        if let (Some(_), Some(key)) = (arguments.get(name), parameter.key) {
            return Err(ParseError::Twice(key));
        }
        arguments.values.push((name, value(parameter, name, text)?));
        rest = rest[word.len()..].trim_start();
    }
    let there = |parameter: &&Parameter| {
        parameter.optional || arguments.get(parameter.key.unwrap_or(parameter.shown)).is_some()
    };
    match entry.parameters.iter().find(|parameter| !there(parameter)) {
        Some(Parameter { key: Some(key), .. }) => Err(ParseError::Missing(format!("{key}="))),
        Some(parameter) => Err(ParseError::Missing(parameter.shown.to_string())),
        None => Ok(arguments),
    }
}

/// The parameter that `name=value` means, and its value.
fn named<'a>(entry: &Entry, word: &'a str) -> Option<(&'static Parameter, &'a str)> {
    let (key, value) = word.split_once('=')?;
    let parameter = entry.parameters.iter().find(|parameter| parameter.key == Some(key))?;
    Some((parameter, value))
}

fn value<'a>(parameter: &Parameter, name: &'static str, text: &'a str) -> Result<Value<'a>, ParseError> {
    match parameter.kind {
        Kind::Number(most) => match number(text, most) {
            Ok(value) => Ok(Value::Number(value)),
            Err(error) => Err(ParseError::Number { name, error }),
        },
        Kind::Choice(choices) if !choices().contains(&text) => {
            let (word, choices) = (text.to_string(), choices().join(", "));
            match options::direction(text) {
                Some(only) if parameter.shown == "[Option]" => {
                    Err(ParseError::Direction { word, only, choices })
                }
                _ => Err(ParseError::Choice { word, choices }),
            }
        }
        Kind::Literal if text != parameter.shown => {
            Err(ParseError::Choice { word: text.to_string(), choices: parameter.shown.to_string() })
        }
        Kind::Choice(_) | Kind::Literal | Kind::Expression | Kind::File | Kind::Word => Ok(Value::Text(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Command, Series};

    fn error(line: &str) -> String {
        let bad = parse(line).unwrap_err();
        format!("{}: {}", bad.command.unwrap_or("-"), bad.error)
    }

    #[test]
    fn names_come_in_any_order() {
        let expected = Series { from: 8, iteration: 10, value: 0xaaaa_0000, increment: 1 };
        for line in [
            "llcm_write from=8 it=10 val=0xaaaa0000 inc=1",
            " llcm_write  inc=1 val=0xaaaa0000\tfrom=8 it=012 ",
        ] {
            let Ok(Some(Action::Board(Command::LlcmWrite(series)))) = parse(line) else { panic!("{line}") };
            assert_eq!(series, expected);
        }
        let Ok(Some(Action::Board(Command::Prim(request)))) =
            parse("prim dst=0x600 src=0x400 VLS size=1 ef=1 dl=3 dw=1 it=55ff dt=2")
        else {
            panic!("the primitive may stand anywhere too")
        };
        assert_eq!((request.dclid, request.iteration, request.dst), (3, 55, 0x600));
        assert_eq!(request.primitive, dimmnet2::Primitive::Vls);
    }

    #[test]
    fn empty_lines_and_remarks_ask_for_nothing() {
        for line in ["", "   ", "\t", "# 4 processes", "#4216c000: 0000000000000000"] {
            assert!(matches!(parse(line), Ok(None)));
        }
    }

    #[test]
    fn amt_has_a_syntax_of_its_own() {
        let Ok(Some(Action::Board(Command::Amt { address, wid, lid }))) =
            parse("sreg_write amt lid=3 wid=1 addr=2")
        else {
            panic!("it is a command")
        };
        assert_eq!((address, wid, lid), (2, true, 3));
        assert_eq!(error("sreg_write amt 1"), "sreg_write: `1` is too much");
        assert!(matches!(parse("sreg_write mtu 8"), Ok(Some(Action::Board(Command::SregWrite(..))))));
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        for (line, expected) in [
            ("frobnicate 1", "-: there is no command `frobnicate`; type h for all commands"),
            ("llcm_read 0", "llcm_read: [Size(Byte)] is missing"),
            ("llcm_read", "llcm_read: [Offset] is missing"),
            ("llcm_read 0 64 1", "llcm_read: `1` is too much"),
            ("llcm_read x 64", "llcm_read: [Offset]: `x` is not a number"),
            (
                "llcm_read 0 0x100000000",
                "llcm_read: [Size(Byte)]: 0x100000000 is out of range, the most is 0xffffffff",
            ),
            ("pw_read 4 64", "pw_read: [PW#(0-3)]: 4 is out of range, the most is 0x3"),
            ("llcm_write from=0 it=1 val=1", "llcm_write: inc= is missing"),
            ("llcm_write from=0 from=0 it=1 val=1 inc=1", "llcm_write: from= is there twice"),
            ("llcm_write to=0 it=1 val=1 inc=1", "llcm_write: `to=0` is too much"),
            ("sreg_read amt", "sreg_read: `amt` is not one of sma_lid"),
            ("sreg_write sma_lid 1", {
                "sreg_write: sma_lid can only be read; the registers here are sdimm_init, sdimm_capacity, mtu, \
                 sma_reset, lid, pgid0, pgid1, ctl_reset, clt_reset"
            }),
            ("sreg_read mtu", "sreg_read: mtu can only be written; the registers here are sma_lid"),
            ("q now", "q: `now` is too much"),
        ] {
            assert_eq!(error(line), expected);
        }
        assert!(
            error("prim BOTF dt=0 it=0 dw=0 dl=0 ef=0 size=0 src=0 dst=0")
                .starts_with("prim: `BOTF` is not one of NOP, VL,")
        );
        assert!(error("prim VL").ends_with("dt= is missing"));
    }

    #[test]
    fn examples_of_every_command_are_commands() {
        for entry in entries() {
            assert!(!entry.examples.is_empty(), "{} has none", entry.names[0]);
            for example in entry.examples {
                assert!(matches!(parse(example), Ok(Some(_))), "{example}: {:?}", parse(example));
            }
        }
    }

    #[test]
    fn syntax_is_that_of_the_figures() {
        let syntax: Vec<_> = crate::table::MANUAL.iter().map(Entry::syntax).collect();
        for line in [
            "evpbuf_read [Offset] [Size(Byte)]",
            "llcm_write from=[Offset] it=[Iteration] val=[Value] inc=[Increment]",
            "prim PRIM dt=[Dtype] it=[Iteration] dw=[Dwid] dl=[Dclid] ef=[Eflag] size=[Size(Byte)] src=[Src Addr] dst=[Dst Addr]",
            "pw_read [PW#(0-3)] [Size(Byte)]",
            "rllcm_write [Dclid] [Offset] [Value]",
            "sreg_read [Option]",
            "sreg_write [Option] [Value]",
            "sreg_write amt addr=[LLCM Address] wid=[Wid] lid=[Lid]",
            "ureg_read [Option]",
            "ureg_write [Option] [Value]",
            "ww_write ww=[WW#(0-3)] from=[Offset] it=[Iteration] val=[Value] inc=[Increment]",
        ] {
            assert!(syntax.iter().any(|have| have == line), "{line}");
        }
    }
}
