//! What a cluster in memory is made of, and how bad its wires are.

use gigae_pm::protocol::Rules;

/// Numbers of a cluster. Times are in ticks; a tick has no other meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Rules of the protocol.
    pub rules: Rules,
    /// N: messages to a peer without an ACK.
    pub window: u16,
    /// T: ticks until a message is sent again.
    pub timeout: u32,
    /// m: expiries after which a peer is dead; 0 for never.
    pub limit: u8,
    /// Send buffers of a channel.
    pub send_buffers: u16,
    /// Receive buffers of a channel.
    pub receive_buffers: u16,
    /// Most bytes of a message.
    pub most_bytes: usize,
    /// Ticks that a frame is on its way.
    pub latency: u32,
    /// What the wires do to frames.
    pub faults: Faults,
    /// Seed of all that is random.
    pub seed: u64,
}

/// What wires do to frames. Chances are per million.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Chance that a frame is lost, and with it those that follow in a burst.
    pub loss: u32,
    /// Frames lost at a time; 0 counts as 1.
    pub burst: u32,
    /// Chance that a frame arrives twice.
    pub duplication: u32,
    /// Chance that a frame is late.
    pub reordering: u32,
    /// Most ticks that a late frame is late by.
    pub lateness: u32,
}

impl Default for Settings {
    /// The sizes of the paper where it has some: MTU 1,468 bytes (section 4.4), 120 KB and 128 KB of buffers over four
    /// channels (table 3) in pieces of 1,536 bytes. N and T are ours: N = 16, and T is four round trips.
    fn default() -> Self {
        Self {
            rules: Rules::REPAIRED,
            window: 16,
            timeout: 80,
            limit: 0,
            send_buffers: 20,
            receive_buffers: 21,
            most_bytes: 1468,
            latency: 10,
            faults: Faults::default(),
            seed: 1,
        }
    }
}

impl Settings {
    /// Receive buffers that must be free before GO is sent: room for a window, or a quarter if that is less, so that STOP
    /// and GO do not take turns with every message.
    pub(super) fn enough_room(&self) -> usize {
        usize::from(self.window.min(self.receive_buffers / 4).max(1))
    }
}
