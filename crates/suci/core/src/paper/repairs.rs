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

    /// Names of those that are there.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let each = [
            (self.timer, "timer"),
            (self.go_back, "go_back"),
            (self.cumulative, "cumulative"),
            (self.answer_old, "answer_old"),
            (self.pace, "pace"),
            (self.limit, "limit"),
            (self.probe, "probe"),
            (self.refuse, "refuse"),
            (self.count_whole, "count_whole"),
            (self.permits, "permits"),
            (self.epochs, "epochs"),
        ];
        each.into_iter().filter_map(|(is, name)| is.then_some(name))
    }

    /// One more, by its name; none if it has no such name.
    pub fn with(mut self, name: &str) -> Option<Self> {
        let place = match name {
            "timer" => &mut self.timer,
            "go_back" => &mut self.go_back,
            "cumulative" => &mut self.cumulative,
            "answer_old" => &mut self.answer_old,
            "pace" => &mut self.pace,
            "limit" => &mut self.limit,
            "probe" => &mut self.probe,
            "refuse" => &mut self.refuse,
            "count_whole" => &mut self.count_whole,
            "permits" => &mut self.permits,
            "epochs" => &mut self.epochs,
            _ => return None,
        };
        *place = true;
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_repair_is_found_by_its_name() {
        assert_eq!(Repairs::ALL.names().count(), 11);
        let each = Repairs::ALL.names().try_fold(Repairs::NONE, Repairs::with);
        assert_eq!(each, Some(Repairs::ALL));
        assert_eq!(Repairs::NONE.with("hope"), None);
    }
}
