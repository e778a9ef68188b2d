//! Random but meaningful traffic for one adapter: programs that send, receive and misuse it, and another
//! adapter at the end of a faulty cable.
//!
//! Traffic comes in spells. At the end of each both adapters are disabled, memory is cleared, and other
//! programs set up everything anew.

use hdl::{Edges, Model, Nic, Stimulus};

use super::connection::{Connection, WINDOW, WINDOW_KEY};
use super::datagrams::{self, AREA, COMPLETION_QUEUE, Datagrams, KEY, RECEIVE_RING, SEND_RING};
use super::host::Host;
use super::monitor::{Monitor, Violation};
use super::wire::{Faults, Wire};
use crate::contexts::{Attributes, Key, Limit, PairState, SharedQueue};
use crate::layout::SendWqe;
use crate::layout::{ATOMIC_BYTES, MULTICAST_LIDS, MULTICAST_PAIR, Operation};
use crate::pins::{HostIn, In, Out};
use crate::registers::{Doorbell, Register};
use crate::{Hca, clocks};

/// Cycles of a spell, including the idle ones at its end.
const SPELL: u64 = 160_000;
/// Idle cycles at the end of a spell, in which the queue pairs are reset and work drains.
const END: u64 = 12_000;
/// Cycles at the end of a spell in which the adapters are disabled.
const OFF: u64 = 2_500;
/// Cycles in which programs set up their adapters.
const START: u64 = 25_000;
/// Cycles between two decisions of a program.
const DECISION: u64 = 300;
/// Queue pair of each program.
const PAIRS: [u8; 2] = [2, 41];

/// Another queue pair of each program for datagrams.
const OTHERS: [u8; 2] = [255, 81];
/// Multicast group of the programs for datagrams.
const GROUP: u8 = 11;

/// Binary logarithm of the places of a long send ring.
const LONG_RING: u8 = 5;
/// Requests that a program has posted at most.
const MANY: u16 = 20;

/// Kind of a program.
#[derive(Clone, Debug)]
enum Program {
    /// Unreliable datagrams.
    Datagrams(Datagrams),
    /// A connection, reliable or not.
    Connection(Connection),
}

impl Program {
    /// Attributes of the queue pair of a program.
    fn attributes(&self) -> Attributes {
        match self {
            Self::Datagrams(program) => program.attributes,
            Self::Connection(program) => program.attributes,
        }
    }
}

/// Random pins for an adapter.
#[derive(Clone, Debug)]
pub struct Traffic {
    random: Stimulus,
    hosts: [Host; 2],
    programs: Vec<Program>,
    wires: [Wire; 2],
    partner: Model<Hca>,
    pins: In,
    cycle: u64,
    monitor: Option<Monitor>,
    violation: Option<Violation>,
}

impl Traffic {
    /// Traffic drawn from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Stimulus::new(seed),
            hosts: [0, 1].map(|node| Host::new(seed ^ 0x5eed << node)),
            programs: Vec::new(),
            wires: [2, 3].map(|wire| Wire::new(seed ^ 0x5eed << wire, Faults::default())),
            partner: Model::new(Hca::default()),
            pins: In::default(),
            cycle: 0,
            monitor: None,
            violation: None,
        }
    }

    /// Traffic drawn from `seed`, with a monitor on the wire. It costs time, so not every run has one.
    pub fn watched(seed: u64) -> Self {
        // Programs rewrite WQEs of outstanding requests, and buses pause.
        let mut monitor = Monitor::default();
        (monitor.rewritten, monitor.pace) = (true, 3);
        Self { monitor: Some(monitor), ..Self::new(seed) }
    }

    /// The first packet of the monitored traffic that broke a rule.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// Pins for the next edge; `out` are the present outputs of the adapter.
    pub fn pins(&mut self, _edges: Edges, out: &Out) -> &In {
        match self.cycle % SPELL {
            0 => self.begin(),
            // Then the packets that are under way find no queue pair, and no CQE is written in the next spell.
            at if at == SPELL - END => {
                for (node, host) in self.hosts.iter_mut().enumerate() {
                    host.quit(PAIRS[node]);
                    host.set_pair(OTHERS[node], Attributes::default());
                }
            }
            at if at == SPELL - OFF => {
                self.hosts.iter_mut().for_each(|host| host.write_register(Register::Control, 0));
            }
            at if at < SPELL - END && at.is_multiple_of(DECISION) => {
                self.decide(0, at);
                self.decide(1, at);
            }
            _ => (),
        }
        self.cycle += 1;

        let outs = [*out, *self.partner.outputs()];
        let ready = [0, 1].map(|i: usize| self.wires[i].ready());
        let mut pins = [In::default(); 2];
        for i in [0, 1] {
            (pins[i].host, pins[i].bus) = self.hosts[i].pins(&outs[i]);
            pins[i].link = self.wires[1 - i].carry(&outs[1 - i].link, ready[1 - i], &outs[i].link);
            pins[i].link.transmit_ready = ready[i];
        }
        if let (Some(monitor), None) = (&mut self.monitor, &self.violation) {
            self.violation = monitor.watch(self.cycle * clocks::CLOCKS[0].period_ps, &pins, &outs).err();
        }
        self.partner.edge(clocks::CORE, &pins[1]).expect("a model does not fail");
        self.pins = pins[0];
        &self.pins
    }

    /// Begins a spell with other programs and another cable.
    fn begin(&mut self) {
        let random = &mut self.random;
        let faults = match random.below(4) {
            0 => Faults::default(),
            1 => Faults { lost: 40, damaged: 60, cut: 80 },
            _ => Faults { lost: 12, damaged: 16, cut: 20 },
        };
        for (host, wire) in self.hosts.iter_mut().zip(&mut self.wires) {
            host.memory.fill(0);
            host.stalls = 1 + random.below(3);
            wire.stalls = 1 + random.below(3);
            wire.set_faults(faults);
        }
        let connected = random.below(4) != 0;
        let unreliable = random.one_in(3);
        let mtu = 1 + random.below(4) as u8;
        let rnr_retries = if random.one_in(4) { 1 } else { 7 };
        // Rings of 8 places, or of 32 for as many outstanding requests as there may be.
        let send_log = if random.one_in(2) { SEND_RING.1 } else { LONG_RING };
        let reads = [0, 1, 3, 16][random.below(4) as usize];
        // Each end has a shared receive queue of its own, or none.
        let shared = [0, 1].map(|_| (random.one_in(2), random.below(4) as u8));
        self.programs = [0, 1]
            .map(|i: usize| {
                let (host, lid, peer_lid) = (&mut self.hosts[i], i as u16 + 1, 2 - i as u16);
                if connected {
                    let mut attributes = Connection::attributes(peer_lid, PAIRS[1 - i].into());
                    (attributes.mtu, attributes.rnr_retries, attributes.timeout) = (mtu, rnr_retries, 2);
                    (attributes.unreliable, attributes.send_log) = (unreliable, send_log);
                    (attributes.shared, attributes.shared_queue) = shared[i];
                    attributes.reads = reads;
                    let mut program = if random.one_in(2) {
                        Connection::new(host, lid, PAIRS[i], attributes)
                    } else {
                        let state = PairState::ReadyToReceive.code();
                        let program =
                            Connection::new(host, lid, PAIRS[i], Attributes { state, ..attributes });
                        host.start_sends(PAIRS[i], attributes);
                        program
                    };
                    program.attributes = attributes;
                    Program::Connection(program)
                } else {
                    let (shared, shared_queue) = shared[i];
                    let attributes = Attributes { shared, shared_queue, ..Datagrams::attributes() };
                    let program = Datagrams::with(host, lid, PAIRS[i], attributes);
                    // A second queue pair takes buffers if it shares them. Others of the group are not set up.
                    host.set_pair(OTHERS[i], attributes);
                    let most = if random.one_in(4) { 64 } else { 4 };
                    let others = (0..random.below(most)).map(|_| random.below(256) as u8);
                    let members = [PAIRS[i], OTHERS[i]].into_iter().chain(others).collect();
                    host.set_group(GROUP, &members);
                    Program::Datagrams(program)
                }
            })
            .into();
    }

    /// Lets a program act; misuse comes late in a spell, because it breaks the connection.
    fn decide(&mut self, node: usize, at: u64) {
        let (host, random) = (&mut self.hosts[node], &mut self.random);
        self.wires[node].sent.clear();
        match &mut self.programs[node] {
            Program::Datagrams(program) => {
                (0..4).for_each(|_| program.poll(host));
                program.received.clear();
                program.errors.clear();
                if at > START && program.waiting() < 6 {
                    let bytes = data(random);
                    let immediate = random.one_in(2).then(|| random.word() as u32);
                    let (lid, peer) = match random.below(20) {
                        0 => (2 - node as u16, Attributes::WIDTHS.peer.wrap(random.word() as u32)),
                        // The group of the peer, one of no queue pair, or a wrong destination in the group.
                        1..5 => (MULTICAST_LIDS | u16::from(GROUP), MULTICAST_PAIR),
                        5 => (MULTICAST_LIDS | random.below(16) as u16, MULTICAST_PAIR),
                        6 => (MULTICAST_LIDS | u16::from(GROUP), PAIRS[1 - node].into()),
                        _ => (2 - node as u16, PAIRS[1 - node].into()),
                    };
                    program.send(host, lid, peer, &bytes, immediate);
                }
            }
            Program::Connection(program) => {
                (0..4).for_each(|_| program.poll(host));
                // The receiver posts its buffers late at times.
                let room = usize::from(program.posted) < program.received.len() + 3;
                if room && program.errors.is_empty() && !random.one_in(8) {
                    program.post(host);
                }
                if at > START {
                    // At times many requests at once, but fewer than the completion queue has room for.
                    let many = random.one_in(8);
                    let reads = random.one_in(2);
                    let most = if many { MANY.min(1 << program.attributes.send_log) } else { 4 };
                    while program.waiting() < most {
                        request(program, host, random, (at, many, reads));
                        if !many {
                            break;
                        }
                    }
                }
                program.read.clear();
                program.errors.truncate(1);
            }
        }
        if at == SPELL * 3 / 4 && random.one_in(2) {
            // A packet finds it while there is still much traffic.
            self.ring_badly(node);
        } else if at > SPELL * 3 / 4 && random.one_in(20) {
            self.misuse(node);
        } else if at > START && self.random.one_in(40) {
            self.annoy(node);
        }
    }

    /// Misuse that only counts, and leaves queues intact.
    fn annoy(&mut self, node: usize) {
        let (host, random) = (&mut self.hosts[node], &mut self.random);
        let attributes = self.programs[node].attributes();
        match random.below(7) {
            0 => {
                let address = random.below(0x4000) as u16;
                // Any register but the doorbells in use, commands and `Control`.
                let user = address < 0x1000;
                host.access(HostIn { address, user, ..HostIn::default() });
            }
            1 => host.write_register(Register::InterruptCause, 0x1ff),
            2 => host.write_register(Register::InterruptEnable, random.word() as u32 & 0x1ff),
            3 => host.request_report(PAIRS[node]),
            5 => {
                let limit = Limit { least: random.below(6) as u16, armed: !random.one_in(4) };
                host.set_limit(attributes.shared_queue, limit);
            }
            4 => {
                host.change_pair(PAIRS[node], Attributes { state: PairState::Drained.code(), ..attributes });
                host.change_pair(PAIRS[node], attributes);
            }
            _ => {
                let mut words: Vec<u64> = (0..1 + random.below(300)).map(|_| random.word()).collect();
                words[0] = words[0] & !0x7_ffff_ffff | 0x200_0200;
                self.wires[node].inject(&words);
            }
        }
    }

    /// Rings the doorbell of the receive queue with any count.
    fn ring_badly(&mut self, node: usize) {
        let (count, attributes) = (self.random.word() as u16, self.programs[node].attributes());
        datagrams::ring_receive(&mut self.hosts[node], PAIRS[node], &attributes, count);
    }

    /// Misuse that kills a queue or breaks a connection.
    fn misuse(&mut self, node: usize) {
        let (host, random) = (&mut self.hosts[node], &mut self.random);
        let (pair, attributes) = (PAIRS[node], self.programs[node].attributes());
        let count = random.word() as u16;
        match random.below(11) {
            8 => host.change_pair(pair, Attributes { state: PairState::Error.code(), ..attributes }),
            9 => host.ring(Doorbell::SharedBell, attributes.shared_queue, count, false),
            10 => {
                let row = SharedQueue {
                    log: random.below(5) as u8,
                    base: RECEIVE_RING.0,
                    ..SharedQueue::default()
                };
                host.set_shared(attributes.shared_queue, row);
            }
            0 => host.ring(Doorbell::SendBell, pair, count, false),
            1 => self.ring_badly(node),
            2 => host.ring(Doorbell::CompletionBell, COMPLETION_QUEUE, count, random.one_in(2)),
            3 => {
                host.put_receive(RECEIVE_RING.0, RECEIVE_RING.1, count, AREA.0, random.below(512) as u32, KEY)
            }
            4 => {
                host.put_receive(RECEIVE_RING.0, RECEIVE_RING.1, count, AREA.0, 0x3000, random.word() as u32)
            }
            // The peer loses its access.
            5 | 6 => host.set_key(WINDOW_KEY, Key::default()),
            _ => {
                let wqe = any_request(random);
                host.put_send(SEND_RING.0, SEND_RING.1, count, &wqe);
            }
        }
    }
}

/// A program posts a request; `many` are of kinds that may be outstanding together, RDMA READs or others.
fn request(
    program: &mut Connection,
    host: &mut Host,
    random: &mut Stimulus,
    (at, many, reads): (u64, bool, bool),
) {
    let bytes = data(random);
    let immediate = random.one_in(2).then(|| random.word() as u32);
    program.silent = program.sent % 4 != 3 && random.one_in(4);
    let remote = WINDOW.0 + random.below((WINDOW.1 - 8_000).into()) as u32;
    // READs and atomic operations break an unreliable connection.
    let reliable = !program.attributes.unreliable || at > SPELL * 3 / 4;
    let kind = match (reliable, many) {
        (true, true) if reads => 5,
        (true, false) => random.below(6),
        _ => random.below(3),
    };
    match kind {
        0 | 1 => program.send(host, &bytes, immediate),
        2 => program.write(host, &bytes, remote, immediate),
        // Values repeat, so some compare equal.
        3 => program.compare_swap(host, random.below(2), random.below(2), remote & !7),
        4 => program.fetch_add(host, random.word(), remote & !7),
        _ if many && random.one_in(4) => program.read(host, 0, remote),
        _ => program.read(host, random.below(8_000) as u32, remote),
    }
}

/// Bytes of a message: mostly few, at times several packets.
fn data(random: &mut Stimulus) -> Vec<u8> {
    let most = if random.one_in(8) { 2_048 } else { 300 };
    (0..random.below(most)).map(|_| random.word() as u8).collect()
}

/// A request with random faults.
fn any_request(random: &mut Stimulus) -> SendWqe {
    use Operation::{CompareSwap, FetchAdd, RdmaRead, RdmaWrite, Send, SendImmediate};
    let operations = [Send, SendImmediate, RdmaWrite, RdmaRead, CompareSwap, FetchAdd].map(Operation::code);
    SendWqe {
        operation: if random.one_in(4) { random.word() as u8 } else { operations[random.below(6) as usize] },
        signalled: random.one_in(2),
        address: if random.one_in(2) { AREA.0 } else { random.word() as u32 },
        length: match random.below(4) {
            0 => random.word() as u32,
            1 => ATOMIC_BYTES,
            _ => random.below(5_000) as u32,
        },
        l_key: if random.one_in(2) { KEY } else { random.word() as u32 },
        r_key: if random.one_in(2) { WINDOW_KEY } else { random.word() as u32 },
        remote: if random.one_in(2) { WINDOW.0.into() } else { random.word() },
        swap: random.word(),
        compare: random.word(),
        ..SendWqe::default()
    }
}
