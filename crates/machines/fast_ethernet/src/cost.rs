//! Costs of a host's steps, of cable and switch, each with its source.
//!
//! The paper on Suci prints its computers (table 2) and no times. The costs of the paper on GigaE PM, measured on a
//! Pentium II at 400 MHz with a bus of 100 MHz, are scaled to this one: processor costs by 400/800, memory costs by
//! 100/133 (decision 0053). Accesses of the card are not scaled, because both computers have PCI of 33 MHz
//! (decision 0088).

use cluster::{Duration, costs};

/// A byte at 100 Mbit/s.
pub const BYTE: Duration = Duration::from_ns(80);

/// Latency of a cable: 10 m at 5 ns/m, as in decision 0033.
pub const CABLE: Duration = Duration::from_ns(50);

/// Catalyst 2980G-A, from the last bit of a frame in it to its first bit out. No number is published; the value is that
/// of another switch of these years (Summit 1, decision 0033).
pub const SWITCH: Duration = Duration::from_ps(4_350_000);

/// Frames that an output of the switch holds before it drops more. No number is published; decision 0053.
pub const QUEUE: usize = 256;

costs! {
    /// A copy of 4 bytes in memory.
    copy: 22_556, Memory, "copy of a word", "GigaE PM, table 1: C1 of 30 ns, scaled";
    /// A copy of a word that is in the cache.
    copy_cached: 15_038, Memory, "copy of a word in the cache", "decision 0037: what the checksum leaves of C1, scaled";
    /// A checksum over a word that has come into memory.
    checksum: 7_519, Memory, "checksum of a word", "decision 0037: a third of C1, scaled";
    /// A write to a register of the card.
    write: 250_000, Pci, "write of a word to the card", "GigaE PM, table 1: C2, PCI of 33 MHz in both";
    /// A read of a register of the card.
    read: 570_000, Pci, "read of a word from the card", "GigaE PM, table 1: C3, PCI of 33 MHz in both";
    /// From the card's interrupt to the first instruction of the handler.
    interrupt: 3_250_000, Processor, "interrupt", "GigaE PM, table 1: C6 of 6.5 us, scaled";
    /// Into the kernel and back.
    system_call: 500_000, Processor, "system call", "GigaE PM, table 1: C7 of 1 us, scaled";
    /// A packet through the kernel, up or down, without copy, checksum and driver.
    packet: 8_200_000, Processor, "packet through the kernel", "decision 0037: 16.4 us, fitted there to E7, scaled";
    /// A turn of a loop that waits.
    turn: 5_000, Processor, "turn of a loop", "decision 0033: 4 clocks";
    /// An instruction of a library, on average.
    instruction: 1_250, Processor, "instruction of a library", "decision 0103: one in each clock of 800 MHz";
    /// From a descriptor in memory to the first byte on the cable.
    fetch: 2_330_000, Fixed, "card fetches a frame", "GigaE PM, table 1: C4, DMA of a word from the host";
    /// From the last byte on the cable to an interrupt.
    deliver: 2_030_000, Fixed, "card delivers a frame", "GigaE PM, table 1: C5, DMA of a word to the host";
    /// Time of a call of MPICH beyond that of the modelled library.
    mpi_call: 86_000_000, Processor, "call of MPICH", "decision 0053", from 10_000_000 fitted to ["S-3"];
    /// Time of a call of MPICH over SCore beyond that of the modelled library.
    score_call: 76_000_000, Processor, "call of MPICH over SCore", "decision 0062", from 10_000_000 fitted to ["S-4"];
}
