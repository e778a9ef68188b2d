//! Costs of a PE's steps and of the network, each with its source.
//!
//! Clocks in the sources are the 75 MHz of the test system (paper, section 5), 13.3 ns; the VR4400 itself runs at twice
//! that (IPSJ Computer Museum: 150 MIPS). The paper prints times of whole messages only, so six costs are fitted, to
//! one row each; the others are our choice (decision 0058).

use cluster::{Duration, costs};

/// Latency of a cable: within one cabinet, 2 m at 5 ns/m (decision 0058).
pub const CABLE: Duration = Duration::from_ns(10);

costs! {
    /// The library in one call: protocol, queues and matching, on either side of a message.
    software: 17_000_000, Processor, "library and matching, either side", "decision 0058", from 10_000_000 fitted to ["M7"];
    /// The kernel call that starts a send: mode switch, check and translation.
    kernel_call: 20_000_000, Processor, "kernel call that starts a send", "decision 0058: section 6.4", from 10_000_000 fitted to ["M6"];
    /// From the interrupt until a thread that waits in `evc_wait` goes on.
    event: 30_000_000, Processor, "wake-up by an event", "decision 0058: section 6.2.3", from 15_000_000 fitted to ["M1"];
    /// From the thread that receives to the user thread of the same task.
    hand_over: 50_000_000, Processor, "hand-over between threads of a task", "decision 0058: section 6.2.3", from 15_000_000 fitted to ["M3"];
    /// A line of 64 bytes between cache and memory, filled or written back.
    line: 990_000, Memory, "line between cache and memory", "decision 0058: reading B of the mechanism", from 500_000 fitted to ["M8"];
    /// A cache instruction of the kernel for a line, with what it writes back.
    cache_op: 830_000, Memory, "cache instruction for a line", "decision 0058: line less 20 us over 128 lines", from 500_000 fitted to ["M13"];
    /// A word of 8 bytes between processor and memory past the cache, either way.
    uncached: 200_000, Memory, "access of memory past the cache", "decision 0058: 15 clocks of 75 MHz";
    /// A word of a register, written by the processor.
    register_write: 106_664, FrontSideBus, "write of a register", "decision 0058: 8 clocks of 75 MHz";
    /// A word of a register, read by the processor.
    register_read: 159_996, FrontSideBus, "read of a register", "decision 0058: 12 clocks of 75 MHz";
    /// A word of 4 bytes in the cache, copied or combined.
    word: 13_333, Processor, "copy of a word in the cache", "decision 0058: load and store, two clocks of 150 MHz";
    /// A turn of a loop that waits.
    turn: 26_666, Processor, "turn of a loop", "decision 0058: compare and branch, 4 clocks of 150 MHz";
    /// An instruction of a library, on average.
    instruction: 6_666, Processor, "instruction of a library", "decision 0106: one in each clock of 150 MHz";
}

impl Costs {
    /// A turn of a loop that polls a position register.
    pub const fn poll(&self) -> Duration {
        Duration::from_ps(self.register_read.ps() + self.turn.ps())
    }
}
