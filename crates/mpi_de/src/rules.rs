//! The paper as printed, and what repairs it.

/// A switch for each repair, so that a checker can tell which are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Lines of a slot are replaced before the slot is announced, so that none is dirty when data comes (H1).
    pub replace_before: bool,
    /// Lines of a slot are replaced when its header has come, before it is read (H2). The paper does that (s6.3).
    pub replace_after: bool,
    /// The NIF writes data before the header that tells of them (H18).
    pub data_first: bool,
    /// Send and receive slots are of two pools (H19).
    pub two_pools: bool,
    /// A message takes a place that its receiver has promised (H9).
    pub credits: bool,
    /// Who cannot send takes what has come (H9).
    pub drains: bool,
    /// A send slot is used again when the queue's next-read position has passed its entry, not when the send is started (H14).
    pub positions: bool,
    /// Events of `evc_wait` are counted, not pulses (H12).
    pub counts_events: bool,
    /// A thread arms, looks once more and only then sleeps (H12).
    pub polls_again: bool,
    /// A progress thread that has taken a message wakes the thread which waits for it (H13).
    pub hands_over: bool,
    /// Masks change only when the user queue is empty (H6).
    pub empties_queue: bool,
    /// One place of a ring stays free, so that full is not empty (H20).
    pub keeps_one_free: bool,
    /// While a rendezvous is pending the NIF interrupts, and the progress thread need not wait for its period (H10).
    pub urgent: bool,
}

impl Rules {
    /// The paper to the letter; what it leaves open is read in the way that is least work.
    pub const PRINTED: Self = Self { replace_after: true, ..Self::each(false) };
    /// With all repairs.
    pub const REPAIRED: Self = Self::each(true);
    /// Number of switches.
    pub const COUNT: usize = 13;

    const fn each(on: bool) -> Self {
        Self {
            replace_before: on,
            replace_after: on,
            data_first: on,
            two_pools: on,
            credits: on,
            drains: on,
            positions: on,
            counts_events: on,
            polls_again: on,
            hands_over: on,
            empties_queue: on,
            keeps_one_free: on,
            urgent: on,
        }
    }

    /// The switches by name.
    pub fn switches(&mut self) -> [(&'static str, &mut bool); Self::COUNT] {
        [
            ("replace_before", &mut self.replace_before),
            ("replace_after", &mut self.replace_after),
            ("data_first", &mut self.data_first),
            ("two_pools", &mut self.two_pools),
            ("credits", &mut self.credits),
            ("drains", &mut self.drains),
            ("positions", &mut self.positions),
            ("counts_events", &mut self.counts_events),
            ("polls_again", &mut self.polls_again),
            ("hands_over", &mut self.hands_over),
            ("empties_queue", &mut self.empties_queue),
            ("keeps_one_free", &mut self.keeps_one_free),
            ("urgent", &mut self.urgent),
        ]
    }

    /// Names of those that differ from the printed rules: `+data_first`, or `-replace_after`.
    pub fn name(mut self) -> String {
        if self == Self::REPAIRED {
            return "repaired".into();
        }
        let mut printed = Self::PRINTED;
        let mut name = String::from("printed");
        for ((switch, on), (_, was)) in self.switches().into_iter().zip(printed.switches()) {
            if *on != *was {
                name += if *on { " +" } else { " -" };
                name += switch;
            }
        }
        name
    }

    /// The same rules, each time with one more of the switches off that are on.
    pub fn with_one_less(self) -> Vec<Self> {
        let less = |number: usize| {
            let mut rules = self;
            let switches = rules.switches();
            let was = std::mem::replace(&mut *switches[number].1, false);
            was.then_some(rules)
        };
        (0..Self::COUNT).filter_map(less).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_differs_from_the_printed_rules() {
        assert_eq!(Rules::PRINTED.name(), "printed");
        assert_eq!(Rules::REPAIRED.name(), "repaired");
        let rules = Rules { replace_after: false, data_first: true, ..Rules::PRINTED };
        assert_eq!(rules.name(), "printed -replace_after +data_first");
        assert_eq!(Rules::REPAIRED.with_one_less().len(), Rules::COUNT);
        assert_eq!(Rules::PRINTED.with_one_less().len(), 1);
    }
}
