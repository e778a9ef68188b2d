//! The adapter: host port, contexts, engines, host DMA, completion and link (decision 0060).
//!
//! Rows of contexts lie in RAMs, packets in two memories: the send engine writes packets that the link reads,
//! and the link writes packets that the receive engine reads. The scheduler runs one of send engine, receive
//! engine and commands at a time; that one uses the contexts, host DMA and completion.

mod probe;
mod rows;
mod streams;
mod wires;

use hdl::{Bank, Clock, Clocked, Device, Edges, Quiet, Ram};

use crate::clocks;
use crate::command::Command;
use crate::completion::{self, Completion};
use crate::contexts::{
    Area, Attributes, CQS, DOORBELLS, GROUP_ROWS, Group, KEYS, Limit, QPS, Queue, REQUESTS, Read, Reader,
    Request, Requester, Responder, SHARED_QUEUES, SharedQueue,
};
use crate::events::Events;
use crate::host_dma::HostDma;
use crate::host_port::HostPort;
use crate::link::link_receive::LinkReceive;
use crate::link::link_transmit::LinkTransmit;
use crate::pins::{BusOut, HostOut, In, LinkOut, Out};
use crate::receive_engine::{self, ReceiveEngine};
use crate::retry_timer::RetryTimer;
use crate::scheduler::{self, Scheduler};
use crate::send_engine::{self, SendEngine};
use streams::Streams;

/// Words of 8 bytes of each packet memory: two slots of 512.
pub const PACKET_WORDS: usize = 1024;

/// Registers, by block and name, whose reset value is not 0: none.
pub const RESETS: &[(&str, &str)] = &[];

/// A channel adapter.
#[derive(Clone, Debug, Default)]
pub struct Hca {
    /// PCI target: registers and doorbells.
    pub host_port: HostPort,
    /// Interrupt causes.
    pub events: Events,
    /// Chooses the engine that runs.
    pub scheduler: Scheduler,
    /// Writes rows for the host.
    pub command: Command,
    /// Queue pairs.
    pub attributes: Ram<Attributes, QPS>,
    /// Rows of the send queues.
    pub requesters: Ram<Requester, QPS>,
    /// Outstanding requests of the send queues.
    pub requests: Ram<Request, REQUESTS>,
    /// Rows of the receive queues.
    pub responders: Ram<Responder, QPS>,
    /// Rows of the peers' RDMA READs and atomic operations.
    pub readers: Ram<Reader, QPS>,
    /// RDMA READs of the peers that wait.
    pub reads: Ram<Read, REQUESTS>,
    /// Completion queues.
    pub queues: Ram<Queue, CQS>,
    /// Shared receive queues.
    pub shared_queues: Ram<SharedQueue, SHARED_QUEUES>,
    /// Limits of the shared receive queues.
    pub limits: Ram<Limit, SHARED_QUEUES>,
    /// Multicast groups.
    pub groups: Ram<Group, GROUP_ROWS>,
    /// Rows of the registered areas.
    pub keys: Ram<Area, KEYS>,
    /// Doorbells of work queues: counts of WQEs posted.
    pub doorbells: Ram<u16, DOORBELLS>,
    /// Doorbells of completion queues: counts of CQEs taken.
    pub cq_doorbells: Ram<u16, CQS>,
    /// Memory of packets to send.
    pub transmit_memory: Bank<PACKET_WORDS>,
    /// Memory of packets received.
    pub receive_memory: Bank<PACKET_WORDS>,
    /// Turns WQEs into packets.
    pub send_engine: SendEngine,
    /// Moves packets into buffers.
    pub receive_engine: ReceiveEngine,
    /// Writes CQEs.
    pub completion: Completion,
    /// PCI master.
    pub host_dma: HostDma,
    /// Ticks, and deadlines of connections.
    pub retry_timer: RetryTimer,
    /// Sends packets to the link.
    pub link_transmit: LinkTransmit,
    /// Takes packets from the link.
    pub link_receive: LinkReceive,
}

impl Device for Hca {
    type In = In;
    type Out = Out;

    const CLOCKS: &'static [Clock] = &clocks::CLOCKS;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let dma = self.host_dma.outputs();
        let transmit = self.link_transmit.outputs();
        Out {
            host: HostOut {
                rdata: self.host_port.outputs().rdata,
                interrupt_request: self.events.outputs().request,
            },
            bus: BusOut {
                wdata: dma.wdata,
                address: dma.address,
                byte_enable: dma.byte_enable,
                request: dma.request,
                transfer: dma.transfer,
                write: dma.write,
            },
            link: LinkOut {
                data: transmit.data,
                last: transmit.last,
                valid: transmit.valid,
                receive_ready: self.link_receive.outputs().ready,
            },
        }
    }

    // Compiled once here, not in every crate that drives an adapter.
    #[inline(never)]
    fn edge(&mut self, _edges: Edges, pins: &In) {
        if self.only_streams(pins) {
            self.stream(pins);
        } else {
            self.edge_of_all(pins);
        }
    }

    fn idle(&self, pins: &In) -> bool {
        !pins.host.enable && !pins.link.valid && !pins.bus.grant && !pins.bus.ready
    }

    fn quiescent(&self) -> Quiet {
        // Values between blocks: a waiting packet, and the interrupt request that follows its causes.
        let host = self.host_port.outputs();
        if self.requests_interrupt() != self.events.request {
            return Quiet::Busy;
        }
        let engines = if self.waits_for_bus() {
            self.scheduler.in_turn()
        } else if host.enable && self.link_receive.outputs().waiting {
            Quiet::Busy
        } else {
            self.scheduler
                .quiescent()
                .and(self.send_engine.quiescent())
                .and(self.receive_engine.quiescent())
                .and(self.completion.quiescent())
                .and(self.host_dma.quiescent())
        };
        engines
            .and(self.host_port.quiescent())
            .and(self.command.quiescent())
            .and(self.retry_timer.quiescent())
            .and(self.link_transmit.quiescent())
            .and(self.link_receive.quiescent())
    }

    fn skip(&mut self, edges: &[u64]) {
        self.retry_timer.skip(edges[0]);
    }
}

impl Hca {
    /// An edge of all blocks.
    #[inline(always)]
    fn edge_of_all(&mut self, pins: &In) {
        let wires = self.wires();
        self.tick_rows(&wires);
        self.transmit_memory.tick(wires.streams.transmit_read(pins), wires.transmit_write());
        self.receive_memory.tick(wires.receive_read(pins), wires.streams.receive_write());

        let (scheduler, send, receive) = (&wires.scheduler, &wires.send, &wires.receive);
        let commanded = wires.command.done || wires.command.report;
        self.events.tick(&wires.events_inputs());
        self.host_port.tick_if(pins.host.enable || commanded, || wires.host_port_inputs(pins));
        self.scheduler.tick(&wires.scheduler_inputs());
        self.command.tick_if(scheduler.command, || wires.command_inputs());
        self.send_engine.tick_if(scheduler.send, || wires.send_engine_inputs());
        self.receive_engine.tick_if(scheduler.receive, || wires.receive_engine_inputs());
        self.completion.tick_if(wires.completes(), || wires.completion_inputs(pins));
        self.host_dma.tick_if(wires.copies(), || wires.host_dma_inputs(pins));
        if send.done || !self.retry_timer.rests() {
            self.retry_timer.tick(&wires.retry_timer_inputs());
        }
        let streams = &wires.streams;
        self.link_transmit
            .tick_if(send.launch, || streams.link_transmit_inputs(send.launch, send.units, pins));
        let link_moves = pins.link.valid || receive.done;
        self.link_receive.tick_if(link_moves, || Streams::link_receive_inputs(receive.done, pins));
    }

    /// Whether the engine that runs waits for host DMA, and that for the bus.
    fn waits_for_bus(&self) -> bool {
        let completes = self.completion.state == completion::State::Copy;
        let engine = match self.scheduler.q.state {
            scheduler::State::Send => match self.send_engine.state {
                send_engine::State::Fetch | send_engine::State::Copy => true,
                send_engine::State::Complete => completes,
                _ => false,
            },
            scheduler::State::Receive => match self.receive_engine.state {
                receive_engine::State::Fetch
                | receive_engine::State::Operand
                | receive_engine::State::Copy => true,
                receive_engine::State::Complete => completes,
                _ => false,
            },
            scheduler::State::Idle | scheduler::State::Command => false,
        };
        engine && self.host_dma.waits_for_bus()
    }
}

hdl::observed!(Hca);
