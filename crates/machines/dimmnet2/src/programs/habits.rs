//! Practices of a program that the thesis leaves open or allows both ways.

/// Practices of one program; all are off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// The Primitive Counter is read only if its last value leaves open whether a Write Window is free. Otherwise it is
    /// read before each window that was used.
    pub counter_kept: bool,
    /// Controller Status is read before each command, until the Request FIFO has room (thesis section 5.2.2). Otherwise
    /// the program relies on its own count.
    pub status_before_issue: bool,
    /// All of a receive status is read, not only the half with sender and size.
    pub whole_status: bool,
}
