//! Faults that a block can have.

use std::fmt;

use crate::expression;

/// A fault, named by its place in the structure that both twins share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// A register keeps its value in a state that assigns it.
    DroppedAssignment {
        /// Name of the register.
        register: String,
        /// The state that assigns it; `None` in a block without a state machine.
        state: Option<&'static str>,
    },
    /// A register that changes in this state gets the new value plus one.
    OffByOne {
        /// Name of the register.
        register: String,
        /// The state that assigns it; `None` in a block without a state machine.
        state: Option<&'static str>,
    },
    /// A register stores its next value with a top bit of 0.
    LostBit {
        /// Name of the register.
        register: String,
    },
    /// Reset does not change a register.
    ForgottenReset {
        /// Name of the register.
        register: String,
    },
    /// A state machine stays in its state instead of following an arc.
    LostArc {
        /// The state before the arc.
        from: &'static str,
        /// The specified next state.
        to: &'static str,
    },
    /// A state machine follows another arc of its state than the specified one.
    WrongArc {
        /// The state before the arc.
        from: &'static str,
        /// The specified next state.
        to: &'static str,
        /// The next state with the fault.
        instead: &'static str,
    },
    /// Bit 0 of an output is inverted, for example of a status or a count.
    WrongBit {
        /// Path of the pin in the bundle of output pins.
        output: String,
        /// Width in bits.
        width: u32,
    },
    /// The middle bit of an input is inverted.
    WrongInput {
        /// Path of the pin in the bundle of input pins.
        input: String,
        /// Width in bits.
        width: u32,
    },
    /// A condition is inverted.
    SwappedCondition(Condition),
    /// A condition is treated as true: the guarded statements are always executed.
    SkippedCheck(Condition),
    /// A comparison of a condition has its edge on the other side: `<` in place of `<=`.
    ComparisonEdge {
        /// The condition that has the fault.
        at: Condition,
        /// Index of the comparison in the condition, from 0.
        index: usize,
        /// The specified operator.
        operator: String,
    },
    /// The constant of a comparison is one too large.
    WrongLimit {
        /// The condition that has the fault.
        at: Condition,
        /// Index of the comparison in the condition, from 0.
        index: usize,
        /// The specified constant.
        limit: u128,
    },
    /// An operand of `&&` or `||` in a condition is left out.
    LeftOutCondition {
        /// The condition that has the fault.
        at: Condition,
        /// Index of the operand, from 0.
        index: usize,
    },
    /// A sum that a register gets lacks its last term.
    LeftOutTerm {
        /// Name of the register.
        register: String,
        /// The state that assigns it; `None` outside the parts of all states.
        state: Option<&'static str>,
        /// Index among the assignments of this register in this state that have one line, from 0.
        index: usize,
    },
    /// When two inputs are high in one cycle, the block does not see the second.
    LostEvent {
        /// Path of the input that is seen.
        seen: String,
        /// Path of the input that is lost.
        lost: String,
    },
}

/// A condition, named by its place in the structure of both twins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    /// The state whose part contains it; `None` outside the parts of all states.
    pub state: Option<&'static str>,
    /// Index among the `if`s of this state that have one line, from 0.
    pub index: usize,
}

impl Operator {
    /// The operator changes a part of an expression or an order of events, as a misread specification does.
    /// Such faults are drawn by themselves, so that they displace no others.
    pub fn is_of_specification(&self) -> bool {
        matches!(
            self,
            Operator::ComparisonEdge { .. }
                | Operator::WrongLimit { .. }
                | Operator::LeftOutCondition { .. }
                | Operator::LeftOutTerm { .. }
                | Operator::LostEvent { .. }
        )
    }

    /// Name of the operator, as printed in reports.
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
            Operator::ComparisonEdge { .. } => "comparison edge",
            Operator::WrongLimit { .. } => "wrong limit",
            Operator::LeftOutCondition { .. } => "left-out condition",
            Operator::LeftOutTerm { .. } => "left-out term",
            Operator::LostEvent { .. } => "lost event",
        }
    }
}

impl Operator {
    /// The expression with this fault, for operators that change a condition; `None` for other conditions and
    /// operators.
    pub(crate) fn changed_condition(&self, here: &Condition, text: &str) -> Option<String> {
        match self {
            Operator::ComparisonEdge { at, index, .. } if at == here => {
                let comparison = expression::comparisons(text).into_iter().nth(*index)?;
                Some(expression::replaced(text, &comparison.range, expression::edge(comparison.operator)))
            }
            Operator::WrongLimit { at, index, .. } if at == here => {
                let (_, range) = expression::comparisons(text).into_iter().nth(*index)?.limit?;
                Some(expression::replaced(text, &range, &format!("({} + 1)", &text[range.clone()])))
            }
            Operator::LeftOutCondition { at, index } if at == here => {
                let (_, operands) = expression::operands(text)?;
                Some(expression::without(text, &operands, *index))
            }
            _ => None,
        }
    }

    /// The sum with this fault, for an operator that changes this assignment.
    pub(crate) fn changed_sum(&self, here: &Assignment, text: &str) -> Option<String> {
        let Operator::LeftOutTerm { register, state, index } = self else { return None };
        let is_here = (register, *state, *index) == (&here.register, here.state, here.index);
        let terms = expression::terms(text).filter(|_| is_here)?;
        Some(expression::without(text, &terms, terms.len() - 1))
    }
}

/// An assignment, named by its place in the structure of both twins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assignment {
    /// Name of the register.
    pub register: String,
    /// The state that assigns it; `None` outside the parts of all states.
    pub state: Option<&'static str>,
    /// Index among the assignments of this register in this state that have one line, from 0.
    pub index: usize,
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
            Operator::ComparisonEdge { at, index, operator } => {
                let (state, condition, edge) = (within(&at.state), at.index + 1, expression::edge(operator));
                write!(
                    f,
                    "{state}comparison {} of condition {condition} is `{edge}` in place of `{operator}`",
                    index + 1
                )
            }
            Operator::WrongLimit { at, index, limit } => {
                let (state, condition, wrong) = (within(&at.state), at.index + 1, limit + 1);
                write!(
                    f,
                    "{state}comparison {} of condition {condition} has {wrong} in place of {limit}",
                    index + 1
                )
            }
            Operator::LeftOutCondition { at, index } => {
                write!(f, "{}condition {} lacks operand {}", within(&at.state), at.index + 1, index + 1)
            }
            Operator::LeftOutTerm { register, state, index } => {
                write!(f, "{}sum {} for `{register}` lacks its last term", within(state), index + 1)
            }
            Operator::LostEvent { seen, lost } => write!(f, "`{lost}` is lost when `{seen}` is high, too"),
        }
    }
}

/// A fault in a given block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Name of the block.
    pub block: String,
    /// The operator that changes the block.
    pub operator: Operator,
    /// Line of the assignment or condition in the SystemVerilog text, from 1.
    pub line: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.block, self.operator)
    }
}

/// A fault that is in the text of a block, with the number that activates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The number, at least 1; 0 activates no fault.
    pub number: u32,
    /// The fault with this number.
    pub fault: Fault,
}
