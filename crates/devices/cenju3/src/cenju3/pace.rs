//! Cycles in which only the pace of the link goes on: it takes a word every 16 cycles, and local memory, which two
//! directions share, answers late. All blocks wait for one of the two.

use hdl::{Clocked, Quiet};

use super::Cenju3;
use crate::pins::In;
use crate::send_queue::SendQueue;
use crate::{link_receive, link_transmit, mask, receive_ring, send_dma, send_queue};

impl Cenju3 {
    /// Whether the next edge changes nothing but the pace of the link, with these pins.
    #[inline(always)]
    pub(super) fn only_paces(&self, pins: &In) -> bool {
        !pins.host.enable
            && !pins.receive_valid
            && !pins.memory.ready
            && self.link_waits(pins)
            && self.sender_waits()
            && self.receiver_waits()
            && self.arbiter_waits()
            && self.register_file.quiescent() == Quiet::UntilInput
            && self.interrupt.rest(self.register_file.configuration.interrupt_enable) == Quiet::UntilInput
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

    /// Whether queues, mask and send DMA have nothing to do, or wait for memory or for room.
    #[inline(always)]
    fn sender_waits(&self) -> bool {
        let configuration = &self.register_file.configuration;
        let offers = |queue: &SendQueue| queue.state == send_queue::State::Offer;
        let dma = &self.send_dma;
        let masks = match self.mask.state {
            // The user's entry waits while the kernel's queue is fetching one.
            mask::State::Idle => {
                let kernel_idle = self.send_queue_0.state == send_queue::State::Idle;
                offers(&self.send_queue_0) || offers(&self.send_queue_1) && kernel_idle
            }
            mask::State::Send => dma.state == send_dma::State::Idle,
            _ => true,
        };
        !masks
            && !self.send_queue_0.fetches(configuration.enable, configuration.write0)
            && !self.send_queue_1.fetches(configuration.enable, configuration.write1)
            && (dma.waits() || dma.lacks_room(self.transmit_fifo.outputs().count as u8))
    }

    /// Whether each word that has arrived waits for a ring, and that one for memory.
    #[inline(always)]
    fn receiver_waits(&self) -> bool {
        let receive = &self.link_receive;
        let held = receive.holding && receive.state == link_receive::State::Stream;
        let takes = !receive.holding && !self.receive_fifo.outputs().empty;
        let waits = |ring: &receive_ring::ReceiveRing| ring.waits() && !(held && ring.outputs().word_next);
        receive.waits()
            && !takes
            && waits(&self.receive_ring_0)
            && waits(&self.receive_ring_1)
            && waits(&self.receive_ring_2)
    }

    /// Whether the arbiter keeps its grant, or is not asked for one.
    #[inline(always)]
    fn arbiter_waits(&self) -> bool {
        let request = self.port(false).request;
        let grant = self.arbiter.outputs().grant;
        grant & request != 0 || grant | request == 0
    }
}

#[cfg(test)]
mod tests {
    use hdl::{Device, Observed, Stimulus};

    use super::*;
    use crate::clocks::CORE;
    use crate::traffic::Traffic;

    fn look(nif: &Cenju3) -> Vec<u64> {
        let mut words = Vec::new();
        nif.sample(&mut words);
        nif.memories(&mut words);
        words
    }

    #[test]
    fn edge_that_only_paces_is_one_of_all_blocks() {
        let (mut sending, mut storing, mut counting) = (0, 0, 0);
        for seed in 0..6 {
            let (mut nif, mut traffic) = (Cenju3::default(), Traffic::new(seed));
            let mut random = Stimulus::new(seed);
            for _ in 0..100_000 {
                let pins = *traffic.pins(CORE, &nif.outputs());
                let paces = nif.only_paces(&pins);
                let looks = nif.link_receive.holding || random.one_in(20);
                let whole = (paces && looks).then(|| {
                    let mut whole = nif.clone();
                    whole.edge_of_all(&pins);
                    whole
                });
                nif.edge(CORE, &pins);
                if let Some(whole) = whole {
                    sending += u32::from(nif.mask.state == mask::State::Send);
                    storing += u32::from(nif.link_receive.holding);
                    counting += u32::from(nif.link_transmit.pace > 0);
                    assert!(look(&whole) == look(&nif), "{pins:?}, seed {seed}");
                }
            }
        }
        assert!(sending > 1_000 && storing > 200 && counting > 1_000, "{sending}, {storing}, {counting}");
    }
}
