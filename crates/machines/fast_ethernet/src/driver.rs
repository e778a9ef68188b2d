//! The driver, in the kernel of a host: frames between the card and the protocols.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use cluster::host::{Level, Library, Preemption};
use cluster::{Cpu, Signal};
use ethernet::Card;
use pm::NodeId;

use crate::cost::Costs;
use crate::rings::Rings;

/// First bytes of the cards' MAC addresses; the last two are the number of the node. The bit of local administration is
/// set.
pub(crate) const PREFIX: [u8; 4] = [0x02, 0x00, 0x46, 0x45];

/// Frames that wait for the bottom half before more are dropped (Linux 2.4: netdev_max_backlog).
const BACKLOG: usize = 300;

/// A host as its programs see it: the processor, and the costs of its steps.
#[derive(Clone)]
pub struct Host {
    cpu: Cpu,
    costs: Costs,
    library: Library,
}

impl Host {
    pub(crate) fn new(cpu: Cpu, costs: Costs, library: Library) -> Self {
        Self { cpu, costs, library }
    }

    /// Suci's library on it.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Costs of its steps.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }
}

impl ethernet::Host for Host {
    fn processor(&self) -> &Cpu {
        &self.cpu
    }

    fn kernel_costs(&self) -> ethernet::Costs {
        let Costs { system_call, turn, copy, copy_cached, checksum, packet, .. } = self.costs;
        ethernet::Costs { system_call, turn, copy, copy_cached, checksum, packet }
    }
}

/// The driver of one card.
pub struct Driver {
    node: u16,
    nodes: u16,
    costs: Costs,
    rings: Rc<RefCell<Rings>>,
    backlog: RefCell<VecDeque<Vec<u8>>>,
    /// A frame has entered the backlog.
    arrival: Signal,
    /// A frame has left a full ring.
    room: Signal,
    /// Frames dropped because the backlog was full.
    lost: Cell<u64>,
}

impl Driver {
    pub(crate) fn new(node: usize, nodes: usize, costs: Costs, rings: Rc<RefCell<Rings>>) -> Self {
        Self {
            node: node as u16,
            nodes: nodes as u16,
            costs,
            rings,
            backlog: RefCell::default(),
            arrival: Signal::default(),
            room: Signal::default(),
            lost: Cell::new(0),
        }
    }

    /// Number of frames dropped because the backlog was full.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    /// Enters the interrupt handler: finds the cause of the interrupt and acknowledges it.
    pub(crate) async fn acknowledge(&self, cpu: &Cpu) {
        cpu.compute(self.costs.interrupt + self.costs.read).await;
        cpu.compute(self.costs.write).await;
        self.rings.borrow_mut().acknowledge(cpu.now());
    }

    /// Takes the oldest frame that has arrived.
    pub(crate) fn take(&self, cpu: &Cpu) -> Option<Vec<u8>> {
        self.rings.borrow_mut().take(cpu.now())
    }

    /// Puts a frame into the backlog of the kernel's protocols, or drops it if the backlog is full.
    pub(crate) async fn queue(&self, cpu: &Cpu, frame: Vec<u8>) {
        if self.backlog.borrow().len() < BACKLOG {
            self.backlog.borrow_mut().push_back(frame);
        } else {
            self.lost.update(|lost| lost + 1);
        }
        cpu.compute(self.costs.turn).await;
    }

    /// Wakes the kernel's protocols: frames may have arrived, and the card may have room.
    pub(crate) fn wake(&self, cpu: &Cpu) {
        self.arrival.raise(cpu);
        self.room.raise(cpu);
    }

    /// Puts a frame into the ring, with a write that starts the card; returns false if the ring is full.
    pub(crate) async fn post(&self, cpu: &Cpu, frame: &[u8]) -> bool {
        let posted = self.rings.borrow_mut().post(cpu.now(), self.costs.fetch, frame);
        if posted {
            cpu.compute(self.costs.write).await;
        }
        posted
    }
}

impl Card for Driver {
    type Host = Host;

    fn mac_address(node: NodeId) -> [u8; 6] {
        let ([a, b, c, d], [high, low]) = (PREFIX, node.0.to_be_bytes());
        [a, b, c, d, high, low]
    }

    fn node(&self) -> NodeId {
        NodeId(self.node)
    }

    fn reaches(&self, node: NodeId) -> bool {
        node.0 < self.nodes && node.0 != self.node
    }

    async fn transmit(&self, host: &Host, frame: &[u8]) -> bool {
        self.post(&host.cpu, frame).await
    }

    /// Sleeps until a frame has left the ring.
    async fn pause(&self, host: &Host, _preemption: &Preemption, _level: Level) {
        self.room.wait(&host.cpu, "room in the transmit ring").await;
    }

    async fn next_frame(&self, host: &Host) -> Vec<u8> {
        loop {
            if let Some(frame) = self.backlog.borrow_mut().pop_front() {
                return frame;
            }
            self.arrival.wait(&host.cpu, "a frame").await;
        }
    }
}
