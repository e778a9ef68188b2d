//! A node: its part of all objects, locks and barriers over a datagram interface, without thread, socket or
//! clock.

mod calls;
mod mail;
mod messages;
mod patience;

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use crate::block::Block;
use crate::config::{Config, Stats};
use crate::datagram::Datagram;
use crate::error::Error;
use crate::protocol::object::{Home, Replica};
use crate::protocol::{barrier, lock};
use crate::watch::Watch;
use crate::wire::Data;
use mail::Mail;

/// Number of locks of a run.
pub const LOCKS: usize = 64;

struct Object {
    name: String,
    bytes: usize,
    replica: Replica<Data>,
    home: Option<Home>,
}

/// Pending call of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Acquires a read guard of an object.
    Read(u32),
    /// Acquires a write guard of an object.
    Write(u32),
    /// Acquires a lock.
    Lock(u32),
    /// Reaches a barrier, with a digest of the node's declarations.
    Barrier(u64),
    /// Waits until a time.
    Until(Duration),
}

struct Waiting {
    call: Call,
    since: Duration,
    reported: Duration,
    /// The future of the call was dropped.
    dropped: bool,
}

/// State of a node. Its user calls [`serve`](Node::serve) when packets have arrived and at the time of
/// [`wakes`](Node::wakes).
pub struct Node {
    me: u16,
    nodes: usize,
    config: Config,
    now: Duration,
    mail: Mail,
    objects: Vec<Object>,
    locks: Vec<(lock::Holder, Option<lock::Home>)>,
    arrival: barrier::Arrival,
    meeting: barrier::Home,
    watch: Watch,
    calls: u64,
    waiting: Option<Waiting>,
    result: Option<(Call, Result<(), Error>)>,
    waker: Option<Waker>,
    failed: Option<Error>,
    stats: Stats,
}

impl Node {
    /// State before the first call, without objects.
    pub fn new(me: u16, nodes: usize, config: Config) -> Node {
        let home = |number: usize| (number % nodes == usize::from(me)).then(|| lock::Home::new(nodes));
        Node {
            me,
            nodes,
            now: Duration::ZERO,
            mail: Mail::new(me, nodes, &config),
            config,
            objects: Vec::new(),
            locks: (0..LOCKS).map(|number| (lock::Holder::default(), home(number))).collect(),
            arrival: barrier::Arrival::default(),
            meeting: barrier::Home::new(nodes),
            watch: Watch::default(),
            calls: 0,
            waiting: None,
            result: None,
            waker: None,
            failed: None,
            stats: Stats::default(),
        }
    }

    /// 0 to `nodes() - 1`.
    pub fn me(&self) -> u16 {
        self.me
    }

    /// Number of nodes in the run.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Time of the last [`serve`](Node::serve).
    pub fn now(&self) -> Duration {
        self.now
    }

    /// Time of an operation of the program in ps.
    pub fn operation_ps(&self) -> u64 {
        self.config.operation_ps
    }

    /// Counters of this node.
    pub fn stats(&self) -> Stats {
        Stats { comm: self.mail.counts(), ..self.stats }
    }

    /// Whether all packets sent have been acknowledged.
    pub fn is_quiet(&self) -> bool {
        self.mail.is_quiet()
    }

    /// Error that stopped the node.
    pub fn failed(&self) -> Option<&Error> {
        self.failed.as_ref()
    }

    /// Declares an object of `bytes` zeros. Its home is its first owner.
    pub fn declare(&mut self, name: String, bytes: usize, home: u16) -> u32 {
        let data = Data(Arc::new(if home == self.me { Block::zeros(bytes) } else { Block::default() }));
        let replica = Replica::new(self.me, home, data);
        let home = (home == self.me).then(|| Home::new(home, self.nodes));
        self.objects.push(Object { name, bytes, replica, home });
        self.objects.len() as u32 - 1
    }

    /// Processes received packets and sends all packets due.
    pub fn serve(&mut self, now: Duration, datagram: &mut impl Datagram) {
        self.now = self.now.max(now);
        while let Some((from, packet)) = datagram.receive_from() {
            self.stats.packets_received += 1;
            if usize::from(from) >= self.nodes {
                self.stats.malformed += 1;
                continue;
            }
            match self.mail.hear(self.now, from, packet) {
                Ok(messages) => messages.iter().for_each(|message| self.decode(from, message)),
                Err(_) => self.stats.malformed += 1,
            }
        }
        self.tick();
        self.flush(datagram);
    }

    /// Sends all packets due.
    pub fn flush(&mut self, datagram: &mut impl Datagram) {
        while let Some((to, packet)) = self.mail.next(self.now) {
            self.stats.packets_sent += 1;
            datagram.send_to(to, &packet);
        }
    }

    /// Next time at which the node must be served without a packet.
    pub fn wakes(&self) -> Option<Duration> {
        let call = self.waiting.as_ref().map(|waiting| match waiting.call {
            Call::Until(time) => time,
            _ => waiting.reported + self.config.patience,
        });
        let mail = self.mail.wakes().filter(|_| self.failed.is_none() || !self.mail.is_quiet());
        call.into_iter().chain(mail).min()
    }

    /// End of the program's computation, if it computes.
    pub fn computes(&self) -> Option<Duration> {
        match self.waiting.as_ref()?.call {
            Call::Until(time) => Some(time),
            _ => None,
        }
    }

    /// Delays a computing program: the library or network has used the processor for `time`.
    pub fn delay(&mut self, time: Duration) {
        if let Some(Waiting { call: Call::Until(until), .. }) = &mut self.waiting {
            *until += time;
        }
    }

    fn others(&self) -> impl Iterator<Item = u16> + use<> {
        let me = self.me;
        (0..self.nodes as u16).filter(move |other| *other != me)
    }

    fn home_of_lock(&self, number: u32) -> u16 {
        (number as usize % self.nodes) as u16
    }

    /// Name from the declaration.
    pub fn name(&self, number: u32) -> &str {
        &self.objects[number as usize].name
    }
}
