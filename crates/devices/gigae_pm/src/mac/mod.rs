//! MAC: sends and receives Ethernet frames, and crosses between the two clocks.
//!
//! The card's side runs at 33 MHz, GMII at 125 MHz with one byte per cycle. A FIFO in each
//! direction transfers whole frames, so a frame on the wire has no gaps.

use hdl::{AsyncFifo, AsyncFifoIn, AsyncFifoOut, Clock, Clocked, Device, Edges, Probe, Quiet, Role, Visitor};

pub mod crc32;
pub mod mac_receive;
pub mod mac_transmit;
pub mod pins;

use crate::clocks;
use crate::pins::NetworkOut;
use mac_receive::MacReceive;
use mac_transmit::MacTransmit;
use pins::{FIFO_WORDS, In, Out, ReceiveWord, TransmitWord};

/// Ethernet MAC with its FIFOs.
#[derive(Clone, Debug, Default)]
pub struct Mac {
    /// Sends frames, network clock.
    pub mac_transmit: MacTransmit,
    /// Receives frames, network clock.
    pub mac_receive: MacReceive,
    /// Frames to be sent.
    pub transmit_fifo: AsyncFifo<TransmitWord, FIFO_WORDS>,
    /// Received frames.
    pub receive_fifo: AsyncFifo<ReceiveWord, FIFO_WORDS>,
    /// Edges without requests may change something: what the blocks said after the last edge. Most edges find the MAC at
    /// rest, and asking four blocks costs more than the edge.
    moves: bool,
}

impl Device for Mac {
    type In = In;
    type Out = Out;

    const CLOCKS: &'static [Clock] = &clocks::CLOCKS;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let receive = self.receive_fifo.outputs();
        Out {
            transmit_free: self.transmit_fifo.outputs().free,
            receive_word: receive.rdata,
            frame_available: receive.packet_available,
            network: self.network(),
        }
    }

    #[inline(always)]
    fn edge(&mut self, edges: Edges, pins: &In) {
        let asked = pins.network.rx_valid || pins.transmit_enable || pins.frame_start || pins.word_next;
        if !asked && !self.moves {
            return;
        }
        let (core, network) = (edges.meets(clocks::CORE), edges.meets(clocks::NETWORK));
        let transmit = self.transmit_fifo.outputs();
        let receive = self.receive_fifo.outputs();
        let transmit_pins = self.transmit_pins(pins, &transmit);
        let receive_pins = self.receive_pins(pins, &receive);
        if network {
            self.mac_transmit.tick_if(transmit.packet_available, || mac_transmit::In {
                packet_available: transmit.packet_available,
                word: transmit.rdata,
            });
            self.mac_receive.tick_if(pins.network.rx_valid, || mac_receive::In {
                rx_data: pins.network.rx_data,
                rx_valid: pins.network.rx_valid,
                rx_error: pins.network.rx_error,
                fifo_free: receive.free,
            });
        }
        self.transmit_fifo.edge(core, network, &transmit_pins);
        self.receive_fifo.edge(network, core, &receive_pins);
        self.moves = self.may_move();
    }

    // `false` is always safe; the device around the MAC knows its pins.
    fn idle(&self, _pins: &In) -> bool {
        false
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.moves { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl Mac {
    /// Whether an edge without requests may change something.
    #[inline(always)]
    fn may_move(&self) -> bool {
        let settled = self.transmit_fifo.settled()
            && self.receive_fifo.settled()
            && !self.transmit_fifo.outputs().packet_available;
        !settled
            || self.mac_transmit.quiescent() == Quiet::Busy
            || self.mac_receive.quiescent() == Quiet::Busy
    }

    /// The pins of the link.
    #[inline(always)]
    pub(crate) fn network(&self) -> NetworkOut {
        let transmit = self.mac_transmit.outputs();
        NetworkOut { tx_data: transmit.tx_data, tx_enable: transmit.tx_enable }
    }

    #[inline(always)]
    fn transmit_pins(&self, pins: &In, fifo: &AsyncFifoOut<TransmitWord>) -> AsyncFifoIn<TransmitWord> {
        let transmit = self.mac_transmit.outputs();
        let packet = transmit.packet_next && fifo.packet_available;
        AsyncFifoIn {
            write_enable: pins.transmit_enable,
            wdata: pins.transmit_word,
            write_last: pins.transmit_word.last,
            read_enable: packet || transmit.word_next && !fifo.rdata.last,
            read_packet: packet,
            ..AsyncFifoIn::default()
        }
    }

    #[inline(always)]
    fn receive_pins(&self, pins: &In, fifo: &AsyncFifoOut<ReceiveWord>) -> AsyncFifoIn<ReceiveWord> {
        let receive = self.mac_receive.outputs();
        let packet = pins.frame_start && fifo.packet_available;
        AsyncFifoIn {
            write_enable: receive.word_enable,
            wdata: receive.word,
            write_last: receive.word.last,
            read_enable: packet || pins.word_next && !fifo.rdata.last,
            read_packet: packet,
            ..AsyncFifoIn::default()
        }
    }

    /// One edge of both clocks under reset.
    pub fn reset(&mut self) {
        self.mac_transmit.reset();
        self.mac_receive.reset();
        self.transmit_fifo.reset();
        self.receive_fifo.reset();
        self.moves = false;
    }
}

hdl::observed!(Mac);

impl Probe for Mac {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.clocks(clocks::BOTH);
        visitor.pins(Role::Outputs, || self.outputs());
        visitor.clocks(clocks::NETWORK);
        visitor.block("mac_transmit", &self.mac_transmit);
        visitor.block("mac_receive", &self.mac_receive);
        visitor.clocks(clocks::BOTH);
        visitor.block("transmit_fifo", &self.transmit_fifo);
        visitor.block("receive_fifo", &self.receive_fifo);
    }
}
