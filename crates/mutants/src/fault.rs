//! What can be wrong.

use std::fmt;

/// A fault, by its place in the shape that both twins share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// A state leaves a register as it is.
    DroppedAssignment {
        /// Name of the register.
        register: String,
        /// The state; none in a block without a machine.
        state: Option<&'static str>,
    },
    /// A value that changes in this state comes out one too large.
    OffByOne {
        /// Name of the register.
        register: String,
        /// The state; none in a block without a machine.
        state: Option<&'static str>,
    },
    /// A register never takes the top bit of its value.
    LostBit {
        /// Name of the register.
        register: String,
    },
    /// Reset leaves a register as it is.
    ForgottenReset {
        /// Name of the register.
        register: String,
    },
    /// A machine stays where it should go on.
    LostArc {
        /// The state it is in.
        from: &'static str,
        /// Where it should go.
        to: &'static str,
    },
    /// A machine goes another way out of a state than it should.
    WrongArc {
        /// The state it is in.
        from: &'static str,
        /// Where it should go.
        to: &'static str,
        /// Where it goes.
        instead: &'static str,
    },
    /// The lowest bit of an output, a status or a count say, is inverted.
    WrongBit {
        /// Path below the output pins.
        output: String,
        /// Width in bits.
        width: u32,
    },
    /// The middle bit of an input is inverted.
    WrongInput {
        /// Path below the input pins.
        input: String,
        /// Width in bits.
        width: u32,
    },
    /// A condition is taken for its opposite.
    SwappedCondition(Condition),
    /// A condition is not asked: what stands behind it always happens.
    SkippedCheck(Condition),
}

/// A condition, by its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    /// The state under which it stands; none outside all states.
    pub state: Option<&'static str>,
    /// Which `if` of that state, from 0.
    pub index: usize,
}

impl Operator {
    /// Its kind, in few words.
    pub fn kind(&self) -> &'static str {
        match self {
            Operator::DroppedAssignment { .. } => "dropped assignment",
            Operator::OffByOne { .. } => "off by one",
            Operator::LostBit { .. } => "lost bit",
            Operator::ForgottenReset { .. } => "forgotten reset",
            Operator::LostArc { .. } => "lost arc",
            Operator::WrongArc { .. } => "wrong arc",
            Operator::WrongBit { .. } => "wrong bit",
            Operator::WrongInput { .. } => "wrong input",
            Operator::SwappedCondition(_) => "swapped condition",
            Operator::SkippedCheck(_) => "skipped check",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |state: &Option<&str>| state.map_or(String::new(), |state| format!("in {state}, "));
        match self {
            Operator::DroppedAssignment { register, state } => {
                write!(f, "{}`{register}` is left as it is", within(state))
            }
            Operator::OffByOne { register, state } => {
                write!(f, "{}`{register}` comes out one too large", within(state))
            }
            Operator::LostBit { register } => write!(f, "`{register}` lacks its top bit"),
            Operator::ForgottenReset { register } => write!(f, "reset leaves `{register}`"),
            Operator::LostArc { from, to } => write!(f, "{from} does not go to {to}"),
            Operator::WrongArc { from, to, instead } => {
                write!(f, "{from} goes to {instead} in place of {to}")
            }
            Operator::WrongBit { output, .. } => write!(f, "bit 0 of output `{output}` is inverted"),
            Operator::WrongInput { input, width } => {
                write!(f, "bit {} of input `{input}` is inverted", width / 2)
            }
            Operator::SwappedCondition(at) => {
                write!(f, "{}condition {} is inverted", within(&at.state), at.index + 1)
            }
            Operator::SkippedCheck(at) => {
                write!(f, "{}condition {} always holds", within(&at.state), at.index + 1)
            }
        }
    }
}

/// A fault of a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The block's name.
    pub block: String,
    /// What is wrong.
    pub operator: Operator,
    /// Line in the SystemVerilog, from 1: of the assignment or condition.
    pub line: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.block, self.operator)
    }
}

/// A fault and the number that wakes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The number, from 1; 0 wakes none.
    pub number: u32,
    /// The fault.
    pub fault: Fault,
}
