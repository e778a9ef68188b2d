//! The card: how many frames are in its two rings, and whether it interrupts.
//!
//! It stands for an Intel EtherExpress Pro 100: rings of descriptors in the host's memory, frames moved by the card itself. What is a
//! register here is what the host and the cable have to agree on; the frames are in `side.rs`. There is no RTL of it.
//!
//! ```text
//!             posted                                   left
//!   driver ----------> transmit: frames in the ring ----------> cable
//!          <---------- receive:  frames in the ring <---------- cable
//!             taken                                   arrived
//!          <---------- interrupt: a frame has arrived, or has left a full ring
//! ```

use hdl::{Clock, Device, Edges, Probe, Quiet, Role, Visitor};

/// Frames that a ring holds (Linux 2.4, eepro100.c: TX_RING_SIZE and RX_RING_SIZE).
pub const RING: u8 = 64;

hdl::bundle! {
    /// Events of a cycle.
    pub struct In in fast_ethernet_pkg {
        /// A frame has come from the cable and is in memory.
        arrived: bool,
        /// The last byte of a frame is on the cable.
        left: bool,
        /// Frames that the driver put into the transmit ring.
        posted: u8,
        /// Frames that it took out of the receive ring.
        taken: u8,
        /// It has seen the interrupt.
        acknowledge: bool,
    }
}

hdl::bundle! {
    /// Outputs of the card, which are its registers.
    pub struct Out in fast_ethernet_pkg {
        /// It asks for a handler.
        interrupt: bool,
        /// Frames in the transmit ring.
        transmit: u8,
        /// Frames in the receive ring.
        receive: u8,
        /// Frames that found the receive ring full and are lost.
        missed: u16,
    }
}

/// Clocks of the card: that of its cable.
pub static CLOCKS: [Clock; 1] =
    [Clock { name: "byte", port: "clk_i", period_ps: 80_000, doc: "A byte at 100 Mbit/s." }];

/// The rings' fill levels and the interrupt.
#[derive(Clone, Debug, Default)]
pub struct FastEthernetCard {
    registers: Out,
}

impl Device for FastEthernetCard {
    type In = In;
    type Out = Out;
    const CLOCKS: &'static [Clock] = &CLOCKS;

    fn outputs(&self) -> Out {
        self.registers
    }

    fn edge(&mut self, _edges: Edges, pins: &In) {
        let Out { interrupt, transmit, receive, missed } = self.registers;
        let fits = pins.arrived && receive < RING;
        let posted = transmit.saturating_add(pins.posted);
        let drains = pins.left && posted >= RING;
        self.registers = Out {
            interrupt: (interrupt && !pins.acknowledge) || fits || drains,
            transmit: posted.saturating_sub(pins.left.into()),
            receive: (receive + u8::from(fits)).saturating_sub(pins.taken),
            missed: missed.saturating_add((pins.arrived && !fits).into()),
        };
    }

    fn idle(&self, pins: &In) -> bool {
        *pins == In::default()
    }

    /// The card changes only by its pins.
    fn quiescent(&self) -> Quiet {
        Quiet::UntilInput
    }
}

hdl::observed!(FastEthernetCard);

impl Probe for FastEthernetCard {
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.registers);
        visitor.pins(Role::Outputs, || self.registers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(card: &mut FastEthernetCard, pins: In) -> Out {
        card.edge(Edges::of(0), &pins);
        card.outputs()
    }

    #[test]
    fn a_frame_that_arrives_interrupts_until_it_is_acknowledged() {
        let mut card = FastEthernetCard::default();
        let out = after(&mut card, In { arrived: true, ..In::default() });
        assert!(out.interrupt && out.receive == 1);
        assert!(after(&mut card, In::default()).interrupt);
        let out = after(&mut card, In { acknowledge: true, taken: 1, ..In::default() });
        assert!(!out.interrupt && out.receive == 0);
        // A frame that arrives with the acknowledgement is not lost.
        assert!(after(&mut card, In { acknowledge: true, arrived: true, ..In::default() }).interrupt);
    }

    #[test]
    fn a_frame_for_a_full_ring_is_missed_and_counted() {
        let mut card = FastEthernetCard::default();
        for _ in 0..RING {
            after(&mut card, In { arrived: true, ..In::default() });
        }
        let out = after(&mut card, In { arrived: true, ..In::default() });
        assert_eq!((out.receive, out.missed), (RING, 1));
    }

    #[test]
    fn a_frame_that_leaves_interrupts_only_if_the_ring_was_full() {
        let mut card = FastEthernetCard::default();
        after(&mut card, In { posted: RING, ..In::default() });
        assert!(after(&mut card, In { left: true, ..In::default() }).interrupt);
        after(&mut card, In { acknowledge: true, ..In::default() });
        let out = after(&mut card, In { left: true, ..In::default() });
        assert!(!out.interrupt && out.transmit == RING - 2);
    }
}
