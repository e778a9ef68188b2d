//! What a host's accesses cost, and cable and switch, each with its source.
//!
//! The machine is a Pentium II at 400 MHz with an Intel 440BX (paper, table 2). Table 1 prints what its program measured; how the
//! time of an access is divided between the processor's side and the PCI bus is our choice (decision 0033) and
//! shows only where processor and card want the bus at once. What DMA costs (C4, C5) comes out of the card.

use cluster::Duration;
use cluster::host::Cost;

const fn cost(name: &'static str, picoseconds: u64, source: &'static str) -> Cost {
    Cost::new(name, picoseconds, source)
}

/// A clock of the PCI bus.
pub const BUS_CYCLE: Cost = cost("clock of the PCI bus", 30_000, "33 MHz (paper, table 2)");

/// C1: copies a word within host memory.
pub const COPY: Cost = cost("copy of a word in host memory", 30_000, "paper, table 1");

/// C2: writes a word to the card, as the program sees it.
pub const WRITE: Cost = cost("write of a word to the card", 250_000, "paper, table 1");

/// C3: reads a word from the card.
pub const READ: Cost = cost("read of a word from the card", 570_000, "paper, table 1");

/// C6: from the card's interrupt to the first instruction of the handler.
pub const INTERRUPT: Cost = cost("interrupt", 6_500_000, "paper, table 1");

/// C7: a system call.
pub const SYSTEM_CALL: Cost = cost("system call", 1_000_000, "paper, table 1");

/// A checksum over a word that has come into memory.
pub const CHECKSUM: Cost = cost(
    "checksum of a word",
    10_000,
    "decision 0037: a third of C1, one of its three ways over the memory bus",
);

/// A copy of a word that the checksum brought into the cache.
pub const COPY_CACHED: Cost =
    cost("copy of a word in the cache", 20_000, "decision 0037: what the checksum leaves of C1");

/// A packet of TCP/IP on its way through the kernel, up or down, without copy, checksum and driver.
pub const PACKET: Cost = Cost {
    name: "packet of TCP/IP through the kernel",
    duration: Duration::from_ps(16_400_000),
    source: "decision 0037",
    fitted_to: &["131.4 us for a round trip of 4 bytes over TCP (E7)"],
};

/// For how long the stock firmware holds the next interrupt back.
pub const INTERRUPT_DELAY: Cost = Cost {
    name: "timer of the stock firmware",
    duration: Duration::from_ps(406_500_000),
    source: "decision 0037",
    fitted_to: &["414.0 us for a round trip of 4 bytes over TCP (E6)"],
};

/// From the processor to the bus.
pub const REQUEST_PATH: Cost = cost("path to the bus", 100_000, "decision 0033: host bridge");

/// From the bus back to the processor.
pub const RESPONSE_PATH: Cost = cost("path from the bus", 100_000, "decision 0033: host bridge");

/// A write on the bus.
pub const BUS_WRITE: Cost =
    cost("write on the bus", 120_000, "decision 0033: address, decoding, data, turnaround");

/// A read on the bus.
pub const BUS_READ: Cost =
    cost("read on the bus", 330_000, "decision 0033: what its two paths leave of 0.57 us, whole clocks");

/// A turn of a loop that waits.
pub const LOOP: Cost =
    cost("turn of a loop", 10_000, "decision 0033: compare and branch, 4 clocks of 400 MHz");

/// From one end of a cable to the other.
pub const CABLE: Cost = cost("cable", 50_000, "decision 0033: 10 m at 5 ns/m");

/// From the last bit of a frame in the switch to its first bit out.
pub const SWITCH: Cost = cost(
    "Summit 1, store and forward, without the frame itself",
    4_350_000,
    "paper, section 5.2: 5.0 us for 4 bytes, less the frame and a cable (decision 0033)",
);

/// All costs.
pub const ALL: [Cost; 17] = [
    BUS_CYCLE,
    COPY,
    WRITE,
    READ,
    INTERRUPT,
    SYSTEM_CALL,
    CHECKSUM,
    COPY_CACHED,
    PACKET,
    INTERRUPT_DELAY,
    REQUEST_PATH,
    RESPONSE_PATH,
    BUS_WRITE,
    BUS_READ,
    LOOP,
    CABLE,
    SWITCH,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_fit_into_what_table_1_charges_wherever_the_bus_clock_stands() {
        let latest = REQUEST_PATH.duration + BUS_CYCLE.duration;
        assert!(latest + BUS_WRITE.duration <= WRITE.duration);
        assert!(latest + BUS_READ.duration + RESPONSE_PATH.duration <= READ.duration);
    }

    #[test]
    fn occupations_are_whole_bus_cycles() {
        for cost in [BUS_WRITE, BUS_READ] {
            assert_eq!(cost.duration.ps() % BUS_CYCLE.duration.ps(), 0, "{}", cost.name);
        }
    }
}
