//! What the host's accesses cost, each with its source.
//!
//! The machine is a Pentium 4 at 2.6 GHz whose chipset drives a PC-1600 memory bus (thesis table 6.1). A write takes three
//! steps: the processor stores it, the chipset takes it over the front-side bus and the processor goes on, and some time later it
//! is on the memory bus. The thesis measured the first two by a program, and says that the third is not in these
//! measurements (section 6.2). A read takes its way to the memory bus and back, behind all writes.
//!
//! | what the thesis measured | published | here |
//! |---|---|---|
//! | write a 24-byte image | 0.076 us | 3 * 2.2 + 3 * 20 + 9.4 |
//! | issue a BOTF | 0.060 us | 60 |
//! | write a 512-byte image and issue | 0.407 us | 8 * 2.2 + 8 * 40 + 9.4 + 60 |
//! | an uncachable access, with which completion is seen | 0.189 us | 189 |
//! | writes until they are in the module | 0.343 us | 76 + 60 + 207 |

use cluster::host::Cost;

const fn cost(name: &'static str, picoseconds: u64, source: &'static str) -> Cost {
    Cost::new(name, picoseconds, source)
}

const fn fitted(
    name: &'static str,
    picoseconds: u64,
    source: &'static str,
    to: &'static [&'static str],
) -> Cost {
    Cost::fitted(name, picoseconds, source, to)
}

/// 512 bytes written and a BOTF issued in 0.407 us (thesis table 6.2).
const LARGE: &str = "0.407 us for 512 bytes and BOTF (B-04)";
/// 24 bytes written in 0.076 us (thesis section 6.2).
const SMALL: &str = "0.076 us for 24 bytes (B-11)";
/// 24 bytes and a BOTF in the module after 0.343 us, which is 0.632 us less the rest (thesis section 6.2).
const IN_MODULE: &str = "0.632 us for 24 bytes, of which 0.343 us until they are in the module (B-06, B-08)";
/// One Write Window of 496 bytes of data after the other (thesis figure 6.3).
const ONE_WINDOW: &str = "297.44 MByte/s from one Write Window (B-01)";

/// Time of a 16-byte beat on the memory bus: one core cycle.
pub const BEAT: Cost = cost(
    "16-byte beat on the memory bus",
    10_000,
    "PC-1600: 8 bytes on each edge of a 100 MHz clock (thesis section 4.1)",
);

/// Time of a write or read of up to 8 bytes on the memory bus.
pub const BUS_WORD: Cost = cost(
    "access of up to 8 bytes on the memory bus",
    30_000,
    "decision 0029: a DDR burst of 4 with the other bytes masked, and a clock for the next command",
);

/// Time of a line on the memory bus.
pub const BUS_LINE: Cost = fitted(
    "line on the memory bus",
    70_000,
    "decision 0029: 4 beats, and three clocks that its row costs",
    &[ONE_WINDOW],
);

/// Time of an 8-byte write on the front-side bus.
pub const FSB_WORD: Cost =
    cost("8-byte write on the front-side bus", 20_000, "two clocks of 100 MHz from one request to the next");

/// Time of a full line on the front-side bus.
pub const FSB_LINE: Cost = cost(
    "line on the front-side bus",
    40_000,
    "two clocks of request, two of data at four times 100 MHz; no faster than PC-1600 in the long run",
);

/// From the front-side bus to the pins of the slot, for writes that the chipset has taken.
pub const POSTED_PATH: Cost = fitted(
    "way of a posted write to the memory bus",
    207_000,
    "0.343 us until data is in the module, less the 0.136 us of the program (thesis section 6.2)",
    &[IN_MODULE],
);

/// From the processor to the pins of the slot, for reads.
pub const REQUEST_PATH: Cost = cost(
    "way of a read to the memory bus",
    79_000,
    "decision 0012: half of an uncachable read without its two bus cycles and the wait for the first",
);

/// From the pins of the slot back to the processor.
pub const RESPONSE_PATH: Cost =
    cost("way of data from the memory bus", 80_000, "decision 0012: the other half");

/// An uncachable read, from issue to data, when the bus is free.
pub const UC_LOAD: Cost = cost("uncachable read", 189_000, "about 0.189 us (thesis section 6.2)");

/// An uncachable write as the program sees it.
pub const UC_STORE: Cost = cost("uncachable write", 60_000, "issue of a BOTF: 0.060 us (thesis section 6.2)");

/// A store of 8 bytes into a write-combining buffer.
pub const WC_STORE: Cost = fitted(
    "8-byte store into a write-combining buffer",
    2_200,
    "decision 0012: out of both measurements of written images",
    &[LARGE, SMALL],
);

/// A store fence, after the buffers have left.
pub const SFENCE: Cost = fitted("store fence", 9_400, "decision 0012: as the store above", &[LARGE, SMALL]);

/// Flushing one line from the caches.
pub const CLFLUSH: Cost = cost("CLFLUSH of a line", 40_000, "decision 0012: about 100 processor cycles");

/// Issuing the prefetch of one line.
pub const PREFETCH: Cost = cost("PREFETCHNTA of a line", 1_000, "decision 0012: a few processor cycles");

/// Copying one line out of the cache, or into it.
pub const LINE_COPY: Cost = cost("copy of a cached line", 8_000, "decision 0012: 8 loads and stores");

/// What a polling loop does beside its read.
pub const POLL_LOOP: Cost = cost("turn of a polling loop", 2_000, "decision 0012: compare and branch");

/// All costs.
pub const ALL: [Cost; 16] = [
    BEAT,
    BUS_WORD,
    BUS_LINE,
    FSB_WORD,
    FSB_LINE,
    POSTED_PATH,
    REQUEST_PATH,
    RESPONSE_PATH,
    UC_LOAD,
    UC_STORE,
    WC_STORE,
    SFENCE,
    CLFLUSH,
    PREFETCH,
    LINE_COPY,
    POLL_LOOP,
];

/// Write-combining buffers of the processor (Intel, Pentium 4: six).
pub const WC_BUFFERS: usize = 6;

/// Lines that may be on their way from the bus at once. Decision 0012.
pub const LINE_FILLS: usize = 4;

/// Writes that the chipset holds before the next one has to wait: an image in single words. Decision 0029.
pub const POSTED_WRITES: usize = 64;

/// Bytes of the second-level cache (thesis table 6.1).
pub const CACHE_BYTES: usize = 512 << 10;

/// Lines among which the second-level cache chooses for an address (Intel, Pentium 4: eight).
pub const CACHE_WAYS: usize = 8;

#[cfg(test)]
mod tests {
    use cluster::Duration;

    use super::*;

    #[test]
    fn uncachable_read_is_its_parts_and_at_most_one_cycle_of_waiting() {
        let cycles = BEAT.duration * 3;
        assert_eq!(REQUEST_PATH.duration + cycles + RESPONSE_PATH.duration, UC_LOAD.duration);
    }

    #[test]
    fn occupations_are_whole_bus_cycles() {
        for cost in [BEAT, BUS_WORD, BUS_LINE] {
            assert_eq!(cost.duration.ps() % BEAT.duration.ps(), 0, "{}", cost.name);
        }
    }

    #[test]
    fn published_measurements_are_the_sums_of_the_table() {
        let write = |words, bus: Duration| WC_STORE.duration * words + bus + SFENCE.duration;
        let small = write(3, FSB_WORD.duration * 3);
        let large = write(8, FSB_LINE.duration * 8) + UC_STORE.duration;
        assert_eq!((small.ps(), large.ps()), (76_000, 407_000));
        assert_eq!((small + UC_STORE.duration + POSTED_PATH.duration).ps(), 343_000);
    }

    #[test]
    fn every_cost_has_a_source() {
        assert!(ALL.iter().all(|cost| !cost.source.is_empty() && cost.duration > Duration::ZERO));
    }

    #[test]
    fn at_most_six_costs_are_fitted() {
        assert!(ALL.iter().filter(|cost| !cost.fitted_to.is_empty()).count() <= 6);
    }
}
