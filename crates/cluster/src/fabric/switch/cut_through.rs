//! Cut-through switch: forwards a frame before it has completely arrived. Each port transmits one frame at a
//! time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use super::depth::Depth;
use super::{Cable, Crossing, Switch, SwitchCounters};
use crate::fabric::{Destination, Link, Routes, Unit};
use crate::look::{Event, Log, Place};
use crate::{Duration, Time};

/// Parameters of a cut-through switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutThroughTiming {
    /// Delay from the first bit at an input to the first bit at an output.
    pub cut_through: Duration,
    /// Time of a unit on a cable.
    pub unit: Duration,
    /// Delay from the end of a frame at an output until its room at the input is usable again.
    pub credit: Duration,
    /// Capacity of an input in units.
    pub input: usize,
    /// Longest frame in units.
    pub longest: usize,
}

/// Payload of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cargo<U> {
    /// A unit of a frame, from an input to an output, which may send it from the time of the crossing on.
    Unit(U),
    /// Room for this number of units, returned to the input.
    Credit(u32),
    /// As a credit, but from a frame for several outputs: its room is usable again when all have sent it.
    Copy(u32),
}

/// Destination of a frame.
#[derive(Clone, Copy, Debug, Default)]
enum Route {
    /// The output of this port.
    Port(u32),
    /// Those of the newest frame for several outputs.
    Several,
    /// None: the frame is discarded when its port would be looked up.
    #[default]
    Nowhere,
    /// None: the input has no room, and the frame is discarded as it arrives. Only duplicated and delayed
    /// frames of a fault can cause this.
    NoRoom,
}

/// A frame for several outputs.
#[derive(Debug)]
struct Copies {
    /// Outputs of the frame.
    outputs: Vec<u32>,
    /// Outputs that have not sent it.
    left: Vec<u32>,
    /// Time from which its room is usable again, as far as known.
    last: Time,
}

/// Receiving half of a port.
#[derive(Debug, Default)]
struct Input {
    /// The unit received last did not end a frame.
    in_frame: bool,
    /// Destination of the frame being received.
    route: Route,
    /// Units received whose room has not been returned.
    held: usize,
    /// Frames for several outputs that not all have sent, in the order of their arrival.
    copies: VecDeque<Copies>,
    /// Room that will be returned, with the times.
    credits: BinaryHeap<Reverse<(Time, u32)>>,
    /// The sender has been stopped.
    stopped: bool,
}

/// Transmitting half of a port. Frames of one input stay in order; inputs alternate.
#[derive(Debug)]
struct Output<U> {
    /// Units by the input from which they came, with the time from which each may be sent.
    waiting: BTreeMap<u32, VecDeque<(Time, U)>>,
    depth: Depth,
    /// Inputs whose first frame may be sent at a later time, and those whose frame may be sent now.
    coming: BTreeSet<(Time, u32)>,
    ready: BTreeSet<u32>,
    /// Input whose frame is being sent, and number of its units sent.
    owner: Option<u32>,
    sent: u32,
    /// Input with the highest priority for the next frame.
    next: u32,
    /// The frame concerns only links and is not observed.
    hidden: bool,
    /// The frame is for several outputs.
    copied: bool,
}

/// A port of a cut-through switch whose inputs stop the sender before they overflow.
#[derive(Debug)]
pub struct CutThrough<U> {
    number: u32,
    timing: CutThroughTiming,
    input: Input,
    output: Output<U>,
    /// Time of the last event.
    stepped: Time,
    counters: SwitchCounters,
    log: Log,
}

impl<U: Unit> CutThrough<U> {
    fn place(&self) -> Place {
        Place::Switch(self.number as usize)
    }

    /// Receives units that have arrived.
    fn receive(&mut self, now: Time, down: &mut Link<U>, routes: &Routes, out: &mut Vec<Crossing<Cargo<U>>>) {
        let since_first_bit = self.timing.cut_through - self.timing.unit;
        while let Some((arrived, unit)) = down.receive(now) {
            if !self.input.in_frame {
                if !unit.is_hidden() {
                    self.log.observe(arrived, self.place(), Event::SwitchFirstIn);
                }
                self.input.route = self.route(unit, routes);
            }
            self.input.in_frame = !unit.ends();
            let (at, discarded) = (arrived + since_first_bit, u64::from(unit.ends()));
            match self.input.route {
                Route::Port(to) => {
                    self.input.held += 1;
                    out.push(Crossing { from: self.number, to, at, cargo: Cargo::Unit(unit) });
                }
                Route::Several => {
                    self.input.held += 1;
                    let outputs = &self.input.copies.back().expect("the frame is there").outputs;
                    let crossing = |&to| Crossing { from: self.number, to, at, cargo: Cargo::Unit(unit) };
                    out.extend(outputs.iter().map(crossing));
                }
                Route::Nowhere => {
                    self.input.held += 1;
                    self.input.credits.push(Reverse((at, 1)));
                    self.counters.discarded += discarded;
                }
                Route::NoRoom => self.counters.discarded += discarded,
            }
            debug_assert!(self.input.held <= self.timing.input, "no frame is longer than the longest");
        }
    }

    /// Destination of a frame that begins with this unit.
    fn route(&mut self, first: U, routes: &Routes) -> Route {
        if self.input.held + self.timing.longest > self.timing.input {
            return Route::NoRoom;
        }
        match U::destination(&[first]) {
            Some(Destination::Address(address)) => {
                routes.port(self.number, address).map_or(Route::Nowhere, Route::Port)
            }
            Some(Destination::Group { with_sender }) => self.copy_to(routes.group(self.number, with_sender)),
            None => Route::Nowhere,
        }
    }

    /// Begins a frame for several outputs.
    fn copy_to(&mut self, outputs: Vec<u32>) -> Route {
        if outputs.is_empty() {
            return Route::Nowhere;
        }
        self.input.copies.push_back(Copies { left: outputs.clone(), outputs, last: Time::ZERO });
        Route::Several
    }

    /// An output has sent its copy of the oldest frame that it had not sent.
    fn end_copy(&mut self, output: u32, at: Time, units: u32) {
        let input = &mut self.input;
        let place = input.copies.iter().position(|copies| copies.left.contains(&output));
        let place = place.expect("an output sends what it was given");
        let copies = &mut input.copies[place];
        copies.left.retain(|left| *left != output);
        copies.last = copies.last.max(at);
        if copies.left.is_empty() {
            input.credits.push(Reverse((copies.last, units)));
            input.copies.remove(place);
        }
    }

    /// Takes returned room.
    fn take_credits(&mut self, now: Time) {
        let input = &mut self.input;
        while let Some(Reverse((_, units))) = input.credits.peek().filter(|Reverse((at, _))| *at <= now) {
            input.held -= *units as usize;
            input.credits.pop();
        }
    }

    /// Announces whether there is room for another frame in addition to units in flight.
    fn announce(&mut self, now: Time, down: &mut Link<U>) {
        let room = self.input.held + self.timing.longest + under_way(down) <= self.timing.input;
        self.input.stopped = !room;
        down.announce(now, room);
    }

    /// Grants a free output to the next input, in round-robin order, that has a frame.
    fn grant(&mut self, now: Time, up: &mut Link<U>, out: &mut Vec<Crossing<Cargo<U>>>) {
        let output = &mut self.output;
        while let Some(&(at, from)) = output.coming.first().filter(|(at, _)| *at <= now) {
            output.coming.remove(&(at, from));
            output.ready.insert(from);
        }
        if output.owner.is_some() || output.ready.is_empty() || !up.takes(now, now) {
            return;
        }
        let next = output.ready.range(output.next..).next().or(output.ready.first());
        let winner = *next.expect("an input has a frame");
        output.ready.remove(&winner);
        (output.owner, output.next, output.sent) = (Some(winner), winner + 1, 0);
        let first = output.waiting[&winner].front().expect("its frame has begun to come");
        output.hidden = first.1.is_hidden();
        output.copied = matches!(U::destination(&[first.1]), Some(Destination::Group { .. }));
        if !output.hidden {
            self.log.observe(now, Place::Switch(self.number as usize), Event::SwitchFirstOut);
        }
        self.stream(now, winner, up, out);
    }

    /// Sends the available units of the granted frame. Units of a frame have no gaps between them, so each is
    /// put onto the cable as soon as it is known, for the time at which it will be sent.
    fn stream(&mut self, now: Time, owner: u32, up: &mut Link<U>, out: &mut Vec<Crossing<Cargo<U>>>) {
        let output = &mut self.output;
        let waiting = output.waiting.get_mut(&owner).expect("the owner has a queue");
        while let Some((ready, unit)) = waiting.pop_front() {
            let start = ready.max(up.free_at()).max(now);
            up.send(start, unit);
            self.counters.waited = self.counters.waited + (start - ready);
            output.depth.leaves(start);
            output.sent += 1;
            if !unit.ends() {
                continue;
            }
            output.owner = None;
            self.counters.forwarded += 1;
            if !output.hidden {
                self.log.observe(start, Place::Switch(self.number as usize), Event::SwitchLastOut);
            }
            let cargo = if output.copied { Cargo::Copy(output.sent) } else { Cargo::Credit(output.sent) };
            let at = start + self.timing.credit;
            out.push(Crossing { from: self.number, to: owner, at, cargo });
            match waiting.front() {
                Some((ready, _)) => drop(output.coming.insert((*ready, owner))),
                None => drop(output.waiting.remove(&owner)),
            }
            return;
        }
    }
}

impl<U: Unit> Switch for CutThrough<U> {
    type Unit = U;
    type Cargo = Cargo<U>;
    type Timing = CutThroughTiming;

    fn new(number: u32, timing: &CutThroughTiming) -> Self {
        CutThrough {
            number,
            timing: *timing,
            input: Input::default(),
            output: Output {
                waiting: BTreeMap::new(),
                depth: Depth::default(),
                coming: BTreeSet::new(),
                ready: BTreeSet::new(),
                owner: None,
                sent: 0,
                next: 0,
                hidden: false,
                copied: false,
            },
            stepped: Time::ZERO,
            counters: SwitchCounters::default(),
            log: Log::default(),
        }
    }

    fn lookahead(timing: &CutThroughTiming) -> Duration {
        (timing.cut_through - timing.unit).min(timing.credit)
    }

    fn next(&self, cable: &Cable<'_, U>) -> Option<Time> {
        let arrival = cable.down.next_arrival();
        let credit = self.input.credits.peek().filter(|_| self.input.stopped).map(|Reverse((at, _))| *at);
        let output = &self.output;
        let frame =
            if output.ready.is_empty() { output.coming.first().map(|(at, _)| *at) } else { Some(Time::ZERO) };
        let grant = frame.filter(|_| output.owner.is_none()).and_then(|frame| {
            let can = frame.max(cable.up.free_at());
            // A frame that could have been sent but was not waits for the far end to become ready.
            if can <= self.stepped { cable.up.next_change() } else { Some(can) }
        });
        [arrival, credit, grant].into_iter().flatten().min()
    }

    fn step(
        &mut self,
        now: Time,
        cable: &mut Cable<'_, U>,
        routes: &Routes,
        out: &mut Vec<Crossing<Cargo<U>>>,
    ) {
        self.stepped = now;
        self.output.depth.count(now);
        self.take_credits(now);
        self.receive(now, cable.down, routes, out);
        self.announce(now, cable.down);
        self.grant(now, cable.up, out);
    }

    fn deliver(
        &mut self,
        crossing: Crossing<Cargo<U>>,
        cable: &mut Cable<'_, U>,
        out: &mut Vec<Crossing<Cargo<U>>>,
    ) {
        let Crossing { from, at, cargo, .. } = crossing;
        match cargo {
            Cargo::Credit(units) => self.input.credits.push(Reverse((at, units))),
            Cargo::Copy(units) => self.end_copy(from, at, units),
            Cargo::Unit(unit) => {
                let output = &mut self.output;
                let waiting = output.waiting.entry(from).or_default();
                waiting.push_back((at, unit));
                output.depth.comes(at);
                if output.owner == Some(from) {
                    self.stream(Time::ZERO, from, cable.up, out);
                } else if waiting.len() == 1 {
                    output.coming.insert((at, from));
                }
            }
        }
    }

    fn is_idle(&self) -> bool {
        !self.input.in_frame && self.output.waiting.is_empty()
    }

    fn held(&self) -> usize {
        self.output.waiting.values().map(VecDeque::len).sum()
    }

    fn counters(&self) -> SwitchCounters {
        SwitchCounters { deepest: self.output.depth.most(), ..self.counters }
    }

    fn log(&self) -> &Log {
        &self.log
    }

    fn log_mut(&mut self) -> &mut Log {
        &mut self.log
    }

    fn pack(cargo: &Cargo<U>, words: &mut Vec<u64>) {
        match cargo {
            Cargo::Unit(unit) => {
                let (data, extra) = unit.to_word();
                words.extend([u64::from(extra) << 1, data]);
            }
            Cargo::Credit(units) => words.push(u64::from(*units) << 2 | 1),
            Cargo::Copy(units) => words.push(u64::from(*units) << 2 | 3),
        }
    }

    fn unpack(words: &mut impl Iterator<Item = u64>) -> Option<Cargo<U>> {
        let head = words.next()?;
        let units = || u32::try_from(head >> 2).ok();
        Some(match head & 3 {
            1 => Cargo::Credit(units()?),
            3 => Cargo::Copy(units()?),
            _ => Cargo::Unit(U::from_word((words.next()?, u8::try_from(head >> 1).ok()?))),
        })
    }
}

/// Units that can still arrive after flow control has said stop: those of two latencies, and two being sent.
fn under_way<U: Unit>(link: &Link<U>) -> usize {
    let timing = link.timing();
    (timing.latency.ps() * 2).div_ceil(timing.unit.ps()) as usize + 2
}

#[cfg(test)]
mod tests;
