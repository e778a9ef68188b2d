//! The kernel's part of PM: descriptors, flags, the set-up of the card and its interrupts (paper sections 4.3, 4.5 and 4.7).
//!
//! General NIC memory is reached through the page register, which only the kernel may write; that is why sending is a system
//! call. Calls of programs on one host exclude each other.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use gigae_pm::memory_map::{
    AREAS, Flag, RECEIVE_SLOT_BYTES, RINGS, SEND_AREA_BYTES, SEND_RECORDS, SLOTS, control_structure,
    receive_descriptor, send_descriptor,
};
use gigae_pm::protocol::{Control, Rules};
use gigae_pm::registers::{Register, cause};
use gigae_pm::traffic::host::{ETHER_TYPE, MAC_PREFIX, receive_area, send_area};
use pm::{Channel, NodeId, OpenError, SendError};

use super::bus::BusHost;
use super::cost;
use crate::Duration;

/// Bytes of a place in the send area: a sixteenth of it, in whole words.
const PLACE_BYTES: u32 = SEND_AREA_BYTES / SLOTS as u32;

/// What a host sets up.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Repairs of the printed rules.
    pub rules: Rules,
    /// N: messages to a peer without an ACK.
    pub window: u16,
    /// T: from sending a message to sending it again.
    pub timeout: Duration,
    /// m: expiries in a row after which a peer is dead; 0 for never.
    pub limit: u8,
    /// Free slots of a receive ring that end discarding.
    pub room: u8,
}

impl Default for Settings {
    /// All repairs. N, T and m are ours (decision 0033): half a ring, ten round trips of full frames, never.
    fn default() -> Self {
        Self { rules: Rules::REPAIRED, window: 8, timeout: Duration::from_us(1_000), limit: 0, room: 4 }
    }
}

impl Settings {
    /// T in cycles of the card.
    fn timeout_cycles(&self) -> u32 {
        (self.timeout.ps() / cost::BUS_CYCLE.duration.ps()).min(u64::from(u32::MAX)) as u32
    }

    /// Cycles between visits of control structures: each of them four times in T.
    fn scan_period(&self, nodes: u16) -> u16 {
        let structures = Channel::COUNT as u32 * u32::from(nodes);
        (self.timeout_cycles() / (4 * structures)).clamp(1, u16::MAX.into()) as u16
    }
}

/// A message of a send descriptor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub channel: Channel,
    pub place: u16,
    pub size: usize,
    pub to: NodeId,
}

/// What the kernel knows of an open channel.
#[derive(Debug, Default)]
struct Open {
    /// Slot of the next send descriptor, and the places whose messages are in the slots before.
    next_slot: u8,
    posted: VecDeque<u16>,
    /// Slots of the receive ring: the oldest that the user has, and those given back out of turn.
    oldest: u8,
    returned: BTreeSet<u8>,
    /// A peer that does not answer.
    dead: Option<u16>,
}

/// The driver of one card.
#[derive(Debug)]
pub struct Driver {
    node: u16,
    nodes: u16,
    settings: Settings,
    /// Somebody is in the kernel.
    busy: Cell<bool>,
    page: Cell<Option<u8>>,
    open: RefCell<BTreeMap<usize, Open>>,
    /// Channels that were closed while the card worked for others.
    used: RefCell<BTreeSet<usize>>,
    refused: Cell<u64>,
}

impl Driver {
    pub(super) fn new(node: u16, nodes: u16, settings: &Settings) -> Self {
        Driver {
            node,
            nodes,
            settings: *settings,
            busy: Cell::new(false),
            page: Cell::new(None),
            open: RefCell::default(),
            used: RefCell::default(),
            refused: Cell::new(0),
        }
    }

    /// Number of this node.
    pub fn node(&self) -> NodeId {
        NodeId(self.node)
    }

    /// Send descriptors that the card refused. The driver fills in none that it knows to be wrong.
    pub fn refused(&self) -> u64 {
        self.refused.get()
    }

    /// Reads a register of the card, as the kernel.
    pub async fn register(&self, host: &BusHost, register: Register) -> u32 {
        host.read(address(register)).await
    }

    /// Where a place of the send area lies.
    pub(super) fn place(channel: Channel, place: u16) -> u32 {
        send_area(channel.number() as u8) + PLACE_BYTES * u32::from(place)
    }

    pub(super) fn is_open(&self, channel: Channel) -> bool {
        self.open.borrow().contains_key(&channel.number())
    }

    /// The peer of a channel that is dead, if there is one.
    pub(super) fn dead(&self, channel: Channel) -> Option<u16> {
        self.open.borrow().get(&channel.number())?.dead
    }

    /// Opens a channel; the first one sets up the card.
    pub(super) async fn open(&self, host: &BusHost, channel: Channel, session: u16) -> Result<(), OpenError> {
        let entered = self.enter(host).await;
        let ring = channel.number() as u8;
        if self.is_open(channel) || self.used.borrow().contains(&channel.number()) {
            return Err(OpenError::IsOpen);
        }
        let first = self.open.borrow().is_empty();
        self.open.borrow_mut().insert(channel.number(), Open::default());
        if first {
            for ring in 0..RINGS {
                self.poke(host, AREAS + 2 * u32::from(ring), send_area(ring)).await;
                self.poke(host, AREAS + 2 * u32::from(ring) + 1, receive_area(ring)).await;
            }
            self.write_registers(host).await;
        }
        for slot in 0..SLOTS {
            self.poke(host, send_descriptor(ring, slot) + 3, Flag::Free.code().into()).await;
            self.poke(host, receive_descriptor(ring, slot) + 3, Flag::Free.code().into()).await;
        }
        for word in 0..2 * u32::from(SLOTS) {
            self.poke(host, SEND_RECORDS + 2 * u32::from(SLOTS) * u32::from(ring) + word, 0).await;
        }
        for node in 0..self.nodes {
            for (at, word) in (control_structure(ring, node)..).zip(Control::open(session).words()) {
                self.poke(host, at, word).await;
            }
        }
        if first {
            host.write(address(Register::Control), 1).await;
        }
        drop(entered);
        Ok(())
    }

    async fn write_registers(&self, host: &BusHost) {
        let settings = &self.settings;
        for (register, value) in [
            (Register::Node, self.node.into()),
            (Register::Nodes, self.nodes.into()),
            (Register::MacPrefix, MAC_PREFIX),
            (Register::EtherType, ETHER_TYPE.into()),
            (Register::Rules, settings.rules.bits()),
            (Register::Window, settings.window.into()),
            (Register::Timeout, settings.timeout_cycles()),
            (Register::Limit, settings.limit.into()),
            (Register::Room, settings.room.into()),
            (Register::ScanPeriod, settings.scan_period(self.nodes).into()),
            (Register::InterruptEnable, (cause::REFUSED | cause::DEAD_PEER | cause::ACCESS).into()),
        ] {
            host.write(address(register), value).await;
        }
    }

    /// Closes a channel. The last one stops the card, and so ends the sessions of all.
    pub(super) async fn close(&self, host: &BusHost, channel: Channel) {
        let entered = self.enter(host).await;
        if self.open.borrow_mut().remove(&channel.number()).is_some() {
            self.used.borrow_mut().insert(channel.number());
        }
        if self.open.borrow().is_empty() {
            host.write(address(Register::Control), 0).await;
            self.used.borrow_mut().clear();
        }
        drop(entered);
    }

    /// Fills in a send descriptor (steps sc2, sc3); returns places that became free in the meantime.
    pub(super) async fn post(&self, host: &BusHost, posting: Posting) -> Result<Vec<u16>, SendError> {
        let entered = self.enter(host).await;
        host.processor().mark("sc2");
        let Posting { channel, place, size, to } = posting;
        let ring = channel.number() as u8;
        if to.0 >= self.nodes || to.0 == self.node {
            return Err(SendError::NoSuchNode(to.0));
        }
        if let Some(dead) = self.dead(channel) {
            return Err(SendError::PeerDead(dead));
        }
        let slot = {
            let mut open = self.open.borrow_mut();
            let open = open.get_mut(&channel.number()).ok_or(SendError::NotOpen)?;
            let slot = open.next_slot;
            open.next_slot = (slot + 1) % SLOTS;
            open.posted.push_back(place);
            slot
        };
        let descriptor = send_descriptor(ring, slot);
        let words = [Self::place(channel, place), size as u32, to.0.into(), Flag::Full.code().into()];
        for (at, word) in (descriptor..).zip(words) {
            self.poke(host, at, word).await;
        }
        host.processor().mark("sc3");
        // While the card is at work on it, the driver looks whether an older one is done.
        let free = self.free(host, channel, 1).await;
        drop(entered);
        Ok(free)
    }

    /// Looks for places that became free.
    pub(super) async fn reap(&self, host: &BusHost, channel: Channel) -> Vec<u16> {
        let _entered = self.enter(host).await;
        self.free(host, channel, usize::from(SLOTS)).await
    }

    /// Places of the oldest descriptors that the card has done with, at most so many.
    async fn free(&self, host: &BusHost, channel: Channel, most: usize) -> Vec<u16> {
        let mut free = Vec::new();
        while free.len() < most {
            let oldest = {
                let open = self.open.borrow();
                let Some(open) = open.get(&channel.number()) else { break };
                if open.posted.is_empty() {
                    break;
                }
                (open.next_slot + SLOTS - open.posted.len() as u8) % SLOTS
            };
            let flag = self.peek(host, send_descriptor(channel.number() as u8, oldest) + 3).await;
            let refused = flag == Flag::Refused.code().into();
            if flag != Flag::Free.code().into() && !refused {
                break;
            }
            self.refused.set(self.refused.get() + u64::from(refused));
            let mut open = self.open.borrow_mut();
            let place = open.get_mut(&channel.number()).and_then(|open| open.posted.pop_front());
            free.extend(place);
        }
        free
    }

    /// Gives a slot of the receive ring back (steps rc3, rc4). The card takes them in turn, so one that comes too
    /// early waits.
    pub(super) async fn release(&self, host: &BusHost, channel: Channel, slot: u8) {
        let entered = self.enter(host).await;
        host.processor().mark("rc3");
        if let Some(open) = self.open.borrow_mut().get_mut(&channel.number()) {
            open.returned.insert(slot);
        }
        let ring = channel.number() as u8;
        loop {
            let slot = {
                let mut open = self.open.borrow_mut();
                let Some(open) = open.get_mut(&channel.number()) else { break };
                let slot = open.oldest;
                if !open.returned.remove(&slot) {
                    break;
                }
                open.oldest = (slot + 1) % SLOTS;
                slot
            };
            // The window needs no page.
            let flag = 4 * (receive_descriptor(ring, slot) + 3) as u16;
            host.write(flag, Flag::Free.code().into()).await;
            host.write(address(Register::Release), ring.into()).await;
        }
        host.processor().mark("rc4");
        drop(entered);
    }

    /// The interrupt handler: which peers are dead. Descriptors that were refused are found when their places are looked for.
    pub(super) async fn interrupt(&self, host: &BusHost) {
        host.processor().compute(cost::INTERRUPT.duration).await;
        let _entered = self.lock(host).await;
        let causes = host.read(address(Register::InterruptCause)).await;
        host.write(address(Register::InterruptCause), causes).await;
        if causes & u32::from(cause::DEAD_PEER) == 0 {
            return;
        }
        let channels: Vec<_> = self.open.borrow().keys().copied().collect();
        for (channel, node) in channels.into_iter().flat_map(|c| (0..self.nodes).map(move |n| (c, n))) {
            let mut words = [0; 6];
            words[5] = self.peek(host, control_structure(channel as u8, node) + 5).await;
            if Control::from_words(words).dead
                && let Some(open) = self.open.borrow_mut().get_mut(&channel)
            {
                open.dead.get_or_insert(node);
            }
        }
    }

    /// Address of a slot of the receive area.
    pub(super) fn receive_slot(channel: Channel, slot: u8) -> u32 {
        receive_area(channel.number() as u8) + RECEIVE_SLOT_BYTES * u32::from(slot)
    }

    /// A system call.
    async fn enter(&self, host: &BusHost) -> Entered<'_> {
        host.processor().compute(cost::SYSTEM_CALL.duration).await;
        self.lock(host).await
    }

    async fn lock(&self, host: &BusHost) -> Entered<'_> {
        while self.busy.replace(true) {
            host.processor().compute(cost::LOOP.duration).await;
        }
        Entered(&self.busy)
    }

    async fn poke(&self, host: &BusHost, word: u32, value: u32) {
        self.turn_to(host, word).await;
        host.write(page_address(word), value).await;
    }

    async fn peek(&self, host: &BusHost, word: u32) -> u32 {
        self.turn_to(host, word).await;
        host.read(page_address(word)).await
    }

    async fn turn_to(&self, host: &BusHost, word: u32) {
        let page = (word >> 10) as u8;
        if self.page.replace(Some(page)) != Some(page) {
            host.write(address(Register::Page), page.into()).await;
        }
    }
}

/// Somebody is in the kernel until this goes.
struct Entered<'a>(&'a Cell<bool>);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Address of a register in the card's aperture.
fn address(register: Register) -> u16 {
    0x1000 + register.info().offset
}

/// Address of a word in the page at which the page register stands.
fn page_address(word: u32) -> u16 {
    0x2000 + 4 * (word & 0x3ff) as u16
}
