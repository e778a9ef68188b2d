//! The protocol as printed, and its repairs.

/// One switch a repair, so that a checker can tell which repairs are necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Lines of a slot are replaced before the slot is announced, so that none is dirty when data arrives
    /// (H1).
    pub replace_before: bool,
    /// Lines of a slot are replaced after its header has arrived and before it is read (H2), as the paper
    /// does (s6.3).
    pub replace_after: bool,
    /// The NIF writes data before the header that reports it (H18).
    pub data_first: bool,
    /// Send and receive slots are in separate pools (H19).
    pub two_pools: bool,
    /// A message needs a credit of its receiver (H9).
    pub credits: bool,
    /// A PE that cannot send continues to receive (H9).
    pub drains: bool,
    /// A send slot is reused when the next-read position of the queue has passed its entry, not when the send
    /// starts (H14).
    pub positions: bool,
    /// Events of `evc_wait` are counted, so that none is lost (H12).
    pub counts_events: bool,
    /// A thread arms and polls once more before it sleeps (H12).
    pub polls_again: bool,
    /// A progress thread that has received a message wakes the thread that waits for it (H13).
    pub hands_over: bool,
    /// Masks change only while the user queue is empty (H6).
    pub empties_queue: bool,
    /// One place of a ring stays free, so that a full ring differs from an empty one (H20).
    pub keeps_one_free: bool,
    /// The NIF interrupts while a rendezvous is pending, so that the progress thread does not wait for its
    /// period (H10).
    pub urgent: bool,
}

impl Rules {
    /// The protocol as printed; where the paper is silent, the simplest reading.
    pub const PRINTED: Self = Self { replace_after: true, ..Self::each(false) };
    /// The protocol with all repairs.
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

    /// All switches with their names.
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

    /// Differences from the printed protocol, such as `+data_first` or `-replace_after`.
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

    /// Variants of these rules, each with one enabled switch turned off.
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
    fn names_list_the_differences_from_the_printed_rules() {
        assert_eq!(Rules::PRINTED.name(), "printed");
        assert_eq!(Rules::REPAIRED.name(), "repaired");
        let rules = Rules { replace_after: false, data_first: true, ..Rules::PRINTED };
        assert_eq!(rules.name(), "printed -replace_after +data_first");
        assert_eq!(Rules::REPAIRED.with_one_less().len(), Rules::COUNT);
        assert_eq!(Rules::PRINTED.with_one_less().len(), 1);
    }
}
