//! A set of numbers of queue pairs or completion queues, a bit each.

use hdl::{Bits, Kind};

/// Words of 64 bits of a set.
const WORDS: usize = 4;

/// Numbers from 0 to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers([u64; WORDS]);

impl Numbers {
    /// The numbers of 64 queues in each word, a bit each, the lowest number in bit 0.
    pub const fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// Which of the 16 numbers of a group are there, a bit each; the group is bits 7:4 of its numbers.
    #[inline(always)]
    pub const fn group(&self, group: u8) -> u16 {
        (self.0[group as usize / 4] >> (group % 4 * 16)) as u16
    }

    /// Groups of which a number is there, a bit each.
    #[inline]
    pub fn groups(&self) -> u16 {
        (0..16).map(|group| u16::from(self.group(group) != 0) << group).sum()
    }

    /// Whether the set has no number.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        let [first, second, third, fourth] = self.0;
        first | second | third | fourth == 0
    }

    /// Whether the set has the number.
    #[inline(always)]
    pub const fn has(&self, number: u8) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// Puts the number into the set, or takes it out.
    #[inline(always)]
    pub fn set(&mut self, number: u8, there: bool) {
        let word = &mut self.0[usize::from(number / 64)];
        *word = *word & !(1 << (number % 64)) | u64::from(there) << (number % 64);
    }
}

impl FromIterator<u8> for Numbers {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Self {
        let mut set = Self::default();
        numbers.into_iter().for_each(|number| set.set(number, true));
        set
    }
}

impl Bits for Numbers {
    const WIDTH: u32 = 64 * WORDS as u32;
    const KIND: Kind = Kind::Vector;

    #[inline(always)]
    fn put(self, words: &mut [u64], at: u32, _width: u32) {
        for (word, at) in self.0.into_iter().zip((at..).step_by(64)) {
            word.put(words, at, 64);
        }
    }

    #[inline(always)]
    fn take(words: &[u64], at: u32, _width: u32) -> Self {
        Self(std::array::from_fn(|word| u64::take(words, at + 64 * word as u32, 64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_there_from_its_set_to_its_end_and_no_other_is() {
        for number in 0..=u8::MAX {
            let mut set: Numbers = [3, 200].into_iter().collect();
            set.set(number, true);
            assert!((0..=u8::MAX).all(|other| set.has(other) == [3, 200, number].contains(&other)));
            for group in 0..16 {
                let there = (0..16).map(|low| u16::from(set.has(group << 4 | low)) << low).sum::<u16>();
                assert_eq!((set.group(group), set.groups() >> group & 1 == 1), (there, there != 0));
            }
            let mut words = [0; 5];
            set.put(&mut words, 17, Numbers::WIDTH);
            assert_eq!(Numbers::take(&words, 17, Numbers::WIDTH), set);
            for gone in [3, 200, number] {
                set.set(gone, false);
                assert!(!set.has(gone));
            }
            assert!(set.is_empty(), "{number}");
        }
    }
}
