//! Conditions on registers: `node1.swif.encapsulation.state == Idle`.

use std::fmt;

use cluster::Node;
use thiserror::Error;

use crate::number::{NumberError, number};
use crate::values::{Register, registers};

/// How a register is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
    Less,
    Greater,
}

/// The longer ones first, so that `<=` is not read as `<`.
const COMPARISONS: [(&str, Comparison); 7] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

/// Why a text is no condition, or names no register.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExpressionError {
    /// No comparison in it.
    #[error("a condition is a register, one of == != < <= > >=, and a value")]
    NoComparison,
    /// No board has it.
    #[error("there is no register `{name}`{hint}")]
    UnknownRegister {
        /// What was typed.
        name: String,
        /// What is like it.
        hint: String,
    },
    /// Neither a number nor a state.
    #[error("{register} cannot be `{value}`: {error}")]
    Value {
        /// Register.
        register: String,
        /// What was typed.
        value: String,
        /// As a number.
        error: NumberError,
    },
}

/// A register compared with a value.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The register.
    pub register: Register,
    comparison: Comparison,
    value: u64,
    text: String,
}

impl Condition {
    /// Reads a condition; registers are those of node `here` unless `node1.` or another one stands in front.
    pub fn parse(text: &str, here: usize, nodes: &[Node]) -> Result<Self, ExpressionError> {
        let first = |sign: &str| text.find(sign).map(|at| (at, sign.len()));
        let found = COMPARISONS.iter().filter_map(|(sign, comparison)| Some((first(sign)?, *comparison)));
        let earliest = found.min_by_key(|((at, length), _)| (*at, usize::MAX - length));
        let ((at, length), comparison) = earliest.ok_or(ExpressionError::NoComparison)?;
        let register = find(text[..at].trim(), here, nodes)?;
        let value = text[at + length..].trim();
        let code = match register.code(value) {
            Some(code) => code,
            None => number(value, register.most()).map_err(|error| ExpressionError::Value {
                register: register.name.clone(),
                value: value.to_string(),
                error,
            })?,
        };
        let (_, text) = split(text.trim(), here);
        Ok(Condition { register, comparison, value: code, text: text.to_string() })
    }

    /// Whether it is true of a sample of its board.
    pub fn holds(&self, sample: &[u64]) -> bool {
        let value = self.register.value(sample);
        match self.comparison {
            Comparison::Equal => value == self.value,
            Comparison::NotEqual => value != self.value,
            Comparison::AtMost => value <= self.value,
            Comparison::AtLeast => value >= self.value,
            Comparison::Less => value < self.value,
            Comparison::Greater => value > self.value,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node{}.{}", self.register.node, self.text)
    }
}

/// Node and name below it.
pub fn split(name: &str, here: usize) -> (usize, &str) {
    let prefixed = name.strip_prefix("node").and_then(|rest| rest.split_once('.'));
    match prefixed.and_then(|(n, rest)| Some((n.parse().ok()?, rest))) {
        Some((node, rest)) => (node, rest),
        None => (here, name),
    }
}

/// The register of that name: its full name, or an end of it that no other register has.
pub fn find(name: &str, here: usize, nodes: &[Node]) -> Result<Register, ExpressionError> {
    let (node, path) = split(name, here);
    let unknown = |hint: String| ExpressionError::UnknownRegister { name: name.to_string(), hint };
    let board =
        nodes.get(node).ok_or_else(|| unknown(format!(", the last node is node{}", nodes.len() - 1)))?;
    let all = registers(board);
    if let Some(register) = all.iter().find(|register| register.name == path) {
        return Ok(register.clone());
    }
    let end = format!(".{path}");
    let like: Vec<_> =
        all.iter().filter(|register| !path.is_empty() && register.name.ends_with(&end)).collect();
    match like[..] {
        [register] => Ok(register.clone()),
        [] => Err(unknown("; show lists them all".to_string())),
        _ => {
            let names: Vec<_> = like.iter().take(4).map(|register| register.name.as_str()).collect();
            let more = if like.len() > 4 { ", ..." } else { "" };
            Err(unknown(format!(" but {}{more}", names.join(", "))))
        }
    }
}
