//! Contents of a memory, stored only as far as written.

use crate::Bits;

/// Words of the first allocation.
const FIRST: usize = 16;

/// The words of a memory of `DEPTH` words. Storage extends to the highest word written; all others have the
/// default value. Of a thousand boards, most use little of their memories.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words<T, const DEPTH: usize> {
    written: Vec<T>,
}

impl<T: Bits, const DEPTH: usize> Words<T, DEPTH> {
    /// The word at `address`.
    #[inline(always)]
    pub fn get(&self, address: usize) -> T {
        debug_assert!(address < DEPTH, "an address names a word of the memory");
        self.written.get(address).copied().unwrap_or_default()
    }

    /// The word at `address`, for writing.
    #[inline(always)]
    pub fn at(&mut self, address: usize) -> &mut T {
        if address >= self.written.len() {
            self.grow(address);
        }
        &mut self.written[address]
    }

    /// The stored words: at least those up to the highest one written.
    pub fn written(&self) -> &[T] {
        &self.written
    }

    /// All `DEPTH` words.
    pub fn all(&self) -> Vec<T> {
        let mut words = self.written.clone();
        words.resize(DEPTH, T::default());
        words
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, address: usize) {
        assert!(address < DEPTH, "an address names a word of the memory");
        let length = (address + 1).next_power_of_two().max(FIRST).min(DEPTH);
        self.written.reserve_exact(length - self.written.len());
        self.written.resize(length, T::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwritten_words_have_the_default_value() {
        let mut words = Words::<u64, 100>::default();
        assert_eq!((words.get(99), words.written().len()), (0, 0), "a read makes no words");
        *words.at(20) = 7;
        assert_eq!((words.get(20), words.get(19), words.get(99)), (7, 0, 0));
        assert_eq!(words.written().len(), 32);
        *words.at(99) = 8;
        assert_eq!(words.written().len(), 100, "no more than there are");
        assert_eq!((words.all()[20], words.all()[99], words.all().len()), (7, 8, 100));
    }

    #[test]
    #[should_panic(expected = "an address names a word of the memory")]
    fn word_beyond_the_end_cannot_be_written() {
        *Words::<u64, 100>::default().at(100) = 1;
    }
}
