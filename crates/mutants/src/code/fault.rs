//! Faults that Rust code can have.

use std::fmt;

/// Kind of a change to the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CodeOperator {
    /// `<` in place of `<=`, `>=` in place of `>` or of `==` with a constant, and the reverse.
    ComparisonEdge,
    /// `!=` in place of `==`, and the reverse.
    InvertedComparison,
    /// A constant of a comparison, sum or difference is one too large.
    OffByOne,
    /// The condition of an `if` always holds.
    SkippedCheck,
    /// The condition of an `if` never holds.
    FailedCheck,
    /// An `if` that leaves the function or the loop never does.
    SkippedReturn,
    /// An `if` that leaves the function or the loop does so in the opposite case.
    NegatedReturn,
    /// The guard of a `match` arm always holds.
    DroppedGuard,
    /// A `match` arm is skipped, so that a later one takes its case.
    LostArm,
    /// An operand of `&&` or `||` is left out.
    LeftOutCondition,
    /// The second operand of `+`, `-`, `%`, `|` or `saturating_sub` is left out.
    LeftOutTerm,
    /// `max` in place of `min`, `all` in place of `any`, and the reverse.
    WrongBound,
    /// A field, an element or a value behind a reference is not assigned.
    DroppedAssignment,
    /// A call whose result is not used, or used by `?` only, is left out.
    DroppedCall,
    /// Two adjacent assignments or calls that may use a common place change their order.
    SwappedStatements,
}

impl CodeOperator {
    /// Name of the operator, as printed in reports.
    pub fn kind(self) -> &'static str {
        match self {
            CodeOperator::ComparisonEdge => "comparison edge",
            CodeOperator::InvertedComparison => "inverted comparison",
            CodeOperator::OffByOne => "off by one",
            CodeOperator::SkippedCheck => "skipped check",
            CodeOperator::FailedCheck => "failed check",
            CodeOperator::SkippedReturn => "skipped return",
            CodeOperator::NegatedReturn => "negated return",
            CodeOperator::DroppedGuard => "dropped guard",
            CodeOperator::LostArm => "lost arm",
            CodeOperator::LeftOutCondition => "left-out condition",
            CodeOperator::LeftOutTerm => "left-out term",
            CodeOperator::WrongBound => "wrong bound",
            CodeOperator::DroppedAssignment => "dropped assignment",
            CodeOperator::DroppedCall => "dropped call",
            CodeOperator::SwappedStatements => "swapped statements",
        }
    }
}

/// A fault of a source file. Its text names no line, so that it outlives changes elsewhere in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeFault {
    /// Name of the module.
    pub block: String,
    /// Line of the changed code, from 1.
    pub line: usize,
    /// Kind of the change.
    pub operator: CodeOperator,
    /// Function, with its type.
    pub function: String,
    /// Text of the change: the code before and after it.
    pub change: String,
    /// Number of the change among equal ones of the function, from 1.
    pub occurrence: usize,
}

impl CodeFault {
    /// The fault without the name of its module.
    pub fn description(&self) -> String {
        let CodeFault { function, change, occurrence, .. } = self;
        match occurrence {
            1 => format!("in `{function}`, {change}"),
            _ => format!("in `{function}`, {change} (occurrence {occurrence})"),
        }
    }
}

impl fmt::Display for CodeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.block, self.description())
    }
}
