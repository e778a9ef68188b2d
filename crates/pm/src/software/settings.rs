//! Settings of a node.

use pm_protocol::Rules;

/// Settings of a node. Times are in ticks of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Rules of the protocol.
    pub rules: Rules,
    /// N: unacknowledged messages to a peer.
    pub window: u16,
    /// T: ticks until an unacknowledged message is sent again.
    pub timeout: u32,
    /// m: expiries after which a peer is dead; 0 for never.
    pub limit: u8,
    /// Send buffers of a channel.
    pub send_buffers: u16,
    /// Receive buffers of a channel.
    pub receive_buffers: u16,
    /// Bytes of the longest message.
    pub most_bytes: usize,
}

impl Default for Settings {
    /// The sizes of the paper where they are printed: MTU 1,468 bytes (section 4.4), 120 KB and 128 KB of buffers over
    /// four channels (table 3) in pieces of 1,536 bytes. N and T are our choice: N = 16, and T is four round trips of a
    /// cluster in memory.
    fn default() -> Self {
        Self {
            rules: Rules::REPAIRED,
            window: 16,
            timeout: 80,
            limit: 0,
            send_buffers: 20,
            receive_buffers: 21,
            most_bytes: 1468,
        }
    }
}

impl Settings {
    /// Receive buffers that must be free before GO is sent: room for a window, or a quarter if that is less, so that
    /// STOP and GO do not alternate with every message.
    pub(super) fn enough_room(&self) -> usize {
        usize::from(self.window.min(self.receive_buffers / 4).max(1))
    }
}
