//! The second-level cache of a processor: tags of main memory, and the lines of the board with their data.
//!
//! A line of the board that was read stays, whatever the controller writes, until the program flushes it (thesis section
//! 4.2.1). What a program keeps in main memory is in the program; of that the cache knows only which lines it holds.

use super::cost::{CACHE_BYTES, CACHE_WAYS};

/// Bytes of a line.
pub(crate) const LINE: u64 = 64;

const SETS: usize = CACHE_BYTES / LINE as usize / CACHE_WAYS;

/// Where main memory begins for the cache; the board lies below.
pub(crate) const MAIN_MEMORY: u64 = 1 << 32;

#[derive(Debug)]
struct Entry {
    line: u64,
    /// The line must be written back before its place is given away.
    dirty: bool,
    /// Came by PREFETCHNTA: the first to go.
    non_temporal: bool,
    data: Option<Box<[u8; 64]>>,
}

/// The cache. The entries of a set are in the order of their last use, the latest at the end.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// None until the first use: most programs of large clusters use no line.
    sets: Vec<Vec<Entry>>,
}

impl Cache {
    /// Whether the line at `address` is here; it counts as a use.
    pub fn touch(&mut self, address: u64, write: bool) -> bool {
        let set = self.set(address);
        let Some(index) = set.iter().position(|entry| entry.line == address / LINE) else { return false };
        let mut entry = set.remove(index);
        entry.dirty |= write;
        set.push(entry);
        true
    }

    /// The data of a line of the board.
    pub fn line(&mut self, address: u64) -> Option<&[u8; 64]> {
        self.touch(address, false).then_some(())?;
        self.set(address).last().and_then(|entry| entry.data.as_deref())
    }

    /// Puts a line into the cache; tells whether another one must be written back for it.
    pub fn fill(&mut self, address: u64, dirty: bool, data: Option<Box<[u8; 64]>>) -> bool {
        let non_temporal = data.is_some();
        let set = self.set(address);
        set.retain(|entry| entry.line != address / LINE);
        let victim = (set.len() == CACHE_WAYS).then(|| {
            let index = set.iter().position(|entry| entry.non_temporal).unwrap_or(0);
            set.remove(index)
        });
        set.push(Entry { line: address / LINE, dirty, non_temporal, data });
        victim.is_some_and(|entry| entry.dirty)
    }

    /// Takes a line out; tells whether it must be written back.
    pub fn flush(&mut self, address: u64) -> bool {
        let set = self.set(address);
        match set.iter().position(|entry| entry.line == address / LINE) {
            Some(index) => set.remove(index).dirty,
            None => false,
        }
    }

    fn set(&mut self, address: u64) -> &mut Vec<Entry> {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Vec::new);
        }
        &mut self.sets[(address / LINE) as usize % SETS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The `n`th line that shares a set with the first one.
    fn rival(n: usize) -> u64 {
        MAIN_MEMORY + (n * SETS) as u64 * LINE
    }

    #[test]
    fn line_stays_until_it_is_flushed() {
        let mut cache = Cache::default();
        assert_eq!(cache.line(0x1_0000), None);
        assert!(!cache.fill(0x1_0000, false, Some(Box::new([7; 64]))));
        assert_eq!(cache.line(0x1_0000), Some(&[7; 64]));
        assert!(!cache.flush(0x1_0000));
        assert_eq!(cache.line(0x1_0000), None);
    }

    #[test]
    fn ninth_line_of_a_set_takes_the_place_of_the_one_used_least_recently() {
        let mut cache = Cache::default();
        (0..CACHE_WAYS).for_each(|n| assert!(!cache.fill(rival(n), n == 1, None)));
        assert!(cache.touch(rival(0), false));
        assert!(cache.fill(rival(CACHE_WAYS), false, None), "line 1 was written to");
        assert!(cache.touch(rival(0), false) && !cache.touch(rival(1), false));
    }

    #[test]
    fn prefetched_line_goes_first() {
        let mut cache = Cache::default();
        (0..CACHE_WAYS - 1).for_each(|n| assert!(!cache.fill(rival(n), true, None)));
        assert!(!cache.fill(0, false, Some(Box::new([0; 64]))));
        assert!(!cache.fill(rival(CACHE_WAYS), false, None), "a line of the board is never written back");
        assert_eq!(cache.line(0), None);
    }

    #[test]
    fn capacity_is_that_of_the_machine() {
        let mut cache = Cache::default();
        let lines = |bytes: usize| (0..bytes as u64).step_by(LINE as usize).map(|at| MAIN_MEMORY + at);
        assert!(lines(CACHE_BYTES).all(|at| !cache.fill(at, true, None)));
        assert!(lines(CACHE_BYTES).all(|at| cache.touch(at, false)));
        assert!(cache.fill(MAIN_MEMORY + CACHE_BYTES as u64, false, None));
    }
}
