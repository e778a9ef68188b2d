//! Costs of a host's accesses, of cable and switch, each with its source.
//!
//! The machine is a Pentium II at 400 MHz with an Intel 440BX (paper, table 2). Table 1 prints measurements of a
//! program; the division of an access between the processor's side and the PCI bus is our choice (decision 0033) and
//! shows only when processor and card want the bus at once. The costs of DMA (C4, C5) follow from the card.

use cluster::{Duration, costs};

/// A clock of the PCI bus, and of the card: 33 MHz (paper, table 2).
pub const BUS_CYCLE: Duration = Duration::from_ns(30);

/// Latency of a cable: 10 m at 5 ns/m (decision 0033).
pub const CABLE: Duration = Duration::from_ns(50);

/// Summit 1, from the last bit of a frame in the switch to its first bit out. Fitted to E3: 5.0 us for 4 bytes (paper,
/// section 5.2), less the frame and a cable (decision 0033).
pub const SWITCH: Duration = Duration::from_ps(4_350_000);

/// The second-level cache of a Pentium II (Intel, Pentium II processor data sheet: 512 KB).
pub const CACHE_BYTES: usize = 512 << 10;

costs! {
    /// C1: copies a word within host memory.
    copy: 30_000, Memory, "copy of a word in host memory", "paper, table 1";
    /// C2: writes a word to the card, as the program sees it.
    write: 250_000, Pci, "write of a word to the card", "paper, table 1";
    /// C3: reads a word from the card.
    read: 570_000, Pci, "read of a word from the card", "paper, table 1";
    /// C6: from the card's interrupt to the first instruction of the handler.
    interrupt: 6_500_000, Processor, "interrupt", "paper, table 1";
    /// C7: a system call.
    system_call: 1_000_000, Processor, "system call", "paper, table 1";
    /// A checksum over a word that has come into memory.
    checksum: 10_000, Memory, "checksum of a word", "decision 0037: a third of C1, one of its three ways over the memory bus";
    /// A copy of a word that the checksum brought into the cache.
    copy_cached: 20_000, Memory, "copy of a word in the cache", "decision 0037: what the checksum leaves of C1";
    /// A packet of TCP/IP through the kernel, up or down, without copy, checksum and driver.
    packet: 16_400_000, Processor, "packet of TCP/IP through the kernel", "decision 0037", from 10_000_000 fitted to ["E7"];
    /// For how long the stock firmware holds the next interrupt back.
    interrupt_delay: 406_500_000, Fixed, "timer of the stock firmware", "decision 0037", from 400_000_000 fitted to ["E6"];
    /// From the processor to the bus.
    request_path: 100_000, Pci, "path to the bus", "decision 0033: host bridge";
    /// From the bus back to the processor.
    response_path: 100_000, Pci, "path from the bus", "decision 0033: host bridge";
    /// Bus time of a write.
    bus_write: 120_000, Pci, "write on the bus", "decision 0033: address, decoding, data, turnaround";
    /// Bus time of a read.
    bus_read: 330_000, Pci, "read on the bus", "decision 0033: what its two paths leave of 0.57 us, whole clocks";
    /// A turn of a loop that waits.
    turn: 10_000, Processor, "turn of a loop", "decision 0033: compare and branch, 4 clocks of 400 MHz";
    /// An instruction of a library, on average.
    instruction: 2_500, Processor, "instruction of a library", "decision 0093: one in each clock of 400 MHz";
    /// An operation of a program between two calls of MPI, as `npb::Work` counts them.
    operation: 5_400, Processor, "operation of a program", "decision 0044", from 2_500 fitted to ["E10"];
}

impl Costs {
    /// A turn of a loop that polls a word of the card, on a free bus.
    pub const fn poll(&self) -> Duration {
        Duration::from_ps(self.read.ps() + self.turn.ps())
    }

    /// A word that a program reads from memory because no cache holds it: one of the three transfers of a copied word
    /// on the memory bus (C1, decision 0037).
    pub const fn memory_word(&self) -> Duration {
        Duration::from_ps(self.copy.ps() / 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs::PUBLISHED;

    #[test]
    fn accesses_take_the_times_of_table_1_at_any_bus_phase() {
        let latest = COSTS.request_path + BUS_CYCLE;
        assert!(latest + COSTS.bus_write <= COSTS.write);
        assert!(latest + COSTS.bus_read + COSTS.response_path <= COSTS.read);
    }

    #[test]
    fn occupations_are_whole_bus_cycles() {
        for time in [COSTS.bus_write, COSTS.bus_read] {
            assert_eq!(time.ps() % BUS_CYCLE.ps(), 0);
        }
    }
}
