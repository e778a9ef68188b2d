//! Messages of workloads over a board: BOTF out of Write Windows, RVS out of SO-DIMM.

use std::collections::VecDeque;

use cluster::Time;
use workload::{Arrival, SendError};

use crate::programs::botf::{DATA_BYTES, Destination, Packet, Peer};
use crate::programs::remote::Memory;
use crate::programs::vl::Source;
use crate::programs::{Board, Process};
use crate::{Host, lid};

/// One process per node, of one group.
const PROCESS: Process = Process { wid: false, pgid: 0xa5 };

/// Where messages lie in SO-DIMM: those that leave, and those that come.
const FROM: u32 = 0x10_0000;
const TO: u32 = 0x20_0000;

/// Write Windows that are used in turn.
const WINDOWS: u8 = 4;

/// Largest message of an RVS here: what fits between the two places.
const RVS_BYTES: u64 = (TO - FROM) as u64;

/// A primitive that carries messages, and how many bytes it carries.
pub const PRIMITIVES: &[(&str, std::ops::RangeInclusive<u64>)] =
    &[("botf", 1..=DATA_BYTES as u64), ("rvs", 4..=RVS_BYTES)];

/// A board as a workload uses it. Messages are told by receive statuses.
pub struct Messenger {
    board: Board,
    /// By number in the schedule, whether messages leave by RVS.
    remote: Vec<bool>,
    /// The Write Window that is used next.
    window: u8,
    /// What came while a message waited for its window.
    arrived: VecDeque<Arrival>,
}

impl Messenger {
    /// The board of a host, set up; primitives are those of a schedule, by their numbers there.
    pub async fn open(host: Host, primitives: &[String]) -> Self {
        let remote = primitives.iter().map(|name| name == "rvs").collect();
        Messenger {
            board: Board::initialise(host, PROCESS).await,
            remote,
            window: 0,
            arrived: VecDeque::new(),
        }
    }

    /// One look at the ring of receive statuses.
    async fn look(&mut self) -> Option<Arrival> {
        let (lower, _) = self.board.next_status_within(1).await?;
        Some(Arrival { from: usize::from(lower.sclid) - 1, bytes: lower.size_list_stride.into() })
    }

    /// Waits for a Write Window. What arrives meanwhile is taken, or two boards with full rings would wait for each other.
    async fn wait_window(&mut self, window: u8) {
        while !self.board.window_is_free(window).await {
            let arrival = self.look().await;
            self.arrived.extend(arrival);
        }
    }

    async fn botf(&mut self, to: usize, bytes: u64) -> Result<Time, SendError> {
        let window = self.window;
        self.window = (window + 1) % WINDOWS;
        self.wait_window(window).await;
        let first = self.board.host().now();
        let peer = Peer { lid: lid(to), wid: PROCESS.wid };
        let packet =
            Packet { peer, swid: PROCESS.wid, destination: Destination::SoDimm(TO), status: true, tag: 0 };
        let data = vec![to as u8; bytes as usize];
        let sent = self.board.send_packet(window, &packet, &data).await;
        sent.map(|()| first).map_err(|error| SendError::Refused(error.to_string()))
    }

    async fn rvs(&mut self, to: usize, bytes: u64) -> Result<Time, SendError> {
        let first = self.board.host().now();
        let peer = Peer { lid: lid(to), wid: PROCESS.wid };
        let side = |offset| Source::Contiguous { offset, size: bytes as u32 };
        self.board.rvs(peer, side(FROM), side(TO), Memory::SoDimm, true).await;
        Ok(first)
    }
}

impl workload::Messenger for Messenger {
    fn now(&self) -> Time {
        self.board.host().now()
    }

    async fn wait_until(&mut self, time: Time) {
        let host = self.board.host();
        if time > host.now() {
            host.compute(time - host.now()).await;
        }
    }

    async fn send(&mut self, to: usize, bytes: u64, primitive: usize) -> Result<Time, SendError> {
        if self.remote[primitive] { self.rvs(to, bytes).await } else { self.botf(to, bytes).await }
    }

    async fn poll(&mut self) -> Option<Arrival> {
        match self.arrived.pop_front() {
            Some(arrival) => Some(arrival),
            None => self.look().await,
        }
    }
}
