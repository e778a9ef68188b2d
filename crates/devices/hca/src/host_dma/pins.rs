//! Pins of host DMA.

hdl::bundle! {
    /// A transfer.
    pub struct Transfer in host_dma_pkg {
        /// Byte address in host memory.
        address: u32,
        /// Byte in the packet memory: of the transmitter from the host, of the receiver to the host.
        offset: u16 : 13,
        /// Bytes; none for 0.
        bytes: u16 : 12,
        /// To the host; otherwise from it.
        to_host: bool,
    }
}

hdl::bundle! {
    /// Input pins of host DMA.
    pub struct In in host_dma_pkg {
        /// The transfer to start.
        transfer: Transfer,
        /// Starts it; looked at in `Idle` only.
        start: bool,
        /// From the bus: word of host memory.
        rdata: u64,
        /// From the bus: the adapter is master.
        grant: bool,
        /// From the bus: a word is transferred in this cycle.
        ready: bool,
        /// Word of the packet that was read last.
        memory_rdata: u64,
    }
}

hdl::bundle! {
    /// Output pins of host DMA.
    pub struct Out in host_dma_pkg {
        /// To the bus: wants it.
        request: bool,
        /// To the bus: words are transferred.
        transfer: bool,
        /// To the bus: to host memory.
        write: bool,
        /// To the bus: byte address, a multiple of 8.
        address: u32,
        /// To the bus: word for host memory; word for the packet with `memory_write`.
        wdata: u64,
        /// Bytes of it that count; the others are 0, and so are those for a packet behind its last byte.
        byte_enable: u8,
        /// Word of the packet to read.
        read_address: u16 : 10,
        /// Reads it.
        memory_read: bool,
        /// Reads it if the bus takes the word that it is offered.
        memory_next: bool,
        /// Word of the packet to write.
        write_address: u16 : 10,
        /// Writes it.
        memory_write: bool,
        /// A transfer is over; high for one cycle.
        done: bool,
    }
}
