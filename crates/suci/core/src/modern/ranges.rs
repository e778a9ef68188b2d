//! Numbers that have arrived, as ranges: what an acknowledgement says, and by which a repeated packet is known.

/// Ranges that are kept; of more, the lowest are closed up, and what lies in their gaps counts as repeated.
pub const MOST_RANGES: usize = 32;

/// Ascending ranges, both ends included, none touching the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ranges {
    ranges: Vec<(u64, u64)>,
    /// Numbers below this count as arrived.
    floor: u64,
}

impl Ranges {
    /// The highest number that has arrived.
    pub fn highest(&self) -> Option<u64> {
        self.ranges.last().map(|range| range.1)
    }

    /// The ranges from the highest down.
    pub fn descending(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        self.ranges.iter().rev().copied()
    }

    /// Whether a number has arrived, or is so old that it counts as arrived.
    pub fn contains(&self, number: u64) -> bool {
        number < self.floor || self.ranges.iter().any(|&(low, high)| low <= number && number <= high)
    }

    /// Adds a number; false if it was there.
    pub fn insert(&mut self, number: u64) -> bool {
        if self.contains(number) {
            return false;
        }
        // Most packets follow the one before, so the place is looked for from above.
        let after = self.ranges.iter().rposition(|range| range.1 < number).map_or(0, |at| at + 1);
        let joins_lower = after > 0 && self.ranges[after - 1].1 + 1 == number;
        let joins_upper = after < self.ranges.len() && self.ranges[after].0 == number + 1;
        match (joins_lower, joins_upper) {
            (true, true) => {
                self.ranges[after - 1].1 = self.ranges[after].1;
                self.ranges.remove(after);
            }
            (true, false) => self.ranges[after - 1].1 = number,
            (false, true) => self.ranges[after].0 = number,
            (false, false) => self.ranges.insert(after, (number, number)),
        }
        if self.ranges.len() > MOST_RANGES {
            self.floor = self.ranges.remove(0).1 + 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_number_is_new_once_and_ranges_hold_all_that_came(numbers in prop::collection::vec(0u64..60, 0..200)) {
            let mut ranges = Ranges::default();
            let mut seen = BTreeSet::new();
            for number in numbers {
                prop_assert_eq!(ranges.insert(number), seen.insert(number) );
            }
            let listed: Vec<_> = ranges.descending().flat_map(|(low, high)| (low..=high).rev()).collect();
            prop_assert_eq!(listed, seen.into_iter().rev().collect::<Vec<_>>());
        }
    }

    #[test]
    fn memory_is_bounded_and_what_is_closed_up_counts_as_arrived() {
        let mut ranges = Ranges::default();
        for number in 0..1_000 {
            assert!(ranges.insert(number * 2));
        }
        assert_eq!(ranges.descending().len(), MOST_RANGES);
        assert!(ranges.contains(1));
        assert!(!ranges.contains(1_997));
    }
}
