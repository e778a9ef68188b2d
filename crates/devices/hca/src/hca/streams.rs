//! Streams: packets that move between host memory, packet memories and link.
//!
//! Most edges of a busy adapter only move words: an engine waits until host DMA has copied a packet, or no engine has
//! work, and the link sends or receives. Such edges are executed without all the other blocks, whose registers
//! they leave as they are.

use hdl::{BankWrite, Clocked, Quiet};

use super::Hca;
use crate::link::{link_receive, link_transmit};
use crate::pins::In;
use crate::{command, completion, events, host_dma, receive_engine, scheduler, send_engine};

/// Outputs of the blocks and memories that move words, before a clock edge.
pub(super) struct Streams {
    pub(super) dma: host_dma::Out,
    pub(super) transmit: link_transmit::Out,
    pub(super) arrived: link_receive::Out,
    transmit_rdata: u64,
    pub(super) receive_rdata: u64,
}

impl Streams {
    /// Whether host DMA reads a word of a packet or of a CQE.
    #[inline(always)]
    pub(super) fn dma_reads(&self, pins: &In) -> bool {
        self.dma.memory_read || self.dma.memory_next && pins.bus.ready
    }

    /// Word of the transmit memory that the link reads.
    #[inline(always)]
    pub(super) fn transmit_read(&self, pins: &In) -> Option<usize> {
        let reads = self.transmit.read || self.transmit.next && pins.link.transmit_ready;
        reads.then_some(self.transmit.address.into())
    }

    /// Write to the transmit memory, by host DMA.
    #[inline(always)]
    pub(super) fn transmit_write(&self) -> BankWrite {
        BankWrite {
            byte_enable: if self.dma.memory_write { self.dma.byte_enable } else { 0 },
            address: self.dma.write_address.into(),
            wdata: self.dma.wdata,
        }
    }

    /// Word of the receive memory that host DMA reads.
    #[inline(always)]
    pub(super) fn receive_read(&self, pins: &In) -> Option<usize> {
        self.dma_reads(pins).then_some(self.dma.read_address.into())
    }

    /// Write to the receive memory, by the link.
    #[inline(always)]
    pub(super) fn receive_write(&self) -> BankWrite {
        BankWrite {
            byte_enable: if self.arrived.write { 0xff } else { 0 },
            address: self.arrived.address.into(),
            wdata: self.arrived.wdata,
        }
    }

    /// Inputs of the transmitter, to which the send engine hands a packet of these units if `launch`.
    #[inline(always)]
    pub(super) fn link_transmit_inputs(&self, launch: bool, units: u16, pins: &In) -> link_transmit::In {
        link_transmit::In {
            launch,
            units,
            memory_rdata: self.transmit_rdata,
            ready: pins.link.transmit_ready,
        }
    }

    /// Inputs of the receiver; `release_slot` if the receive engine is done with a packet.
    #[inline(always)]
    pub(super) fn link_receive_inputs(release_slot: bool, pins: &In) -> link_receive::In {
        link_receive::In { data: pins.link.data, last: pins.link.last, valid: pins.link.valid, release_slot }
    }
}

impl Hca {
    /// Outputs of the blocks and memories that move words.
    #[inline(always)]
    pub(super) fn streams(&self) -> Streams {
        Streams {
            dma: self.host_dma.outputs(),
            transmit: self.link_transmit.outputs(),
            arrived: self.link_receive.outputs(),
            transmit_rdata: self.transmit_memory.rdata(),
            receive_rdata: self.receive_memory.rdata(),
        }
    }

    /// Whether the next edge only moves words and counts time, with these pins.
    #[inline(always)]
    pub(super) fn only_streams(&self, pins: &In) -> bool {
        !pins.host.enable
            && self.engines_wait()
            && self.host_port.quiescent() == Quiet::UntilInput
            && self.command.state == command::State::Idle
            && self.completion.state == completion::State::Idle
            && self.scheduler.in_turn() != Quiet::Busy
            && !self.retry_timer.due
            && self.events.request == self.requests_interrupt()
    }

    /// Whether the engine that has its turn waits for host DMA, which does not end yet; or no engine begins a turn.
    #[inline(always)]
    fn engines_wait(&self) -> bool {
        use host_dma::State::{Done, Idle};
        let copies = !matches!(self.host_dma.state, Idle | Done);
        // The engines keep words of WQEs and operands, but not those of packets.
        let waits = self.host_dma.waits_for_bus();
        match self.scheduler.q.state {
            scheduler::State::Send => match self.send_engine.state {
                send_engine::State::Copy => copies,
                send_engine::State::Fetch => waits,
                _ => false,
            },
            scheduler::State::Receive => match self.receive_engine.state {
                receive_engine::State::Copy => copies,
                receive_engine::State::Fetch | receive_engine::State::Operand => waits,
                _ => false,
            },
            scheduler::State::Idle => {
                let sends = !self.scheduler.q.work.is_empty() && self.link_transmit.outputs().free;
                let receives = self.link_receive.outputs().waiting;
                let begins = self.host_port.outputs().enable && (sends || receives);
                !begins && self.host_dma.quiescent() == Quiet::UntilInput
            }
            scheduler::State::Command => false,
        }
    }

    /// Whether an enabled cause requests an interrupt.
    #[inline(always)]
    pub(super) fn requests_interrupt(&self) -> bool {
        let events::Out { causes, .. } = self.events.outputs();
        causes & self.host_port.outputs().interrupt_enable != 0
    }

    /// An edge that [only moves words](Hca::only_streams).
    #[inline(always)]
    pub(super) fn stream(&mut self, pins: &In) {
        let streams = self.streams();
        let receive = self.receive_engine.outputs();
        let memory_rdata = if receive.supply { receive.value } else { streams.receive_rdata };
        self.transmit_memory.tick(streams.transmit_read(pins), streams.transmit_write());
        self.receive_memory.tick(streams.receive_read(pins), streams.receive_write());
        self.host_dma.tick_if(false, || host_dma::In {
            rdata: pins.bus.rdata,
            grant: pins.bus.grant,
            ready: pins.bus.ready,
            memory_rdata,
            ..host_dma::In::default()
        });
        if !self.retry_timer.rests() {
            self.retry_timer.tick(&Default::default());
        }
        self.link_transmit.tick_if(false, || streams.link_transmit_inputs(false, 0, pins));
        self.link_receive.tick_if(pins.link.valid, || Streams::link_receive_inputs(false, pins));
    }
}

#[cfg(test)]
mod tests {
    use hdl::{Device, Observed, Stimulus};

    use super::*;
    use crate::clocks::CORE;
    use crate::traffic::Traffic;

    fn look(adapter: &Hca) -> Vec<u64> {
        let mut words = Vec::new();
        adapter.sample(&mut words);
        adapter.memories(&mut words);
        words
    }

    #[test]
    fn edge_that_only_moves_words_is_one_of_all_blocks() {
        let (mut copying, mut alone) = (0, 0);
        for seed in 0..6 {
            let (mut adapter, mut traffic) = (Hca::default(), Traffic::new(seed));
            let mut random = Stimulus::new(seed);
            for _ in 0..100_000 {
                let pins = *traffic.pins(CORE, &adapter.outputs());
                let moves = adapter.only_streams(&pins);
                let whole = (moves && random.one_in(20)).then(|| {
                    let mut whole = adapter.clone();
                    whole.edge_of_all(&pins);
                    whole
                });
                adapter.edge(CORE, &pins);
                if let Some(whole) = whole {
                    let idle = adapter.scheduler.q.state == scheduler::State::Idle;
                    *(if idle { &mut alone } else { &mut copying }) += 1;
                    assert!(look(&whole) == look(&adapter), "{pins:?}, seed {seed}");
                }
            }
        }
        assert!(copying > 1_000 && alone > 1_000, "{copying}, {alone}");
    }
}
