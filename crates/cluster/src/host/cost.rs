//! What the host's accesses cost, each with its source.
//!
//! The machine is a Pentium 4 at 2.6 GHz whose chipset drives a PC-1600 memory bus (thesis table 6.1). One
//! access time is published, the 0.189 us of an uncachable read; writing and issuing were measured for two
//! sizes. The other constants are our choice, made so that these measurements come out (decision 0012).
//!
//! | what the thesis measured | published | here |
//! |---|---|---|
//! | write a 24-byte image | 0.076 us | 3 * 2.2 + 3 * 20 + 4.4, and up to 10 until the bus cycle |
//! | issue a BOTF | 0.060 us | 60 |
//! | write a 512-byte image and issue | 0.407 us | 8 * 2.2 + 8 * 40 + 4.4 + 60, and up to 10 |
//! | detect completion | 0.189 us | 189 |

use crate::Duration;

/// A cost with its source.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// What it is paid for.
    pub name: &'static str,
    /// How long it takes.
    pub duration: Duration,
    /// Where the number comes from.
    pub source: &'static str,
    /// Published measurements by which it was chosen; they do not count as reproduced.
    pub fitted_to: &'static [&'static str],
}

const fn cost(name: &'static str, picoseconds: u64, source: &'static str) -> Cost {
    Cost { name, duration: Duration::from_ps(picoseconds), source, fitted_to: &[] }
}

const fn fitted(
    name: &'static str,
    picoseconds: u64,
    source: &'static str,
    to: &'static [&'static str],
) -> Cost {
    Cost { name, duration: Duration::from_ps(picoseconds), source, fitted_to: to }
}

/// 512 bytes written and a BOTF issued in 0.407 us (thesis table 6.2).
const LARGE: &str = "0.407 us for 512 bytes and BOTF";
/// 24 bytes written in 0.076 us (thesis section 6.2).
const SMALL: &str = "0.076 us for 24 bytes";

/// Time of a 16-byte beat on the bus: one core cycle.
pub const BEAT: Cost = cost(
    "16-byte beat on the bus",
    10_000,
    "PC-1600: 8 bytes on each edge of a 100 MHz clock (thesis section 4.1)",
);

/// Time of a full write-combining line on the bus.
pub const WC_LINE: Cost = cost("write-combining line on the bus", 40_000, "64 bytes are 4 beats");

/// Time of a write or read of up to 8 bytes on the bus.
pub const PARTIAL: Cost = fitted(
    "access of up to 8 bytes on the bus",
    20_000,
    "decision 0012: a DDR burst of 4 with the other bytes masked",
    &[SMALL],
);

/// Time of a line that is read on the bus.
pub const READ_LINE: Cost = cost("line read on the bus", 40_000, "64 bytes are 4 beats");

/// From the processor to the pins of the slot.
pub const REQUEST_PATH: Cost = cost(
    "path to the bus",
    79_000,
    "decision 0012: half of an uncachable read without its two bus cycles and the wait for the first",
);

/// From the pins of the slot back to the processor.
pub const RESPONSE_PATH: Cost = cost("path from the bus", 80_000, "decision 0012: the other half");

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
pub const SFENCE: Cost = fitted("store fence", 4_400, "decision 0012: as the store above", &[LARGE, SMALL]);

/// Flushing one line from the caches.
pub const CLFLUSH: Cost = cost("CLFLUSH of a line", 40_000, "decision 0012: about 100 processor cycles");

/// Issuing the prefetch of one line.
pub const PREFETCH: Cost = cost("PREFETCHNTA of a line", 1_000, "decision 0012: a few processor cycles");

/// Copying one line out of the cache.
pub const LINE_COPY: Cost = cost("copy of a cached line", 8_000, "decision 0012: 8 loads and stores");

/// What a polling loop does beside its read.
pub const POLL_LOOP: Cost = cost("turn of a polling loop", 2_000, "decision 0012: compare and branch");

/// All costs.
pub const ALL: [Cost; 14] = [
    BEAT,
    WC_LINE,
    PARTIAL,
    READ_LINE,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uncachable_read_is_its_parts_and_at_most_one_cycle_of_waiting() {
        let cycles = BEAT.duration * 3;
        assert_eq!(REQUEST_PATH.duration + cycles + RESPONSE_PATH.duration, UC_LOAD.duration);
    }

    #[test]
    fn occupations_are_whole_bus_cycles() {
        for cost in [BEAT, WC_LINE, PARTIAL, READ_LINE] {
            assert_eq!(cost.duration.ps() % BEAT.duration.ps(), 0, "{}", cost.name);
        }
    }

    #[test]
    fn published_measurements_lie_in_the_range_of_bus_phases() {
        let write = |words, bus: Duration| WC_STORE.duration * words + bus + SFENCE.duration;
        for (least, published) in [
            (write(3, PARTIAL.duration * 3), 76_000),
            (write(8, WC_LINE.duration * 8) + UC_STORE.duration, 407_000),
        ] {
            let range = least.ps()..least.ps() + BEAT.duration.ps();
            assert!(range.contains(&published), "{published} in {range:?}");
        }
    }

    #[test]
    fn every_cost_has_a_source() {
        assert!(ALL.iter().all(|cost| !cost.source.is_empty() && cost.duration > Duration::ZERO));
    }
}
