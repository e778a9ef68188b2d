//! The second-level cache of a PE: 1 MB, direct-mapped, write-back, lines of 64 bytes, physical index (paper, sections
//! 3 and 6.3). It holds data, so a read of a line that the NIF has written since brings stale bytes.
//!
//! The VR4400 keeps the lines of its on-chip cache a subset of these (R4000 manual, secondary cache: inclusion). A line
//! replaced here leaves the first level too, which therefore needs no model.

use cluster::host::Memory;

/// Bytes of the cache, and the distance of two addresses with the same line (paper, section 6.3).
pub const CACHE_BYTES: u32 = 1 << 20;
/// Bytes of a line: 16 words (paper, section 6.3) of 4 bytes.
pub const LINE_BYTES: u32 = 64;

const LINES: usize = (CACHE_BYTES / LINE_BYTES) as usize;

/// A cached line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// Address of its first byte in memory.
    address: u32,
    /// The line was written since it was filled.
    dirty: bool,
    bytes: [u8; LINE_BYTES as usize],
}

/// Line transfers of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Lines that were read from memory.
    pub filled: u32,
    /// Dirty lines that were written to memory.
    pub written_back: u32,
}

impl std::ops::AddAssign for Moved {
    fn add_assign(&mut self, other: Self) {
        self.filled += other.filled;
        self.written_back += other.written_back;
    }
}

/// The cache. Accesses take no time here: they return their line transfers.
#[derive(Debug)]
pub struct Cache {
    lines: Vec<Option<Box<Line>>>,
}

impl Default for Cache {
    fn default() -> Self {
        Cache { lines: vec![None; LINES] }
    }
}

impl Cache {
    /// Reads bytes through the cache.
    pub fn read(&mut self, memory: &mut Memory, address: u32, into: &mut [u8]) -> Moved {
        let mut moved = Moved::default();
        for (at, range) in pieces(address, into.len()) {
            let (line, more) = self.hold(memory, at);
            moved += more;
            let start = (at % LINE_BYTES) as usize;
            let length = range.len();
            into[range].copy_from_slice(&line.bytes[start..start + length]);
        }
        moved
    }

    /// Writes bytes into the cache; memory gets them when their lines are replaced.
    pub fn write(&mut self, memory: &mut Memory, address: u32, bytes: &[u8]) -> Moved {
        let mut moved = Moved::default();
        for (at, range) in pieces(address, bytes.len()) {
            let (line, more) = self.hold(memory, at);
            moved += more;
            let start = (at % LINE_BYTES) as usize;
            line.bytes[start..start + range.len()].copy_from_slice(&bytes[range]);
            line.dirty = true;
        }
        moved
    }

    /// Writes dirty lines of an area back and invalidates them, as the cache instructions of a kernel do. A line that
    /// is not cached costs a look.
    pub fn flush(&mut self, memory: &mut Memory, address: u32, bytes: u32) -> Moved {
        let mut moved = Moved::default();
        for (at, _) in pieces(address, bytes as usize) {
            let base = at - at % LINE_BYTES;
            let held = &mut self.lines[index(base)];
            if held.as_ref().is_some_and(|line| line.address == base) {
                moved.written_back += u32::from(release(memory, held));
            }
        }
        moved
    }

    /// Whether the line of an address is dirty; `None` if it is not cached.
    pub fn holds(&self, address: u32) -> Option<bool> {
        let base = address - address % LINE_BYTES;
        self.lines[index(base)].as_ref().filter(|line| line.address == base).map(|line| line.dirty)
    }

    /// Cached lines, for fingerprints.
    pub fn lines(&self) -> impl Iterator<Item = (u32, bool, &[u8])> {
        self.lines.iter().flatten().map(|line| (line.address, line.dirty, &line.bytes[..]))
    }

    /// The line of an address, after the line in its place was replaced.
    fn hold(&mut self, memory: &mut Memory, address: u32) -> (&mut Line, Moved) {
        let base = address - address % LINE_BYTES;
        let held = &mut self.lines[index(base)];
        let mut moved = Moved::default();
        if held.as_ref().is_none_or(|line| line.address != base) {
            moved = Moved { filled: 1, written_back: release(memory, held).into() };
            let bytes = std::array::from_fn(|i| memory.peek(u64::from(base) + i as u64));
            *held = Some(Box::new(Line { address: base, dirty: false, bytes }));
        }
        (held.as_mut().expect("it was filled"), moved)
    }
}

/// Invalidates a line; returns whether it was written back.
fn release(memory: &mut Memory, held: &mut Option<Box<Line>>) -> bool {
    let Some(line) = held.take().filter(|line| line.dirty) else { return false };
    for (at, byte) in (u64::from(line.address)..).zip(line.bytes) {
        memory.poke(at, byte);
    }
    true
}

fn index(base: u32) -> usize {
    (base % CACHE_BYTES / LINE_BYTES) as usize
}

/// The parts of an area that lie in one line each: their addresses and byte ranges.
fn pieces(address: u32, length: usize) -> impl Iterator<Item = (u32, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let at = address + done as u32;
        let here = ((LINE_BYTES - at % LINE_BYTES) as usize).min(length - done);
        let range = done..done + here;
        done += here;
        (here > 0).then_some((at, range))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(memory: &mut Memory, address: u32, bytes: &[u8]) {
        for (at, byte) in (u64::from(address)..).zip(bytes) {
            memory.poke(at, *byte);
        }
    }

    fn get(cache: &mut Cache, memory: &mut Memory, address: u32) -> u8 {
        let mut byte = [0];
        cache.read(memory, address, &mut byte);
        byte[0]
    }

    #[test]
    fn cached_line_hides_dma_data_until_it_is_replaced() {
        let (mut cache, mut memory) = (Cache::default(), Memory::default());
        set(&mut memory, 0x1000, &[1]);
        assert_eq!(get(&mut cache, &mut memory, 0x1000), 1);
        // DMA writes memory, not the cache (hazard H2).
        set(&mut memory, 0x1000, &[2]);
        assert_eq!(get(&mut cache, &mut memory, 0x1000), 1, "the old line is read");
        // Reading X + 1 MB replaces the line of X (paper, section 6.3).
        get(&mut cache, &mut memory, 0x1000 + CACHE_BYTES);
        assert_eq!(get(&mut cache, &mut memory, 0x1000), 2);
    }

    #[test]
    fn dirty_line_replaced_too_late_overwrites_dma_data() {
        let (mut cache, mut memory) = (Cache::default(), Memory::default());
        cache.write(&mut memory, 0x2000, &[7]);
        set(&mut memory, 0x2000, &[9; 64]);
        let moved = cache.read(&mut memory, 0x2000 + CACHE_BYTES, &mut [0]);
        assert_eq!(moved, Moved { filled: 1, written_back: 1 });
        assert_eq!([memory.peek(0x2000), memory.peek(0x2001)], [7, 0], "hazard H1: all of the line is lost");
    }

    #[test]
    fn line_replaced_before_dma_overwrites_no_data() {
        let (mut cache, mut memory) = (Cache::default(), Memory::default());
        cache.write(&mut memory, 0x2000, &[7]);
        cache.read(&mut memory, 0x2000 + CACHE_BYTES, &mut [0]);
        set(&mut memory, 0x2000, &[9; 64]);
        assert_eq!(get(&mut cache, &mut memory, 0x2000), 9);
        assert_eq!(memory.peek(0x2000), 9);
    }

    #[test]
    fn alias_that_is_held_already_is_a_hit_and_replaces_nothing() {
        let (mut cache, mut memory) = (Cache::default(), Memory::default());
        assert_eq!(cache.read(&mut memory, CACHE_BYTES, &mut [0]).filled, 1);
        assert_eq!(cache.read(&mut memory, CACHE_BYTES, &mut [0]), Moved::default());
        assert_eq!(cache.holds(0), None, "and then the line of X is not held (hazard H3)");
    }

    #[test]
    fn access_across_lines_moves_each_once() {
        let (mut cache, mut memory) = (Cache::default(), Memory::default());
        let bytes: Vec<u8> = (0..200).collect();
        assert_eq!(cache.write(&mut memory, 60, &bytes).filled, 5);
        let mut back = vec![0; 200];
        assert_eq!(cache.read(&mut memory, 60, &mut back), Moved::default());
        assert_eq!(back, bytes);
        assert_eq!(cache.lines().count(), 5);
    }

    #[test]
    fn flush_writes_dirty_lines_back_and_lets_all_of_an_area_go() {
        let (mut cache, mut memory) = (Cache::default(), Memory::default());
        cache.write(&mut memory, 0, &[5; 70]);
        cache.read(&mut memory, 128, &mut [0]);
        assert_eq!(cache.flush(&mut memory, 0, 192), Moved { filled: 0, written_back: 2 });
        assert_eq!((memory.peek(69), cache.lines().count()), (5, 0));
        assert_eq!(cache.flush(&mut memory, 0, 192), Moved::default());
    }
}
