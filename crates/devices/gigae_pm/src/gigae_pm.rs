//! The card: host port, NIC memory, PCI DMA, firmware, network DMA and MAC (paper sections 4.6 and
//! 5).
//!
//! All blocks except the network side of the MAC run at the clock of the PCI bus. NIC memory has
//! two ports: host and network DMA share one, firmware and PCI DMA the other.

use hdl::{Clock, Clocked, Device, Edges, Observed, Probe, Quiet, Role, Sram, SramAccess, Visitor};

use crate::clocks;
use crate::firmware::Firmware;
use crate::host_port::{self, HostPort};
use crate::mac::{self, Mac};
use crate::memory_map::WORDS;
use crate::network_dma::receive_dma::ReceiveDma;
use crate::network_dma::transmit_dma::TransmitDma;
use crate::pci_dma::PciDma;
use crate::pins::{BusOut, HostOut, In, Out};
use crate::wires::{self, Wires};

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
            network: self.mac.network(),
        }
    }

    // Compiled once, here, as the edge.
    #[inline(never)]
    fn update_outputs(&self, edges: Edges, out: &mut Out) {
        if edges.meets(clocks::CORE) {
            *out = self.outputs();
        } else {
            out.network = self.mac.network();
        }
    }

    #[inline]
    fn edge(&mut self, edges: Edges, pins: &In) {
        if edges.meets(clocks::CORE) {
            self.core_edge(edges, pins);
        } else if pins.network.rx_valid || self.mac.quiescent() == Quiet::Busy {
            self.network_edge(pins);
        }
    }

    fn idle(&self, pins: &In) -> bool {
        !pins.host.enable && !pins.network.rx_valid
    }

    fn quiescent(&self) -> Quiet {
        // The MAC is asked first: the answer is short, and it is busy longest.
        if matches!(self.mac.quiescent(), Quiet::Busy) {
            return Quiet::Busy;
        }
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

    fn registers_after(&mut self, edges: &[u64], words: &mut Vec<u64>) -> bool {
        // Only these blocks count. NIC memory is too large for a copy.
        let now = (self.host_port, self.pci_dma, self.firmware.clone());
        self.skip(edges);
        self.sample_registers(words);
        (self.host_port, self.pci_dma, self.firmware) = now;
        true
    }
}

impl GigaePm {
    /// An edge of the network clock alone. The other pins of the MAC are sampled with the core clock.
    #[inline(never)]
    fn network_edge(&mut self, pins: &In) {
        self.mac.edge(clocks::NETWORK, &mac::pins::In { network: pins.network, ..Default::default() });
    }

    /// An edge of the core clock, alone or with the network clock. Compiled once, here, and not in every crate that drives a
    /// card: it is thousands of instructions.
    #[inline(never)]
    fn core_edge(&mut self, edges: Edges, pins: &In) {
        let firmware_waits = self.firmware_waits();
        if firmware_waits && self.dma_rests() {
            self.counting_edge(edges, pins);
            return;
        }
        let wires = self.wires(firmware_waits);
        self.mac.edge(edges, &wires.mac_inputs(pins));
        self.nic_memory.tick(wires.network_port(), wires.firmware_port(pins));
        let changes = pins.host.enable || wires.firmware.causes != 0;
        self.host_port.tick_if(changes, || wires.host_port_inputs(pins, &self.firmware));
        if wires.host.firmware_reset {
            self.pci_dma.reset();
            self.firmware.reset();
        } else {
            let transfers = wires.firmware.transfer_start;
            self.pci_dma.tick_if(transfers, || wires.pci_dma_inputs(pins));
            if firmware_waits {
                self.firmware.skip(1);
            } else {
                self.firmware.tick(&wires.firmware_inputs());
            }
        }
        self.receive_dma.tick_if(wires.frame_moves(), || wires.receive_dma_inputs());
        self.transmit_dma.tick_if(wires.firmware.frame_start, || wires.transmit_dma_inputs());
    }

    /// Outputs of the blocks before a clock edge; firmware that waits requests nothing.
    #[inline(always)]
    fn wires(&self, firmware_waits: bool) -> Wires {
        Wires {
            host: self.host_port.outputs(),
            firmware: if firmware_waits { Default::default() } else { self.firmware.outputs() },
            dma: self.pci_dma.outputs(),
            receive: self.receive_dma.outputs(),
            transmit: self.transmit_dma.outputs(),
            mac: self.mac.outputs(),
            a_rdata: self.nic_memory.a_rdata(),
            b_rdata: self.nic_memory.b_rdata(),
        }
    }

    /// Whether this edge of the core clock changes nothing in the firmware but counters, with its present inputs.
    #[inline(always)]
    fn firmware_waits(&self) -> bool {
        let host = self.host_port.outputs();
        let asked = host.posted != 0 || host.released || host.firmware_reset || self.pci_dma.outputs().done;
        let frame_waiting = self.receive_dma.outputs().frame_waiting;
        !asked && !matches!(self.firmware.rest(&host.configuration, frame_waiting), Quiet::Busy)
    }

    /// Whether this edge of the core clock changes nothing in PCI DMA and network DMA but counters, if the firmware
    /// waits.
    #[inline(always)]
    fn dma_rests(&self) -> bool {
        let drops =
            self.receive_dma.outputs().frame_waiting && !self.host_port.outputs().configuration.enable;
        !drops
            && !self.mac.outputs().frame_available
            && matches!(self.transmit_dma.quiescent(), Quiet::UntilInput)
            && matches!(self.receive_dma.quiescent(), Quiet::UntilInput)
            && !matches!(self.pci_dma.quiescent(), Quiet::Busy)
    }

    /// An edge of the core clock while the firmware waits and DMA rests. Hosts poll above all during such edges.
    #[inline(always)]
    fn counting_edge(&mut self, edges: Edges, pins: &In) {
        self.mac.edge(edges, &mac::pins::In { network: pins.network, ..Default::default() });
        let host = self.host_port.outputs();
        let memory_rdata = self.nic_memory.a_rdata();
        self.nic_memory.tick(wires::host_access(&host), SramAccess::default());
        self.host_port.tick_if(pins.host.enable, || host_port::In {
            host: pins.host,
            memory_rdata,
            receive_counts: self.receive_dma.outputs().counts,
            firmware_counts: self.firmware.counts(),
            held: self.firmware.held(),
            causes: 0,
        });
        self.pci_dma.skip(1);
        self.firmware.skip(1);
    }

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
