//! A place in a text, with the code that a fault puts there.

use std::ops::Range;

use crate::code::CodeFault;

/// A fault and the change of the text that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The fault that the change makes.
    pub fault: CodeFault,
    /// Byte range of the code that changes; empty for [`Form::Guard`].
    pub(super) range: Range<usize>,
    /// Syntax of the changed code.
    pub(super) form: Form,
    /// The code with the fault.
    pub(super) mutated: String,
}

/// Syntax of the code that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// An expression that has a value.
    Expression,
    /// Statements without a value.
    Statements,
    /// The end of a `match` pattern without a guard.
    Guard,
}
