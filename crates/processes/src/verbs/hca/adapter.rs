//! Driver and library of the modelled adapter, as the simulator plays them for a program: rows, rings, host memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use cluster::Duration;
use hca::contexts::{Attributes, GROUP_ROWS, KEYS, Kind, PAIRS, QPS, SHARED_QUEUES};
use hca::registers::{Register, cause};
use hca_machine::{Host, Port, verbs};

use super::Reply;
use super::completion_queue::CompletionQueue;
use super::directory::Directory;
use super::errno::{EBUSY, EINVAL, ENOMEM};
use super::guest::FindPages;
use super::host_memory::{BOUNCE, HostMemory, RINGS, WINDOWS};
use super::management_pair::Management;
use super::memory_window::MemoryWindow;
use super::queue_pair::{FIRST_PAIR, QueuePair};
use super::region::Region;
use super::shared_queue::SharedQueue;
use crate::verbs::call::{Answer, AsyncEvent, Attachment, Call, MemoryAddress};

/// Interrupt causes that the driver handles.
pub(super) const CAUSES: u16 = cause::QUEUE_PAIR | cause::OVERFLOW | LIMITS;
/// Those of the limits of shared receive queues.
pub(super) const LIMITS: u16 = ((1 << SHARED_QUEUES) - 1) * cause::LIMIT;

/// Numbers of protection domains: 4 bits in a row, where 0 belongs to unused rows.
pub(super) const DOMAINS: usize = 16;

/// The adapter of a host, and the objects that its program has made.
pub(super) struct Adapter {
    port: Port,
    pub directory: Rc<Directory>,
    pub find_pages: FindPages,
    pub domains: [bool; DOMAINS],
    /// Regions, by the rows of their keys.
    pub regions: BTreeMap<u16, Region>,
    /// Memory windows, by the rows of their keys.
    pub memory_windows: BTreeMap<u16, MemoryWindow>,
    /// Variants of the keys of these rows: a key of an earlier region is not valid for a later one.
    pub variants: Vec<u8>,
    /// Rows of the keys for the driver's own buffers, by protection domain.
    pub bounce_keys: [Option<u16>; DOMAINS],
    /// Completion queues, up to the highest number that was in use.
    pub completion_queues: Vec<Option<CompletionQueue>>,
    pub pairs: Vec<Option<QueuePair>>,
    pub shared_queues: [Option<SharedQueue>; SHARED_QUEUES],
    /// Queue pairs in multicast groups.
    pub attachments: BTreeSet<Attachment>,
    /// Rings in host memory.
    pub memory: HostMemory,
    /// The present call found a completion queue empty.
    pub has_found_empty: bool,
    /// The previous call found a completion queue empty: the program may be in a polling loop.
    pub polls_again: bool,
    /// Time for which the simulation is ahead of the program; while it polls an empty queue.
    pub ahead: Duration,
    /// Counts of the first completions that were not there when the simulation went ahead.
    pub unseen_from: Vec<Option<u16>>,
    /// The driver's own buffers in host memory.
    pub bounce: HostMemory,
    /// Bus addresses of registered memory.
    pub windows: HostMemory,
    /// Digest of the data of all messages received, for the fingerprint.
    pub digest: u64,
    /// Asynchronous events that the program has not taken.
    pub events: VecDeque<AsyncEvent>,
    /// The connection manager, once the program has opened it.
    pub management: Option<Management>,
}

impl Adapter {
    /// Loads the driver: it clears the rows of all queue pairs and groups, and enables the adapter.
    pub async fn load(port: Port, directory: Rc<Directory>) -> Self {
        let host = port.host();
        host.write_register(Register::Lid, verbs::lid(port.verbs().node()).into()).await;
        host.write_register(Register::InterruptEnable, CAUSES.into()).await;
        // Rows of both are 0, so they are staged once.
        host.stage(Attributes::default()).await;
        for row in 0..QPS as u16 {
            host.command(Kind::Pair, row).await;
        }
        for row in 0..GROUP_ROWS as u16 {
            host.command(Kind::Group, row).await;
        }
        host.stamp_writes(RINGS.0..RINGS.1);
        host.write_register(Register::Control, 1).await;
        host.read_register(Register::Control).await;
        Adapter {
            port,
            directory,
            find_pages: Box::new(|_| None),
            domains: Default::default(),
            regions: Default::default(),
            memory_windows: Default::default(),
            variants: vec![0; KEYS],
            bounce_keys: Default::default(),
            completion_queues: vec![],
            pairs: PAIRS.map(|_| None).collect(),
            shared_queues: Default::default(),
            attachments: BTreeSet::new(),
            has_found_empty: false,
            polls_again: false,
            ahead: Duration::ZERO,
            unseen_from: vec![],
            memory: HostMemory::new(RINGS),
            bounce: HostMemory::new(BOUNCE),
            windows: HostMemory::new(WINDOWS),
            digest: 0,
            events: VecDeque::new(),
            management: None,
        }
    }

    pub fn host(&self) -> &Host {
        self.port.host()
    }

    /// Whether an asynchronous event waits for the program, or an interrupt may bring one.
    pub fn has_events(&self) -> bool {
        !self.events.is_empty() || self.host().is_interrupted()
    }

    /// LID of the host's port.
    pub fn lid(&self) -> u16 {
        verbs::lid(self.port.verbs().node())
    }

    /// Hosts of the run.
    pub fn hosts(&self) -> usize {
        self.port.verbs().nodes()
    }

    /// Carries out a call of the program, which is about this memory of it or of a peer.
    pub async fn carry_out(&mut self, call: Call, memory: Option<MemoryAddress>) -> Reply {
        self.polls_again = std::mem::take(&mut self.has_found_empty);
        if !stays_ahead(&call) {
            self.forget_ahead();
        }
        self.handle_interrupt().await;
        self.serve_connections().await;
        match call {
            Call::Open => Ok(Answer::Lid(self.lid())),
            Call::AllocateDomain => {
                let free = (1..DOMAINS).find(|domain| !self.domains[*domain]).ok_or(ENOMEM)?;
                self.domains[free] = true;
                Ok(Answer::Number(free as u32))
            }
            Call::DeallocateDomain(domain) => self.deallocate_domain(domain).await,
            Call::RegisterMemory { domain, length, access, shift } => {
                self.register_memory(domain, length, access, shift, memory).await
            }
            Call::ReregisterMemory { key, domain, length, access } => {
                self.reregister_memory(key, (domain, length, access), memory).await
            }
            Call::DeregisterMemory(key) => self.deregister_memory(key).await,
            Call::AllocateWindow { domain } => self.allocate_memory_window(domain),
            Call::FreeWindow(key) => self.free_memory_window(key).await,
            Call::BindWindow { pair, window, binding } => {
                self.bind_memory_window(pair, window, binding).await
            }
            Call::CreateCompletionQueue(entries) => self.create_completion_queue(entries).await,
            Call::ResizeCompletionQueue { queue, entries } => {
                self.resize_completion_queue(queue, entries).await
            }
            Call::DestroyCompletionQueue(queue) => self.destroy_completion_queue(queue).await,
            Call::CreateQueuePair(init) => self.create_queue_pair(init, None),
            Call::CreateSharingPair(init, shared) => self.create_queue_pair(init, Some(shared)),
            Call::ModifyQueuePair { pair, attributes } => self.modify_queue_pair(pair, attributes).await,
            Call::QueryQueuePair(pair) => self.query_queue_pair(pair).await,
            Call::DestroyQueuePair(pair) => self.destroy_queue_pair(pair).await,
            Call::PostSend { pair, request } => self.post_send(pair, request, memory).await,
            Call::PostReceive { pair, id, pieces } => self.post_receive(pair, id, pieces).await,
            Call::CreateSharedQueue { .. }
            | Call::SetLimit { .. }
            | Call::QueryLimit(_)
            | Call::DestroySharedQueue(_)
            | Call::PostShared { .. } => self.carry_out_shared(call).await,
            Call::AttachGroup(_) | Call::DetachGroup(_) => self.carry_out_group(call).await,
            Call::Poll { queue, most } => self.poll(queue, most).await,
            Call::RequestNotification(queue) => self.request_notification(queue),
            Call::WaitForEvent(queues) => self.wait_for_event(&queues).await,
            Call::TakeAsyncEvent { waits } => self.take_event(waits).await,
            Call::WaitForMemory => self.wait_for_memory().await,
            Call::Connection(call) => self.carry_out_connection(call).await,
            Call::UseSockets { .. }
            | Call::EndFork
            | Call::WaitForSocket { .. }
            | Call::WaitForPeer { .. }
            | Call::Wait(_)
            | Call::WaitForConnection(..)
            | Call::Sleep(_) => Err(EINVAL),
        }
    }

    async fn deallocate_domain(&mut self, domain: u8) -> Reply {
        self.check_domain(domain)?;
        let in_region = self.regions.values().any(|region| region.domain == domain);
        let in_window = self.memory_windows.values().any(|window| window.domain == domain);
        let in_pair = self.pairs.iter().flatten().any(|pair| pair.init.domain == domain);
        if in_region
            || in_window
            || in_pair
            || self.shared_queues.iter().flatten().any(|queue| queue.domain == domain)
        {
            return Err(EBUSY);
        }
        self.free_bounce_key(domain).await;
        self.domains[usize::from(domain)] = false;
        Ok(Answer::Done)
    }

    /// An error if the protection domain is not allocated.
    pub fn check_domain(&self, domain: u8) -> Result<(), i32> {
        let is_allocated = self.domains.get(usize::from(domain)).is_some_and(|allocated| *allocated);
        is_allocated.then_some(()).ok_or(EINVAL)
    }

    /// Stops the adapter: when this returns, no packet is being received or sent. Packets wait in the link.
    pub async fn stop_engines(&self) {
        self.host().write_register(Register::Control, 0).await;
        // A command runs when the engine that was at work has ended. Queue pair 0 is not used.
        self.host().write_row(Kind::Pair, 0_u8, Attributes::default()).await;
    }

    /// Starts the adapter again.
    pub async fn start_engines(&self) {
        self.host().write_register(Register::Control, 1).await;
    }

    /// Destroys all objects of the program, in the order that the verbs require. The connection manager keeps its own.
    pub async fn free_objects(&mut self) {
        self.forget_ahead();
        self.close_connections().await;
        self.leave_groups().await;
        for number in PAIRS.skip(FIRST_PAIR) {
            let _ = self.destroy_queue_pair(number).await;
        }
        for queue in 0..SHARED_QUEUES as u8 {
            let _ = self.destroy_shared_queue(queue);
        }
        for key in self.memory_windows.values().map(|window| window.key).collect::<Vec<_>>() {
            let _ = self.free_memory_window(key).await;
        }
        for key in self.regions.values().map(|region| region.key).collect::<Vec<_>>() {
            let _ = self.deregister_memory(key).await;
        }
        // Those of queue pair 1 are in use.
        for queue in self.queue_numbers() {
            let _ = self.destroy_completion_queue(queue).await;
        }
        for domain in 1..DOMAINS as u8 {
            let _ = self.deallocate_domain(domain).await;
        }
        self.events.clear();
    }

    /// The program has ended: the adapter forgets its queue pairs and its memory, as a kernel has it do.
    pub async fn release(&mut self) {
        self.host().close_windows();
        self.directory.remove_host(self.lid());
        self.close_connections().await;
        self.leave_groups().await;
        for number in PAIRS.skip(FIRST_PAIR) {
            if self.pairs[usize::from(number)].take().is_some_and(|pair| pair.is_loaded) {
                self.host().write_row(Kind::Pair, number, Attributes::default()).await;
            }
        }
    }
}

/// Whether the adapter does not notice a call before its doorbell.
fn stays_ahead(call: &Call) -> bool {
    let posts = matches!(call, Call::PostSend { .. } | Call::PostReceive { .. } | Call::PostShared { .. });
    posts || matches!(call, Call::RequestNotification(_))
}
