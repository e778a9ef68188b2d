//! The control structure: the state of one peer, in both directions.
//!
//! Table 3 of the paper prints 0.023 KB a node; this one has 24 bytes, six words of 32 bits (decision 0027).
//!
//! | Word | Field | In the paper |
//! |---|---|---|
//! | 0 | `sent` | MsgIdSent |
//! | 1 | `acked` | MsgIdAcked |
//! | 2 | `received` | MsgIdRecv |
//! | 3 | `highest` | |
//! | 4 | `stamp` | STime, one for the peer in place of one for each message |
//! | 5 | epoch and flags | |

use hdl::{Bits, Bundle, Item, Package, StateMachine};

hdl::fsm! {
    /// Whether messages may be sent to a peer (paper appendix, rules STOP and GO).
    pub enum Sending in control_pkg {
        /// Sends while the window is open.
        Running => [Stopped: "STOP accepted", Running: "otherwise"],
        /// The peer has no room; waits for GO.
        Stopped => [Running: "GO, or ACK, LOSE, timer if rules allow", Stopped: "otherwise"],
    }
}

hdl::fsm! {
    /// Whether the receive buffer of a channel takes messages (paper appendix, rules R-FULL and R-GO).
    pub enum Receiving in control_pkg {
        /// Accepts the next message in order.
        Open => [Discard: "R-FULL: in order, but ring full", Open: "otherwise"],
        /// Was full; discards every message until there is room.
        Discard => [Open: "R-GO: ring has room", Discard: "otherwise"],
    }
}

hdl::bundle! {
    /// The control structure of a peer. All zero is a peer to which nothing was sent and from which nothing came.
    #[derive(Hash)]
    pub struct Control in control_pkg {
        /// S, MsgIdSent: number of the message sent last; less than `highest` after a rewind.
        sent: u32,
        /// A, MsgIdAcked: all messages up to this one are acknowledged and their buffers free.
        acked: u32,
        /// R, MsgIdRecv: number of the message from the peer that was received last.
        received: u32,
        /// Highest number sent: a timer runs for the messages after `acked` up to this one.
        highest: u32,
        /// Time at which the timer was started, in cycles.
        stamp: u32,
        /// Session, the same at both ends.
        epoch: u16,
        /// Whether messages may be sent, with STOP and GO.
        sending: Sending,
        /// A LOSE has already rewound to `acked`.
        rewound: bool,
        /// The peer missed too many answers; nothing more is sent to it.
        dead: bool,
        /// The peer was told to stop and must be told to go.
        owed: bool,
        /// Always 0.
        reserved: u8 : 4,
        /// Expiries of the timer since the peer was last heard.
        expiries: u8,
    }
}

impl Control {
    /// The structure as stored in NIC memory.
    pub fn words(self) -> [u32; 6] {
        let mut words = [0; 3];
        self.put(&mut words, 0, Self::WIDTH);
        std::array::from_fn(|i| (words[i / 2] >> (32 * (i % 2))) as u32)
    }

    /// The structure read from NIC memory.
    pub fn from_words(words: [u32; 6]) -> Self {
        let pairs: [u64; 3] =
            std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32);
        Self::take(&pairs, 0, Self::WIDTH)
    }

    /// A peer at the beginning of a session.
    pub fn open(epoch: u16) -> Self {
        Self { epoch, ..Self::default() }
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/protocol/control_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(Sending::TABLE),
        Item::StateMachine(Receiving::TABLE),
        Item::Bundle(Control::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_is_six_words_of_32_bits() {
        assert_eq!(Control::WIDTH, 6 * 32);
        let control = Control {
            sent: 1,
            acked: 2,
            received: 3,
            highest: 4,
            stamp: 5,
            epoch: 0xabcd,
            sending: Sending::Stopped,
            expiries: 0x7f,
            ..Default::default()
        };
        assert_eq!(control.words(), [1, 2, 3, 4, 5, 0x7f01_abcd]);
        assert_eq!(Control::from_words(control.words()), control);
        assert_eq!(Control::default().words(), [0; 6]);
    }
}
