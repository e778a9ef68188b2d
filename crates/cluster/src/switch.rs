//! An InfiniBand switch: frames go to the port of their DLID, one at a time per port.

use std::collections::VecDeque;

use dimmnet2::line::{LAST, Line};

use crate::stages::{Event, Log, Place};
use crate::transport::is_answer;
use crate::{Duration, Link, Time};

/// From the first bit at an input to the first bit at an output: 0.385 us (thesis section 6.2, cited there for
/// the Voltaire ISR6000).
pub const CUT_THROUGH: Duration = Duration::from_ns(385);

/// Lines that an input holds. Three of the longest frames and what is under way (decision 0013).
pub const INPUT_LINES: usize = 2048;

/// Lines of the longest frame: MTU 4096, and up to 64 bytes of InfiniBand headers.
const LONGEST_FRAME: usize = (4096 + 64) / 8;

/// Reads the DLID from the first line of a frame, the Local Route Header.
///
/// The header is in the order of the wire, byte 0 in bits 7:0: VL and LVer, SL and LNH, DLID, PktLen, SLID, two
/// bytes each from DLID on, the high byte first (InfiniBand Architecture volume 1, section 7.7; decision 0010).
pub fn destination(first: Line) -> u16 {
    ((first.data >> 16) as u16).swap_bytes()
}

/// What a switch has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchCounters {
    /// Frames sent to a port.
    pub forwarded: u64,
    /// Frames without a port for their DLID; a switch discards them silently.
    pub discarded: u64,
}

/// Where the frame at the head of an input goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Route {
    Port(usize),
    Nowhere,
}

#[derive(Debug, Default)]
struct Input {
    /// Lines with the time from which on an output may send them.
    lines: VecDeque<(Time, Line)>,
    /// The frame at the head; `None` if the head is a first line not looked at yet.
    route: Option<Route>,
    /// The last line that came in did not end a frame.
    in_frame: bool,
}

#[derive(Debug, Default)]
struct Output {
    /// Input whose frame is being sent.
    owner: Option<usize>,
    /// Input that is asked first for the next frame.
    next: usize,
    /// The frame is an answer of the transport, which no board sees and no observation shows.
    answer: bool,
}

/// A switch whose ports have an input queue each; a frame that cannot leave holds up those behind it.
#[derive(Debug)]
pub struct Switch {
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    /// Port of each LID.
    ports: Vec<Option<usize>>,
    counters: SwitchCounters,
    pub(crate) log: Log,
}

impl Switch {
    /// A switch with `ports` ports and no routes.
    pub fn new(ports: usize) -> Self {
        Switch {
            inputs: (0..ports).map(|_| Input::default()).collect(),
            outputs: (0..ports).map(|_| Output::default()).collect(),
            ports: Vec::new(),
            counters: SwitchCounters::default(),
            log: Log::default(),
        }
    }

    /// Sends frames for `lid` to `port`, as the subnet manager sets it up.
    pub fn route(&mut self, lid: u16, port: usize) {
        assert!(port < self.outputs.len(), "a route leads to a port of the switch");
        let lid = usize::from(lid);
        if self.ports.len() <= lid {
            self.ports.resize(lid + 1, None);
        }
        self.ports[lid] = Some(port);
    }

    /// Forgets all routes; frames that are under way already keep theirs.
    pub(crate) fn forget_routes(&mut self) {
        self.ports.clear();
    }

    /// What the switch has done.
    pub fn counters(&self) -> SwitchCounters {
        self.counters
    }

    /// Whether the switch holds nothing.
    pub fn is_idle(&self) -> bool {
        self.inputs.iter().all(|input| input.lines.is_empty() && !input.in_frame)
    }

    /// When there is something to do again. `ins` and `outs` are the links to and from the ports.
    pub fn next_event(&self, now: Time, ins: &[Link], outs: &[Link]) -> Option<Time> {
        let arrivals = ins.iter().filter_map(Link::next_arrival);
        let heads = self.inputs.iter().enumerate().filter_map(|(i, input)| {
            let (ready, _) = *input.lines.front()?;
            match input.route {
                Some(Route::Port(port)) => {
                    let waits = self.outputs[port].owner != Some(i);
                    if waits && self.outputs[port].owner.is_some() {
                        return None;
                    }
                    let can = ready.max(outs[port].free_at());
                    // A frame that may go but did not waits for the far end to become ready.
                    if can <= now { outs[port].next_change() } else { Some(can) }
                }
                Some(Route::Nowhere) | None => Some(ready),
            }
        });
        arrivals.chain(heads).min()
    }

    /// Does what is to be done at `now`.
    pub fn step(&mut self, now: Time, ins: &mut [Link], outs: &mut [Link]) {
        self.receive(now, ins);
        // When a frame ends, the next one of its input may be for a port that was asked before; a port takes one line
        // at a time.
        while (0..self.outputs.len()).fold(self.discard(now), |moved, port| {
            self.grant(port, now, outs);
            self.send(port, now, outs) || moved
        }) {}
        for (i, input) in self.inputs.iter().enumerate() {
            ins[i].announce(now, input.lines.len() + LONGEST_FRAME + under_way(&ins[i]) <= INPUT_LINES);
        }
    }

    fn receive(&mut self, now: Time, ins: &mut [Link]) {
        for (port, link) in ins.iter_mut().enumerate() {
            let line_time = link.timing().line;
            let input = &mut self.inputs[port];
            while let Some((arrived, line)) = link.receive(now) {
                if !input.in_frame && !is_answer(line) {
                    self.log.observe(arrived, Place::Switch(port), Event::SwitchFirstIn);
                }
                input.in_frame = line.id != LAST;
                let first_bit = arrived.saturating_sub(line_time);
                input.lines.push_back((first_bit + CUT_THROUGH, line));
                debug_assert!(
                    input.lines.len() <= INPUT_LINES,
                    "flow control leaves room for what is under way"
                );
            }
            self.look_up(port);
        }
    }

    /// Finds the port of the frame at the head of an input.
    fn look_up(&mut self, port: usize) {
        let input = &mut self.inputs[port];
        if let (None, Some((_, first))) = (input.route, input.lines.front()) {
            let lid = usize::from(destination(*first));
            input.route = Some(self.ports.get(lid).copied().flatten().map_or(Route::Nowhere, Route::Port));
        }
    }

    /// Gives a free output to the next input in turn that has a frame for it.
    fn grant(&mut self, port: usize, now: Time, outs: &mut [Link]) {
        if self.outputs[port].owner.is_some() || !outs[port].takes(now, now) {
            return;
        }
        let first = self.outputs[port].next;
        let ports = self.inputs.len();
        let winner = (0..ports).map(|i| (first + i) % ports).find(|&i| {
            let input = &self.inputs[i];
            input.route == Some(Route::Port(port))
                && input.lines.front().is_some_and(|(ready, _)| *ready <= now)
        });
        if let Some(winner) = winner {
            let answer = self.inputs[winner].lines.front().is_some_and(|(_, first)| is_answer(*first));
            self.outputs[port] = Output { owner: Some(winner), next: (winner + 1) % ports, answer };
            if !answer {
                self.log.observe(now, Place::Switch(port), Event::SwitchFirstOut);
            }
        }
    }

    /// Sends the next line of the frame that owns an output, and tells whether there was one to send.
    fn send(&mut self, port: usize, now: Time, outs: &mut [Link]) -> bool {
        let Some(owner) = self.outputs[port].owner else { return false };
        let input = &mut self.inputs[owner];
        if input.lines.front().is_none_or(|(ready, _)| *ready > now) || !outs[port].takes(now, now) {
            return false;
        }
        let (_, line) = input.lines.pop_front().expect("there is a line");
        outs[port].send(now, line);
        if line.id == LAST {
            input.route = None;
            self.outputs[port].owner = None;
            self.counters.forwarded += 1;
            if !self.outputs[port].answer {
                self.log.observe(now, Place::Switch(port), Event::SwitchLastOut);
            }
            self.look_up(owner);
        }
        true
    }

    /// Discards lines of frames without a port, and tells whether there were any.
    fn discard(&mut self, now: Time) -> bool {
        let mut discarded = false;
        for port in 0..self.inputs.len() {
            let input = &mut self.inputs[port];
            while input.route == Some(Route::Nowhere)
                && input.lines.front().is_some_and(|(ready, _)| *ready <= now)
            {
                let (_, line) = input.lines.pop_front().expect("there is a line");
                discarded = true;
                if line.id == LAST {
                    input.route = None;
                    self.counters.discarded += 1;
                }
            }
            self.look_up(port);
        }
        discarded
    }
}

/// Lines that can still arrive after flow control has said stop: two latencies' worth, and two that were being sent.
fn under_way(link: &Link) -> usize {
    let timing = link.timing();
    (timing.latency.ps() * 2).div_ceil(timing.line.ps()) as usize + 2
}

#[cfg(test)]
mod tests {
    use dimmnet2::line::{FIRST, MIDDLE};

    use super::*;
    use crate::LinkTiming;

    struct Bench {
        switch: Switch,
        ins: Vec<Link>,
        outs: Vec<Link>,
        now: Time,
    }

    fn first(dlid: u16, mark: u64) -> Line {
        Line { data: u64::from(dlid.swap_bytes()) << 16 | mark << 48, id: FIRST }
    }

    /// A switch with LID n on port n - 1 and receivers that are ready from the beginning.
    fn bench(ports: usize) -> Bench {
        let links = || (0..ports).map(|_| Link::new(LinkTiming::INFINIBAND_4X)).collect::<Vec<_>>();
        let mut bench = Bench { switch: Switch::new(ports), ins: links(), outs: links(), now: Time::ZERO };
        for port in 0..ports {
            bench.switch.route(port as u16 + 1, port);
            bench.outs[port].announce(Time::ZERO, true);
        }
        bench.switch.step(Time::ZERO, &mut bench.ins, &mut bench.outs);
        bench
    }

    impl Bench {
        /// Runs until nothing is left to do, or through `limit`.
        fn run(&mut self, limit: u64) {
            while let Some(next) = self.switch.next_event(self.now, &self.ins, &self.outs) {
                assert!(next >= self.now, "time runs forward");
                if next.ps() > limit {
                    break;
                }
                self.now = next;
                self.switch.step(next, &mut self.ins, &mut self.outs);
            }
        }

        /// Sends a frame of `lines` lines without gaps and returns when it started.
        fn send(&mut self, port: usize, dlid: u16, mark: u64, lines: u64) -> u64 {
            let start = self.ins[port].free_at().max(Time::from_ps(16_000));
            for i in 0..lines {
                let line = match i {
                    0 => first(dlid, mark),
                    i => Line { data: i, id: if i + 1 == lines { LAST } else { MIDDLE } },
                };
                self.ins[port].send(start + Duration::from_ps(8_000) * i, line);
            }
            start.ps()
        }

        /// Everything that comes out of a port: time of arrival, mark of first lines, identifier.
        fn out(&mut self, port: usize) -> Vec<(u64, u64, u8)> {
            std::iter::from_fn(|| self.outs[port].receive(Time::from_ps(u64::MAX)))
                .map(|(time, line)| (time.ps(), line.data >> 48, line.id))
                .collect()
        }
    }

    #[test]
    fn dlid_lies_in_bytes_2_and_3_high_byte_first() {
        assert_eq!(destination(Line { data: 0x0000_0000_3412_0000, id: FIRST }), 0x1234);
        assert_eq!(destination(first(0xbfff, 0)), 0xbfff);
    }

    #[test]
    fn frame_leaves_after_the_cut_through_latency_without_waiting_for_its_end() {
        let mut bench = bench(2);
        let start = bench.send(0, 2, 0, 64);
        bench.run(u64::MAX);
        let out = bench.out(1);
        assert_eq!(out.len(), 64);
        for (i, (arrived, _, _)) in out.iter().enumerate() {
            let (cables, line) = (20_000, 8_000);
            assert_eq!(*arrived, start + cables + 385_000 + line * (i as u64 + 1));
        }
        assert_eq!(bench.switch.counters(), SwitchCounters { forwarded: 1, discarded: 0 });
        assert!(bench.switch.is_idle());
    }

    #[test]
    fn frames_for_one_port_take_turns_and_never_mix() {
        let mut bench = bench(3);
        for frame in 0..3 {
            bench.send(0, 3, 10 + frame, 4);
            bench.send(1, 3, 20 + frame, 4);
        }
        bench.run(u64::MAX);
        let out = bench.out(2);
        let marks: Vec<_> = out.iter().filter(|(_, _, id)| *id == FIRST).map(|(_, mark, _)| *mark).collect();
        assert_eq!(marks, [10, 20, 11, 21, 12, 22]);
        for frame in out.chunks(4) {
            assert_eq!(frame.iter().map(|(_, _, id)| *id).collect::<Vec<_>>(), [FIRST, MIDDLE, MIDDLE, LAST]);
        }
    }

    #[test]
    fn frames_for_different_ports_leave_at_the_same_time() {
        let mut bench = bench(4);
        bench.send(0, 3, 1, 8);
        bench.send(1, 4, 2, 8);
        bench.run(u64::MAX);
        assert_eq!(bench.out(2)[0].0, bench.out(3)[0].0);
    }

    #[test]
    fn frame_waits_for_a_receiver_that_is_not_ready_and_goes_one_latency_after_it_is() {
        let mut bench = bench(2);
        bench.outs[1].announce(Time::ZERO, false);
        bench.send(0, 2, 0, 4);
        bench.run(u64::MAX);
        assert!(bench.out(1).is_empty());
        bench.outs[1].announce(Time::from_ps(2_000_000), true);
        bench.run(u64::MAX);
        assert_eq!(bench.out(1)[0].0, 2_000_000 + 10_000 + 8_000 + 10_000);
    }

    #[test]
    fn frame_that_waited_behind_another_goes_when_that_has_left_whatever_their_ports() {
        for (port, behind) in [(3, 1), (3, 9), (1, 3), (9, 1)] {
            let mut bench = bench(3);
            bench.send(0, port, 1, 100);
            bench.send(1, port, 2, 4);
            bench.send(1, behind, 3, 4);
            bench.send(1, 2, 4, 4);
            bench.run(u64::MAX);
            assert!(bench.switch.is_idle(), "a frame for LID {behind} behind one for LID {port}");
        }
    }

    #[test]
    fn full_input_tells_the_sender_to_stop_before_it_overflows() {
        let mut bench = bench(2);
        bench.outs[1].announce(Time::ZERO, false);
        bench.now = Time::from_ps(16_000);
        let mut frames = 0;
        loop {
            let start = bench.ins[0].free_at().max(bench.now);
            if !bench.ins[0].takes(bench.now, start) {
                break;
            }
            bench.send(0, 2, 0, 512);
            frames += 1;
            let until = bench.ins[0].free_at();
            bench.run(until.ps());
            bench.now = until;
        }
        assert_eq!(frames, 3);
    }

    #[test]
    fn frame_without_a_route_is_discarded_and_the_next_one_passes() {
        let mut bench = bench(2);
        bench.send(0, 9, 0, 4);
        bench.send(0, 2, 5, 4);
        bench.run(u64::MAX);
        assert_eq!(bench.switch.counters(), SwitchCounters { forwarded: 1, discarded: 1 });
        assert_eq!(bench.out(1)[0].1, 5);
    }
}
