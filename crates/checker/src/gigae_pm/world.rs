//! A world: GigaE PM over a faulty network.
//!
//! One receiver and one or two senders, each with a stream of messages. The nodes only apply
//! [`sender::apply`](::gigae_pm::protocol::sender::apply) and
//! [`receiver::apply`](::gigae_pm::protocol::receiver::apply), the functions that the NIC runs. The model is the world around
//! them: channels, timers, and a host that frees its receive buffer at any time.

use ::gigae_pm::protocol::{Rules, precedes};

use crate::gigae_pm::channel::Direction;
use crate::gigae_pm::network::{Network, Timers};
use crate::gigae_pm::state::State;
use crate::gigae_pm::wrong::Wrong;

/// A world to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// Repairs of the printed rules.
    pub rules: Rules,
    /// N of the paper.
    pub window: u16,
    /// Messages of every sender.
    pub messages: u32,
    /// Messages that the receive buffer holds; `None` if it is never full.
    pub slots: Option<u8>,
    /// Faults of the network.
    pub network: Network,
    /// Times at which timers may expire.
    pub timers: Timers,
    /// Senders, one or two.
    pub senders: usize,
    /// Frames that fit into a channel, in each direction; a step that would send one more cannot happen yet.
    pub capacity: usize,
    /// Size of a step.
    pub grain: Grain,
    /// A misreading of the appendix.
    pub misreading: Option<Misreading>,
    /// The two senders are two nodes that send to each other, each with a receive buffer of its own.
    pub mutual: bool,
    /// m: expiries in a row after which a peer is reported dead; 0 for never.
    pub limit: u8,
    /// The receiver is dead: it takes all frames and never answers.
    pub deaf: bool,
    /// The transfer to the host is a separate step; frames may arrive before it.
    pub transfer: bool,
    /// Message numbers on the wire are taken modulo this; `None` for the full width.
    pub modulus: Option<u32>,
    /// Number before that of the first message.
    pub base: u32,
    /// Remains of an earlier session.
    pub before: Before,
    /// A kind of step to look for besides violations and traps.
    pub seeks: Option<Wrong>,
}

/// Size of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grain {
    /// One rule: S1 sends one message, and anything may come between that and the next.
    #[default]
    Rule,
    /// A rule of the sender and the retransmission after it, from the buffers that are still kept, as in the firmware. A new message
    /// is a step of its own. Only the oldest message has a timer.
    Firmware,
}

/// A misreading of a sentence of the appendix, which no rule repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misreading {
    /// "Free all SBuf(r, i) where MsgIdAcked(r) <= k": the index i is not bounded, so every buffer of r is freed (H11).
    FreesEverything,
    /// "Stop sending": a node that was told to stop sends nothing more on the channel, no control frames either (H19).
    StopsChannel,
}

/// Remains of an earlier session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// There was no earlier session.
    #[default]
    Nothing,
    /// The sender has restarted; the receiver still counts from this message.
    Receiver(u32),
    /// The receiver has restarted; the sender still counts from this message.
    Sender(u32),
    /// Both have restarted; an ACK of this message is still in flight.
    Ack(u32),
    /// There was no earlier session; a third node sends an ACK of this message in the present session.
    Forged(u32),
}

impl Default for World {
    fn default() -> Self {
        Self {
            rules: Rules::REPAIRED,
            window: 2,
            messages: 3,
            slots: Some(1),
            network: Network::FIFO,
            timers: Timers::Late,
            senders: 1,
            capacity: 3,
            grain: Grain::Rule,
            misreading: None,
            mutual: false,
            limit: 0,
            deaf: false,
            transfer: false,
            modulus: None,
            base: 0,
            before: Before::Nothing,
            seeks: None,
        }
    }
}

/// One thing that happens. The first number is that of the sender, or of the receive buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The sender executes S1.
    Send(usize),
    /// The timer of a message expires.
    Timer(usize, u32),
    /// The frame at this place arrives.
    Arrive(usize, Direction, usize),
    /// The frame at this place arrives, and a copy of it stays in flight.
    Repeat(usize, Direction, usize),
    /// The frame at this place is lost.
    Lose(usize, Direction, usize),
    /// A message has reached the host.
    Stored(usize),
    /// The host frees a place in a receive buffer.
    HostFrees(usize),
    /// A receiver finds room in its buffer and sends GO.
    Room(usize),
}

impl World {
    pub(crate) fn last(&self) -> u32 {
        self.base.wrapping_add(self.messages)
    }

    /// All senders, by number.
    pub fn senders(&self) -> std::ops::Range<usize> {
        0..self.senders
    }

    /// The receive buffer for the messages of a sender.
    pub fn buffer(&self, index: usize) -> usize {
        if self.mutual { index } else { 0 }
    }

    /// All receive buffers, by number.
    pub fn buffers(&self) -> std::ops::Range<usize> {
        0..if self.mutual { self.senders } else { 1 }
    }

    /// Whether a state violates this.
    pub fn violates(&self, state: &State, violation: Wrong) -> bool {
        state.links[self.senders()].iter().any(|link| match violation {
            Wrong::SilentLoss => {
                precedes(link.delivered, link.sender.acked) || precedes(link.delivered, link.gone)
            }
            Wrong::Duplicate => link.repeated,
            Wrong::Misorder => link.misplaced,
            Wrong::FreedSent if self.grain == Grain::Firmware => link.asked_freed,
            Wrong::FreedSent => precedes(link.sender.sent, self.freed(link)) && self.sends(link).is_some(),
            _ => false,
        })
    }
}
