use cosim::Lockstep;
use hca::Hca;
use hca::contexts::Attributes;
use hca::traffic::connection::Connection;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hdl::Model;

use crate::board::adapter;

/// Two adapters in lockstep, with a program and a queue pair each, and a connection between them.
pub struct Ends {
    pub pair: Pair<Lockstep<Model<Hca>>>,
    pub programs: [Connection; 2],
}

impl Ends {
    /// Ends after set-up; `test` repeats the run, `attributes` changes those of each end.
    pub fn new(
        seed: u64,
        test: &str,
        faults: Faults,
        attributes: impl Fn(u8, Attributes) -> Attributes,
    ) -> Self {
        let mut pair = Pair::new([0, 1].map(|_| adapter(seed, test)), seed, faults);
        let programs = [(0, 1, 2, 2, 9), (1, 2, 9, 1, 2)].map(|(i, lid, qpn, peer_lid, peer)| {
            let attributes = attributes(i, Connection::attributes(peer_lid, peer));
            Connection::new(&mut pair.hosts[usize::from(i)], lid, qpn, attributes)
        });
        let mut ends = Self { pair, programs };
        ends.run(250);
        ends
    }

    /// Runs for a number of microseconds, then both programs poll.
    pub fn run(&mut self, us: u64) {
        self.pair.run_until(us * 1_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
        for (program, host) in self.programs.iter_mut().zip(&mut self.pair.hosts) {
            (0..8).for_each(|_| program.poll(host));
        }
    }

    /// The second adapter.
    pub fn device(&self) -> &Hca {
        self.pair.adapters[1].model().device()
    }

    /// Compares the memories, and looks whether an adapter has written where it may not.
    pub fn finish(&mut self) {
        for adapter in &mut self.pair.adapters {
            adapter.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(self.pair.hosts.iter().all(|host| host.strays == 0));
    }
}
