//! Wires between the blocks of the adapter in one cycle: the outputs of all blocks and RAMs, and the inputs
//! that they form.

use hdl::{BankWrite, Clocked};

use super::Hca;
use super::streams::Streams;
use crate::completion::{self, Entry};
use crate::contexts::{
    Area, Attributes, Group, Limit, PairState, Queue, RECEIVE_BELLS, Read, Reader, Report, Request,
    Requester, Responder, SHARED_BELLS, SharedQueue,
};
use crate::host_dma::{self, Transfer};
use crate::pins::In;
use crate::registers::cause;
use crate::{command, events, host_port, receive_engine, retry_timer, scheduler, send_engine};

/// Outputs of blocks and RAMs before a clock edge.
pub(super) struct Wires {
    pub(super) host: host_port::Out,
    pub(super) events: events::Out,
    pub(super) scheduler: scheduler::Out,
    pub(super) command: command::Out,
    pub(super) send: send_engine::Out,
    pub(super) receive: receive_engine::Out,
    pub(super) completion: completion::Out,
    pub(super) timer: retry_timer::Out,
    pub(super) streams: Streams,
    attributes: Attributes,
    requester: Requester,
    request: Request,
    responder: Responder,
    reader: Reader,
    read: Read,
    queue: Queue,
    shared: SharedQueue,
    limit: Limit,
    group: Group,
    key: Area,
    bell: u16,
    cq_bell: u16,
}

impl Hca {
    /// Outputs of blocks and RAMs.
    #[inline(always)]
    pub(super) fn wires(&self) -> Wires {
        Wires {
            host: self.host_port.outputs(),
            events: self.events.outputs(),
            scheduler: self.scheduler.outputs(),
            command: self.command.outputs(),
            send: self.send_engine.outputs(),
            receive: self.receive_engine.outputs(),
            completion: self.completion.outputs(),
            timer: self.retry_timer.outputs(),
            streams: self.streams(),
            attributes: self.attributes.rdata(),
            requester: self.requesters.rdata(),
            request: self.requests.rdata(),
            responder: self.responders.rdata(),
            reader: self.readers.rdata(),
            read: self.reads.rdata(),
            queue: self.queues.rdata(),
            shared: self.shared_queues.rdata(),
            limit: self.limits.rdata(),
            group: self.groups.rdata(),
            key: self.keys.rdata(),
            bell: self.doorbells.rdata(),
            cq_bell: self.cq_doorbells.rdata(),
        }
    }
}

impl Wires {
    /// Completion of the engine that runs.
    #[inline(always)]
    pub(super) fn entry(&self) -> Entry {
        if self.scheduler.send { self.send.entry } else { self.receive.entry }
    }

    /// Transfer of completion, or else of the engine that runs.
    #[inline(always)]
    fn transfer(&self) -> Transfer {
        if self.completion.copy {
            self.completion.transfer
        } else if self.scheduler.send {
            self.send.transfer
        } else {
            self.receive.transfer
        }
    }

    /// Whether a transfer begins.
    #[inline(always)]
    pub(super) fn copies(&self) -> bool {
        self.completion.copy || self.send.copy || self.receive.copy
    }

    /// Whether a CQE is to be written.
    #[inline(always)]
    pub(super) fn completes(&self) -> bool {
        self.send.complete || self.receive.complete
    }

    /// Write to the transmit memory, by host DMA or by the send engine.
    #[inline(always)]
    pub(super) fn transmit_write(&self) -> BankWrite {
        if self.streams.dma.memory_write {
            self.streams.transmit_write()
        } else if self.send.header_write {
            BankWrite {
                byte_enable: if self.send.header_half { 0x0f } else { 0xff },
                address: self.send.header_address.into(),
                wdata: self.send.header,
            }
        } else {
            BankWrite::default()
        }
    }

    /// Word of the receive memory that the receive engine or host DMA reads.
    #[inline(always)]
    pub(super) fn receive_read(&self, pins: &In) -> Option<usize> {
        if self.receive.memory_read {
            Some(self.receive.memory_address.into())
        } else if self.completion.copy {
            None
        } else {
            self.streams.receive_read(pins)
        }
    }

    /// Interrupt causes that arise.
    #[inline(always)]
    fn causes(&self) -> u16 {
        let refused = if self.host.refuse { cause::ACCESS } else { 0 };
        let failed = if self.send.fail || self.receive.fail { cause::QUEUE_PAIR } else { 0 };
        let lost = if self.completion.lost { cause::OVERFLOW } else { 0 };
        let commanded = if self.command.done { cause::COMMAND } else { 0 };
        let low = if self.receive.sinks { cause::LIMIT << self.receive.shared_queue } else { 0 };
        refused | failed | lost | commanded | low
    }

    #[inline(always)]
    pub(super) fn events_inputs(&self) -> events::In {
        events::In {
            raise: self.causes(),
            clear: self.host.clear,
            enable: self.host.interrupt_enable,
            arm: self.host.arm,
            armed: self.host.bell as u8,
            completed: self.completion.completed,
            ring: self.completion.ring,
        }
    }

    #[inline(always)]
    pub(super) fn host_port_inputs(&self, pins: &In) -> host_port::In {
        host_port::In {
            host: pins.host,
            causes: self.events.causes,
            command_done: self.command.done,
            report: self.command.report,
            progress: Report::of(&self.attributes, &self.requester, &self.responder),
            link_counts: self.streams.arrived.counts,
            receive_counts: self.receive.counts,
            send_counts: self.send.counts,
            overflows: self.completion.overflows,
        }
    }

    /// Whether the receive engine or a command may give the send queue of its queue pair work.
    #[inline(always)]
    fn wakes(&self) -> bool {
        let changes = self.command.attributes_write && !self.command.receive_reset;
        self.receive.post || changes
    }

    /// Whether it enters the error state.
    #[inline(always)]
    fn breaks(&self) -> bool {
        let state = self.staged()[0] as u8 & 7;
        let stops = self.command.attributes_write && state == PairState::Error.code();
        self.send.fail || self.receive.fail || stops
    }

    #[inline(always)]
    pub(super) fn scheduler_inputs(&self) -> scheduler::In {
        scheduler::In {
            enable: self.host.enable,
            rings: self.host.bell_write && self.host.bell < SHARED_BELLS,
            refills: self.host.bell >= RECEIVE_BELLS,
            rung: self.host.bell as u8,
            again: self.send.again,
            wakes: self.wakes(),
            breaks: self.breaks(),
            mends: self.command.receive_reset,
            pair: self.pair(),
            due: self.timer.due,
            late: self.timer.late,
            command: self.host.command,
            packet: self.streams.arrived.waiting,
            free: self.streams.transmit.free,
            done: self.command.done || self.send.done || self.receive.done,
        }
    }

    #[inline(always)]
    pub(super) fn command_inputs(&self) -> command::In {
        command::In {
            start: self.scheduler.command,
            kind: self.host.kind,
            row: self.host.row,
            bell_write: self.host.bell_write,
        }
    }

    #[inline(always)]
    pub(super) fn send_engine_inputs(&self) -> send_engine::In {
        send_engine::In {
            start: self.scheduler.send,
            pair: self.scheduler.pair,
            lid: self.host.lid,
            slot: self.streams.transmit.slot,
            attributes: self.attributes,
            requester: self.requester,
            request: self.request,
            responder: self.responder,
            reader: self.reader,
            read: self.read,
            bell: self.bell,
            now: self.timer.now,
            key: self.key,
            word_valid: self.streams.dma.memory_write,
            word: self.streams.dma.wdata,
            place: self.streams.dma.write_address as u8 & 7,
            copied: self.streams.dma.done,
            completed: self.completion.done,
        }
    }

    #[inline(always)]
    pub(super) fn receive_engine_inputs(&self) -> receive_engine::In {
        receive_engine::In {
            start: self.scheduler.receive,
            slot: self.streams.arrived.slot,
            lid: self.host.lid,
            memory_rdata: self.streams.receive_rdata,
            attributes: self.attributes,
            responder: self.responder,
            requester: self.requester,
            request: self.request,
            reader: self.reader,
            shared: self.shared,
            limit: self.limit,
            members: self.group.members,
            bell: self.bell,
            now: self.timer.now,
            key: self.key,
            word_valid: self.streams.dma.memory_write,
            word: self.streams.dma.wdata,
            place: self.streams.dma.write_address as u8 & 7,
            copied: self.streams.dma.done,
            completed: self.completion.done,
        }
    }

    #[inline(always)]
    pub(super) fn completion_inputs(&self, pins: &In) -> completion::In {
        completion::In {
            entry: self.entry(),
            start: self.completes(),
            row: self.queue,
            bell: self.cq_bell,
            read: self.completion.copy && self.streams.dma_reads(pins),
            word: self.streams.dma.read_address as u8 & 3,
            copied: self.streams.dma.done,
        }
    }

    #[inline(always)]
    pub(super) fn host_dma_inputs(&self, pins: &In) -> host_dma::In {
        host_dma::In {
            transfer: self.transfer(),
            start: self.copies(),
            rdata: pins.bus.rdata,
            grant: pins.bus.grant,
            ready: pins.bus.ready,
            memory_rdata: if self.completion.copy {
                self.completion.word
            } else if self.receive.supply {
                self.receive.value
            } else {
                self.streams.receive_rdata
            },
        }
    }

    #[inline(always)]
    pub(super) fn retry_timer_inputs(&self) -> retry_timer::In {
        retry_timer::In { turn: self.send.done, pair: self.scheduler.pair, active: self.send.active }
    }
}
