//! Network DMA: moves frames between NIC memory and the MAC while the firmware does other work.
//!
//! The paper's firmware controls it (section 4.6). Both directions share a port of NIC memory with the host,
//! which goes first; a frame that arrives goes before one that leaves.

pub mod receive_dma;
pub mod transmit_dma;
