//! Costs of the host's accesses, each with its source.
//!
//! The machine is a Pentium 4 at 2.6 GHz whose chipset drives a PC-1600 memory bus (thesis table 6.1). A write
//! takes three steps: the processor stores it; the chipset takes it over the front-side bus, and the processor
//! goes on; some time later it is on the memory bus. The thesis measured the first two by a program; the third
//! is not in these measurements (section 6.2). A read goes to the memory bus and back, behind all writes.
//!
//! | measured in the thesis | published | here |
//! |---|---|---|
//! | write a 24-byte image | 0.076 us | 3 * 2.2 + 3 * 20 + 9.4 |
//! | issue a BOTF | 0.060 us | 60 |
//! | write a 512-byte image and issue | 0.407 us | 8 * 2.2 + 8 * 40 + 9.4 + 60 |
//! | an uncachable access, with which completion is seen | 0.189 us | 189 |
//! | writes until they are in the module | 0.343 us | 76 + 60 + 207 |
//!
//! The last row is the sum of the steps in sequence; the board sees the command after 0.320 us, because the
//! words of an image are in flight while the processor goes on (B-10).

use cluster::{Duration, costs};

/// Time of a 16-byte beat on the memory bus, a period of the board's core clock: PC-1600 moves 8 bytes on each
/// edge of a 100 MHz clock (thesis section 4.1).
pub const BEAT: Duration = Duration::from_ns(10);

costs! {
    /// A write or read of up to 8 bytes on the memory bus.
    bus_word: 30_000, Fixed, "access of up to 8 bytes on the memory bus",
        "decision 0029: a DDR burst of 4 with the other bytes masked, and a clock that one window's throughput asked for",
        from 20_000 fitted to ["B-01"];
    /// 64 bytes on the memory bus: four beats.
    bus_line: 70_000, Fixed, "line on the memory bus", "decision 0029: 4 beats, and three clocks that its row costs",
        from 40_000 fitted to ["B-01"];
    /// Front-side bus time of a write of 8 bytes.
    fsb_word: 20_000, FrontSideBus, "8-byte write on the front-side bus", "decision 0029: what 24 bytes in 0.076 us leave for a word",
        from 10_000 fitted to ["B-11"];
    /// A full line on the front-side bus.
    fsb_line: 40_000, FrontSideBus, "line on the front-side bus",
        "decision 0029: what 512 bytes in 0.407 us leave for a line; the bus alone moves one in 20 ns", from 20_000 fitted to ["B-04"];
    /// From the front-side bus to the pins of the slot, for writes that the chipset has taken.
    posted_path: 207_000, FrontSideBus, "way of a posted write to the memory bus",
        "0.343 us until data is in the module, less the 0.136 us of the program (thesis section 6.2)",
        from 109_000 fitted to ["B-06", "B-08"];
    /// From the processor to the pins of the slot, for reads.
    request_path: 79_000, FrontSideBus, "way of a read to the memory bus",
        "decision 0012: half of an uncachable read without its two bus cycles and the wait for the first";
    /// From the pins of the slot back to the processor.
    response_path: 80_000, FrontSideBus, "way of data from the memory bus", "decision 0012: the other half";
    /// An uncachable read, from issue to data, when the bus is free.
    uc_load: 189_000, FrontSideBus, "uncachable read", "about 0.189 us (thesis section 6.2)";
    /// An uncachable write as the program sees it.
    uc_store: 60_000, FrontSideBus, "uncachable write", "issue of a BOTF: 0.060 us (thesis section 6.2)";
    /// A store of 8 bytes into a write-combining buffer.
    wc_store: 2_200, Processor, "8-byte store into a write-combining buffer",
        "decision 0012: out of both measurements of written images", from 1_000 fitted to ["B-04", "B-11"];
    /// A store fence, after the buffers have left.
    sfence: 9_400, Processor, "store fence", "decision 0012: as the store above", from 5_000 fitted to ["B-04", "B-11"];
    /// Flushing one line from the caches.
    clflush: 40_000, Processor, "CLFLUSH of a line", "decision 0012: a guess, about 100 processor cycles";
    /// Issuing the prefetch of one line.
    prefetch: 1_000, Processor, "PREFETCHNTA of a line", "decision 0012: a guess, a few processor cycles";
    /// Copying one line out of the cache, or into it.
    line_copy: 8_000, Processor, "copy of a cached line", "decision 0012: a guess, 8 loads and stores";
    /// An instruction of a library, on average.
    instruction: 385, Processor, "instruction of a library", "decision 0093: one in each clock of 2.6 GHz";
    /// A turn of a polling loop without its read.
    poll_loop: 2_000, Processor, "turn of a polling loop", "decision 0012: a guess, compare and branch";
}

impl Costs {
    /// A turn of a loop that polls a register, on a free bus.
    pub const fn poll(&self) -> Duration {
        Duration::from_ps(self.uc_load.ps() + self.poll_loop.ps())
    }
}

/// Write-combining buffers of the processor (Intel, Pentium 4: six).
pub const WC_BUFFERS: usize = 6;

/// Line fills that may be in flight at once (decision 0012).
pub const LINE_FILLS: usize = 4;

/// Writes that the chipset holds before the next one has to wait: an image in single words. Decision 0029.
pub const POSTED_WRITES: usize = 64;

/// Bytes of the second-level cache (thesis table 6.1).
pub const CACHE_BYTES: usize = 512 << 10;

/// Lines among which the second-level cache chooses for an address (Intel, Pentium 4: eight).
pub const CACHE_WAYS: usize = 8;

#[cfg(test)]
mod tests {
    use cluster::host::HostCosts;

    use super::*;

    const COSTS: Costs = Costs::PUBLISHED;

    #[test]
    fn uncachable_read_is_its_parts_and_at_most_one_cycle() {
        assert_eq!(COSTS.request_path + BEAT * 3 + COSTS.response_path, COSTS.uc_load);
    }

    #[test]
    fn occupations_are_whole_bus_cycles() {
        for time in [COSTS.bus_word, COSTS.bus_line] {
            assert_eq!(time.ps() % BEAT.ps(), 0);
        }
    }

    #[test]
    fn published_measurements_are_the_sums_of_the_table() {
        let write = |words, bus: Duration| COSTS.wc_store * words + bus + COSTS.sfence;
        let small = write(3, COSTS.fsb_word * 3);
        let large = write(8, COSTS.fsb_line * 8) + COSTS.uc_store;
        assert_eq!((small.ps(), large.ps()), (76_000, 407_000));
        assert_eq!((small + COSTS.uc_store + COSTS.posted_path).ps(), 343_000);
    }

    #[test]
    fn every_cost_has_a_source() {
        assert!(Costs::TABLE.iter().all(|cost| !cost.source.is_empty() && cost.duration > Duration::ZERO));
    }
}
