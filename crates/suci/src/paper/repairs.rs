//! What is repaired of the printed rules.

/// Repairs of the rules that the paper prints; each can be had alone, so that a checker can tell which are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repairs {
    /// A timer sends again what is not acknowledged. Without it the loss of a last packet, or of an Ack, is for ever (H1).
    pub timer: bool,
    /// A Nack asks for its packet and all after it, since the receiver has discarded those (H2, H3, H4).
    pub go_back: bool,
    /// An Ack acknowledges all packets up to its number (H7).
    pub cumulative: bool,
    /// Old packets are acknowledged also while a receiver discards (H6).
    pub answer_old: bool,
    /// After a Nack for want of room the sender waits until there is some, or for the timer (H5).
    pub pace: bool,
    /// No more is in flight than the receiver advertised last (H12).
    pub limit: bool,
    /// The receiver tells when it has room again, and a sender that sees none asks (H8).
    pub probe: bool,
    /// Blocks larger than the window are refused (H10).
    pub refuse: bool,
    /// Whole blocks that are not read yet count as used memory (H11).
    pub count_whole: bool,
    /// Requests are repeated; permits have numbers and expire (H9, H19, H20).
    pub permits: bool,
    /// Packets name the incarnations of both ends (H16).
    pub epochs: bool,
}

impl Repairs {
    /// The paper to the letter.
    pub const NONE: Self = Self::each(false);
    /// All of them.
    pub const ALL: Self = Self::each(true);

    const fn each(on: bool) -> Self {
        Self {
            timer: on,
            go_back: on,
            cumulative: on,
            answer_old: on,
            pace: on,
            limit: on,
            probe: on,
            refuse: on,
            count_whole: on,
            permits: on,
            epochs: on,
        }
    }
}
