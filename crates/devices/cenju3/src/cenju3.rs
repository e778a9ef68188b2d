//! The NIF: registers, two send queues, the mask, send DMA, three receive rings, both sides of the link, and
//! an arbiter and a port for local memory (paper, sections 3 and 6.4; the division into blocks is not
//! printed, decision 0057).

use hdl::{Clock, Clocked, Device, Edges, Fifo, FifoIn, Probe, Quiet, Role, Visitor};

use crate::arbiter::{self, Arbiter};
use crate::clocks;
use crate::interrupt::{self, Interrupt};
use crate::link_receive::{self, LinkReceive};
use crate::link_transmit::{self, LinkTransmit};
use crate::mask::{self, Mask};
use crate::memory_port;
use crate::pins::{HostOut, In, LinkWord, Out};
use crate::receive_ring::{self, ReceiveRing};
use crate::register_file::{self, RegisterFile};
use crate::registers::Positions;
use crate::send_dma::{self, FIFO_WORDS, SendDma};
use crate::send_queue::{self, SendQueue};

/// Registers, by block and name, whose reset value is not 0: none.
pub const RESETS: &[(&str, &str)] = &[];

/// A NIF of Cenju-3.
#[derive(Clone, Debug, Default)]
pub struct Cenju3 {
    /// Host-visible registers.
    pub register_file: RegisterFile,
    /// The kernel's send queue.
    pub send_queue_0: SendQueue,
    /// The user's send queue.
    pub send_queue_1: SendQueue,
    /// Masks and checks entries.
    pub mask: Mask,
    /// Cuts transfers into packets.
    pub send_dma: SendDma,
    /// Words of packets waiting for the link.
    pub transmit_fifo: Fifo<LinkWord, FIFO_WORDS>,
    /// Sends words to the link.
    pub link_transmit: LinkTransmit,
    /// Words of packets waiting for memory.
    pub receive_fifo: Fifo<LinkWord, FIFO_WORDS>,
    /// Takes packets from the link.
    pub link_receive: LinkReceive,
    /// Receive message buffer 0.
    pub receive_ring_0: ReceiveRing,
    /// Receive message buffer 1.
    pub receive_ring_1: ReceiveRing,
    /// Receive header buffer of DMA, and its data.
    pub receive_ring_2: ReceiveRing,
    /// Arbiter of local memory.
    pub arbiter: Arbiter,
    /// Interrupt causes.
    pub interrupt: Interrupt,
}

impl Cenju3 {
    /// Pins of local memory and of its requesters, for this cycle.
    #[inline(always)]
    fn port(&self, ready: bool) -> memory_port::Out {
        memory_port::connect(&memory_port::In {
            ring0: self.receive_ring_0.outputs(),
            ring1: self.receive_ring_1.outputs(),
            ring2: self.receive_ring_2.outputs(),
            dma: self.send_dma.outputs(),
            queue0: self.send_queue_0.outputs(),
            queue1: self.send_queue_1.outputs(),
            grant: self.arbiter.outputs().grant,
            ready,
        })
    }
}

impl Device for Cenju3 {
    type In = In;
    type Out = Out;

    const CLOCKS: &'static [Clock] = &clocks::CLOCKS;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let link = self.link_transmit.outputs();
        Out {
            host: HostOut {
                rdata: self.register_file.outputs().rdata,
                interrupt_request: self.interrupt.outputs().request,
            },
            memory: self.port(false).memory,
            receive_ready: !self.receive_fifo.outputs().full,
            transmit_valid: link.valid,
            transmit: link.word,
        }
    }

    // Compiled once here, not in every crate that drives a NIF.
    #[inline(never)]
    fn edge(&mut self, _edges: Edges, pins: &In) {
        let registers = self.register_file.outputs();
        let configuration = registers.configuration;
        let (queue0, queue1) = (self.send_queue_0.outputs(), self.send_queue_1.outputs());
        let mask = self.mask.outputs();
        let dma = self.send_dma.outputs();
        let (transmit_fifo, receive_fifo) = (self.transmit_fifo.outputs(), self.receive_fifo.outputs());
        let (transmit, receive) = (self.link_transmit.outputs(), self.link_receive.outputs());
        let ring0 = self.receive_ring_0.outputs();
        let ring1 = self.receive_ring_1.outputs();
        let ring2 = self.receive_ring_2.outputs();
        let interrupt = self.interrupt.outputs();

        let port = self.port(pins.memory.ready);
        let ready = |who: u32| port.ready >> who & 1 == 1;

        // One entry of a ring stays free, so that full differs from empty.
        let full = |write: u8, read: u8| u8::from((write + 1) % 64 == read);
        let full = full(ring0.write, configuration.read0)
            | full(ring1.write, configuration.read1) << 1
            | full(ring2.write, configuration.read2) << 2;
        let rings_idle = ring0.idle && ring1.idle && ring2.idle;
        let sends = !(queue0.idle && queue1.idle && mask.idle && dma.idle);

        self.register_file.tick(&register_file::In {
            host: pins.host,
            positions: Positions {
                read0: queue0.read,
                read1: queue1.read,
                write0: ring0.write,
                write1: ring1.write,
                write2: ring2.write,
            },
            busy: sends || !receive.idle || !rings_idle,
            user_busy: !queue1.idle,
            refuse: mask.refuse,
            why: mask.why,
            user: mask.user,
            transfer: mask.transfer,
            dropped: receive.dropped,
            held: receive.held,
            cause: interrupt.cause,
        });
        self.send_queue_0.tick(&send_queue::In {
            enable: configuration.enable,
            base: configuration.queue0,
            write: configuration.write0,
            memory_ready: ready(4),
            memory_rdata: pins.memory.rdata,
            done: mask.done0,
        });
        self.send_queue_1.tick(&send_queue::In {
            enable: configuration.enable,
            base: configuration.queue1,
            write: configuration.write1,
            memory_ready: ready(5),
            memory_rdata: pins.memory.rdata,
            done: mask.done1,
        });
        self.mask.tick(&mask::In {
            new_rom: pins.new_rom,
            address_base: configuration.address_base,
            pe_base: configuration.pe_base,
            pe_mask: configuration.pe_mask,
            waits0: !queue0.idle || configuration.enable && queue0.read != configuration.write0,
            valid0: queue0.valid,
            control0: queue0.control,
            addresses0: queue0.addresses,
            entry0: queue0.entry,
            valid1: queue1.valid,
            control1: queue1.control,
            addresses1: queue1.addresses,
            entry1: queue1.entry,
            sent: dma.sent,
        });
        self.send_dma.tick(&send_dma::In {
            transfer: mask.transfer,
            start: mask.start,
            pe: configuration.pe,
            fifo_count: transmit_fifo.count as u8,
            memory_ready: ready(3),
            memory_rdata: pins.memory.rdata,
        });
        self.transmit_fifo.tick(&FifoIn {
            write_enable: dma.word_enable,
            wdata: dma.word,
            read_enable: transmit.fifo_next,
        });
        self.link_transmit.tick(&link_transmit::In {
            fifo_empty: transmit_fifo.empty,
            fifo_word: transmit_fifo.rdata,
            ready: pins.transmit_ready,
        });
        self.receive_fifo.tick(&FifoIn {
            write_enable: pins.receive_valid,
            wdata: pins.receive,
            read_enable: receive.fifo_next,
        });
        self.link_receive.tick(&link_receive::In {
            enable: configuration.enable,
            pe: configuration.pe,
            fifo_empty: receive_fifo.empty,
            fifo_word: receive_fifo.rdata,
            rings_idle,
            full,
            word_next: ring0.word_next || ring1.word_next || ring2.word_next,
            fault: ring0.fault || ring1.fault || ring2.fault,
        });
        let ring = |which: u32, header_base, data_base| receive_ring::In {
            message: which != 2,
            header_base,
            data_base,
            start: receive.start >> which & 1 == 1,
            header: receive.header,
            word_valid: receive.word_valid,
            word: receive.word,
            memory_ready: ready(which),
        };
        self.receive_ring_0.tick(&ring(0, configuration.header0, configuration.data0));
        self.receive_ring_1.tick(&ring(1, configuration.header1, configuration.data1));
        self.receive_ring_2.tick(&ring(2, configuration.header2, 0));
        self.arbiter.tick(&arbiter::In { request: port.request });
        self.interrupt.tick(&interrupt::In {
            raise: u8::from(registers.fault) << 3
                | u8::from(ring2.arrived) << 2
                | u8::from(ring1.arrived) << 1
                | u8::from(ring0.arrived),
            clear: registers.clear,
            enable: configuration.interrupt_enable,
        });
    }

    fn idle(&self, pins: &In) -> bool {
        !pins.host.enable && !pins.receive_valid
    }

    fn quiescent(&self) -> Quiet {
        let configuration = self.register_file.outputs().configuration;
        let waits = |queue: &SendQueue, write| configuration.enable && queue.outputs().read != write;
        let fetches = waits(&self.send_queue_0, configuration.write0)
            || waits(&self.send_queue_1, configuration.write1);
        let words = !self.transmit_fifo.outputs().empty || !self.receive_fifo.outputs().empty;
        if fetches || words {
            return Quiet::Busy;
        }
        self.register_file
            .quiescent()
            .and(self.send_queue_0.quiescent())
            .and(self.send_queue_1.quiescent())
            .and(self.mask.quiescent())
            .and(self.send_dma.quiescent())
            .and(self.link_transmit.quiescent())
            .and(self.link_receive.quiescent())
            .and(self.receive_ring_0.quiescent())
            .and(self.receive_ring_1.quiescent())
            .and(self.receive_ring_2.quiescent())
            .and(self.arbiter.quiescent())
            .and(self.interrupt.rest(configuration.interrupt_enable))
    }

    fn skip(&mut self, edges: &[u64]) {
        self.link_transmit.skip(edges[0]);
    }
}

hdl::observed!(Cenju3);

impl Probe for Cenju3 {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("register_file", &self.register_file);
        visitor.block("send_queue_0", &self.send_queue_0);
        visitor.block("send_queue_1", &self.send_queue_1);
        visitor.block("mask", &self.mask);
        visitor.block("send_dma", &self.send_dma);
        visitor.block("transmit_fifo", &self.transmit_fifo);
        visitor.block("link_transmit", &self.link_transmit);
        visitor.block("receive_fifo", &self.receive_fifo);
        visitor.block("link_receive", &self.link_receive);
        visitor.block("receive_ring_0", &self.receive_ring_0);
        visitor.block("receive_ring_1", &self.receive_ring_1);
        visitor.block("receive_ring_2", &self.receive_ring_2);
        visitor.block("arbiter", &self.arbiter);
        visitor.block("interrupt", &self.interrupt);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
