//! States of queue pairs in lockstep: changes by the host and by failures, reports, and flushed queues.

use cosim::{Lockstep, Stimulus};
use hca::Hca;
use hca::contexts::{Attributes, PairState, Report};
use hca::layout::{RECEIVED, Status};
use hca::registers::Doorbell;
use hca::traffic::connection::Connection;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hdl::{Bits, Model};

use crate::board::adapter;

const LIDS: [u16; 2] = [1, 2];
const QPNS: [u8; 2] = [2, 9];

struct Bench {
    pair: Pair<Lockstep<Model<Hca>>>,
    programs: [Connection; 2],
    attributes: [Attributes; 2],
}

impl Bench {
    /// Both ends are ready to receive.
    fn new(seed: u64) -> Self {
        let mut pair = Pair::new([0, 1].map(|_| adapter(seed, "states")), seed, Faults::default());
        let attributes = Connection::unlike(&mut Stimulus::new(seed), LIDS, QPNS);
        let programs = [0, 1].map(|end: usize| {
            let ready = in_state(attributes[end], PairState::ReadyToReceive);
            Connection::new(&mut pair.hosts[end], LIDS[end], QPNS[end], ready)
        });
        let mut bench = Self { pair, programs, attributes };
        bench.run(260);
        bench
    }

    fn run(&mut self, us: u64) {
        self.pair.run_until(us * 1_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
        for (program, host) in self.programs.iter_mut().zip(&mut self.pair.hosts) {
            (0..40).for_each(|_| program.poll(host));
        }
    }

    fn start(&mut self, end: usize) {
        self.pair.hosts[end].start_sends(QPNS[end], self.attributes[end]);
        self.run(40);
    }

    fn change(&mut self, end: usize, state: PairState) {
        self.pair.hosts[end].change_pair(QPNS[end], in_state(self.attributes[end], state));
        self.run(40);
    }

    fn report(&mut self, end: usize) -> Report {
        self.pair.hosts[end].request_report(QPNS[end]);
        self.run(40);
        let words = self.pair.adapters[end].model().device().host_port.staging_low;
        Report::take(&[words as u64, (words >> 64) as u64], 0, Report::WIDTH)
    }

    fn send(&mut self, end: usize, bytes: &[u8]) {
        self.programs[end].send(&mut self.pair.hosts[end], bytes, None);
    }

    fn post(&mut self, end: usize) {
        self.programs[end].post(&mut self.pair.hosts[end]);
    }

    /// Flushed WQEs of the send queue and of the receive queue.
    fn flushed(&self, end: usize) -> [usize; 2] {
        let count = |receives: bool| {
            let errors = self.programs[end].errors.iter();
            errors
                .filter(|cqe| cqe.status == Status::Flushed.code())
                .filter(|cqe| (cqe.operation & RECEIVED != 0) == receives)
                .count()
        };
        [count(false), count(true)]
    }

    fn ends(&mut self) {
        for adapter in &mut self.pair.adapters {
            adapter.compare_memories().unwrap_or_else(|error| panic!("{error}"));
            adapter.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(self.pair.hosts.iter().all(|host| host.strays == 0));
    }
}

fn in_state(attributes: Attributes, state: PairState) -> Attributes {
    Attributes { state: state.code(), ..attributes }
}

#[test]
fn connection_goes_through_all_its_states() {
    for seed in testbench::seeds() {
        let mut bench = Bench::new(seed);
        // The second end only receives: it is never ready to send.
        (0..4).for_each(|_| bench.post(1));
        bench.start(0);
        bench.send(0, b"first");
        bench.send(1, b"too early");
        bench.run(40);
        assert_eq!(bench.programs[1].received.len(), 1, "seed {seed}");
        assert_eq!(bench.report(1).state, PairState::ReadyToReceive.code());
        bench.start(1);
        bench.post(0);
        bench.programs[1].sent = 0;
        bench.send(1, b"answer");
        bench.run(40);
        assert_eq!(bench.programs[0].received.len(), 1, "seed {seed}");
        // A drained queue sends nothing and still receives.
        bench.change(1, PairState::Drained);
        bench.send(1, b"kept back");
        bench.send(0, b"second");
        bench.run(40);
        assert_eq!((bench.programs[0].received.len(), bench.programs[1].received.len()), (1, 2));
        let report = bench.report(1);
        assert_eq!((report.state, report.outstanding), (PairState::Drained.code(), false));
        // The host ends the connection: both queues are flushed, also what is posted later.
        bench.change(1, PairState::Error);
        bench.post(1);
        bench.run(20);
        assert_eq!(bench.flushed(1), [1, 3], "seed {seed}");
        assert_eq!(bench.report(1).state, PairState::Error.code());
        // The peer has no answer any more; its own queues are flushed when its retries are spent.
        bench.post(0);
        bench.send(0, b"to no one");
        bench.send(0, b"flushed");
        bench.run(2_000);
        assert_eq!(bench.programs[0].errors[0].status, Status::RetryExceeded.code(), "seed {seed}");
        assert_eq!(bench.flushed(0), [1, 1], "seed {seed}");
        assert_eq!(bench.report(0).state, PairState::Error.code());
        bench.ends();
    }
}

#[test]
fn doorbell_beyond_its_ring_is_not_flushed() {
    for doorbell in [Doorbell::SendBell, Doorbell::ReceiveBell] {
        let mut bench = Bench::new(1);
        (0..2).for_each(|_| bench.post(1));
        bench.send(1, b"flushed");
        bench.pair.hosts[1].ring(doorbell, QPNS[1], 1_000, false);
        bench.change(1, PairState::Error);
        let report = bench.report(1);
        let sends = doorbell == Doorbell::SendBell;
        assert_eq!(bench.flushed(1), if sends { [0, 2] } else { [1, 0] });
        assert_eq!([report.sends_dead, report.receives_dead], [sends, !sends]);
        bench.ends();
    }
}

#[test]
fn command_that_does_not_exist_is_refused_in_every_state() {
    for state in 0..8 {
        let mut bench = Bench::new(1);
        bench.post(1);
        bench.start(0);
        bench.pair.hosts[1].change_pair(QPNS[1], Attributes { state, ..bench.attributes[1] });
        bench.run(40);
        let before = bench.pair.adapters[1].model().device().host_port.refused;
        for command in [0x600, 0x700] {
            let register = hca::registers::Register::Command;
            bench.pair.hosts[1].write_register(register, command | u32::from(QPNS[1]));
        }
        bench.run(80);
        assert_eq!(bench.pair.adapters[1].model().device().host_port.refused, before + 2);
        bench.send(0, b"received or not");
        bench.run(40);
        let received = bench.programs[1].received.len();
        assert_eq!(received, usize::from((2..=4).contains(&state)), "state {state}");
        bench.ends();
    }
}
