//! Cycles in which only the pace of the link goes on: it takes a word every 16 cycles, and all else waits for it.

use hdl::{Clocked, Quiet};

use super::Cenju3;
use crate::pins::In;
use crate::{link_transmit, mask, receive_ring, send_queue};

impl Cenju3 {
    /// Whether the next edge changes nothing but the pace of the link, with these pins.
    #[inline(always)]
    pub(super) fn only_paces(&self, pins: &In) -> bool {
        !pins.host.enable && !pins.receive_valid && self.link_waits(pins) && self.sender_waits() && {
            let rings = [&self.receive_ring_0, &self.receive_ring_1, &self.receive_ring_2];
            self.receiver_waits(rings)
                && self.arbiter.quiescent() == Quiet::UntilInput
                && self.register_file.quiescent() == Quiet::UntilInput
                && self.interrupt.rest(self.register_file.configuration.interrupt_enable) == Quiet::UntilInput
        }
    }

    /// Whether the transmitter only counts, or waits for a word or for the link.
    #[inline(always)]
    fn link_waits(&self, pins: &In) -> bool {
        match self.link_transmit.state {
            link_transmit::State::Wait => self.link_transmit.pace > 0 || self.transmit_fifo.outputs().empty,
            link_transmit::State::Take => false,
            link_transmit::State::Offer => !pins.transmit_ready,
        }
    }

    /// Whether no entry is to be fetched or checked, and send DMA has nothing to do or no room.
    #[inline(always)]
    fn sender_waits(&self) -> bool {
        let configuration = &self.register_file.configuration;
        let offers = |queue: &send_queue::SendQueue| queue.state == send_queue::State::Offer;
        let waits = |queue: &send_queue::SendQueue, write: u8| match queue.state {
            send_queue::State::Idle => !configuration.enable || queue.read == write,
            send_queue::State::Offer => true,
            send_queue::State::First | send_queue::State::Second => false,
        };
        let queues = waits(&self.send_queue_0, configuration.write0)
            && waits(&self.send_queue_1, configuration.write1);
        queues
            && match self.mask.state {
                mask::State::Idle => {
                    !offers(&self.send_queue_0)
                        && !offers(&self.send_queue_1)
                        && self.send_dma.quiescent() == Quiet::UntilInput
                }
                mask::State::Send => self.send_dma.lacks_room(self.transmit_fifo.outputs().count as u8),
                _ => false,
            }
    }

    /// Whether no word has arrived that is not yet in memory.
    #[inline(always)]
    fn receiver_waits(&self, rings: [&receive_ring::ReceiveRing; 3]) -> bool {
        self.receive_fifo.outputs().empty
            && self.link_receive.waits()
            && !self.link_receive.holding
            && rings.iter().all(|ring| ring.waits() && !ring.writing)
    }
}

#[cfg(test)]
mod tests {
    use hdl::{Device, Observed, Stimulus};

    use super::*;
    use crate::clocks::CORE;
    use crate::send_dma;
    use crate::traffic::Traffic;

    fn look(nif: &Cenju3) -> Vec<u64> {
        let mut words = Vec::new();
        nif.sample(&mut words);
        nif.memories(&mut words);
        words
    }

    #[test]
    fn edge_that_only_paces_is_one_of_all_blocks() {
        let (mut sending, mut counting) = (0, 0);
        for seed in 0..6 {
            let (mut nif, mut traffic) = (Cenju3::default(), Traffic::new(seed));
            let mut random = Stimulus::new(seed);
            for _ in 0..100_000 {
                let pins = *traffic.pins(CORE, &nif.outputs());
                let paces = nif.only_paces(&pins);
                let whole = (paces && random.one_in(20)).then(|| {
                    let mut whole = nif.clone();
                    whole.edge_of_all(&pins);
                    whole
                });
                nif.edge(CORE, &pins);
                if let Some(whole) = whole {
                    sending += u32::from(nif.send_dma.state == send_dma::State::Room);
                    counting += u32::from(nif.link_transmit.pace > 0);
                    assert!(look(&whole) == look(&nif), "{pins:?}, seed {seed}");
                }
            }
        }
        assert!(sending > 300 && counting > 1_000, "{sending}, {counting}");
    }
}
