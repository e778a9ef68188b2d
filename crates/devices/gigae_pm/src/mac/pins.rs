//! Pins of the MAC.

use hdl::{Bundle, Item, Package};

use crate::pins::{NetworkIn, NetworkOut};

/// Longest frame in bytes: 1,500 of payload, 14 of header, 4 of check sequence.
pub const LONGEST_FRAME: u16 = 1518;
/// Shortest frame in bytes, check sequence included.
pub const SHORTEST_FRAME: u16 = 64;
/// Words of each FIFO: two of the longest frames and more.
pub const FIFO_WORDS: usize = 1024;
/// Free words required to accept a frame: two padding bytes, the longest frame, its status, and one
/// word on its path to the FIFO.
pub const FRAME_WORDS: u16 = 384;

hdl::bundle! {
    /// Four bytes of a frame to be sent, lowest first. The first two bytes of a frame are padding
    /// and are not sent: they align the payload after the header to 4 bytes.
    pub struct TransmitWord in mac_pkg {
        /// Four bytes of the frame, the first lowest.
        data: u32,
        /// Valid bytes of the last word, less one.
        bytes: u8 : 2,
        /// Last word of the frame.
        last: bool,
    }
}

hdl::bundle! {
    /// Four bytes of a received frame, laid out as those to be sent, check sequence included; or
    /// its status at the end.
    pub struct ReceiveWord in mac_pkg {
        /// Bytes, or a status.
        data: u32,
        /// `data` is the status of the frame.
        last: bool,
    }
}

hdl::bundle! {
    /// Status of a received frame, 32 bits.
    pub struct ReceiveStatus in mac_pkg {
        /// Bytes of the frame, check sequence included.
        length: u16 : 11,
        /// The check sequence is wrong, or the physical layer reported an error.
        fcs_error: bool,
        /// Shorter than 64 bytes.
        runt: bool,
        /// Longer than 1,518 bytes; the rest is missing.
        giant: bool,
        /// Always 0.
        reserved: u16 : 10,
        /// Frames before this one for which there was no room; stops at 255.
        missed: u8,
    }
}

impl ReceiveStatus {
    /// The status as one word.
    pub fn bits(self) -> u32 {
        let mut words = [0];
        hdl::Bits::put(self, &mut words, 0, 32);
        words[0] as u32
    }

    /// The status of a word.
    pub fn from_bits(word: u32) -> Self {
        hdl::Bits::take(&[u64::from(word)], 0, 32)
    }
}

hdl::bundle! {
    /// Input pins of the MAC.
    pub struct In in mac_pkg {
        /// Word to be sent.
        transmit_word: TransmitWord,
        /// Writes `transmit_word` into the transmit FIFO.
        transmit_enable: bool,
        /// Takes the first word of the next received frame.
        frame_start: bool,
        /// Takes the next word of the current frame.
        word_next: bool,
        /// From the physical layer.
        network: NetworkIn,
    }
}

hdl::bundle! {
    /// Output pins of the MAC.
    pub struct Out in mac_pkg {
        /// Words that the transmit FIFO can take.
        transmit_free: u16 : 11,
        /// Received word taken last.
        receive_word: ReceiveWord,
        /// At least one whole frame has been received.
        frame_available: bool,
        /// To the physical layer.
        network: NetworkOut,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/mac/mac_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "LongestFrame",
            width: 11,
            value: LONGEST_FRAME as u64,
            doc: "Longest frame in bytes, header and check sequence included.",
        },
        Item::Constant {
            name: "ShortestFrame",
            width: 11,
            value: SHORTEST_FRAME as u64,
            doc: "Shortest frame in bytes, header and check sequence included.",
        },
        Item::Constant {
            name: "FrameWords",
            width: 11,
            value: FRAME_WORDS as u64,
            doc: "Free words that let a frame in.",
        },
        Item::Bundle(TransmitWord::TABLE),
        Item::Bundle(ReceiveWord::TABLE),
        Item::Bundle(ReceiveStatus::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
