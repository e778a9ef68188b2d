//! The card: host port, NIC memory, PCI DMA, firmware, network DMA and MAC (paper sections 4.6 and
//! 5).
//!
//! All blocks except the network side of the MAC run at the clock of the PCI bus. NIC memory has
//! two ports: host and network DMA share one, firmware and PCI DMA the other.

use hdl::{Clock, Clocked, Device, Edges, Probe, Quiet, Role, Sram, SramAccess, Visitor};

use crate::clocks;
use crate::firmware::{self, Firmware};
use crate::host_port::{self, HostPort};
use crate::mac::{self, Mac};
use crate::memory_map::WORDS;
use crate::network_dma::receive_dma::{self, ReceiveDma};
use crate::network_dma::transmit_dma::{self, TransmitDma};
use crate::pci_dma::{self, PciDma};
use crate::pins::{BusOut, HostOut, In, Out};

/// The registers, by block and name, that are not 0 while the firmware is reset.
pub const RESETS: &[(&str, &str)] = &[("host_port", "firmware_reset")];

/// A card of GigaE PM.
#[derive(Clone, Debug, Default)]
pub struct GigaePm {
    /// The card as PCI target.
    pub host_port: HostPort,
    /// 1 MB of SRAM.
    pub nic_memory: Sram<WORDS>,
    /// The card as PCI master.
    pub pci_dma: PciDma,
    /// Protocol engine.
    pub firmware: Firmware,
    /// Stores received frames in NIC memory.
    pub receive_dma: ReceiveDma,
    /// Sends frames from NIC memory.
    pub transmit_dma: TransmitDma,
    /// Ethernet MAC.
    pub mac: Mac,
}

impl Device for GigaePm {
    type In = In;
    type Out = Out;

    const CLOCKS: &'static [Clock] = &clocks::CLOCKS;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let host = self.host_port.outputs();
        let dma = self.pci_dma.outputs();
        Out {
            host: HostOut {
                rdata: if host.memory_answers { self.nic_memory.a_rdata() } else { host.rdata },
                interrupt_request: host.interrupt_request,
            },
            bus: BusOut {
                wdata: self.nic_memory.b_rdata(),
                address: dma.address,
                request: dma.request,
                transfer: dma.transfer,
                write: dma.write,
            },
            network: self.mac.outputs().network,
        }
    }

    // Compiled once, here, and not in every crate that drives a card: it is thousands of
    // instructions.
    #[inline(never)]
    fn edge(&mut self, edges: Edges, pins: &In) {
        if !edges.meets(clocks::CORE) {
            // The other pins of the MAC are sampled with the core clock.
            self.mac.edge(edges, &mac::pins::In { network: pins.network, ..Default::default() });
            return;
        }
        let receive = self.receive_dma.outputs();
        let transmit = self.transmit_dma.outputs();
        let mac = self.mac.outputs();

        // Priority of the port: host, receive DMA, transmit DMA.
        let host = self.host_port.outputs();
        let host_accesses = host.memory_read || host.memory_write;
        let receive_grant = receive.memory_write && !host_accesses;
        let transmit_grant = transmit.memory_read && !host_accesses && !receive.memory_write;

        self.mac.edge(
            edges,
            &mac::pins::In {
                transmit_word: transmit.word,
                transmit_enable: transmit.word_enable,
                frame_start: receive.frame_start,
                word_next: receive.word_next && receive_grant,
                network: pins.network,
            },
        );

        let dma = self.pci_dma.outputs();
        let firmware = self.firmware.outputs();
        let configuration = host.configuration;
        let (a_rdata, b_rdata) = (self.nic_memory.a_rdata(), self.nic_memory.b_rdata());
        let port_a = if host_accesses {
            SramAccess {
                read_enable: host.memory_read,
                write_enable: host.memory_write,
                address: host.memory_address,
                wdata: host.memory_wdata,
            }
        } else if receive.memory_write {
            let status = mac.receive_word.last && !receive.length_enable;
            SramAccess {
                read_enable: false,
                write_enable: !status,
                address: receive.memory_address,
                wdata: if receive.length_enable { receive.length.into() } else { mac.receive_word.data },
            }
        } else {
            SramAccess {
                read_enable: transmit.memory_read,
                write_enable: false,
                address: transmit.memory_address,
                wdata: 0,
            }
        };
        let port_b = if firmware.memory.read || firmware.memory.write {
            SramAccess {
                read_enable: firmware.memory.read,
                write_enable: firmware.memory.write,
                address: firmware.memory.address,
                wdata: firmware.memory.wdata,
            }
        } else {
            SramAccess {
                read_enable: dma.memory_read || dma.memory_next && pins.bus.ready,
                write_enable: dma.memory_write,
                address: dma.memory_address,
                wdata: dma.memory_wdata,
            }
        };
        self.nic_memory.tick(port_a, port_b);

        self.host_port.tick(&host_port::In {
            host: pins.host,
            memory_rdata: a_rdata,
            receive_counts: receive.counts,
            firmware_counts: firmware.counts,
            held: firmware.held,
            causes: firmware.causes,
        });
        if host.firmware_reset {
            self.pci_dma.reset();
            self.firmware.reset();
        } else {
            self.pci_dma.tick_if(firmware.transfer_start, || pci_dma::In {
                transfer: firmware.transfer,
                start: firmware.transfer_start,
                rdata: pins.bus.rdata,
                grant: pins.bus.grant,
                ready: pins.bus.ready,
            });
            self.firmware.tick(&firmware::pins::In {
                configuration,
                posted: host.posted,
                released: host.released,
                released_ring: host.released_ring,
                memory_rdata: b_rdata,
                transmit_idle: transmit.idle,
                frame_waiting: receive.frame_waiting,
                frame_slot: receive.frame_slot,
                transfer_done: dma.done,
                transfer_refused: dma.refused,
            });
        }
        let drops = receive.frame_waiting && !configuration.enable;
        let asked = mac.frame_available || firmware.frame_done || drops;
        self.receive_dma.tick_if(asked, || receive_dma::In {
            word: mac.receive_word,
            frame_available: mac.frame_available,
            identity: configuration.identity,
            enable: configuration.enable,
            frame_done: firmware.frame_done,
            memory_grant: receive_grant,
        });
        self.transmit_dma.tick_if(firmware.frame_start, || transmit_dma::In {
            frame: firmware.frame,
            start: firmware.frame_start,
            identity: configuration.identity,
            fifo_free: mac.transmit_free,
            memory_grant: transmit_grant,
            memory_rdata: a_rdata,
        });
    }

    fn idle(&self, pins: &In) -> bool {
        !pins.host.enable && !pins.network.rx_valid
    }

    fn quiescent(&self) -> Quiet {
        // Wires between the blocks: a waiting frame, and reset.
        let host = self.host_port.outputs();
        let frame_waiting = self.receive_dma.outputs().frame_waiting;
        let drops = frame_waiting && !host.configuration.enable;
        if self.mac.outputs().frame_available || drops || host.firmware_reset && !self.is_reset() {
            return Quiet::Busy;
        }
        self.host_port
            .quiescent()
            .and(self.pci_dma.quiescent())
            .and(self.firmware.rest(&host.configuration, frame_waiting))
            .and(self.receive_dma.quiescent())
            .and(self.transmit_dma.quiescent())
            .and(self.mac.quiescent())
    }

    fn resting(&self) -> Edges {
        clocks::NETWORK.when(self.mac.quiescent() == Quiet::UntilInput)
    }

    fn skip(&mut self, edges: &[u64]) {
        // The counters of the network clock keep the card busy.
        let core = edges[0];
        self.host_port.skip(core);
        self.pci_dma.skip(core);
        self.firmware.skip(core);
    }
}

impl GigaePm {
    /// Whether firmware and PCI DMA are in their reset state.
    fn is_reset(&self) -> bool {
        self.pci_dma == PciDma::default() && self.firmware == Firmware::default()
    }
}

hdl::observed!(GigaePm);

impl Probe for GigaePm {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("host_port", &self.host_port);
        visitor.block("nic_memory", &self.nic_memory);
        visitor.block("pci_dma", &self.pci_dma);
        visitor.block("firmware", &self.firmware);
        visitor.block("receive_dma", &self.receive_dma);
        visitor.block("transmit_dma", &self.transmit_dma);
        visitor.clocks(clocks::BOTH);
        visitor.block("mac", &self.mac);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
