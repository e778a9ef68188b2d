//! Driver and library of the modelled adapter, as the simulator plays them for a program: rows, rings, host memory.

use cluster::Duration;
use hca::contexts::{Attributes, CQS, KEYS, Kind, QPS};
use hca::registers::Register;
use hca_machine::{Host, Port, verbs};

use super::Reply;
use super::completion_queue::CompletionQueue;
use super::errno::{EBUSY, EINVAL, ENOMEM};
use super::host_memory::{HostMemory, Region};
use super::queue_pair::QueuePair;
use crate::verbs::call::{Answer, Call};

/// Numbers of protection domains: 4 bits in a row, where 0 belongs to unused rows.
pub(super) const DOMAINS: usize = 16;

/// The adapter of a host, and the objects that its program has made.
pub(super) struct Adapter {
    port: Port,
    pub domains: [bool; DOMAINS],
    pub regions: [Option<Region>; KEYS],
    /// Variants of the keys of these rows: a key of an earlier region is not valid for a later one.
    pub variants: [u8; KEYS],
    pub completion_queues: [Option<CompletionQueue>; CQS],
    pub pairs: [Option<QueuePair>; QPS],
    pub memory: HostMemory,
    /// The present call found a completion queue empty.
    pub has_found_empty: bool,
    /// The previous call found a completion queue empty: the program may be in a polling loop.
    pub polls_again: bool,
    /// Time for which the simulation is ahead of the program; while it polls an empty queue.
    pub ahead: Duration,
    /// Counts of the first completions that were not there when the simulation went ahead.
    pub unseen_from: [Option<u16>; CQS],
}

impl Adapter {
    /// Loads the driver: it clears the rows of all queue pairs and enables the adapter.
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
            regions: Default::default(),
            variants: Default::default(),
            completion_queues: Default::default(),
            pairs: Default::default(),
            memory: HostMemory::default(),
            has_found_empty: false,
            polls_again: false,
            ahead: Duration::ZERO,
            unseen_from: [None; CQS],
        }
    }

    pub fn host(&self) -> &Host {
        self.port.host()
    }

    /// Carries out a call of the program.
    pub async fn carry_out(&mut self, call: Call) -> Reply {
        self.polls_again = std::mem::take(&mut self.has_found_empty);
        if !matches!(call, Call::PostSend { .. } | Call::PostReceive { .. } | Call::RequestNotification(_)) {
            self.forget_ahead();
        }
        match call {
            Call::Open => Ok(Answer::Lid(verbs::lid(self.port.verbs().node()))),
            Call::AllocateDomain => {
                let free = (1..DOMAINS).find(|domain| !self.domains[*domain]).ok_or(ENOMEM)?;
                self.domains[free] = true;
                Ok(Answer::Number(free as u32))
            }
            Call::DeallocateDomain(domain) => {
                self.check_domain(domain)?;
                let in_region = self.regions.iter().flatten().any(|region| region.domain == domain);
                if in_region || self.pairs.iter().flatten().any(|pair| pair.init.domain == domain) {
                    return Err(EBUSY);
                }
                self.domains[usize::from(domain)] = false;
                Ok(Answer::Done)
            }
            Call::RegisterMemory { domain, length, alignment, access } => {
                self.register_memory(domain, length, alignment, access).await
            }
            Call::DeregisterMemory(key) => self.deregister_memory(key).await,
            Call::CreateCompletionQueue(entries) => self.create_completion_queue(entries).await,
            Call::DestroyCompletionQueue(queue) => self.destroy_completion_queue(queue).await,
            Call::CreateQueuePair(init) => self.create_queue_pair(init),
            Call::ModifyQueuePair { pair, attributes } => self.modify_queue_pair(pair, attributes).await,
            Call::DestroyQueuePair(pair) => self.destroy_queue_pair(pair).await,
            Call::PostSend { pair, request } => self.post_send(pair, request).await,
            Call::PostReceive { pair, id, buffer } => self.post_receive(pair, id, buffer).await,
            Call::Poll { queue, most } => self.poll(queue, most).await,
            Call::RequestNotification(queue) => self.request_notification(queue),
            Call::WaitForEvent(queues) => self.wait_for_event(&queues).await,
            Call::WaitForSocket { .. } | Call::WaitForPeer { .. } | Call::Wait(_) | Call::Sleep(_) => Err(EINVAL),
        }
    }

    /// An error if the protection domain is not allocated.
    pub fn check_domain(&self, domain: u8) -> Result<(), i32> {
        let is_allocated = self.domains.get(usize::from(domain)).is_some_and(|allocated| *allocated);
        is_allocated.then_some(()).ok_or(EINVAL)
    }
}
