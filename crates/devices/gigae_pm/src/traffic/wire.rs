//! One direction of a cable between two cards, which loses and damages frames.

use std::collections::VecDeque;

use hdl::Stimulus;

use crate::mac::crc32::frame_check_sequence;
use crate::pins::{NetworkIn, NetworkOut};

/// A frame on the wire: preamble, the frame padded to 60 bytes, check sequence.
pub fn with_preamble(frame: &[u8]) -> Vec<u8> {
    let mut bytes = [&[0x55; 7][..], &[0xd5], frame].concat();
    bytes.resize(bytes.len().max(8 + 60), 0);
    let sequence = frame_check_sequence(&bytes[8..]).to_le_bytes();
    bytes.extend(sequence);
    bytes
}

/// Fault injection: each fault hits one in `n` frames on average; 0 is never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The frame is lost.
    pub lost: u64,
    /// A byte of the frame is changed.
    pub damaged: u64,
    /// The frame is truncated.
    pub cut: u64,
}

/// One direction of a cable. Bytes arrive as sent; injected frames go between them.
#[derive(Clone, Debug)]
pub struct Wire {
    random: Stimulus,
    faults: Faults,
    /// Bytes and gaps to be injected.
    injected: VecDeque<Option<u8>>,
    /// The rest of the current frame is lost.
    lost: bool,
    /// Byte of the current frame to be damaged, and the byte before which it is cut.
    damaged: Option<u32>,
    cut: Option<u32>,
    /// Bytes of the current frame so far.
    count: u32,
    /// Cycles since the last byte.
    quiet: u32,
    /// Frames that were carried, and that were lost.
    pub frames: u64,
    /// Frames lost.
    pub losses: u64,
}

impl Wire {
    /// A cable with these faults, drawn from `seed`.
    pub fn new(seed: u64, faults: Faults) -> Self {
        Self {
            random: Stimulus::new(seed),
            faults,
            injected: VecDeque::new(),
            lost: false,
            damaged: None,
            cut: None,
            count: 0,
            quiet: 0,
            frames: 0,
            losses: 0,
        }
    }

    /// Sets the faults of later frames.
    pub fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }

    /// Injects bytes and gaps, preambles and check sequences included. They are sent while the
    /// cable is quiet; the remainder is lost when a card sends.
    pub fn inject(&mut self, bytes: impl IntoIterator<Item = Option<u8>>) {
        self.injected.extend(bytes);
    }

    /// Whether no injected bytes wait.
    pub fn is_empty(&self) -> bool {
        self.injected.is_empty()
    }

    /// One cycle of the network clock: takes the output of one card and returns the input of the
    /// other.
    pub fn carry(&mut self, out: NetworkOut) -> NetworkIn {
        let own = out.tx_enable;
        if !own {
            self.quiet += 1;
            self.count = 0;
            if self.quiet > 12
                && let Some(byte) = self.injected.pop_front()
            {
                return NetworkIn { rx_data: byte.unwrap_or(0), rx_valid: byte.is_some(), rx_error: false };
            }
            return NetworkIn::default();
        }
        if self.count == 0 {
            self.injected.clear();
            self.begin();
        }
        self.quiet = 0;
        self.count += 1;
        let wrong = self.damaged == Some(self.count);
        if self.lost || self.cut.is_some_and(|cut| self.count >= cut) {
            return NetworkIn::default();
        }
        NetworkIn {
            rx_data: if wrong { out.tx_data ^ 0x10 } else { out.tx_data },
            rx_valid: true,
            rx_error: wrong && self.count & 1 == 1,
        }
    }

    fn begin(&mut self) {
        let Faults { lost, damaged, cut } = self.faults;
        let random = &mut self.random;
        let mut once_in = |odds: u64| odds != 0 && random.one_in(odds);
        self.lost = once_in(lost);
        let (damaged, cut) = (once_in(damaged), once_in(cut));
        self.damaged = damaged.then(|| 9 + random.below(60) as u32);
        self.cut = cut.then(|| 2 + random.below(60) as u32);
        self.frames += 1;
        self.losses += u64::from(self.lost);
    }
}
