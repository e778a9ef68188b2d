//! The driver: set-up of the card, descriptors, flags and interrupts (paper sections 4.3, 4.5 and 4.7).
//!
//! General NIC memory is reached through the page register, which only the kernel may write; therefore sending is a
//! system call. One process at a time is in the driver. `channels` has PM's messages, `frames` the frames of other
//! protocols.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use cluster::host::{Library, LibraryCost, LibraryStep};
use gigae_pm::header::{ETHER_TYPE, MAC_PREFIX};
use gigae_pm::host_memory::{receive_area, send_area};
use gigae_pm::memory_map::{AREAS, Flag, RINGS, SLOTS, WORDS, receive_descriptor, send_descriptor};
use gigae_pm::registers::{Register, cause};
use pm::NodeId;

use super::bus::BusHost;

mod channels;
mod counters;
mod frames;
mod settings;

use channels::Open;
pub(super) use channels::Posting;
pub use counters::CardCounters;
use frames::Interface;
pub use frames::{TransmitError, mac_address};
pub use settings::Settings;

/// Causes that always interrupt the host; frames of other protocols do so only if the interface is up.
const CAUSES: u8 = cause::REFUSED | cause::DEAD_PEER | cause::ACCESS;

/// The driver of one card.
pub struct Driver {
    node: u16,
    nodes: u16,
    settings: Settings,
    pm_library: Library,
    /// A process is in the driver.
    busy: Cell<bool>,
    page: Cell<Option<u8>>,
    open: RefCell<BTreeMap<usize, Open>>,
    /// Channels that were closed while the card served others.
    used: RefCell<BTreeSet<usize>>,
    interface: Interface,
    refused: Cell<u64>,
}

impl Driver {
    pub(super) fn new(node: u16, nodes: u16, settings: &Settings) -> Self {
        Driver {
            node,
            nodes,
            settings: *settings,
            pm_library: Library::new(settings.pm_library, settings.costs.instruction),
            busy: Cell::new(false),
            page: Cell::new(None),
            open: RefCell::default(),
            used: RefCell::default(),
            interface: Interface::default(),
            refused: Cell::new(0),
        }
    }

    /// Cost of the steps of the MPI library, as the settings have it.
    pub(crate) fn library_cost(&self) -> LibraryCost {
        self.settings.library
    }

    /// PM's library of this host.
    pub fn pm_library(&self) -> &Library {
        &self.pm_library
    }

    /// Charges a step of PM's library. The mark is made only if its instructions are counted.
    pub(crate) async fn charge(&self, host: &BusHost, step: LibraryStep, mark: Option<&'static str>) {
        self.pm_library.charge(host.processor(), step).await;
        if let Some(mark) = mark.filter(|_| self.pm_library.is_counted()) {
            host.processor().mark(mark);
        }
    }

    /// Number of this node.
    pub fn node(&self) -> NodeId {
        NodeId(self.node)
    }

    /// Number of send descriptors that the card refused. The driver checks them before.
    pub fn refused(&self) -> u64 {
        self.refused.get()
    }

    /// Whether the network has another node of this number.
    pub(super) fn reaches(&self, node: NodeId) -> bool {
        node.0 < self.nodes && node.0 != self.node
    }

    /// Reads a register of the card, as the kernel.
    pub async fn register(&self, host: &BusHost, register: Register) -> u32 {
        host.read(address(register)).await
    }

    /// Writes a word of the card, by address.
    pub(crate) async fn write(&self, host: &BusHost, at: u16, word: u32) {
        if at == address(Register::Page) {
            // The page register may have changed.
            self.page.set(None);
        }
        host.write(at, word).await;
    }

    /// Reads words of NIC memory; addresses wrap at its end.
    pub(crate) async fn memory(&self, host: &BusHost, first: u32, words: u32) -> Vec<u32> {
        let _entered = self.enter(host).await;
        let mut read = Vec::with_capacity(words as usize);
        for word in first..first + words {
            read.push(self.peek(host, word % WORDS as u32).await);
        }
        read
    }

    /// Writes a word of NIC memory.
    pub(crate) async fn set_memory(&self, host: &BusHost, word: u32, value: u32) {
        let _entered = self.enter(host).await;
        self.poke(host, word, value).await;
    }

    /// Whether a channel is open or the interface is up.
    fn works(&self) -> bool {
        !self.open.borrow().is_empty() || self.interface.is_up()
    }

    /// Sets up the state that all rings share, before the first of them is used.
    async fn set_up(&self, host: &BusHost) {
        for ring in 0..RINGS {
            self.poke(host, AREAS + 2 * u32::from(ring), send_area(ring)).await;
            self.poke(host, AREAS + 2 * u32::from(ring) + 1, receive_area(ring)).await;
        }
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
            (Register::InterruptEnable, CAUSES.into()),
        ] {
            host.write(address(register), value).await;
        }
    }

    /// Frees the descriptors of a ring.
    async fn clear_ring(&self, host: &BusHost, ring: u8) {
        for slot in 0..SLOTS {
            self.poke(host, send_descriptor(ring, slot) + 3, u32::from(Flag::Free.code())).await;
            self.poke(host, receive_descriptor(ring, slot) + 3, u32::from(Flag::Free.code())).await;
        }
    }

    /// Starts the card.
    async fn start(&self, host: &BusHost) {
        host.write(address(Register::Control), 1).await;
    }

    /// Stops the card if no channel or interface uses it, which ends all sessions.
    async fn stop(&self, host: &BusHost) {
        if !self.works() {
            host.write(address(Register::Control), 0).await;
            self.used.borrow_mut().clear();
        }
    }

    /// The interrupt handler: takes frames of other protocols, and finds dead peers. Refused descriptors are found when
    /// their slots are needed.
    pub(super) async fn interrupt(&self, host: &BusHost) {
        host.processor().compute(host.costs().interrupt).await;
        let _entered = self.lock(host).await;
        let causes = host.read(address(Register::InterruptCause)).await;
        host.write(address(Register::InterruptCause), causes).await;
        if causes & u32::from(cause::OTHER_FRAME) != 0 {
            self.take_in(host).await;
        }
        if causes & u32::from(cause::DEAD_PEER) != 0 {
            self.look_for_dead(host).await;
        }
    }

    /// A system call.
    async fn enter(&self, host: &BusHost) -> Entered<'_> {
        host.processor().compute(host.costs().system_call).await;
        self.lock(host).await
    }

    async fn lock(&self, host: &BusHost) -> Entered<'_> {
        while self.busy.replace(true) {
            host.processor().compute(host.costs().turn).await;
        }
        Entered(&self.busy)
    }

    /// Fills in a send descriptor of a ring: three words, then the flag.
    async fn describe(&self, host: &BusHost, ring: u8, slot: u8, words: [u32; 3]) {
        let words = words.into_iter().chain([u32::from(Flag::Full.code())]);
        for (at, word) in (send_descriptor(ring, slot)..).zip(words) {
            self.poke(host, at, word).await;
        }
    }

    /// Whether the card has completed a send descriptor, by taking or refusing it.
    async fn is_done(&self, host: &BusHost, ring: u8, slot: u8) -> bool {
        let flag = self.peek(host, send_descriptor(ring, slot) + 3).await;
        let refused = flag == u32::from(Flag::Refused.code());
        self.refused.set(self.refused.get() + u64::from(refused));
        refused || flag == u32::from(Flag::Free.code())
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

/// A process is in the driver until this guard is dropped.
struct Entered<'a>(&'a Cell<bool>);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Address of a register in the card's aperture.
pub(crate) fn address(register: Register) -> u16 {
    0x1000 + register.info().offset
}

/// Address of a word in the selected page.
fn page_address(word: u32) -> u16 {
    0x2000 + 4 * (word & 0x3ff) as u16
}
