//! Conditions on registers: `node1.swif.encapsulation.state == Idle`, `botf Botf1->Botf2`.

use std::fmt;

use cluster::{Machine, Node};
use hdl::StateMachineTable;
use machine_api::command::{NumberError, did_you_mean, like, number_up_to};
use thiserror::Error;

use crate::values::{Register, registers};

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
    Less,
    Greater,
}

/// Longer operators are first, so that `<=` is not parsed as `<`.
const COMPARISONS: [(&str, Comparison); 7] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

/// Reason why a text is not a condition, or names no register.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExpressionError {
    /// There is no comparison in the text.
    #[error("a condition is a register, one of == != < <= > >=, and a value, or a machine and an arc A->B")]
    NoComparison,
    /// The state machine has no such state.
    #[error("{register} has no state `{state}`, only {states}")]
    NoState {
        /// Name of the register.
        register: String,
        /// The state given.
        state: String,
        /// States of the machine.
        states: String,
    },
    /// The register is no state machine.
    #[error("{0} has no arcs, it is not a machine")]
    NoMachine(String),
    /// The states have no arc between them.
    #[error("{register} has no arc {from}->{to}, {from} leads to {next}")]
    NoArc {
        /// Name of the register.
        register: String,
        /// First state.
        from: String,
        /// Second state.
        to: String,
        /// States that follow the first one.
        next: String,
    },
    /// No board has the register.
    #[error("there is no register `{name}`{hint}")]
    UnknownRegister {
        /// The name given.
        name: String,
        /// Similar names.
        hint: String,
    },
    /// The value is neither a number nor a state.
    #[error("{register} cannot be {error}")]
    Value {
        /// Name of the register.
        register: String,
        /// Why it is no number.
        error: NumberError,
    },
}

/// A question about a register.
#[derive(Clone, Copy, Debug)]
enum Question {
    Value(Comparison, u64),
    Arc { from: u64, to: u64 },
}

/// A register compared with a value, or an arc of a machine.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Compared register.
    pub register: Register,
    question: Question,
    text: String,
}

impl Condition {
    /// Parses a condition; registers are those of node `here` unless a prefix such as `node1.` names another.
    pub fn parse<M: Machine>(text: &str, here: usize, nodes: &[Node<M>]) -> Result<Self, ExpressionError> {
        let (register, question) = match text.split_once("->") {
            Some((before, to)) => arc(before, to.trim(), here, nodes)?,
            None => comparison(text, here, nodes)?,
        };
        let (_, text) = split(text.trim(), here);
        Ok(Condition { register, question, text: text.to_string() })
    }

    /// Whether the condition is true for a value. An arc is true between two values only.
    pub fn holds(&self, value: u64) -> bool {
        let Question::Value(comparison, with) = self.question else { return false };
        match comparison {
            Comparison::Equal => value == with,
            Comparison::NotEqual => value != with,
            Comparison::AtMost => value <= with,
            Comparison::AtLeast => value >= with,
            Comparison::Less => value < with,
            Comparison::Greater => value > with,
        }
    }

    /// Whether the condition becomes true, or its arc is taken, from one value to the next.
    pub fn comes_true(&self, before: u64, now: u64) -> bool {
        match self.question {
            Question::Value(..) => self.holds(now) && !self.holds(before),
            Question::Arc { from, to } => (before, now) == (from, to),
        }
    }
}

fn comparison<M: Machine>(
    text: &str,
    here: usize,
    nodes: &[Node<M>],
) -> Result<(Register, Question), ExpressionError> {
    let first = |sign: &str| text.find(sign).map(|at| (at, sign.len()));
    let found = COMPARISONS.iter().filter_map(|(sign, comparison)| Some((first(sign)?, *comparison)));
    let earliest = found.min_by_key(|((at, length), _)| (*at, usize::MAX - length));
    let ((at, length), comparison) = earliest.ok_or(ExpressionError::NoComparison)?;
    let register = find(text[..at].trim(), here, nodes)?;
    let value = text[at + length..].trim();
    if let Some(table) = register.state_machine()
        && table.code(value).is_none()
        && value.starts_with(char::is_alphabetic)
    {
        return Err(no_state(&register, table, value));
    }
    let code = match register.code(value) {
        Some(code) => code,
        None => number_up_to(value, register.most())
            .map_err(|error| ExpressionError::Value { register: register.name.clone(), error })?,
    };
    Ok((register, Question::Value(comparison, code)))
}

fn no_state(register: &Register, table: &StateMachineTable, state: &str) -> ExpressionError {
    let states = table.states.iter().map(|state| state.name).collect::<Vec<_>>().join(", ");
    ExpressionError::NoState { register: register.name.clone(), state: state.to_string(), states }
}

/// Parses an arc. Its source is `botf Botf1` or, with the name of the register, `botf.state Botf1`.
fn arc<M: Machine>(
    before: &str,
    to: &str,
    here: usize,
    nodes: &[Node<M>],
) -> Result<(Register, Question), ExpressionError> {
    let (name, from) = before.trim().rsplit_once(char::is_whitespace).ok_or(ExpressionError::NoComparison)?;
    let name = name.trim();
    let register = match find(name, here, nodes) {
        Err(error) => find(&format!("{name}.state"), here, nodes).map_err(|_| error)?,
        Ok(register) => register,
    };
    let shown = || register.name.clone();
    let table = register.state_machine().ok_or_else(|| ExpressionError::NoMachine(shown()))?;
    let code = |state: &str| table.code(state).ok_or_else(|| no_state(&register, table, state));
    let (source, target) = (code(from)?, code(to)?);
    if !table.arcs().any(|arc| arc == (source, target)) {
        return Err(ExpressionError::NoArc {
            register: shown(),
            from: from.to_string(),
            to: to.to_string(),
            next: table.states[source as usize].leaving().map(|arc| arc.to).collect::<Vec<_>>().join(", "),
        });
    }
    Ok((register, Question::Arc { from: source, to: target }))
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

/// Known names similar to an unknown one, cut to as many parts as it has.
fn alike<'a>(path: &str, all: &'a [Register]) -> Vec<&'a str> {
    let dots = path.matches('.').count();
    let tail = |register: &'a Register| {
        let name = register.name.as_str();
        let at = name.rmatch_indices('.').nth(dots).map_or(0, |(dot, _)| dot + 1);
        (name.matches('.').count() >= dots).then(|| &name[at..])
    };
    let mut tails: Vec<_> = all.iter().filter_map(tail).collect();
    tails.sort_unstable();
    tails.dedup();
    like(path, &tails)
}

/// Finds a register by its full name or by a unique suffix.
pub fn find<M: Machine>(name: &str, here: usize, nodes: &[Node<M>]) -> Result<Register, ExpressionError> {
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
        [] => Err(unknown(did_you_mean(&alike(path, &all), "show lists them all"))),
        _ => {
            let names: Vec<_> = like.iter().take(4).map(|register| register.name.as_str()).collect();
            let more = if like.len() > 4 { ", ..." } else { "" };
            Err(unknown(format!(" but {}{more}", names.join(", "))))
        }
    }
}
