//! Wires between the blocks of the card in one cycle of the core clock: the outputs of all blocks, and the
//! inputs that they form.

use hdl::SramAccess;

use crate::firmware::{self, Firmware};
use crate::host_port;
use crate::mac;
use crate::network_dma::{receive_dma, transmit_dma};
use crate::pci_dma;
use crate::pins::In;

/// Outputs of the blocks before a clock edge.
pub(crate) struct Wires {
    pub(crate) host: host_port::Out,
    pub(crate) firmware: firmware::pins::Out,
    pub(crate) dma: pci_dma::Out,
    pub(crate) receive: receive_dma::Out,
    pub(crate) transmit: transmit_dma::Out,
    pub(crate) mac: mac::pins::Out,
    /// Data that host and network DMA read.
    pub(crate) a_rdata: u32,
    /// Data that firmware and PCI DMA read.
    pub(crate) b_rdata: u32,
}

/// Access of NIC memory by the host.
#[inline(always)]
pub(crate) fn host_access(host: &host_port::Out) -> SramAccess {
    SramAccess {
        read_enable: host.memory_read,
        write_enable: host.memory_write,
        address: host.memory_address,
        wdata: host.memory_wdata,
    }
}

impl Wires {
    #[inline(always)]
    fn host_accesses(&self) -> bool {
        self.host.memory_read || self.host.memory_write
    }

    /// Whether receive DMA gets the port of NIC memory; the host precedes it.
    #[inline(always)]
    fn receive_grant(&self) -> bool {
        self.receive.memory_write && !self.host_accesses()
    }

    /// Whether transmit DMA gets the port of NIC memory; host and receive DMA precede it.
    #[inline(always)]
    fn transmit_grant(&self) -> bool {
        self.transmit.memory_read && !self.host_accesses() && !self.receive.memory_write
    }

    #[inline(always)]
    pub(crate) fn mac_inputs(&self, pins: &In) -> mac::pins::In {
        mac::pins::In {
            transmit_word: self.transmit.word,
            transmit_enable: self.transmit.word_enable,
            frame_start: self.receive.frame_start,
            word_next: self.receive.word_next && self.receive_grant(),
            network: pins.network,
        }
    }

    /// Access of NIC memory by host or network DMA.
    #[inline(always)]
    pub(crate) fn network_port(&self) -> SramAccess {
        let (host, receive, transmit) = (&self.host, &self.receive, &self.transmit);
        if self.host_accesses() {
            host_access(host)
        } else if receive.memory_write {
            let word = &self.mac.receive_word;
            let status = word.last && !receive.length_enable;
            SramAccess {
                read_enable: false,
                write_enable: !status,
                address: receive.memory_address,
                wdata: if receive.length_enable { receive.length.into() } else { word.data },
            }
        } else {
            SramAccess {
                read_enable: transmit.memory_read,
                write_enable: false,
                address: transmit.memory_address,
                wdata: 0,
            }
        }
    }

    /// Access of NIC memory by firmware or PCI DMA.
    #[inline(always)]
    pub(crate) fn firmware_port(&self, pins: &In) -> SramAccess {
        let (memory, dma) = (&self.firmware.memory, &self.dma);
        if memory.read || memory.write {
            SramAccess {
                read_enable: memory.read,
                write_enable: memory.write,
                address: memory.address,
                wdata: memory.wdata,
            }
        } else {
            SramAccess {
                read_enable: dma.memory_read || dma.memory_next && pins.bus.ready,
                write_enable: dma.memory_write,
                address: dma.memory_address,
                wdata: dma.memory_wdata,
            }
        }
    }

    #[inline(always)]
    pub(crate) fn host_port_inputs(&self, pins: &In, firmware: &Firmware) -> host_port::In {
        host_port::In {
            host: pins.host,
            memory_rdata: self.a_rdata,
            receive_counts: self.receive.counts,
            firmware_counts: firmware.counts(),
            held: firmware.held(),
            causes: self.firmware.causes,
        }
    }

    #[inline(always)]
    pub(crate) fn pci_dma_inputs(&self, pins: &In) -> pci_dma::In {
        pci_dma::In {
            transfer: self.firmware.transfer,
            start: self.firmware.transfer_start,
            rdata: pins.bus.rdata,
            grant: pins.bus.grant,
            ready: pins.bus.ready,
        }
    }

    #[inline(always)]
    pub(crate) fn firmware_inputs(&self) -> firmware::pins::In {
        firmware::pins::In {
            configuration: self.host.configuration,
            posted: self.host.posted,
            released: self.host.released,
            released_ring: self.host.released_ring,
            memory_rdata: self.b_rdata,
            transmit_idle: self.transmit.idle,
            frame_waiting: self.receive.frame_waiting,
            frame_slot: self.receive.frame_slot,
            transfer_done: self.dma.done,
            transfer_refused: self.dma.refused,
        }
    }

    /// Whether a received frame is to be stored, dropped or released.
    #[inline(always)]
    pub(crate) fn frame_moves(&self) -> bool {
        let drops = self.receive.frame_waiting && !self.host.configuration.enable;
        self.mac.frame_available || self.firmware.frame_done || drops
    }

    #[inline(always)]
    pub(crate) fn receive_dma_inputs(&self) -> receive_dma::In {
        receive_dma::In {
            word: self.mac.receive_word,
            frame_available: self.mac.frame_available,
            identity: self.host.configuration.identity,
            enable: self.host.configuration.enable,
            frame_done: self.firmware.frame_done,
            memory_grant: self.receive_grant(),
        }
    }

    #[inline(always)]
    pub(crate) fn transmit_dma_inputs(&self) -> transmit_dma::In {
        transmit_dma::In {
            frame: self.firmware.frame,
            start: self.firmware.frame_start,
            identity: self.host.configuration.identity,
            fifo_free: self.mac.transmit_free,
            memory_grant: self.transmit_grant(),
            memory_rdata: self.a_rdata,
        }
    }
}
