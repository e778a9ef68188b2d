//! A board whose link comes back to it, and a host that never tires: it sends and receives all the time.

use std::collections::VecDeque;

use hdl::Edges;

use super::{LID, beat, configuration, user};
use crate::clocks;
use crate::line::{FIRST, Line};
use crate::pins::{HostIn, In, NetworkIn, Out};
use crate::registers::UserRegister;

/// Lines that the loop holds before the link stops the board.
const LOOP_LINES: usize = 256;

/// What the host of a looped board does.
pub(super) trait Schedule {
    /// What it writes before anything else, after the [`configuration`].
    fn prepare(&self, host: &mut Host);

    /// What it does in its `cycle`-th core cycle.
    fn act(&mut self, cycle: u64, host: &mut Host);
}

/// The beats on the host bus, one per core cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Host {
    beats: VecDeque<(HostIn, Option<Reply>)>,
    reply: Option<Reply>,
}

/// What the host makes of a word that it reads: a beat.
pub(super) type Reply = fn(u64) -> HostIn;

impl Host {
    /// A beat of any kind.
    pub fn beat(&mut self, beat: HostIn) {
        self.beats.push_back((beat, None));
    }

    /// Writes a User Register of WID 0.
    pub fn write(&mut self, register: UserRegister, value: u64) {
        self.beat(beat(true, user(false, register), value));
    }

    /// Reads a word and answers with a beat.
    pub fn read(&mut self, address: u32, reply: Reply) {
        self.beats.push_back((beat(false, address, 0), Some(reply)));
    }

    /// Reads how far the receive statuses are, and gives all of the ring back.
    pub fn empty_status_ring(&mut self) {
        self.read(user(false, UserRegister::StatusNextWriteAddress), |next| {
            beat(true, user(false, UserRegister::StatusNextReadAddress), next)
        });
    }

    /// The beat of the next cycle; `rdata` is what the board answers to the one before.
    fn next(&mut self, rdata: u128) -> HostIn {
        if let Some(reply) = self.reply.take() {
            self.beat(reply(rdata as u64));
        }
        let (beat, reply) = self.beats.pop_front().unwrap_or_default();
        self.reply = reply;
        beat
    }
}

/// A stream of pins.
#[derive(Clone, Debug)]
pub(super) struct Looped<S> {
    schedule: S,
    host: Host,
    cycle: u64,
    link: VecDeque<Line>,
    pins: In,
}

impl<S: Schedule> Looped<S> {
    /// The stream from its beginning.
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
