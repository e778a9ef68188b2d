//! The Prefetch Windows of a rank as a ring for data that comes, and who may fill it. No time and no network.
//!
//! ```text
//!   slot 0                                     slot 1
//!   +--------+--------+--------+--------+      +--------+--------+--------+--------+
//!   | heads  |   0    |   1    |   2    |      |   3    |   4    |   5    |   6    |
//!   +--------+--------+--------+--------+      +--------+--------+--------+--------+
//!
//!   a window   | not used, 16 bytes | data, up to 488 bytes | number of the chunk, 8 bytes |
//! ```
//!
//! Of two ranks of a board, each has a ring of three windows: 1 to 3 of its own slot.
//!
//! A chunk ends where its window ends, and the board writes its number last. So a host that finds the number in the
//! last line of a window has the whole chunk, whatever its length, and data of a program is never taken for a number.
//! Numbers go on from one message to the next.

use dimmnet2::address::WINDOW_BYTES;

use crate::programs::botf::DATA_BYTES;

/// Bytes of the number of a chunk.
pub const NUMBER: usize = 8;

/// Data of a full chunk: what a BOTF carries besides the number.
pub const CHUNK: usize = DATA_BYTES - NUMBER;

/// The first chunk of all. A window that was never written holds 0.
pub const FIRST: u64 = 1;

/// A Prefetch Window of either slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Slot of the process.
    pub wid: bool,
    /// Number in the slot, 0 to 3.
    pub number: u8,
}

/// The windows of a rank in rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ring {
    /// Slot of the rank.
    pub wid: bool,
    /// The rank has the windows of the other slot too.
    pub has_both_slots: bool,
}

impl Ring {
    /// Number of windows.
    pub fn windows(self) -> u64 {
        if self.has_both_slots { 7 } else { 3 }
    }

    /// The window through which a chunk passes; chunks take all windows in rotation.
    pub fn window(self, chunk: u64) -> Window {
        // Window 0 of the own slot receives the data that is read from rings.
        let place = (chunk % self.windows()) as u8 + 1;
        Window { wid: self.wid != (place >= 4), number: place % 4 }
    }
}

/// Bytes of a window that a chunk takes, number included; whole words.
pub fn taken(data: usize) -> usize {
    data.next_multiple_of(8) + NUMBER
}

/// Offset of a chunk in its window.
pub fn begin(data: usize) -> usize {
    WINDOW_BYTES as usize - taken(data)
}

/// The bytes of a chunk.
pub fn pack(chunk: u64, data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    bytes.resize(data.len().next_multiple_of(8), 0);
    bytes.extend_from_slice(&chunk.to_le_bytes());
    bytes
}

/// The number of the chunk with this last line.
pub fn number(line: &[u8; 64]) -> u64 {
    u64::from_le_bytes(*line.last_chunk().expect("a line has 64 bytes"))
}

/// A message that leaves through the windows of its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leaving {
    /// The windows of the receiver.
    pub ring: Ring,
    /// Bytes of the message, once they are known: the answer does not name them.
    pub length: usize,
    /// Bytes that have left.
    left: usize,
    /// The next chunk.
    next: u64,
    /// The first chunk that the receiver has not read, by its last report.
    read: u64,
}

impl Leaving {
    /// A message whose first chunk has this number.
    pub fn new(ring: Ring, first: u64) -> Leaving {
        Leaving { ring, length: 0, left: 0, next: first, read: first }
    }

    /// Whether there is a next packet, of `most` bytes at most, and windows for it.
    pub fn may_go_on(&self, most: usize) -> bool {
        let chunks = (self.length - self.left).min(most).div_ceil(CHUNK) as u64;
        chunks > 0 && self.next + chunks <= self.read + self.ring.windows()
    }

    /// Counts a chunk that leaves and returns its number.
    pub fn leave(&mut self, bytes: usize) -> u64 {
        let chunk = self.next;
        self.next += 1;
        self.left += bytes;
        chunk
    }

    /// Whether the whole message has left.
    pub fn is_over(&self) -> bool {
        self.left == self.length
    }

    /// Takes a report of the receiver. A report from an earlier message is ignored.
    pub fn hear(&mut self, read: u64) {
        self.read = self.read.max(read.min(self.next));
    }
}

/// The windows at their rank, and the message that owns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Windows {
    /// The windows of this rank.
    pub ring: Ring,
    /// The next chunk.
    next: u64,
    coming: Option<Coming>,
}

/// An incoming message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coming {
    /// Sending rank.
    pub from: usize,
    /// Number of the message at its sender.
    pub request: u32,
    /// Bytes that are not read.
    pub left: usize,
    /// Number of its first chunk.
    first: u64,
}

impl Windows {
    /// Windows that were never written.
    pub fn new(ring: Ring) -> Windows {
        Windows { ring, next: FIRST, coming: None }
    }

    /// The message that owns the windows.
    pub fn coming(&self) -> Option<Coming> {
        self.coming
    }

    /// Number of the next chunk to be read.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Gives the windows to a message of `bytes` bytes and returns its first chunk; `None` while another message owns
    /// them.
    pub fn give(&mut self, from: usize, request: u32, bytes: usize) -> Option<u64> {
        if self.coming.is_some() {
            return None;
        }
        self.coming = Some(Coming { from, request, left: bytes, first: self.next });
        Some(self.next)
    }

    /// Counts `bytes` read bytes of a chunk. A message that is read frees the windows.
    pub fn read(&mut self, bytes: usize) {
        self.next += 1;
        if let Some(coming) = &mut self.coming {
            coming.left -= bytes;
            if coming.left == 0 {
                self.coming = None;
            }
        }
    }

    /// Whether the sender waits for a report in order to send a packet of `packet` chunks. One report for each packet,
    /// as early as it helps.
    pub fn is_to_tell(&self, packet: u64) -> bool {
        self.coming.is_some_and(|Coming { first, left, .. }| {
            let (end, free) = (self.next + left.div_ceil(CHUNK) as u64, self.next + self.ring.windows());
            free == end || free < end && (free - first).is_multiple_of(packet)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, VecDeque};

    use super::*;

    const ALONE: Ring = Ring { wid: false, has_both_slots: true };
    const RINGS: [Ring; 3] =
        [ALONE, Ring { wid: false, has_both_slots: false }, Ring { wid: true, has_both_slots: false }];

    #[test]
    fn chunks_of_a_ring_have_a_window_each_and_spare_that_of_heads() {
        for (ring, first) in RINGS.into_iter().flat_map(|ring| [FIRST, 5, 7_000_000_007].map(|at| (ring, at)))
        {
            let heads = Window { wid: ring.wid, number: 0 };
            let all: Vec<_> = (first..first + ring.windows()).map(|chunk| ring.window(chunk)).collect();
            assert!(
                all.iter().enumerate().all(|(at, one)| !all[..at].contains(one) && *one != heads),
                "{all:?}"
            );
            assert!(ring.has_both_slots || all.iter().all(|one| one.wid == ring.wid), "{all:?}");
            assert_eq!(ring.window(first), ring.window(first + ring.windows()));
        }
    }

    #[test]
    fn chunk_ends_where_its_window_ends() {
        for bytes in [1, 8, 9, 487, 488] {
            let chunk = pack(9, &vec![7; bytes]);
            assert_eq!(begin(bytes) + chunk.len(), WINDOW_BYTES as usize);
            assert!(begin(bytes) >= 16 && begin(bytes).is_multiple_of(8));
            let mut line = [0; 64];
            let end = chunk.len().min(64);
            line[64 - end..].copy_from_slice(&chunk[chunk.len() - end..]);
            assert_eq!(number(&line), 9);
        }
    }

    /// Sends a message through the windows, in packets of `packet` chunks; returns the number of reports.
    fn play(ring: Ring, bytes: usize, packet: u64, first: u64) -> usize {
        let mut windows = Windows { ring, next: first, coming: None };
        assert_eq!(windows.give(1, 2, bytes), Some(first));
        let mut leaving = Leaving { length: bytes, ..Leaving::new(ring, first) };
        let (mut there, mut tells) = (Vec::new(), 0);
        while windows.coming().is_some() {
            while leaving.may_go_on(packet as usize * CHUNK) {
                let mut left = (bytes - leaving.left).min(packet as usize * CHUNK);
                while left > 0 {
                    let part = left.min(CHUNK);
                    there.push((leaving.leave(part), part));
                    left -= part;
                }
                assert!(there.len() as u64 <= ring.windows());
            }
            assert!(!there.is_empty(), "{bytes} bytes wait for a word that does not come");
            let (chunk, part) = there.remove(0);
            assert_eq!(chunk, windows.next());
            windows.read(part);
            if windows.is_to_tell(packet) {
                leaving.hear(windows.next());
                assert!(leaving.may_go_on(packet as usize * CHUNK), "a word is worth a packet");
                tells += 1;
            }
        }
        assert!(leaving.is_over() && there.is_empty());
        tells
    }

    #[test]
    fn message_of_any_length_passes_with_a_report_for_each_packet() {
        const SIZES: [usize; 7] = [1, 488, 489, 7 * 488, 7 * 488 + 1, 8 * 488 + 1, 65_536];
        for (ring, bytes) in RINGS.into_iter().flat_map(|ring| SIZES.map(|bytes| (ring, bytes))) {
            for packet in 1..=ring.windows() {
                let (chunks, windows) = (bytes.div_ceil(CHUNK) as u64, ring.windows());
                let at_once = if chunks <= windows { chunks.div_ceil(packet) } else { windows / packet };
                assert_eq!(
                    play(ring, bytes, packet, 40) as u64,
                    chunks.div_ceil(packet) - at_once,
                    "{ring:?} {bytes} {packet}"
                );
            }
        }
    }

    /// Both ends of a message, the packets in flight, and the word in the sender's LLCM.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct World {
        leaving: Leaving,
        windows: Windows,
        chunks: VecDeque<(u64, usize)>,
        words: VecDeque<u64>,
        word: u64,
    }

    /// All events that can be next.
    fn steps(world: &World, packet: usize) -> Vec<World> {
        let mut next = Vec::new();
        let mut step = |happens: bool, what: &dyn Fn(&mut World)| {
            if happens {
                let mut then = world.clone();
                what(&mut then);
                next.push(then);
            }
        };
        step(world.leaving.may_go_on(packet * CHUNK), &|world| {
            let mut left = (world.leaving.length - world.leaving.left).min(packet * CHUNK);
            while left > 0 {
                let part = left.min(CHUNK);
                world.chunks.push_back((world.leaving.leave(part), part));
                left -= part;
            }
        });
        step(!world.chunks.is_empty(), &|world| {
            let (chunk, part) = world.chunks.pop_front().expect("there is one");
            assert_eq!(chunk, world.windows.next());
            world.windows.read(part);
            if world.windows.is_to_tell(packet as u64) {
                world.words.push_back(world.windows.next());
            }
        });
        step(!world.words.is_empty(), &|world| world.word = world.words.pop_front().expect("there is one"));
        step(world.leaving.read != world.word, &|world| world.leaving.hear(world.word));
        next.retain(|then| then != world);
        next
    }

    #[test]
    fn no_unread_window_is_overwritten_whatever_is_late() {
        for (ring, packet) in RINGS.into_iter().flat_map(|ring| [1, 2, 3].map(|packet| (ring, packet))) {
            let mut windows = Windows { ring, next: 50, coming: None };
            windows.give(1, 0, 17 * CHUNK + 1).expect("nobody has them");
            let leaving = Leaving { length: 17 * CHUNK + 1, ..Leaving::new(ring, 50) };
            // The report of the message before is in the word or in flight.
            let (chunks, words) = (VecDeque::new(), VecDeque::from([47, 49]));
            let mut seen = BTreeSet::from([World { leaving, windows, chunks, words, word: 45 }]);
            let mut left: Vec<World> = seen.iter().cloned().collect();
            while let Some(world) = left.pop() {
                assert!(world.chunks.len() as u64 <= ring.windows());
                let next = steps(&world, packet);
                assert!(
                    !next.is_empty() || world.leaving.is_over() && world.windows.coming().is_none(),
                    "{world:?}"
                );
                left.extend(next.into_iter().filter(|then| seen.insert(then.clone())));
            }
            assert!(seen.len() as u64 > 14 * ring.windows(), "the search is not trivial");
        }
    }

    #[test]
    fn windows_have_one_message_at_a_time() {
        let mut windows = Windows::new(ALONE);
        assert_eq!(windows.give(1, 1, 500), Some(FIRST));
        assert_eq!(windows.give(2, 0, 8), None);
        windows.read(488);
        assert_eq!(windows.give(2, 0, 8), None);
        windows.read(12);
        assert_eq!(windows.give(2, 0, 8), Some(FIRST + 2));
    }

    #[test]
    fn what_was_told_before_is_no_news() {
        let mut leaving = Leaving { length: 10_000, ..Leaving::new(ALONE, 50) };
        leaving.hear(49);
        assert_eq!(leaving, Leaving { length: 10_000, ..Leaving::new(ALONE, 50) });
        for _ in 0..7 {
            leaving.leave(CHUNK);
        }
        assert!(!leaving.may_go_on(CHUNK));
        leaving.hear(51);
        assert!(leaving.may_go_on(CHUNK) && !leaving.may_go_on(2 * CHUNK));
    }
}
