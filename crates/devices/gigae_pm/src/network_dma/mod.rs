//! Network DMA: moves frames between NIC memory and the MAC while the firmware does other work.
//!
//! The paper's firmware controls it (section 4.6). Both directions share a port of NIC memory with
//! the host. The host has the highest priority, then received frames, then frames to be sent.

pub mod receive_dma;
pub mod transmit_dma;
