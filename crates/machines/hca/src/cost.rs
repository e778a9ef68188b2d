//! Costs of a host's accesses and of its adapter's bus, each with its source.
//!
//! The anchor is Ariel Cohen, "A performance analysis of 4X InfiniBand data transfer operations" (IPDPS 2003; "the
//! anchor" below): 10 us for a small message, more than 6 Gbit/s at 64 KB, more than 400,000 operations in a second.
//! The anchor does not describe its computer, so the processor is that of another PC of these years, a Pentium 4 whose
//! accesses were measured (thesis on DIMMnet-2, section 6.2). One cost is fitted to the first number, and one to a row
//! of the paper on Fagus; all others are our choice or of standards (decisions 0061, 0064).

use cluster::costs;

costs! {
    /// From a doorbell's store to the adapter's pins: chipset, bridge, and the work of a real chip on a doorbell that
    /// our adapter does not have, such as fetching contexts from its memory. Doorbells are pipelined.
    doorbell_path: 7_050_000, Fixed, "way of a doorbell into the adapter", "decision 0064", from 300_000 fitted to ["C1"];
    /// From the processor to the adapter's pins, for all other accesses.
    request_path: 300_000, Fixed, "way of an access to the bus", "decision 0064: chipset and bridge, each about 150 ns";
    /// From the bus back to the processor.
    response_path: 300_000, Fixed, "way of data from the bus", "decision 0064: the same back";
    /// A write of a register or doorbell, as the program sees it: posted.
    write: 60_000, FrontSideBus, "uncachable write", "thesis on DIMMnet-2, section 6.2: 0.060 us";
    /// A write on the bus: address, attributes, target, data, turnaround.
    bus_write: 60_000, Fixed, "write on the bus", "PCI-X 1.0: 8 clocks of 7.5 ns";
    /// A read on the bus, split: both of its halves.
    bus_read: 120_000, Fixed, "read on the bus", "PCI-X 1.0: 16 clocks of 7.5 ns, a split transaction";
    /// From the adapter's request to its first word in memory: arbitration, address and attributes. Writes are posted.
    master_write: 60_000, Fixed, "first word of a burst to memory", "PCI-X 1.0: 8 clocks of 7.5 ns";
    /// From the adapter's request to the first word out of memory, through bridge and chipset and back.
    master_read: 400_000, Fixed, "first word of a burst from memory", "decision 0064: 16 clocks of the bus, and a read of DDR memory behind two bridges";
    /// The library's call that posts a request, without the words that it writes.
    post: 300_000, Processor, "call that posts a request", "decision 0064: lock, checks and a WQE, about 800 clocks";
    /// The library's work on a completion that it has found.
    complete: 200_000, Processor, "completion that is taken", "decision 0064: about 500 clocks";
    /// A line that the adapter wrote, read from memory by the processor.
    line: 120_000, FrontSideBus, "line from memory", "decision 0064: 12 clocks of the front-side bus";
    /// A word of 4 bytes, copied in memory.
    word: 2_500, Memory, "copy of a word", "decision 0064: load, store and the line behind it, a third of 1.6 GB/s each";
    /// A system call of the computers of the paper on Fagus, Pentium III of 800 MHz; so are the next two.
    kernel_call: 500_000, Processor, "system call", "decision 0053: GigaE PM, table 1, 1 us at 400 MHz, scaled";
    /// A packet through their kernel, up or down, without copy and driver.
    kernel_packet: 8_200_000, Processor, "packet through the kernel", "decision 0053: 16.4 us at 400 MHz, scaled";
    /// From the adapter's interrupt to the first instruction of the handler.
    kernel_interrupt: 3_250_000, Processor, "interrupt", "decision 0053: GigaE PM, table 1, 6.5 us at 400 MHz, scaled";
    /// The shared-memory library for a message sent or received: the paper's libComm with its threads and locks.
    libcomm: 5_200_000, Processor, "message in libComm", "decision 0061", from 0 fitted to ["F3"];
    /// An instruction of a library, on average.
    instruction: 385, Processor, "instruction of a library", "decision 0093: one in each clock of 2.6 GHz";
    /// A turn of a waiting loop, whose read hits the cache until the adapter writes the word.
    turn: 10_000, Processor, "turn of a polling loop", "decision 0064: load, compare and branch, 26 clocks of 2.6 GHz";
}
