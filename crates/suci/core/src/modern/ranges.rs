//! Ranges of received packet numbers, for acknowledgements and the detection of duplicates.

/// Largest number of ranges. Beyond it the lowest gap is closed, and its numbers count as received.
pub const MOST_RANGES: usize = 32;

/// Ascending ranges with both ends included, none adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ranges {
    ranges: Vec<(u64, u64)>,
    /// Numbers below this count as received.
    floor: u64,
}

impl Ranges {
    /// Highest received number.
    pub fn highest(&self) -> Option<u64> {
        self.ranges.last().map(|range| range.1)
    }

    /// Ranges in descending order.
    pub fn descending(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        self.ranges.iter().rev().copied()
    }

    /// Whether a number was received or is below the floor.
    pub fn contains(&self, number: u64) -> bool {
        number < self.floor || self.ranges.iter().any(|&(low, high)| low <= number && number <= high)
    }

    /// Inserts a number. Returns false if it was contained.
    pub fn insert(&mut self, number: u64) -> bool {
        if self.contains(number) {
            return false;
        }
        // Most numbers follow the highest one, so the search begins at the end.
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
        fn numbers_are_new_once_and_ranges_contain_all(numbers in prop::collection::vec(0u64..60, 0..200)) {
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
    fn closed_gaps_count_as_received() {
        let mut ranges = Ranges::default();
        for number in 0..1_000 {
            assert!(ranges.insert(number * 2));
        }
        assert_eq!(ranges.descending().len(), MOST_RANGES);
        // The closed gaps end at the last range that is gone, whose numbers count as received too.
        let floor = 2 * (1_000 - MOST_RANGES as u64) - 1;
        for number in 0..2_000 {
            let received = number < floor || number % 2 == 0;
            assert_eq!(ranges.contains(number), received, "{number}");
            assert_eq!(ranges.clone().insert(number), !received, "{number}");
        }
    }
}
