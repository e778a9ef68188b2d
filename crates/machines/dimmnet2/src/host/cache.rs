//! The second-level cache of a processor: tags of main memory, and the lines of the board with their data.
//!
//! A line of the board stays after a read, whatever the controller writes, until the program flushes it (thesis section
//! 4.2.1). The data of main memory is held by the program; the cache has the tags of its lines alone.

use super::cost::{CACHE_BYTES, CACHE_WAYS};

/// Bytes of a line.
pub(crate) const LINE: u64 = 64;

const SETS: usize = CACHE_BYTES / LINE as usize / CACHE_WAYS;

/// Address of main memory in the cache; the board lies below.
pub(crate) const MAIN_MEMORY: u64 = 1 << 32;

#[derive(Debug)]
struct Entry {
    line: u64,
    /// The line is written back before it is replaced.
    dirty: bool,
    /// The line came by PREFETCHNTA and is replaced first.
    non_temporal: bool,
    data: Option<Box<[u8; 64]>>,
}

/// The cache. The entries of a set are in the order of their last use, the latest at the end.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// Empty until the first use: most programs of large clusters use no line.
    sets: Vec<Vec<Entry>>,
}

impl Cache {
    /// Whether the cache has the line at `address`; counts as a use.
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

    /// Puts a line into the cache; returns whether it replaces a dirty line.
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

    /// Removes a line; returns whether it was dirty.
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

    /// The `n`th line of the set of the first one.
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
    fn ninth_line_of_a_set_replaces_the_least_recently_used() {
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
