//! The adapter: host port, contexts, engines, host DMA, completion and link (decision 0060).
//!
//! Rows of contexts lie in RAMs, packets in two memories: the send engine writes packets that the link reads,
//! and the link writes packets that the receive engine reads. The scheduler runs one of send engine, receive
//! engine and commands at a time; that one uses the contexts, host DMA and completion.

mod probe;
mod rows;

use hdl::{Bank, BankWrite, Clock, Clocked, Device, Edges, Quiet, Ram};

use crate::clocks;
use crate::command::{self, Command};
use crate::completion::{self, Completion};
use crate::contexts::{Area, Attributes, CQS, DOORBELLS, KEYS, QPS, Queue, Reader, Requester, Responder};
use crate::events::{self, Events};
use crate::host_dma::{self, HostDma};
use crate::host_port::{self, HostPort};
use crate::link::link_receive::{self, LinkReceive};
use crate::link::link_transmit::{self, LinkTransmit};
use crate::pins::{BusOut, HostOut, In, LinkOut, Out};
use crate::receive_engine::{self, ReceiveEngine};
use crate::registers::cause;
use crate::retry_timer::{self, RetryTimer};
use crate::scheduler::{self, Scheduler};
use crate::send_engine::{self, SendEngine};

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
    /// Rows of the receive queues.
    pub responders: Ram<Responder, QPS>,
    /// Rows of the peers' RDMA READs.
    pub readers: Ram<Reader, QPS>,
    /// Completion queues.
    pub queues: Ram<Queue, CQS>,
    /// Rows of the registered areas.
    pub keys: Ram<Area, KEYS>,
    /// Counts of the doorbells: WQEs posted, CQEs taken.
    pub doorbells: Ram<u16, DOORBELLS>,
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
        let host = self.host_port.outputs();
        let events = self.events.outputs();
        let scheduler = self.scheduler.outputs();
        let command = self.command.outputs();
        let send = self.send_engine.outputs();
        let receive = self.receive_engine.outputs();
        let completion = self.completion.outputs();
        let dma = self.host_dma.outputs();
        let timer = self.retry_timer.outputs();
        let transmit = self.link_transmit.outputs();
        let arrived = self.link_receive.outputs();

        let attributes = self.attributes.rdata();
        let (requester, responder) = (self.requesters.rdata(), self.responders.rdata());
        let reader = self.readers.rdata();
        let (queue, key, bell) = (self.queues.rdata(), self.keys.rdata(), self.doorbells.rdata());
        let (transmit_rdata, receive_rdata) = (self.transmit_memory.rdata(), self.receive_memory.rdata());

        // The engine that runs uses completion and host DMA.
        let entry = if scheduler.send { send.entry } else { receive.entry };
        let transfer = if completion.copy {
            completion.transfer
        } else if scheduler.send {
            send.transfer
        } else {
            receive.transfer
        };
        let dma_reads = dma.memory_read || dma.memory_next && pins.bus.ready;

        self.tick_rows(&host, &scheduler, &command, &send, &receive, &completion);

        // Packet memories.
        self.transmit_memory.tick(
            (transmit.read || transmit.next && pins.link.transmit_ready).then_some(transmit.address.into()),
            if dma.memory_write {
                BankWrite {
                    byte_enable: dma.byte_enable,
                    address: dma.write_address.into(),
                    wdata: dma.wdata,
                }
            } else if send.header_write {
                BankWrite {
                    byte_enable: if send.header_half { 0x0f } else { 0xff },
                    address: send.header_address.into(),
                    wdata: send.header,
                }
            } else {
                BankWrite::default()
            },
        );
        let receive_address = if receive.memory_read { receive.memory_address } else { dma.read_address };
        let reads = receive.memory_read || dma_reads && !completion.copy;
        self.receive_memory.tick(
            reads.then_some(receive_address.into()),
            BankWrite {
                byte_enable: if arrived.write { 0xff } else { 0 },
                address: arrived.address.into(),
                wdata: arrived.wdata,
            },
        );

        // Blocks.
        let refused = if host.refuse { cause::ACCESS } else { 0 };
        let failed = if send.fail || receive.fail { cause::QUEUE_PAIR } else { 0 };
        let lost = if completion.lost { cause::OVERFLOW } else { 0 };
        let commanded = if command.done { cause::COMMAND } else { 0 };
        self.events.tick(&events::In {
            raise: refused | failed | lost | commanded,
            clear: host.clear,
            enable: host.interrupt_enable,
            arm: host.arm,
            completed: if completion.completed { 1 << entry.ring } else { 0 },
        });
        self.host_port.tick_if(pins.host.enable || command.done, || host_port::In {
            host: pins.host,
            causes: events.causes,
            command_done: command.done,
            link_counts: arrived.counts,
            receive_counts: receive.counts,
            send_counts: send.counts,
            overflows: completion.overflows,
        });
        self.scheduler.tick(&scheduler::In {
            enable: host.enable,
            posted: host.posted | timer.due | if receive.post { 1 << receive.pair } else { 0 },
            again: send.again,
            command: host.command,
            packet: arrived.waiting,
            free: transmit.free,
            done: command.done || send.done || receive.done,
        });
        self.command.tick_if(scheduler.command, || command::In {
            start: scheduler.command,
            kind: host.kind,
            row: host.row,
            bell_write: host.bell_write,
        });
        self.send_engine.tick_if(scheduler.send, || send_engine::In {
            start: scheduler.send,
            pair: scheduler.pair,
            lid: host.lid,
            slot: transmit.slot,
            attributes,
            requester,
            responder,
            reader,
            bell,
            now: timer.now,
            key,
            word_valid: dma.memory_write,
            word: dma.wdata,
            place: dma.write_address as u8 & 7,
            copied: dma.done,
            completed: completion.done,
        });
        self.receive_engine.tick_if(scheduler.receive, || receive_engine::In {
            start: scheduler.receive,
            slot: arrived.slot,
            lid: host.lid,
            memory_rdata: receive_rdata,
            attributes,
            responder,
            requester,
            reader,
            bell,
            now: timer.now,
            key,
            word_valid: dma.memory_write,
            word: dma.wdata,
            place: dma.write_address as u8 & 7,
            copied: dma.done,
            completed: completion.done,
        });
        self.completion.tick_if(send.complete || receive.complete, || completion::In {
            entry,
            start: send.complete || receive.complete,
            row: queue,
            bell,
            read: completion.copy && dma_reads,
            word: dma.read_address as u8 & 3,
            copied: dma.done,
        });
        let copies = completion.copy || send.copy || receive.copy;
        self.host_dma.tick_if(copies, || host_dma::In {
            transfer,
            start: copies,
            rdata: pins.bus.rdata,
            grant: pins.bus.grant,
            ready: pins.bus.ready,
            memory_rdata: if completion.copy { completion.word } else { receive_rdata },
        });
        self.retry_timer.tick_if(send.done, || retry_timer::In {
            turn: send.done,
            pair: scheduler.pair,
            active: send.active,
        });
        self.link_transmit.tick_if(send.launch, || link_transmit::In {
            launch: send.launch,
            units: send.units,
            memory_rdata: transmit_rdata,
            ready: pins.link.transmit_ready,
        });
        self.link_receive.tick_if(pins.link.valid || receive.done, || link_receive::In {
            data: pins.link.data,
            last: pins.link.last,
            valid: pins.link.valid,
            release_slot: receive.done,
        });
    }

    fn idle(&self, pins: &In) -> bool {
        !pins.host.enable && !pins.link.valid
    }

    fn quiescent(&self) -> Quiet {
        // Values between blocks: a waiting packet, and the interrupt request that follows its causes.
        let host = self.host_port.outputs();
        let requests = self.events.causes & host.interrupt_enable != 0;
        if host.enable && self.link_receive.outputs().waiting || requests != self.events.request {
            return Quiet::Busy;
        }
        self.host_port
            .quiescent()
            .and(self.scheduler.quiescent())
            .and(self.command.quiescent())
            .and(self.send_engine.quiescent())
            .and(self.receive_engine.quiescent())
            .and(self.completion.quiescent())
            .and(self.host_dma.quiescent())
            .and(self.retry_timer.quiescent())
            .and(self.link_transmit.quiescent())
            .and(self.link_receive.quiescent())
    }
}

hdl::observed!(Hca);
