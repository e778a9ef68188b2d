//! Repairs of the printed rules.

/// Repairs of the printed rules, one switch each, so that a checker can tell which are necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repairs {
    /// A timer retransmits unacknowledged packets. Without it the loss of a last packet or an Ack is
    /// permanent (H1).
    pub timer: bool,
    /// A Nack requests its packet and all later ones, which the receiver has discarded (H2, H3, H4).
    pub go_back: bool,
    /// An Ack acknowledges all packets up to its number (H7).
    pub cumulative: bool,
    /// Old packets are acknowledged even while a receiver discards (H6).
    pub answer_old: bool,
    /// After a Nack for lack of memory the sender waits for window or the timer (H5).
    pub pace: bool,
    /// The amount in flight never exceeds the last advertised window (H12).
    pub limit: bool,
    /// The receiver announces a reopened window, and a blocked sender probes for it (H8).
    pub probe: bool,
    /// Blocks larger than the window are refused (H10).
    pub refuse: bool,
    /// Complete blocks not yet read count as used memory (H11).
    pub count_whole: bool,
    /// Requests are repeated; permits have numbers and expire (H9, H19, H20).
    pub permits: bool,
    /// Packets name the incarnations of both sides (H16).
    pub epochs: bool,
}

impl Repairs {
    /// The paper as printed.
    pub const NONE: Self = Self::each(false);
    /// All repairs.
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

    /// Names of the enabled repairs.
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

    /// Enables a repair by name; `None` for an unknown name.
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
    fn every_repair_can_be_enabled_by_name() {
        assert_eq!(Repairs::ALL.names().count(), 11);
        let each = Repairs::ALL.names().try_fold(Repairs::NONE, Repairs::with);
        assert_eq!(each, Some(Repairs::ALL));
        assert_eq!(Repairs::NONE.with("hope"), None);
    }
}
