//! Test bench of a switch: cables, senders and receivers.

use std::collections::VecDeque;

use hdl::Stimulus;

use super::{Cable, Crossing, Switch, SwitchCounters};
use crate::fabric::unit::tests::Flit;
use crate::fabric::{Link, LinkTiming, Routes, Topology};
use crate::look::Observation;
use crate::{Duration, Time};

/// Time at which a port receives a crossing. The choice must not affect results.
#[derive(Clone, Debug)]
pub enum Handover {
    /// As soon as the crossing is created.
    Early,
    /// Just before the port has an event at or after the time of the crossing.
    Late,
    /// At a random time between the two. Crossings between two ports keep their order.
    Random(Stimulus),
}

/// A frame to send.
#[derive(Clone, Debug)]
pub struct Sending {
    /// Earliest start.
    pub at: Time,
    pub frame: Vec<Flit>,
    /// Gap between consecutive units.
    pub gap: Duration,
}

/// A switch with its cables. Port n has address n.
pub struct Bench<S: Switch<Unit = Flit>> {
    pub ports: Vec<S>,
    /// Cables to the ports.
    pub ins: Vec<Link<Flit>>,
    /// Cables from the ports.
    pub outs: Vec<Link<Flit>>,
    pub now: Time,
    pub handover: Handover,
    /// Frames to send at each port, and time of the last attempt.
    pub senders: Vec<VecDeque<Sending>>,
    tried: Vec<Time>,
    /// Delay of a sender between permission and first unit.
    pub slowness: Duration,
    /// Times at which receivers become ready or not ready, in order.
    pub receivers: VecDeque<(Time, usize, bool)>,
    routes: Routes,
    crossings: Vec<Crossing<S::Cargo>>,
}

/// All observable results of a switch.
#[derive(Debug, PartialEq)]
pub struct Seen {
    /// Units that came out of each port, with their times.
    pub out: Vec<Vec<(Time, Flit)>>,
    pub observations: Vec<Observation>,
    pub counters: Vec<SwitchCounters>,
}

/// Mark of a frame from the sender at a port.
pub fn mark(port: usize, number: u16) -> u16 {
    (port as u16) << 8 | number
}

/// Port of the sender of a frame with such a mark.
pub fn sender(frame: &[Flit]) -> usize {
    usize::from(frame[0].mark >> 8)
}

impl Seen {
    /// The frames that came out of a port, in order.
    pub fn frames(&self, port: usize) -> Vec<Vec<Flit>> {
        let units: Vec<_> = self.out[port].iter().map(|(_, unit)| *unit).collect();
        units.split_inclusive(|unit| unit.last).map(<[Flit]>::to_vec).collect()
    }

    /// Total frames forwarded and discarded.
    pub fn totals(&self) -> (u64, u64) {
        self.counters.iter().fold((0, 0), |(f, d), port| (f + port.forwarded, d + port.discarded))
    }
}

impl<S: Switch<Unit = Flit>> Bench<S> {
    /// A switch with `ports` ports; all receivers are ready.
    pub fn new(ports: usize, cable: LinkTiming, timing: &S::Timing) -> Self {
        let links = || (0..ports).map(|_| Link::new(cable)).collect::<Vec<_>>();
        let mut bench = Bench {
            ports: (0..ports).map(|port| S::new(port as u32, timing)).collect(),
            ins: links(),
            outs: links(),
            now: Time::ZERO,
            handover: Handover::Early,
            senders: vec![VecDeque::new(); ports],
            tried: vec![Time::ZERO; ports],
            slowness: Duration::ZERO,
            receivers: VecDeque::new(),
            routes: Topology::star(ports).routes(0..ports as u16),
            crossings: Vec::new(),
        };
        for port in 0..ports {
            bench.ports[port].log_mut().observing = true;
            bench.outs[port].announce(Time::ZERO, true);
            bench.step(port);
        }
        bench
    }

    /// Queues a frame at the sender of a port.
    pub fn send(&mut self, port: usize, frame: Vec<Flit>) {
        self.senders[port].push_back(Sending { at: self.now, frame, gap: Duration::ZERO });
    }

    /// The frames that each sender has not sent.
    pub fn unsent(&self) -> Vec<Vec<Vec<Flit>>> {
        let frames = |all: &VecDeque<Sending>| all.iter().map(|sending| sending.frame.clone()).collect();
        self.senders.iter().map(frames).collect()
    }

    /// Executes all events up to `limit`.
    pub fn run(&mut self, limit: Time) {
        let mut steps_at_once = 0;
        loop {
            let next = self.next().max(self.now);
            if next > limit || next == Time::END {
                return;
            }
            steps_at_once = if next > self.now { 0 } else { steps_at_once + 1 };
            assert!(steps_at_once < 100, "time does not go on at {next}");
            self.now = next;
            self.instant();
        }
    }

    /// All results, after the run.
    pub fn seen(&mut self) -> Seen {
        let all = |link: &mut Link<Flit>| std::iter::from_fn(|| link.receive(Time::END)).collect();
        let mut observations: Vec<_> =
            self.ports.iter().flat_map(|port| port.log().observations.iter().copied()).collect();
        observations.sort_by_key(|observation| (observation.time, observation.place));
        let counters = self.ports.iter().map(S::counters).collect();
        Seen { out: self.outs.iter_mut().map(all).collect(), observations, counters }
    }

    fn next(&mut self) -> Time {
        let late = !matches!(self.handover, Handover::Early);
        let crossings = self.crossings.iter().filter(|_| late).map(|crossing| crossing.at).min();
        let receivers = self.receivers.front().map(|(time, ..)| *time);
        let ports = 0..self.ports.len();
        let both = ports.flat_map(|port| [self.next_of_port(port), self.next_of_sender(port)]);
        both.chain([crossings, receivers]).flatten().min().unwrap_or(Time::END)
    }

    fn next_of_port(&mut self, port: usize) -> Option<Time> {
        self.ports[port].next(&Cable { up: &mut self.outs[port], down: &mut self.ins[port] })
    }

    fn next_of_sender(&self, port: usize) -> Option<Time> {
        let (link, sending) = (&self.ins[port], self.senders[port].front()?);
        let can = sending.at.max(link.free_at().saturating_sub(self.slowness)).max(Time::from_ps(1));
        if can <= self.tried[port] { link.next_change() } else { Some(can) }
    }

    fn instant(&mut self) {
        let now = self.now;
        while self.receivers.front().is_some_and(|(time, ..)| *time <= now) {
            let (_, port, ready) = self.receivers.pop_front().expect("somebody changes");
            self.outs[port].announce(now, ready);
        }
        for port in 0..self.ports.len() {
            if self.next_of_sender(port).is_some_and(|next| next <= now) {
                self.try_to_send(port);
            }
        }
        self.hand_over();
        for port in 0..self.ports.len() {
            if self.next_of_port(port).is_some_and(|next| next <= now) {
                self.step(port);
            }
        }
    }

    fn try_to_send(&mut self, port: usize) {
        self.tried[port] = self.now;
        let (link, start) = (&mut self.ins[port], self.now + self.slowness);
        if link.takes(self.now, start) {
            let Sending { frame, gap, .. } = self.senders[port].pop_front().expect("there is a frame");
            for (n, unit) in (0..).zip(frame) {
                link.send(start.max(link.free_at() + gap * n.min(1)), unit);
            }
        }
    }

    fn step(&mut self, port: usize) {
        let cable = &mut Cable { up: &mut self.outs[port], down: &mut self.ins[port] };
        let before = self.crossings.len();
        self.ports[port].step(self.now, cable, &self.routes, &mut self.crossings);
        for crossing in &self.crossings[before..] {
            assert!(crossing.at > self.now, "what crosses takes time");
        }
        if matches!(self.handover, Handover::Early) {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        let now = self.now;
        let mut kept: Vec<Crossing<S::Cargo>> = Vec::new();
        let mut all = VecDeque::from(std::mem::take(&mut self.crossings));
        while let Some(crossing) = all.pop_front() {
            let Crossing { from, to, at, .. } = crossing;
            let in_time = match &mut self.handover {
                Handover::Early => true,
                Handover::Late => at <= now,
                Handover::Random(random) => {
                    let first = !kept.iter().any(|other| (other.from, other.to) == (from, to));
                    at <= now || first && random.one_in(3)
                }
            };
            if in_time {
                let cable = &mut Cable { up: &mut self.outs[to as usize], down: &mut self.ins[to as usize] };
                self.ports[to as usize].deliver(crossing, cable, &mut self.crossings);
                all.extend(self.crossings.drain(..));
            } else {
                kept.push(crossing);
            }
        }
        self.crossings = kept;
    }
}
