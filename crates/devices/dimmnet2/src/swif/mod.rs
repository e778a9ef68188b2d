//! SWIF, the Switch Interface: wraps DIMMnet-2 packets in InfiniBand frames and unwraps them (thesis section
//! 4.2).
//!
//! The side of the Core Logic runs at 100 MHz, the side of the link at 125 MHz. A FIFO in each direction
//! transfers whole packets between them (decision 0010).
//!
//! Reading: `packet_start` takes the first line of a packet, `line_next` each of the following; the line is
//! on `line` from the next cycle on. `line_next` is ignored after a last line, and `packet_start` before it,
//! so a reader can neither run into the next packet nor lose its position.
//!
//! Controller Reset lasts longer than its propagation through the synchroniser to the network clock. For some
//! cycles, both sides of both FIFOs and both state machines are therefore in reset together.

use hdl::{
    AsyncFifo, AsyncFifoIn, AsyncFifoOut, Clock, Clocked, Device, Edges, Probe, Quiet, Role, Synchroniser,
    Visitor,
};

pub mod decapsulation;
pub mod encapsulation;
pub mod infiniband;
pub mod pins;

#[cfg(test)]
mod tests;

use crate::clocks;
use crate::line::{LAST, Line};
use crate::pins::NetworkOut;
use decapsulation::Decapsulation;
use encapsulation::Encapsulation;
use pins::{In, Out};

/// Lines in each FIFO: two of the longest packets.
pub const FIFO_LINES: usize = 1024;

/// Encapsulation and decapsulation with a FIFO in each direction.
#[derive(Clone, Debug, Default)]
pub struct Swif {
    /// Wraps packets in frames, network clock.
    pub encapsulation: Encapsulation,
    /// Extracts packets from frames, network clock.
    pub decapsulation: Decapsulation,
    /// Packets from the Window Controller: the SWIF FIFO.
    pub transmit_fifo: AsyncFifo<Line, FIFO_LINES>,
    /// Packets for the Receive Controller.
    pub receive_fifo: AsyncFifo<Line, FIFO_LINES>,
    /// Controller Reset, synchronised to the network clock.
    controller_reset_sync: Synchroniser<bool>,
    /// LID from the Subnet Manager, synchronised to the core clock.
    sma_lid_sync: Synchroniser<u16>,
    /// SWIF status, synchronised to the core clock.
    link_status_sync: Synchroniser<u8>,
}

impl Device for Swif {
    type In = In;
    type Out = Out;

    const CLOCKS: &'static [Clock] = &clocks::CLOCKS;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let receive = self.receive_fifo.outputs();
        Out {
            fifo_free: self.transmit_fifo.outputs().free,
            line: receive.rdata,
            packet_available: receive.packet_available,
            sma_lid: self.sma_lid_sync.output(),
            link_status: self.link_status_sync.output(),
            network: self.network(),
        }
    }

    // Each side samples the values that the other had before the edge.
    #[inline(always)]
    fn edge(&mut self, edges: Edges, pins: &In) {
        let (core, network) = (edges.meets(clocks::CORE), edges.meets(clocks::NETWORK));
        let network_reset = self.controller_reset_sync.output();
        let transmit = self.transmit_fifo.outputs();
        let receive = self.receive_fifo.outputs();
        let transmit_pins = self.transmit_pins(pins, network_reset, &transmit);
        let receive_pins = self.receive_pins(pins, network_reset, &receive);

        if network {
            if network_reset {
                self.encapsulation.reset();
                self.decapsulation.reset();
            } else {
                self.encapsulation.tick_if(transmit.packet_available, || encapsulation::In {
                    packet_available: transmit.packet_available,
                    line: transmit.rdata,
                    tx_ready: pins.network.tx_ready,
                    sma_lid: pins.network.sma_lid,
                });
                let frees = !self.decapsulation.settled(receive.free);
                self.decapsulation.tick_if(pins.network.rx_valid || frees, || decapsulation::In {
                    rx_line: pins.network.rx_line,
                    rx_valid: pins.network.rx_valid,
                    sma_lid: pins.network.sma_lid,
                    fifo_free: receive.free,
                });
            }
            self.controller_reset_sync.tick(pins.controller_reset);
        }
        if core {
            self.sma_lid_sync.tick(pins.network.sma_lid);
            self.link_status_sync.tick(pins.network.link_status);
        }
        self.transmit_fifo.edge(core, network, &transmit_pins);
        self.receive_fifo.edge(network, core, &receive_pins);
    }

    // Conservative answer; the enclosing device examines the pins.
    fn idle(&self, _pins: &In) -> bool {
        false
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let settled = self.transmit_fifo.settled()
            && self.receive_fifo.settled()
            && !self.transmit_fifo.outputs().packet_available
            && self.decapsulation.settled(self.receive_fifo.outputs().free)
            && self.controller_reset_sync.settled(false)
            && self.sma_lid_sync.steady()
            && self.link_status_sync.steady();
        if settled { self.encapsulation.quiescent().and(self.decapsulation.quiescent()) } else { Quiet::Busy }
    }
}

impl Swif {
    /// The pins of the link.
    #[inline(always)]
    pub(crate) fn network(&self) -> NetworkOut {
        let encapsulation = self.encapsulation.outputs();
        NetworkOut {
            tx_line: encapsulation.tx_line,
            tx_valid: encapsulation.tx_valid,
            rx_ready: self.decapsulation.outputs().rx_ready,
        }
    }

    #[inline(always)]
    fn transmit_pins(&self, pins: &In, network_reset: bool, fifo: &AsyncFifoOut<Line>) -> AsyncFifoIn<Line> {
        let encapsulation = self.encapsulation.outputs();
        let packet = encapsulation.packet_next && fifo.packet_available;
        let line = encapsulation.line_next && pins.network.tx_ready && fifo.rdata.id != LAST;
        AsyncFifoIn {
            write_reset: pins.controller_reset,
            write_enable: pins.line_enable,
            wdata: pins.line,
            write_last: pins.line.is_last(),
            read_reset: network_reset,
            read_enable: packet || line,
            read_packet: packet,
        }
    }

    #[inline(always)]
    fn receive_pins(&self, pins: &In, network_reset: bool, fifo: &AsyncFifoOut<Line>) -> AsyncFifoIn<Line> {
        let decapsulation = self.decapsulation.outputs();
        // The reader is between two packets; after a reset no line has been read.
        let between = fifo.rdata.id == LAST || fifo.rdata.id == 0;
        let packet = pins.packet_start && between && fifo.packet_available;
        let line = pins.line_next && !between;
        AsyncFifoIn {
            write_reset: network_reset,
            write_enable: decapsulation.line_enable,
            wdata: decapsulation.line,
            write_last: decapsulation.line.is_last(),
            read_reset: pins.controller_reset,
            read_enable: packet || line,
            read_packet: packet,
        }
    }

    /// Whether edges of the network clock change nothing until the core clock rises or a line arrives from
    /// the link. Controller Reset is assumed to be inactive.
    pub fn network_rests(&self) -> bool {
        self.controller_reset_sync.settled(false)
            && self.transmit_fifo.read_side_settled()
            && self.receive_fifo.write_side_settled()
            && !self.transmit_fifo.outputs().packet_available
            && self.decapsulation.settled(self.receive_fifo.outputs().free)
            && self.encapsulation.quiescent() == Quiet::UntilInput
            && self.decapsulation.quiescent() == Quiet::UntilInput
    }

    /// An edge of both clocks during reset.
    pub fn reset(&mut self) {
        self.encapsulation.reset();
        self.decapsulation.reset();
        self.transmit_fifo.reset();
        self.receive_fifo.reset();
        self.controller_reset_sync.reset();
        self.sma_lid_sync.reset();
        self.link_status_sync.reset();
    }
}

hdl::observed!(Swif);

impl Probe for Swif {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.clocks(clocks::BOTH);
        visitor.pins(Role::Outputs, || self.outputs());
        visitor.clocks(clocks::NETWORK);
        visitor.block("encapsulation", &self.encapsulation);
        visitor.block("decapsulation", &self.decapsulation);
        visitor.clocks(clocks::BOTH);
        visitor.block("transmit_fifo", &self.transmit_fifo);
        visitor.block("receive_fifo", &self.receive_fifo);
        visitor.clocks(clocks::NETWORK);
        self.controller_reset_sync.probe("controller_reset_sync", 1, visitor);
        visitor.clocks(clocks::CORE);
        self.sma_lid_sync.probe("sma_lid_sync", 16, visitor);
        self.link_status_sync.probe("link_status_sync", 2, visitor);
    }
}
