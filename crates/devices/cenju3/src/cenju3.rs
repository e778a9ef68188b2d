//! The NIF: registers, two send queues, the mask, send DMA, three receive rings, both sides of the link, and
//! an arbiter and a port for local memory (paper, sections 3 and 6.4; the division into blocks is not
//! printed, decision 0057).

mod pace;

use hdl::{Clock, Clocked, Device, Edges, Fifo, FifoIn, FifoOut, Probe, Quiet, Role, Visitor};

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

    /// Outputs of the blocks before a clock edge.
    #[inline(always)]
    fn wires(&self, pins: &In) -> Wires {
        Wires {
            registers: self.register_file.outputs(),
            queue0: self.send_queue_0.outputs(),
            queue1: self.send_queue_1.outputs(),
            mask: self.mask.outputs(),
            dma: self.send_dma.outputs(),
            transmit_fifo: self.transmit_fifo.outputs(),
            transmit: self.link_transmit.outputs(),
            receive_fifo: self.receive_fifo.outputs(),
            receive: self.link_receive.outputs(),
            ring0: self.receive_ring_0.outputs(),
            ring1: self.receive_ring_1.outputs(),
            ring2: self.receive_ring_2.outputs(),
            interrupt: self.interrupt.outputs(),
            port: self.port(pins.memory.ready),
        }
    }

    /// An edge of all blocks.
    #[inline(always)]
    fn edge_of_all(&mut self, pins: &In) {
        let wires = self.wires(pins);
        self.tick_registers(&wires, pins);
        self.tick_send_queues(&wires, pins);
        self.tick_transmit(&wires, pins);
        self.tick_receive(&wires, pins);
        self.tick_rings(&wires);
        self.arbiter.tick(&arbiter::In { request: wires.port.request });
        self.interrupt.tick(&interrupt::In {
            raise: u8::from(wires.registers.fault) << 3
                | u8::from(wires.ring2.arrived) << 2
                | u8::from(wires.ring1.arrived) << 1
                | u8::from(wires.ring0.arrived),
            clear: wires.registers.clear,
            enable: wires.registers.configuration.interrupt_enable,
        });
    }

    #[inline(always)]
    fn tick_registers(&mut self, wires: &Wires, pins: &In) {
        let asked = pins.host.enable || wires.mask.refuse || wires.receive.dropped || wires.receive.held != 0;
        self.register_file.tick_if(asked, || register_file::In {
            host: pins.host,
            positions: Positions {
                read0: wires.queue0.read,
                read1: wires.queue1.read,
                write0: wires.ring0.write,
                write1: wires.ring1.write,
                write2: wires.ring2.write,
            },
            busy: wires.sends() || !wires.receive.idle || !wires.rings_idle(),
            user_busy: !wires.queue1.idle,
            refuse: wires.mask.refuse,
            why: wires.mask.why,
            user: wires.mask.user,
            transfer: wires.mask.transfer,
            dropped: wires.receive.dropped,
            held: wires.receive.held,
            cause: wires.interrupt.cause,
        });
    }

    /// One clock edge of both send queues and of the mask, which checks their entries.
    #[inline(always)]
    fn tick_send_queues(&mut self, wires: &Wires, pins: &In) {
        let configuration = &wires.registers.configuration;
        let fetches = self.send_queue_0.fetches(configuration.enable, configuration.write0);
        let asked = fetches || wires.ready(4) || wires.mask.done0;
        self.send_queue_0.tick_if(asked, || send_queue::In {
            enable: configuration.enable,
            base: configuration.queue0,
            write: configuration.write0,
            memory_ready: wires.ready(4),
            memory_rdata: pins.memory.rdata,
            done: wires.mask.done0,
        });
        let fetches = self.send_queue_1.fetches(configuration.enable, configuration.write1);
        let asked = fetches || wires.ready(5) || wires.mask.done1;
        self.send_queue_1.tick_if(asked, || send_queue::In {
            enable: configuration.enable,
            base: configuration.queue1,
            write: configuration.write1,
            memory_ready: wires.ready(5),
            memory_rdata: pins.memory.rdata,
            done: wires.mask.done1,
        });
        let offered = wires.mask.idle && (wires.queue0.valid || wires.queue1.valid);
        self.mask.tick_if(offered || wires.dma.sent, || mask::In {
            new_rom: pins.new_rom,
            address_base: configuration.address_base,
            pe_base: configuration.pe_base,
            pe_mask: configuration.pe_mask,
            waits0: !wires.queue0.idle || configuration.enable && wires.queue0.read != configuration.write0,
            valid0: wires.queue0.valid,
            control0: wires.queue0.control,
            addresses0: wires.queue0.addresses,
            entry0: wires.queue0.entry,
            valid1: wires.queue1.valid,
            control1: wires.queue1.control,
            addresses1: wires.queue1.addresses,
            entry1: wires.queue1.entry,
            sent: wires.dma.sent,
        });
    }

    /// One clock edge of the path from the mask to the link.
    #[inline(always)]
    fn tick_transmit(&mut self, wires: &Wires, pins: &In) {
        let configuration = &wires.registers.configuration;
        let starts = wires.mask.start && wires.dma.idle;
        self.send_dma.tick_if(starts || wires.ready(3), || send_dma::In {
            transfer: wires.mask.transfer,
            start: wires.mask.start,
            pe: configuration.pe,
            fifo_count: wires.transmit_fifo.count as u8,
            memory_ready: wires.ready(3),
            memory_rdata: pins.memory.rdata,
        });
        self.transmit_fifo.tick(&FifoIn {
            write_enable: wires.dma.word_enable,
            wdata: wires.dma.word,
            read_enable: wires.transmit.fifo_next,
        });
        let leaves = wires.transmit.valid && pins.transmit_ready;
        let takes = wires.transmit.fifo_next && !wires.transmit_fifo.empty;
        self.link_transmit.tick_if(leaves || takes, || link_transmit::In {
            fifo_empty: wires.transmit_fifo.empty,
            fifo_word: wires.transmit_fifo.rdata,
            ready: pins.transmit_ready,
        });
    }

    /// One clock edge of the path from the link to the receive rings.
    #[inline(always)]
    fn tick_receive(&mut self, wires: &Wires, pins: &In) {
        let configuration = &wires.registers.configuration;
        self.receive_fifo.tick(&FifoIn {
            write_enable: pins.receive_valid,
            wdata: pins.receive,
            read_enable: wires.receive.fifo_next,
        });
        let word_next = wires.ring0.word_next || wires.ring1.word_next || wires.ring2.word_next;
        let fault = wires.ring0.fault || wires.ring1.fault || wires.ring2.fault;
        let takes = wires.receive.fifo_next && !wires.receive_fifo.empty;
        let asked = takes || wires.receive.word_valid && word_next || fault;
        self.link_receive.tick_if(asked, || link_receive::In {
            enable: configuration.enable,
            pe: configuration.pe,
            fifo_empty: wires.receive_fifo.empty,
            fifo_word: wires.receive_fifo.rdata,
            rings_idle: wires.rings_idle(),
            full: wires.full_rings(),
            word_next,
            fault,
        });
    }

    #[inline(always)]
    fn tick_rings(&mut self, wires: &Wires) {
        let configuration = &wires.registers.configuration;
        let ring = |which: u32, header_base, data_base| receive_ring::In {
            message: which != 2,
            header_base,
            data_base,
            start: wires.receive.start >> which & 1 == 1,
            header: wires.receive.header,
            word_valid: wires.receive.word_valid,
            word: wires.receive.word,
            memory_ready: wires.ready(which),
        };
        let asked = |which: u32, out: &receive_ring::Out| {
            let starts = wires.receive.start >> which & 1 == 1;
            starts || wires.ready(which) || wires.receive.word_valid && out.word_next
        };
        self.receive_ring_0
            .tick_if(asked(0, &wires.ring0), || ring(0, configuration.header0, configuration.data0));
        self.receive_ring_1
            .tick_if(asked(1, &wires.ring1), || ring(1, configuration.header1, configuration.data1));
        self.receive_ring_2.tick_if(asked(2, &wires.ring2), || ring(2, configuration.header2, 0));
    }
}

/// Outputs of the blocks before a clock edge.
struct Wires {
    registers: register_file::Out,
    queue0: send_queue::Out,
    queue1: send_queue::Out,
    mask: mask::Out,
    dma: send_dma::Out,
    transmit_fifo: FifoOut<LinkWord>,
    transmit: link_transmit::Out,
    receive_fifo: FifoOut<LinkWord>,
    receive: link_receive::Out,
    ring0: receive_ring::Out,
    ring1: receive_ring::Out,
    ring2: receive_ring::Out,
    interrupt: interrupt::Out,
    port: memory_port::Out,
}

impl Wires {
    /// Whether local memory serves this requester: the rings 0 to 2, send DMA 3, the send queues 4 and 5.
    #[inline(always)]
    fn ready(&self, requester: u32) -> bool {
        self.port.ready >> requester & 1 == 1
    }

    #[inline(always)]
    fn rings_idle(&self) -> bool {
        self.ring0.idle && self.ring1.idle && self.ring2.idle
    }

    /// Whether a transfer is queued or being sent.
    #[inline(always)]
    fn sends(&self) -> bool {
        !(self.queue0.idle && self.queue1.idle && self.mask.idle && self.dma.idle)
    }

    /// Full receive rings, a bit each. One entry of a ring stays free, so that full differs from empty.
    #[inline(always)]
    fn full_rings(&self) -> u8 {
        let configuration = &self.registers.configuration;
        let full = |write: u8, read: u8| u8::from((write + 1) % 64 == read);
        full(self.ring0.write, configuration.read0)
            | full(self.ring1.write, configuration.read1) << 1
            | full(self.ring2.write, configuration.read2) << 2
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
        if self.only_paces(pins) {
            self.link_transmit.skip(1);
        } else {
            self.edge_of_all(pins);
        }
    }

    fn idle(&self, pins: &In) -> bool {
        !pins.host.enable && !pins.receive_valid
    }

    fn quiescent(&self) -> Quiet {
        let configuration = self.register_file.outputs().configuration;
        let fetches = self.send_queue_0.fetches(configuration.enable, configuration.write0)
            || self.send_queue_1.fetches(configuration.enable, configuration.write1);
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
