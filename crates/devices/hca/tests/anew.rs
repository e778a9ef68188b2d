//! A queue pair made, used, destroyed and made again, with traffic of the old one in flight; and connections whose
//! two ends differ in every attribute.

use hca::Hca;
use hca::contexts::Attributes;
use hca::layout::PacketKind::*;
use hca::protocol::responder::{ACK, RNR_NAK};
use hca::traffic::connection::{Connection, WINDOW, WINDOW_KEY};
use hca::traffic::monitor::Restarts;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hdl::{Model, Stimulus};

use crate::alone::{Alone, PSN, QPNS};
use crate::message;

/// PSN of a queue pair that is made again; far from the first one.
const NEW: u32 = PSN + 0x30_0000;

impl Alone {
    /// The host makes the queue pair again.
    fn make_again(&mut self) {
        let attributes = Attributes { send_psn: NEW, receive_psn: NEW, ..Self::attributes() };
        self.host().set_pair(QPNS.1, attributes);
        self.wait(35);
        let taken = self.program.taken;
        self.program = Connection { sent: 0, done: 0, posted: 0, taken, ..self.program.clone() };
        self.left();
    }
}

#[test]
fn data_for_the_peer_end_with_their_queue_pair() {
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.inject(&Alone::packet(ReadRequest, PSN).remote(WINDOW.0.into(), WINDOW_KEY, 0xf000));
    alone.run(20);
    alone.make_again();
    assert!(alone.responder().psn == NEW);
    alone.run(100);
    assert_eq!(alone.left(), []);
}

#[test]
fn message_of_the_peer_ends_with_its_queue_pair() {
    let mut alone = Alone::new(1, |attributes| attributes);
    (0..4).for_each(|_| alone.post());
    alone.wait(2);
    // Half a message, and a NAK that waits for the link.
    alone.pair.wires[1].stalls = 1_000_000;
    alone.inject(&Alone::packet(SendFirst, PSN).data(&[1; 256]));
    for psn in [PSN + 2, PSN + 3, PSN + 4] {
        alone.inject(&Alone::packet(SendOnly, psn).data(&[1; 8]));
    }
    alone.wait(20);
    alone.make_again();
    alone.pair.wires[1].stalls = 1;
    alone.run(20);
    alone.left();
    // Its receive queue is empty, and its first message begins.
    let only = || Alone::packet(SendOnly, NEW).data(b"a new one");
    alone.inject(&only());
    alone.run(20);
    assert_eq!(alone.answers(), [(NEW - PSN, RNR_NAK | 3, 0)]);
    alone.post();
    alone.wait(2);
    alone.inject(&only());
    alone.run(20);
    assert_eq!(alone.answers(), [(NEW - PSN, ACK, 1)]);
    assert_eq!(alone.program.received.last(), Some(&(b"a new one".to_vec(), None)));
    // A packet of the old queue pair is out of sequence.
    alone.inject(&Alone::packet(SendLast, PSN + 1).data(&[1; 8]));
    alone.run(20);
    assert_eq!(alone.answers(), [(NEW - PSN, ACK, 1)]);
}

#[test]
fn request_ends_with_its_queue_pair() {
    for syndrome in [None, Some(RNR_NAK | 2)] {
        let mut alone = Alone::new(1, |attributes| attributes);
        (0..3).for_each(|_| alone.send(&[1; 600]));
        alone.run(12);
        if let Some(syndrome) = syndrome {
            alone.inject(&Alone::acknowledge(PSN, syndrome));
        }
        alone.run(3);
        alone.make_again();
        alone.run(300);
        assert_eq!(alone.left(), [], "neither what was outstanding nor what was posted");
        assert!(alone.program.errors.is_empty());
        // An answer to the old queue pair, then a request of the new one.
        alone.inject(&Alone::acknowledge(PSN + 2, ACK));
        alone.send(b"a new one");
        alone.run(10);
        let left = alone.left();
        assert_eq!((left.len(), left[0].psn), (1, NEW));
        alone.inject(&Alone::acknowledge(PSN + 2, ACK));
        alone.run(3);
        assert_eq!(alone.program.waiting(), 1);
        alone.inject(&Alone::acknowledge(NEW, ACK));
        alone.run(3);
        assert_eq!((alone.program.waiting(), alone.program.done), (0, 1));
    }
}

/// Two ends with unlike attributes.
struct Ends {
    pair: Pair<Model<Hca>>,
    programs: [Connection; 2],
    attributes: [Attributes; 2],
    random: Stimulus,
}

const ENDS: ([u16; 2], [u8; 2]) = ([0x1357, 0x8ace], [4, 11]);

impl Ends {
    fn new(seed: u64, faults: Faults) -> Self {
        let mut pair = Pair::new([0, 1].map(|_| Model::new(Hca::default())), seed, faults);
        let mut random = Stimulus::new(seed);
        let attributes = Connection::unlike(&mut random, ENDS.0, ENDS.1);
        let programs = [0, 1].map(|end: usize| {
            Connection::new(&mut pair.hosts[end], ENDS.0[end], ENDS.1[end], attributes[end])
        });
        let mut ends = Self { pair, programs, attributes, random };
        ends.run(250);
        ends
    }

    fn run(&mut self, us: u64) {
        self.pair.run_until(us * 1_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
        for (program, host) in self.programs.iter_mut().zip(&mut self.pair.hosts) {
            (0..8).for_each(|_| program.poll(host));
        }
    }

    fn restarts(&self) -> [Restarts; 2] {
        [0, 1].map(|end: usize| self.pair.monitor.restarts(end, ENDS.1[end]))
    }

    /// Some requests of both ends, until all are done.
    fn exchange(&mut self, count: usize, late: bool) {
        for i in 0..count {
            for end in [0, 1] {
                let (program, host) = (&mut self.programs[end], &mut self.pair.hosts[end]);
                let size = self.random.below(3_000) as usize;
                match i % 3 {
                    0 => program.send(host, &message(i, size), None),
                    1 => program.write(host, &message(i, size), WINDOW.0 + 7, Some(i as u32)),
                    _ => program.read(host, size as u32, WINDOW.0),
                }
                if !late {
                    self.programs[1 - end].post(&mut self.pair.hosts[1 - end]);
                }
            }
            self.run(4);
            if late {
                self.run(30);
                for (program, host) in self.programs.iter_mut().zip(&mut self.pair.hosts) {
                    program.post(host);
                }
            }
            for _ in 0..400 {
                if self.programs.iter().any(|program| program.waiting() != 0) {
                    self.run(20);
                }
            }
            assert_eq!(self.programs.each_ref().map(Connection::waiting), [0, 0]);
        }
        assert!(self.programs.iter().all(|program| program.errors.is_empty()));
    }
}

#[test]
fn cable_without_faults_needs_no_restart() {
    for seed in 0..8 {
        let mut ends = Ends::new(seed, Faults::default());
        ends.exchange(9, false);
        assert_eq!(ends.restarts(), [Restarts::default(); 2], "seed {seed}");
    }
}

#[test]
fn late_receivers_cost_rnr_naks_alone() {
    for seed in 0..8 {
        let mut ends = Ends::new(seed, Faults::default());
        // The other end's RNR timer and no limit decide.
        ends.exchange(9, true);
        for restarts in ends.restarts() {
            assert!(restarts.rnr_naks > 0 && restarts.timeouts == 0 && restarts.naks == 0, "{restarts:?}");
        }
    }
}

#[test]
fn ends_that_differ_in_every_attribute_agree_over_a_bad_cable() {
    let mut total = Restarts::default();
    for seed in 0..8 {
        let mut ends = Ends::new(seed, Faults { lost: 25, damaged: 40, cut: 50 });
        let alike = |of: fn(&Attributes) -> u32| of(&ends.attributes[0]) == of(&ends.attributes[1]);
        assert!(!alike(|a| a.timeout.into()) && !alike(|a| a.rnr_timer.into()) && !alike(|a| a.send_psn));
        assert!(!alike(|a| a.retries.into()) && !alike(|a| a.domain.into()) && !alike(|a| a.peer_lid.into()));
        ends.exchange(12, seed % 2 == 1);
        for restarts in ends.restarts() {
            total.timeouts += restarts.timeouts;
            total.naks += restarts.naks;
            total.rnr_naks += restarts.rnr_naks;
        }
    }
    assert!(total.timeouts > 10 && total.naks > 5 && total.rnr_naks > 5, "{total:?}");
}

#[test]
fn connection_made_again_carries_messages_of_its_own_alone() {
    for seed in 0..6 {
        let mut ends =
            Ends::new(seed, Faults { lost: if seed % 2 == 0 { 0 } else { 12 }, ..Faults::default() });
        for round in 0..5_u32 {
            // Messages of both ends are under way.
            for end in [0, 1] {
                (0..3).for_each(|_| ends.programs[end].post(&mut ends.pair.hosts[end]));
                ends.programs[end].send(&mut ends.pair.hosts[end], &message(1, 2_500), None);
                ends.programs[end].read(&mut ends.pair.hosts[end], 3_000, WINDOW.0);
            }
            let pause = ends.random.below(25);
            ends.run(pause);
            // One end is made again before the other.
            let first = usize::from(ends.random.one_in(2));
            for end in [first, 1 - first] {
                let jump = |psn: u32| psn.wrapping_add(0x10_0000 * (round + 1)) & 0xff_ffff;
                let old = ends.attributes[end];
                let new =
                    Attributes { send_psn: jump(old.send_psn), receive_psn: jump(old.receive_psn), ..old };
                ends.pair.hosts[end].set_pair(ENDS.1[end], new);
                let pause = ends.random.below(40);
                ends.run(pause);
            }
            ends.run(100);
            for (end, program) in ends.programs.iter_mut().enumerate() {
                (0..16).for_each(|_| program.poll(&mut ends.pair.hosts[end]));
                (program.sent, program.done, program.posted) = (0, 0, 0);
                program.received.clear();
                program.errors.clear();
            }
            for end in [0, 1] {
                ends.programs[end].post(&mut ends.pair.hosts[end]);
                let text = message(50 + round as usize, 700);
                ends.programs[1 - end].send(&mut ends.pair.hosts[1 - end], &text, None);
            }
            for _ in 0..200 {
                if ends.programs.iter().any(|program| program.waiting() != 0) {
                    ends.run(20);
                }
            }
            for program in &ends.programs {
                assert_eq!(program.errors, [], "seed {seed}, round {round}");
                assert!(
                    program.received == [(message(50 + round as usize, 700), None)],
                    "seed {seed}, round {round}"
                );
            }
            for end in [0, 1] {
                let jump = |psn: u32| psn.wrapping_add(0x10_0000 * (round + 1)) & 0xff_ffff;
                ends.attributes[end].send_psn = jump(ends.attributes[end].send_psn);
                ends.attributes[end].receive_psn = jump(ends.attributes[end].receive_psn);
            }
        }
    }
}
