//! An Ethernet switch: stores a frame, looks for its port, and forwards it.

use std::collections::VecDeque;

use super::wire::{BYTE, PREAMBLE, Wire};
use super::{cost, wire};
use crate::stages::{Event, Log, Place};
use crate::{Duration, Time};

/// Frames that an output holds before it drops more. Decision 0033.
const QUEUE: usize = 256;

/// Bytes of silence that a frame leaves behind it, less the one in which its end is seen.
const GAP: u64 = 11;

/// What a switch did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchCounters {
    /// Frames that left.
    pub forwarded: u64,
    /// Frames without a port, or without room in front of one.
    pub discarded: u64,
}

#[derive(Debug, Default)]
struct Output {
    /// Frames, and when each may leave.
    frames: VecDeque<(Time, Vec<u8>)>,
    /// Bytes of the first one that have left.
    sent: usize,
    /// The line is silent until here.
    free_at: Time,
}

/// A switch whose port n leads to node n. Only whole frames are forwarded, good or bad; those for a group leave every
/// port but their own (decision 0036).
#[derive(Debug)]
pub struct Switch {
    /// Frame that arrives at each port.
    inputs: Vec<Vec<u8>>,
    outputs: Vec<Output>,
    counters: SwitchCounters,
    pub(super) log: Log,
}

impl Switch {
    pub(super) fn new(ports: usize) -> Self {
        Switch {
            inputs: vec![Vec::new(); ports],
            outputs: (0..ports).map(|_| Output::default()).collect(),
            counters: SwitchCounters::default(),
            log: Log::default(),
        }
    }

    /// What it did so far.
    pub fn counters(&self) -> SwitchCounters {
        self.counters
    }

    /// The first instant after `now` at which something happens here.
    pub(super) fn next_event(&self, now: Time, ins: &[Wire]) -> Option<Time> {
        if self.inputs.iter().any(|frame| !frame.is_empty()) || self.outputs.iter().any(|out| out.sent > 0) {
            return Some(now);
        }
        let arrivals = ins.iter().filter_map(Wire::next_arrival);
        let leave = |output: &Output| output.frames.front().map(|(ready, _)| (*ready).max(output.free_at));
        arrivals.chain(self.outputs.iter().filter_map(leave)).min()
    }

    /// Whether it holds no frame.
    pub(super) fn is_quiet(&self) -> bool {
        self.inputs.iter().all(Vec::is_empty) && self.outputs.iter().all(|output| output.frames.is_empty())
    }

    /// A cycle of the network clock.
    pub(super) fn step(&mut self, now: Time, ins: &mut [Wire], outs: &mut [Wire]) {
        for (port, wire) in ins.iter_mut().enumerate() {
            match wire.receive(now) {
                Some(byte) => {
                    if self.inputs[port].is_empty() {
                        self.log.observe(now, Place::Switch(port), Event::SwitchFirstIn);
                    }
                    self.inputs[port].push(byte);
                }
                None if self.inputs[port].is_empty() => {}
                None => self.store(now, port),
            }
        }
        for (port, wire) in outs.iter_mut().enumerate() {
            let byte = self.forward(now, port);
            if wire.send(now, byte) == Some(wire::Edge::Ends) {
                self.log.observe(now, Place::Switch(port), Event::SwitchLastOut);
            }
        }
    }

    /// A whole frame is in.
    fn store(&mut self, now: Time, port: usize) {
        let frame = std::mem::take(&mut self.inputs[port]);
        let destination = destination(&frame);
        let leaves = |output: &usize| match destination {
            Some(Destination::Port(to)) => *output == to,
            Some(Destination::Group) => *output != port,
            None => false,
        };
        let mut outputs = (0..self.outputs.len()).filter(leaves).peekable();
        if outputs.peek().is_none() {
            self.counters.discarded += 1;
        }
        for output in outputs {
            let frames = &mut self.outputs[output].frames;
            if frames.len() < QUEUE {
                frames.push_back((now + cost::SWITCH.duration, frame.clone()));
            } else {
                self.counters.discarded += 1;
            }
        }
    }

    /// The byte that leaves a port in this cycle.
    fn forward(&mut self, now: Time, port: usize) -> Option<u8> {
        let output = &mut self.outputs[port];
        let (ready, frame) = output.frames.front()?;
        if now < (*ready).max(output.free_at) {
            return None;
        }
        if output.sent == 0 {
            self.log.observe(now, Place::Switch(port), Event::SwitchFirstOut);
        }
        let byte = frame.get(output.sent).copied();
        output.sent += 1;
        if byte.is_none() {
            output.frames.pop_front();
            output.sent = 0;
            output.free_at = now + Duration::from_ps(BYTE.ps() * GAP);
            self.counters.forwarded += 1;
        }
        byte
    }
}

/// Where a frame goes.
enum Destination {
    /// To the node at this port.
    Port(usize),
    /// To all others.
    Group,
}

/// Destination of a frame. The first bit of an address tells whether it is that of a group, as broadcast is; otherwise its
/// last two bytes are the number of the node, high byte first (decision 0028).
fn destination(frame: &[u8]) -> Option<Destination> {
    let address = frame.get(PREAMBLE..PREAMBLE + 6)?;
    Some(if address[0] & 1 == 1 {
        Destination::Group
    } else {
        Destination::Port(usize::from(address[4]) << 8 | usize::from(address[5]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(to: u8, mark: u8) -> Vec<u8> {
        [&[0x55; 7][..], &[0xd5, 2, 0, 0x47, 0x50, 0, to], &[mark; 58]].concat()
    }

    /// When frames come out of port 1, and their marks; frames go into ports 0 and 2 at once.
    fn run(frames: [&[Vec<u8>]; 2]) -> (Vec<(u64, u8)>, SwitchCounters) {
        let mut switch = Switch::new(3);
        let (mut ins, mut outs) = ([0; 3].map(|_| Wire::new()), [0; 3].map(|_| Wire::new()));
        let silence = [None; 12];
        let mut lines = frames.map(|frames| {
            frames.iter().flat_map(|f| f.iter().copied().map(Some).chain(silence)).collect::<VecDeque<_>>()
        });
        let (mut now, mut out, mut last) = (Time::ZERO, Vec::new(), None);
        for _ in 0..2_000 {
            now += BYTE;
            for (line, port) in lines.iter_mut().zip([0, 2]) {
                ins[port].send(now, line.pop_front().flatten());
            }
            switch.step(now, &mut ins, &mut outs);
            let byte = outs[1].receive(now);
            if byte == Some(0x55) && last.is_none() {
                out.push((now.ps(), 0));
            }
            if let (Some(byte), Some(frame)) = (byte, out.last_mut()) {
                frame.1 = byte;
            }
            last = byte;
        }
        (out, switch.counters())
    }

    #[test]
    fn frame_leaves_as_a_whole_after_the_latency() {
        let (out, counters) = run([&[frame(1, 9)], &[]]);
        // First byte at 8 ns, in the switch 64 ns later, 72 bytes, the end is seen a byte later; then out and over a cable.
        let stored: u64 = 8_000 + 50_000 + 6_000 + 72 * 8_000;
        let latency = cost::SWITCH.duration.ps();
        let leaves = (stored + latency).next_multiple_of(8_000);
        assert_eq!(out, [((leaves + 50_000).next_multiple_of(8_000), 9)]);
        assert_eq!(counters, SwitchCounters { forwarded: 1, discarded: 0 });
    }

    #[test]
    fn frame_for_a_group_leaves_all_ports_but_its_own() {
        for group in [[0xff; 6], [0x33, 0x33, 0, 0, 0, 0xfb]] {
            let mut switch = Switch::new(3);
            let (mut ins, mut outs) = ([0; 3].map(|_| Wire::new()), [0; 3].map(|_| Wire::new()));
            let frame = [&[0x55; 7][..], &[0xd5], &group, &[9; 58]].concat();
            outs.iter_mut().for_each(Wire::capture);
            let mut now = Time::ZERO;
            for byte in frame.iter().copied().map(Some).chain([None; 1_000]) {
                now += BYTE;
                ins[1].send(now, byte);
                switch.step(now, &mut ins, &mut outs);
            }
            let copies = outs.each_mut().map(|wire| wire.take_sent());
            assert_eq!(copies.each_ref().map(Vec::len), [1, 0, 1]);
            assert!(copies.iter().flatten().all(|sent| sent.bytes == frame[PREAMBLE..]));
            assert_eq!(switch.counters(), SwitchCounters { forwarded: 2, discarded: 0 });
        }
    }

    #[test]
    fn frames_for_one_port_follow_each_other_and_those_for_none_are_discarded() {
        let (out, counters) = run([&[frame(1, 1), frame(7, 5)], &[frame(1, 2), frame(1, 3)]]);
        let marks: Vec<_> = out.iter().map(|(_, mark)| *mark).collect();
        assert_eq!(marks, [1, 2, 3]);
        assert_eq!(counters, SwitchCounters { forwarded: 3, discarded: 1 });
        let gap = out[1].0 - out[0].0;
        assert_eq!(gap, (72 + 12) * 8_000, "frames leave with the gap of 12 bytes between them");
    }
}
