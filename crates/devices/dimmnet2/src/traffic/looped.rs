//! A board whose link is looped back, driven by a host that is never idle: the board sends and receives all
//! the time.

use std::collections::VecDeque;

use hdl::Edges;

use super::{LID, beat, configuration, user};
use crate::clocks;
use crate::line::{FIRST, Line};
use crate::pins::{HostIn, In, NetworkIn, Out};
use crate::registers::UserRegister;

/// Lines that the loop holds before the link stalls the board.
const LOOP_LINES: usize = 256;

/// The programme of the host of a looped board.
pub(super) trait Schedule {
    /// Queues the beats that follow the [`configuration`].
    fn prepare(&self, host: &mut Host);

    /// Queues beats in core cycle `cycle`, which counts from 1.
    fn act(&mut self, cycle: u64, host: &mut Host);
}

/// The beats on the host bus, one per core cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Host {
    beats: VecDeque<(HostIn, Option<Reply>)>,
    reply: Option<Reply>,
}

/// Computes the beat that answers a word read by the host.
pub(super) type Reply = fn(u64) -> HostIn;

impl Host {
    /// Queues a beat.
    pub fn beat(&mut self, beat: HostIn) {
        self.beats.push_back((beat, None));
    }

    /// Queues a write to a User Register of WID 0.
    pub fn write(&mut self, register: UserRegister, value: u64) {
        self.beat(beat(true, user(false, register), value));
    }

    /// Queues a read of a word, answered by another beat.
    pub fn read(&mut self, address: u32, reply: Reply) {
        self.beats.push_back((beat(false, address, 0), Some(reply)));
    }

    /// Reads Status Next Write Address and frees all statuses up to it.
    pub fn empty_status_ring(&mut self) {
        self.read(user(false, UserRegister::StatusNextWriteAddress), |next| {
            beat(true, user(false, UserRegister::StatusNextReadAddress), next)
        });
    }

    /// The beat of the next cycle; `rdata` is the board's answer to the beat before.
    fn next(&mut self, rdata: u128) -> HostIn {
        if let Some(reply) = self.reply.take() {
            self.beat(reply(rdata as u64));
        }
        let (beat, reply) = self.beats.pop_front().unwrap_or_default();
        self.reply = reply;
        beat
    }
}

/// A stream of pins for a looped board.
#[derive(Clone, Debug)]
pub(super) struct Looped<S> {
    schedule: S,
    host: Host,
    cycle: u64,
    link: VecDeque<Line>,
    pins: In,
}

impl<S: Schedule> Looped<S> {
    /// The stream at its start.
    pub fn new(schedule: S) -> Self {
        let network = NetworkIn { sma_lid: LID, link_status: 3, ..NetworkIn::default() };
        let mut pins = In { network, ..In::default() };
        (pins.memory0.ready, pins.memory1.ready) = (true, true);
        let mut host = Host::default();
        for beat in configuration() {
            host.beat(beat);
        }
        schedule.prepare(&mut host);
        Self { schedule, host, cycle: 0, link: VecDeque::new(), pins }
    }

    /// The pins for the next instant, at which the clocks in `edges` rise; `out` are the board's pins now.
    pub fn pins(&mut self, edges: Edges, out: &Out) -> &In {
        if edges.meets(clocks::CORE) {
            self.cycle += 1;
            self.schedule.act(self.cycle, &mut self.host);
            self.pins.host = self.host.next(out.host.rdata);
        }
        if edges.meets(clocks::NETWORK) {
            self.network(out);
        }
        &self.pins
    }

    fn network(&mut self, out: &Out) {
        if self.pins.network.tx_ready && out.network.tx_valid {
            self.link.push_back(out.network.tx_line);
        }
        self.pins.network.tx_ready = self.link.len() < LOOP_LINES;
        let may = self.link.front().is_some_and(|line| line.id != FIRST || out.network.rx_ready);
        self.pins.network.rx_valid = may;
        self.pins.network.rx_line =
            if may { self.link.pop_front().unwrap_or_default() } else { Line::default() };
    }
}
