//! Pins of host DMA.

hdl::bundle! {
    /// A transfer.
    pub struct Transfer in host_dma_pkg {
        /// Byte address in host memory.
        address: u32,
        /// Byte address in the packet memory: the transmitter's from the host, the receiver's to the host.
        offset: u16 : 13,
        /// Bytes to move; 0 to 4,095.
        bytes: u16 : 12,
        /// Direction: to host memory, otherwise from it.
        to_host: bool,
    }
}

hdl::bundle! {
    /// Input pins of host DMA.
    pub struct In in host_dma_pkg {
        /// Transfer to start.
        transfer: Transfer,
        /// Starts the transfer; ignored outside `Idle`.
        start: bool,
        /// From the bus: word of host memory that is read.
        rdata: u64,
        /// From the bus: the adapter is bus master.
        grant: bool,
        /// From the bus: a word is transferred in this cycle.
        ready: bool,
        /// Word of the packet memory that was read last.
        memory_rdata: u64,
    }
}

hdl::bundle! {
    /// Output pins of host DMA.
    pub struct Out in host_dma_pkg {
        /// To the bus: requests the bus.
        request: bool,
        /// To the bus: a word is offered or requested.
        transfer: bool,
        /// To the bus: the transfer writes host memory.
        write: bool,
        /// To the bus: byte address, a multiple of 8.
        address: u32,
        /// Word for the bus, or for the packet memory with `memory_write`.
        wdata: u64,
        /// Valid bytes of the word, a bit each; the others are 0. Words for a packet are padded with zeros.
        byte_enable: u8,
        /// Word of the packet memory to read.
        read_address: u16 : 10,
        /// Reads the packet memory.
        memory_read: bool,
        /// Reads the packet memory if the bus takes the offered word.
        memory_next: bool,
        /// Word of the packet memory to write.
        write_address: u16 : 10,
        /// Writes the destination word to the packet memory.
        memory_write: bool,
        /// The transfer is done; high for one cycle.
        done: bool,
    }
}
