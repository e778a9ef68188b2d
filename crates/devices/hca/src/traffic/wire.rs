//! One direction of a cable between two adapters, which drops and damages packets.

use std::collections::VecDeque;

use hdl::Stimulus;

use crate::icrc::of_packet;
use crate::pins::{LinkIn, LinkOut};

/// Faults of a cable: each hits one packet in that many, on average; 0 for never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The packet is dropped.
    pub lost: u64,
    /// A bit of the packet is flipped.
    pub damaged: u64,
    /// The packet is truncated.
    pub cut: u64,
}

/// One direction of a cable: whole packets, in order.
#[derive(Clone, Debug)]
pub struct Wire {
    random: Stimulus,
    faults: Faults,
    /// A word is taken once in `stalls` cycles on average.
    pub stalls: u64,
    packet: Vec<u64>,
    arriving: VecDeque<(u64, bool)>,
    /// Packets in flight, as words.
    pub sent: Vec<Vec<u64>>,
    /// Holds every packet back, up to this many at a time, until a test lets it arrive; `None` for a cable.
    pub holds: Option<usize>,
    /// Packets held back, as words, the oldest first.
    pub held: VecDeque<Vec<u64>>,
    /// Packets carried.
    pub packets: u64,
    /// Packets dropped, damaged or truncated.
    pub losses: u64,
}

impl Wire {
    /// A cable with these faults, drawn from `seed`.
    pub fn new(seed: u64, faults: Faults) -> Self {
        Self {
            random: Stimulus::new(seed),
            faults,
            stalls: 1,
            packet: Vec::new(),
            arriving: VecDeque::new(),
            sent: Vec::new(),
            holds: None,
            held: VecDeque::new(),
            packets: 0,
            losses: 0,
        }
    }

    /// Changes the faults of the cable.
    pub fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }

    /// Puts words on the cable as they are, as one packet.
    pub fn inject(&mut self, words: &[u64]) {
        let last = words.len().saturating_sub(1);
        self.arriving.extend(words.iter().enumerate().map(|(i, &word)| (word, i == last)));
    }

    /// Puts a packet on the cable, and its ICRC behind it.
    pub fn inject_packet(&mut self, packet: &[u8]) {
        self.inject(&with_icrc(packet));
    }

    /// Whether nothing is on the cable.
    pub fn is_empty(&self) -> bool {
        self.arriving.is_empty() && self.packet.is_empty()
    }

    /// Whether a word that leaves is taken in this cycle.
    pub fn ready(&mut self) -> bool {
        self.has_room() && (self.stalls <= 1 || self.random.one_in(self.stalls))
    }

    /// Whether another packet may be held back, or one is leaving.
    pub fn has_room(&self) -> bool {
        !self.packet.is_empty() || self.holds.is_none_or(|most| self.held.len() < most)
    }

    /// Lets all packets that are held back arrive, and later ones at once.
    pub fn let_flow(&mut self) {
        self.holds = None;
        for words in std::mem::take(&mut self.held) {
            self.inject(&words);
        }
    }

    /// One cycle: the word that leaves one adapter, if it is taken, and the one that arrives at the other.
    pub fn carry(&mut self, out: &LinkOut, ready: bool, other: &LinkOut) -> LinkIn {
        if out.valid && ready {
            self.packet.push(out.data);
            if out.last {
                self.arrive();
            }
        }
        // A word offered in this cycle is taken at its end.
        let offered = self.arriving.front().copied();
        if offered.is_some() && other.receive_ready {
            self.arriving.pop_front();
        }
        let (data, last) = offered.unwrap_or_default();
        LinkIn { data, last, valid: offered.is_some(), transmit_ready: false }
    }

    fn arrive(&mut self) {
        let Faults { lost, damaged, cut } = self.faults;
        let mut words = std::mem::take(&mut self.packet);
        self.sent.push(words.clone());
        let random = &mut self.random;
        let mut once_in = |odds: u64| odds != 0 && random.one_in(odds);
        let (lost, damaged, cut) = (once_in(lost), once_in(damaged), once_in(cut));
        self.packets += 1;
        self.losses += u64::from(lost || damaged || cut);
        if damaged {
            let at = self.random.below(words.len() as u64) as usize;
            // Not the virtual lane, not the reserved byte, and not behind an odd ICRC, where nothing counts.
            words[at] ^= 0x100;
        }
        if cut {
            words.truncate(1 + self.random.below(words.len() as u64 - 1) as usize);
        }
        if self.holds.is_some() {
            self.held.push_back(words);
        } else if !lost {
            self.inject(&words);
        }
    }
}

/// The words of a packet with its ICRC.
pub fn with_icrc(packet: &[u8]) -> Vec<u64> {
    let bytes = [packet, &of_packet(packet).to_le_bytes()].concat();
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks(8).map(word).collect()
}

/// The bytes of a packet without its ICRC, by the length in its header; `None` if its words are not as many.
pub fn bytes(words: &[u64]) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let units = usize::from(*bytes.get(4)? & 7) << 8 | usize::from(*bytes.get(5)?);
    (units.div_ceil(2) == words.len()).then(|| bytes[..4 * (units - 1)].to_vec())
}
