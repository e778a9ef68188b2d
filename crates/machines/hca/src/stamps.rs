//! Times at which the adapter wrote entries of completion queues.

use std::collections::BTreeMap;
use std::ops::Range;

use cluster::Time;
use hca::layout::CQE_BYTES;

/// Times of the latest writes to blocks of 32 bytes, in a part of memory.
#[derive(Debug, Default)]
pub struct Stamps {
    part: Range<u32>,
    by_block: BTreeMap<u32, Time>,
}

impl Stamps {
    /// Notes times in this part of memory from now on.
    pub fn begin(&mut self, part: Range<u32>) {
        self.part = part;
    }

    /// The adapter writes a word.
    pub(crate) fn note(&mut self, address: u32, now: Time) {
        if self.part.contains(&address) {
            self.by_block.insert(address / u32::from(CQE_BYTES), now);
        }
    }

    /// Time of the latest write to the block at an address; none if the adapter never wrote there.
    pub fn time(&self, address: u32) -> Option<Time> {
        self.by_block.get(&(address / u32::from(CQE_BYTES))).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_has_the_time_of_its_latest_word() {
        let mut stamps = Stamps::default();
        stamps.note(0x40, Time::from_ps(1));
        stamps.begin(0x40..0x80);
        for (address, ps) in [(0x38, 2), (0x40, 3), (0x58, 4), (0x60, 5), (0x80, 6)] {
            stamps.note(address, Time::from_ps(ps));
        }
        let times = [0x20, 0x40, 0x60, 0x80].map(|address| stamps.time(address).map(Time::ps));
        assert_eq!(times, [None, Some(4), Some(5), None]);
    }
}
