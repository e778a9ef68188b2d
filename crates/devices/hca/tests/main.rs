//! Adapters, hosts and cables.

/// One adapter, whose peer is the test.
mod alone;
/// Queue pairs made again, and ends that differ in every attribute.
mod anew;
/// Atomic operations, valid, invalid and repeated.
mod atomics;
/// Messages of connections arrive once and in order, or end with an error at the sender.
mod connections;
/// Datagrams arrive intact, or not at all.
mod datagrams;
/// Packets one bit away from a valid one.
mod forged;
/// Packets and requests of arbitrary content.
mod fuzz;
/// Several outstanding requests of a connection.
mod outstanding;
/// RDMA WRITE and READ.
mod rdma;
/// Several RDMA READs of a connection.
mod reads;
/// Retries, time-outs and answers at every edge.
mod requester;
/// Answers to packets in any order.
mod responder;
/// Shared receive queues.
mod shared;
/// Edges that are left out while an adapter is quiescent.
mod skipping;
/// States of a queue pair: what they send, receive and flush.
mod states;
/// The steady stream of the benches.
mod streams;
/// Unreliable connections.
mod unreliable;

use hca::Hca;
use hca::contexts::Attributes;
use hca::traffic::connection::Connection;
use hca::traffic::datagrams::Datagrams;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hdl::Model;

/// QPN of the program on the second host.
const PEER: u8 = 9;

/// Two models with a program each, after set-up.
fn adapters(seed: u64, faults: Faults) -> (Pair<Model<Hca>>, [Datagrams; 2]) {
    adapters_with(seed, faults, |attributes| attributes)
}

/// As `adapters`, with other attributes.
fn adapters_with(
    seed: u64,
    faults: Faults,
    attributes: impl Fn(Attributes) -> Attributes,
) -> (Pair<Model<Hca>>, [Datagrams; 2]) {
    let mut pair = Pair::new([0, 1].map(|_| Model::new(Hca::default())), seed, faults);
    let programs = [(0, 1, 2), (1, 2, PEER)].map(|(i, lid, qpn)| {
        Datagrams::with(&mut pair.hosts[i], lid, qpn, attributes(Datagrams::attributes()))
    });
    run(&mut pair, 200);
    (pair, programs)
}

/// Two models with a program each, and a connection between them.
struct Ends {
    pair: Pair<Model<Hca>>,
    programs: [Connection; 2],
}

impl Ends {
    fn new(seed: u64, faults: Faults, attributes: impl Fn(Attributes) -> Attributes) -> Self {
        Self::of(Hca::default(), seed, faults, attributes)
    }

    /// Two copies of an adapter.
    fn of(adapter: Hca, seed: u64, faults: Faults, attributes: impl Fn(Attributes) -> Attributes) -> Self {
        let mut pair = Pair::new([0, 1].map(|_| Model::new(adapter.clone())), seed, faults);
        let programs = [(0, 1, 2, 2, PEER), (1, 2, PEER, 1, 2)].map(|(i, lid, qpn, peer_lid, peer)| {
            let attributes = attributes(Connection::attributes(peer_lid, peer.into()));
            Connection::new(&mut pair.hosts[i], lid, qpn, attributes)
        });
        run(&mut pair, 250);
        Self { pair, programs }
    }

    /// Runs for a number of microseconds, then both programs poll.
    fn run(&mut self, us: u64) {
        run(&mut self.pair, us);
        for (program, host) in self.programs.iter_mut().zip(&mut self.pair.hosts) {
            (0..8).for_each(|_| program.poll(host));
        }
    }
}

/// Runs for a number of microseconds.
fn run(pair: &mut Pair<Model<Hca>>, us: u64) {
    pair.run_until(us * 1_000_000, |_| false).expect("a model never fails");
}

/// Bytes that differ from message to message.
fn message(i: usize, size: usize) -> Vec<u8> {
    (0..size).map(|b| (b * 7 + i * 13) as u8).collect()
}
