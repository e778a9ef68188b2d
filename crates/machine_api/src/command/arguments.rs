//! Parses a command line by the table of commands.

use thiserror::Error;

use super::{CommandInfo, Kind, NumberError, Parameter, Prefix, did_you_mean, like, number_up_to, strtoul};

/// Reason why a line is not a valid command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The command does not exist.
    #[error("there is no command `{name}`{}", did_you_mean(.like, "type h for all commands"))]
    Unknown {
        /// First word of the line.
        name: String,
        /// Similar commands, the most similar first.
        like: Vec<&'static str>,
    },
    /// A parameter is missing.
    #[error("{0} is missing")]
    Missing(String),
    /// The command does not take this parameter.
    #[error("`{0}` is too much")]
    Surplus(String),
    /// A named parameter is given twice.
    #[error("{0}= is there twice")]
    Twice(&'static str),
    /// The word is not one of the choices.
    #[error("`{word}` is not one of {choices}")]
    Choice {
        /// Word of the line.
        word: String,
        /// Choices, separated by commas.
        choices: String,
    },
    /// The register cannot be accessed in this direction.
    #[error("{word} can only be {only}{}; the registers here are {choices}", otherwise(.only))]
    Direction {
        /// Word of the line.
        word: String,
        /// Permitted access: read or written.
        only: &'static str,
        /// Registers for this access, separated by commas.
        choices: String,
    },
    /// A number is invalid.
    #[error("{name}: {error}")]
    Number {
        /// Name of the parameter.
        name: &'static str,
        /// Reason.
        error: NumberError,
    },
}

/// Hint for registers that cannot be read.
fn otherwise(only: &str) -> &'static str {
    if only == "written" { ", but show shows what registers hold" } else { "" }
}

/// A line that is not a valid command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Reason.
    pub error: ParseError,
    /// Name of the command, if it exists.
    pub command: Option<&'static str>,
}

/// Values of a command's parameters.
#[derive(Debug, Default)]
pub struct Arguments<'a> {
    values: Vec<(&'static str, Value<'a>)>,
}

#[derive(Clone, Copy, Debug)]
enum Value<'a> {
    /// The tail is the end of the text that the number does not include.
    Number {
        value: u64,
        text: &'a str,
        tail: &'a str,
    },
    Text(&'a str),
}

impl Arguments<'_> {
    /// A warning for each number that was read up to a character that is not part of it.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.values.iter().filter_map(|(name, value)| match value {
            Value::Number { value, text, tail } if !tail.is_empty() => {
                Some(format!("warning: {name}: `{text}` is read as {value}; its tail `{tail}` is dropped"))
            }
            _ => None,
        })
    }

    fn get(&self, name: &str) -> Option<Value<'_>> {
        self.values.iter().find(|(have, _)| *have == name).map(|(_, value)| *value)
    }

    /// The name of the argument in this place of the line, counted from 0.
    pub fn name(&self, place: usize) -> &'static str {
        self.values[place].0
    }

    /// A number: of the key, or of the parameter shown so.
    pub fn number(&self, name: &str) -> u64 {
        self.optional_number(name).unwrap_or_else(|| panic!("{name} is a number that must be there"))
    }

    /// Number of an optional parameter.
    pub fn optional_number(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Value::Number { value, .. } => Some(value),
            Value::Text(_) => None,
        }
    }

    /// Number of a parameter of at most 32 bits.
    pub fn u32(&self, name: &str) -> u32 {
        u32::try_from(self.number(name)).expect("the table says how large a number may be")
    }

    /// Word of a parameter, or the rest of the line.
    pub fn word(&self, name: &str) -> &str {
        self.optional_word(name).unwrap_or_else(|| panic!("{name} is a word that must be there"))
    }

    /// Word of an optional parameter.
    pub fn optional_word(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            Value::Number { .. } => None,
        }
    }
}

/// Command of a line with its arguments; `None` for an empty line or a comment with `#`.
pub fn parse<'a, B: Copy>(
    line: &'a str,
    commands: &[CommandInfo<B>],
) -> Result<Option<(CommandInfo<B>, Arguments<'a>)>, BadLine> {
    let line = line.trim();
    let Some(name) = line.split_whitespace().next().filter(|name| !name.starts_with('#')) else {
        return Ok(None);
    };
    let rest = line[name.len()..].trim_start();
    let known: Vec<_> = commands.iter().flat_map(|command| command.names).copied().collect();
    let candidates = commands.iter().filter(|command| command.names.contains(&name));
    let first_word = |command: &CommandInfo<B>| match command.parameters.first() {
        Some(first) if matches!(first.kind, Kind::Literal) => Some(first.shown),
        _ => None,
    };
    // Of several commands with the same name, the one whose literal first word matches is chosen.
    let meant = |command: &&CommandInfo<B>| {
        first_word(command).is_some_and(|word| rest.split_whitespace().next() == Some(word))
    };
    let plain = |command: &&CommandInfo<B>| first_word(command).is_none();
    let mut found = candidates.clone().find(meant);
    found = found.or_else(|| candidates.clone().find(plain)).or_else(|| candidates.clone().next());
    let Some(command) = found else {
        return Err(BadLine {
            error: ParseError::Unknown { name: name.to_string(), like: like(name, &known) },
            command: None,
        });
    };
    match arguments(command, rest, &known) {
        Ok(arguments) => Ok(Some((*command, arguments))),
        Err(error) => Err(BadLine { error, command: Some(command.names[0]) }),
    }
}

fn arguments<'a, B>(
    command: &CommandInfo<B>,
    line: &'a str,
    known: &[&str],
) -> Result<Arguments<'a>, ParseError> {
    let mut arguments = Arguments::default();
    let mut rest = line;
    let mut places = command.parameters.iter().filter(|parameter| parameter.key.is_none());
    while !rest.is_empty() {
        let word = rest.split_whitespace().next().expect("the rest begins with a word");
        let (parameter, text) = match named(command, word) {
            Some((parameter, text)) => (parameter, text),
            None => (places.next().ok_or_else(|| ParseError::Surplus(word.to_string()))?, word),
        };
        if matches!(parameter.kind, Kind::Expression | Kind::Words(_)) {
            arguments.values.push((parameter.shown, Value::Text(rest.trim_end())));
            break;
        }
        let name = parameter.key.unwrap_or(parameter.shown);
        if let (Some(_), Some(key)) = (arguments.get(name), parameter.key) {
            return Err(ParseError::Twice(key));
        }
        arguments.values.push((name, value(parameter, name, text, known)?));
        rest = rest[word.len()..].trim_start();
    }
    let there = |parameter: &&Parameter| {
        parameter.optional || arguments.get(parameter.key.unwrap_or(parameter.shown)).is_some()
    };
    match command.parameters.iter().find(|parameter| !there(parameter)) {
        Some(Parameter { key: Some(key), .. }) => Err(ParseError::Missing(format!("{key}="))),
        Some(parameter) => Err(ParseError::Missing(parameter.shown.to_string())),
        None => Ok(arguments),
    }
}

/// Parameter of `name=value`, and the value.
fn named<'a, B>(command: &CommandInfo<B>, word: &'a str) -> Option<(&'static Parameter, &'a str)> {
    let (key, value) = word.split_once('=')?;
    let parameter = command.parameters.iter().find(|parameter| parameter.key == Some(key))?;
    Some((parameter, value))
}

fn value<'a>(
    parameter: &Parameter,
    name: &'static str,
    text: &'a str,
    known: &[&str],
) -> Result<Value<'a>, ParseError> {
    let one_of = |choices: &[&str]| match choices.contains(&text) {
        true => Ok(Value::Text(text)),
        false => Err(ParseError::Choice { word: text.to_string(), choices: choices.join(", ") }),
    };
    match parameter.kind {
        Kind::Number(most) => match number_up_to(text, most) {
            Ok(value) => Ok(Value::Number { value, text, tail: "" }),
            Err(error) => Err(ParseError::Number { name, error }),
        },
        Kind::ManualNumber(most) => match strtoul(text, most) {
            Ok(Prefix { value, tail }) => Ok(Value::Number { value, text, tail }),
            Err(error) => Err(ParseError::Number { name, error }),
        },
        Kind::Choice(choices) => one_of(&choices()),
        Kind::Register(choices, only) => one_of(&choices()).map_err(|error| match only(text) {
            Some(only) => {
                ParseError::Direction { word: text.to_string(), only, choices: choices().join(", ") }
            }
            None => error,
        }),
        Kind::Command => one_of(known),
        Kind::Literal => one_of(&[parameter.shown]),
        Kind::Expression | Kind::Words(_) | Kind::File | Kind::Word => Ok(Value::Text(text)),
    }
}
