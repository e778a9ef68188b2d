//! What a program may do or leave, as it likes.

/// What a program may do or leave, as it likes; the thesis leaves it open, or allows both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// The Primitive Counter is read only if what it told last leaves open whether a Write Window is free. Otherwise it is read
    /// before each window that was used.
    pub counter_kept: bool,
    /// Controller Status is read before each command, until the Request FIFO has room (thesis section 5.2.2). Otherwise the program
    /// knows that it has.
    pub status_before_issue: bool,
    /// All of a receive status is read, not only the half that tells who sent how much.
    pub whole_status: bool,
}
