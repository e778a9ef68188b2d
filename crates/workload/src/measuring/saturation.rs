//! Whether a network takes less than it is offered.

/// Number of parts of the measurement whose queues are compared.
pub(super) const QUARTERS: usize = 4;
/// Share of the offered messages that must arrive.
const ACCEPTED: f64 = 0.95;

/// Messages that were created and seen in the measurement, and mean lengths of the senders' queues in its
/// quarters, all of them per sender.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balance {
    pub created: f64,
    pub seen: f64,
    pub queues: [f64; QUARTERS],
}

impl Balance {
    /// Whether less is accepted than offered, or queues grow through the whole measurement. Differences of
    /// up to two messages per sender are in flight.
    pub fn is_saturated(&self) -> bool {
        let short = self.seen < ACCEPTED * self.created && self.created - self.seen > 2.0;
        let growing = self.queues.is_sorted() && self.queues[QUARTERS - 1] - self.queues[0] > 2.0;
        short || growing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortfall_or_growing_queues_are_saturation() {
        let saturated = |created, seen, queues| Balance { created, seen, queues }.is_saturated();
        assert!(!saturated(100.0, 99.0, [0.5, 0.4, 0.6, 0.5]));
        assert!(saturated(100.0, 90.0, [0.0; 4]));
        assert!(!saturated(10.0, 9.1, [0.0; 4]), "messages are in flight");
        assert!(saturated(100.0, 99.0, [0.5, 1.0, 2.0, 3.0]));
        assert!(!saturated(20.0, 18.1, [0.5, 1.0, 2.0, 2.4]), "two messages are in flight");
        assert!(!saturated(100.0, 99.0, [0.5, 2.0, 1.0, 3.0]), "the queues shrink again");
    }
}
