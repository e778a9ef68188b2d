//! A node over verbs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use real_verbs::{Choice, Peer, Receiver, Sender};

use super::super::member::{Member, NAP};
use super::super::udp::{Peers, Seat};
use super::exchange::{self, Card, Exchange};
use crate::config::{Config, Delivery};
use crate::datagram::Datagram;
use crate::dsm::Dsm;
use crate::error::Error;
use crate::handle::Handle;
use crate::node::Node;

/// Receive buffers for each peer: `comm` has four pieces in flight, of up to 17 packets on a path with a
/// small MTU, and retransmits some.
const RECEIVES: usize = 128;
/// Largest number of packets in the send queue.
const SENDS: u32 = 512;

fn system(error: impl std::fmt::Display) -> Error {
    Error::System(error.to_string())
}

/// Send queue during a call, and a received packet.
struct Wire<'a> {
    sender: MutexGuard<'a, Sender>,
    come: Option<(u16, Vec<u8>)>,
    failed: Option<Error>,
}

impl Datagram for Wire<'_> {
    fn send_to(&mut self, to: u16, packet: &[u8]) {
        let start = Instant::now();
        loop {
            match self.sender.send(to.into(), packet) {
                // The send queue is full. A packet that finds no room within a nap counts as lost and is
                // retransmitted.
                Ok(false) if start.elapsed() < NAP => std::thread::yield_now(),
                Ok(_) => break,
                Err(error) => return self.failed = Some(system(error)),
            }
        }
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        self.come.take()
    }
}

/// Processes a received packet and sends all packets due; fails the node if the adapter fails.
fn turn(node: &mut Node, sender: &Mutex<Sender>, start: Instant, come: Option<(u16, Vec<u8>)>) {
    let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
    let mut wire = Wire { sender, come, failed: None };
    node.serve(start.elapsed(), &mut wire);
    if let Some(error) = wire.failed {
        node.fail(error);
    }
}

/// Joins a run as a node. The port is the one with the address of the seat. Peers are awaited until they
/// count as dead.
pub fn member(seat: Seat, peers: Peers, config: Config) -> Result<Member, Error> {
    let (me, nodes) = peers.seated()?;
    let ports = real_verbs::ports().map_err(system)?;
    let at = real_verbs::choose(&ports, seat.address()?.ip()).map_err(system)?;
    let key = exchange::q_key(peers.key);
    let pair = real_verbs::open(&at, key, (RECEIVES * nodes) as u32, SENDS).map_err(system)?;
    let mut exchange = Exchange::new(seat, peers, card(&at, pair.number()))?;
    let cards = exchange.meet(config.timers.dead)?;
    let others: Vec<_> = cards.iter().map(peer).collect();
    let (sender, receiver) = pair.reach(&others).map_err(system)?;

    let packet = exchange::packet(&cards)?;
    let delivery = match config.delivery {
        Delivery::Datagrams(bytes) => Delivery::Datagrams(bytes.min(packet)),
        Delivery::Messages => Delivery::Datagrams(packet),
    };
    let start = Instant::now();
    let node = Node::new(me, nodes, Config { delivery, ..config });
    let sender = Arc::new(Mutex::new(sender));
    let sends = sender.clone();
    let handle = Handle::new(node, Box::new(move |node| turn(node, &sends, start, None)));
    let served = Served { exchange, receiver, sender, others };
    Ok(Member::start(handle, config.timers, move |handle, ends, strangers| {
        served.serve(handle, ends, strangers, start);
    }))
}

fn card(at: &Choice, pair: u32) -> Card {
    Card { pair, lid: at.port.lid, mtu: at.port.mtu as u16, gid: at.gid.bytes }
}

fn peer(card: &Card) -> Peer {
    Peer { lid: card.lid, gid: card.gid, pair: card.pair }
}

/// State of the node's thread.
struct Served {
    exchange: Exchange,
    receiver: Receiver,
    sender: Arc<Mutex<Sender>>,
    others: Vec<Peer>,
}

impl Served {
    fn serve(mut self, handle: &Handle, ends: &AtomicBool, strangers: &AtomicU64, start: Instant) {
        let mut unknown = 0;
        while !ends.load(Ordering::Relaxed) {
            // A peer that has lost the last answer may still ask.
            self.exchange.answer();
            let come = match self.receiver.receive(NAP) {
                Ok(Some(arrived)) => {
                    let from = self.others.iter().position(|peer| peer.sent(&arrived));
                    unknown += u64::from(from.is_none());
                    from.map(|from| (from as u16, arrived.packet))
                }
                // A timeout only lets the timers run.
                Ok(None) => None,
                Err(error) => return handle.node().fail(system(error)),
            };
            strangers.store(unknown + self.exchange.strangers(), Ordering::Relaxed);
            turn(&mut handle.node(), &self.sender, start, come);
        }
    }
}

/// Joins a run, runs the program of the node, and leaves when all programs have ended.
pub fn join<R>(
    seat: Seat,
    peers: Peers,
    config: Config,
    program: impl AsyncFnOnce(Dsm) -> Result<R, Error>,
) -> Result<R, Error> {
    member(seat, peers, config)?.run(program)
}
