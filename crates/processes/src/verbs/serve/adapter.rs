//! What the simulator keeps of a guest's use of its adapter: rows, rings, areas of host memory. It plays driver and library, as those of real adapters do.

use hca::contexts::{Attributes, CQS, KEYS, Kind, QPS};
use hca::registers::Register;
use hca_machine::{Host, Port, verbs};

use super::Reply;
use super::areas::{Area, Areas};
use super::completions::Queue;
use super::pairs::Pair;
use crate::verbs::call::{Answer, Call};

/// Protection domains: the adapter tells 16 apart, of which 0 belongs to rows that are not there.
pub(super) const DOMAINS: usize = 16;

/// There is no room (`ENOMEM` of Linux).
pub(super) const NO_ROOM: i32 = 12;
/// Something else uses it (`EBUSY`).
pub(super) const BUSY: i32 = 16;
/// An argument is wrong (`EINVAL`).
pub(super) const INVALID: i32 = 22;
/// The adapter cannot do that (`EOPNOTSUPP`).
pub(super) const UNSUPPORTED: i32 = 95;

/// The adapter of a guest.
pub(super) struct Adapter {
    port: Port,
    pub domains: [bool; DOMAINS],
    /// Row by row.
    pub areas: [Option<Area>; KEYS],
    /// Variants of the keys of these rows, so that an old key is not a new one's.
    pub variants: [u8; KEYS],
    pub queues: [Option<Queue>; CQS],
    pub pairs: [Option<Pair>; QPS],
    pub memory: Areas,
    /// The queue at which the guest looked last, and found nothing.
    pub looked: Option<u8>,
}

impl Adapter {
    /// The driver is loaded: no queue pair is there, and the adapter works.
    pub async fn load(port: Port) -> Self {
        let host = port.host();
        host.write_register(Register::Lid, verbs::lid(port.verbs().node()).into()).await;
        for row in 0..QPS as u8 {
            host.write_row(Kind::Pair, row, Attributes::default()).await;
        }
        host.write_register(Register::Control, 1).await;
        host.read_register(Register::Control).await;
        Adapter {
            port,
            domains: Default::default(),
            areas: Default::default(),
            variants: Default::default(),
            queues: Default::default(),
            pairs: Default::default(),
            memory: Areas::default(),
            looked: None,
        }
    }

    /// Processor, memory, registers.
    pub fn host(&self) -> &Host {
        self.port.host()
    }

    /// Does what a guest asks for.
    pub async fn carry_out(&mut self, call: Call) -> Reply {
        let looked = self.looked.take();
        match call {
            Call::Open => Ok(Answer::Opened(verbs::lid(self.port.verbs().node()))),
            Call::MakeDomain => {
                let free = (1..DOMAINS).find(|domain| !self.domains[*domain]).ok_or(NO_ROOM)?;
                self.domains[free] = true;
                Ok(Answer::Number(free as u32))
            }
            Call::EndDomain(domain) => {
                self.domain(domain)?;
                let area = self.areas.iter().flatten().any(|area| area.domain == domain);
                if area || self.pairs.iter().flatten().any(|pair| pair.wanted.domain == domain) {
                    return Err(BUSY);
                }
                self.domains[usize::from(domain)] = false;
                Ok(Answer::Done)
            }
            Call::Register { domain, length, alignment, access } => {
                self.register(domain, length, alignment, access).await
            }
            Call::Deregister(key) => self.deregister(key).await,
            Call::MakeQueue(entries) => self.make_queue(entries).await,
            Call::EndQueue(queue) => self.end_queue(queue).await,
            Call::MakePair(wanted) => self.make_pair(wanted),
            Call::Modify { pair, change } => self.modify(pair, change).await,
            Call::EndPair(pair) => self.end_pair(pair).await,
            Call::Send { pair, request } => self.send(pair, request).await,
            Call::Receive { pair, id, place } => self.receive(pair, id, place).await,
            Call::Poll { queue, most } => self.poll(queue, most, looked == Some(queue)).await,
            Call::Arm(queue) => self.arm(queue),
            Call::Event(queues) => self.event(&queues).await,
            Call::Waits { .. } | Call::Meets | Call::Sleep(_) => Err(INVALID),
        }
    }

    /// An error if there is no such protection domain.
    pub fn domain(&self, domain: u8) -> Result<(), i32> {
        let there = self.domains.get(usize::from(domain)).is_some_and(|there| *there);
        there.then_some(()).ok_or(INVALID)
    }
}
