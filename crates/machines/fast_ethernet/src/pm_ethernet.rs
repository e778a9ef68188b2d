//! PM in the driver of an ordinary card, as SCore has it: the protocol of a node, run by the interrupt handler, the kernel's timer and system
//! calls (decision 0062).
//!
//! ```text
//!   program:  Port             send areas and receive areas are shared with the kernel
//!      | system call to send   | polls
//!   PmEthernet                 pm::software::Node, the rules of GigaE PM's firmware
//!      | frames of type 0x88b5
//!   Driver                     the same rings and interrupts as for the kernel's own protocols
//! ```
//!
//! Frames have the header of GigaE PM ([`pm_protocol::header`]).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use cluster::{Cpu, Duration, Signal};
use ethernet::Card;
use pm::software::{Frame, Node, Settings};
use pm::{Channel, NodeId};
use pm_protocol::header::{self, Identity};
use pm_protocol::{Kind, Rules};

use crate::cost::Costs;
use crate::driver::{Driver, PREFIX};

/// Ethernet type of its frames: the first one for local experiments (IEEE 802).
const ETHER_TYPE: u16 = 0x88b5;
/// Bytes in front of a message: headers of Ethernet and of PM.
const HEADER: usize = 14 + 32;
/// A tick of the kernel's timer (Linux 2.4 on this processor: HZ is 100).
const TICK: Duration = Duration::from_us(10_000);
/// A tick of the protocol.
const UNIT: Duration = Duration::from_us(1);

/// Settings of a node: two ticks of the kernel's timer until a message is sent again, buffers for two windows, and PM's
/// MTU. All but the last are our choice.
const SETTINGS: Settings = Settings {
    rules: Rules::REPAIRED,
    window: 32,
    timeout: 20_000,
    limit: 0,
    send_buffers: 64,
    receive_buffers: 64,
    most_bytes: 1_468,
};

/// PM of one host.
pub struct PmEthernet {
    own: Identity,
    costs: Costs,
    driver: Rc<Driver>,
    node: RefCell<Node>,
    nodes: usize,
    /// Frames that wait for room in the card.
    waiting: RefCell<VecDeque<Vec<u8>>>,
    /// A process gives frames to the card.
    sending: Cell<bool>,
    /// A message has arrived, or a buffer is free.
    changed: Signal,
    /// Number of such changes.
    changes: Cell<u64>,
    /// A message waits for its ACK.
    sent: Signal,
    /// The timer runs.
    timed: Cell<bool>,
}

impl PmEthernet {
    pub(crate) fn new(driver: Rc<Driver>, nodes: usize, costs: Costs) -> Self {
        let id = driver.node();
        PmEthernet {
            own: Identity { mac_prefix: u32::from_le_bytes(PREFIX), ether_type: ETHER_TYPE, node: id.0 },
            costs,
            driver,
            node: RefCell::new(Node::new(id, SETTINGS)),
            nodes,
            waiting: RefCell::default(),
            sending: Cell::new(false),
            changed: Signal::default(),
            changes: Cell::new(0),
            sent: Signal::default(),
            timed: Cell::new(false),
        }
    }

    /// Whether the first message has been sent: returns true once, so that the caller starts the timer.
    pub(crate) fn begins(&self) -> bool {
        !self.timed.get() && self.node.borrow().awaits() && !self.timed.replace(true)
    }

    pub(crate) fn id(&self) -> NodeId {
        NodeId(self.own.node)
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    pub(crate) fn costs(&self) -> &Costs {
        &self.costs
    }

    /// Number of changes that concern programs.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.get()
    }

    /// Waits for the next change.
    pub(crate) async fn change(&self, cpu: &Cpu) {
        self.changed.wait(cpu, "a message of PM, or a buffer").await;
    }

    fn tell(&self, cpu: &Cpu) {
        self.changes.update(|changes| changes + 1);
        self.changed.raise(cpu);
    }

    /// Calls the node. Its frames wait for [`transmit`](Self::transmit).
    pub(crate) fn with<T>(&self, call: impl FnOnce(&mut Node, &mut Vec<Frame>) -> T) -> T {
        let mut out = Vec::new();
        let result = call(&mut self.node.borrow_mut(), &mut out);
        let frames = out.iter().map(|frame| self.bytes(frame));
        self.waiting.borrow_mut().extend(frames);
        result
    }

    /// Applies due timeouts, and sends.
    pub(crate) async fn step(&self, cpu: &Cpu) {
        self.with(|node, out| node.tick(ticks(cpu), out));
        self.sent.raise(cpu);
        self.transmit(cpu).await;
    }

    /// Gives frames to the card while it has room; the rest follows at the interrupt of a frame that has left the ring.
    pub(crate) async fn transmit(&self, cpu: &Cpu) {
        if self.sending.replace(true) {
            return;
        }
        loop {
            let frame = self.waiting.borrow_mut().pop_front();
            let Some(frame) = frame else { break };
            if !self.driver.post(cpu, &frame).await {
                self.waiting.borrow_mut().push_front(frame);
                break;
            }
        }
        self.sending.set(false);
    }

    /// Handles a frame that has arrived; returns false if it is not of PM. The message is copied into its receive
    /// buffer.
    pub(crate) async fn arrive(&self, cpu: &Cpu, bytes: &[u8]) -> bool {
        let Some((from, head)) = header::read_header(bytes, ETHER_TYPE) else { return false };
        cpu.compute(self.costs.turn).await;
        let message = bytes.get(HEADER..HEADER + usize::from(head.size));
        let (Some(kind), Some(channel), Some(message)) =
            (Kind::from_code(head.kind), Channel::new(head.channel), message)
        else {
            return true;
        };
        cpu.compute(self.costs.copy * message.len().div_ceil(4) as u64).await;
        let (from, to) = (NodeId(from), NodeId(head.node));
        let (number, epoch, bytes) = (head.number, head.epoch, Rc::from(message));
        let now = ticks(cpu);
        self.with(|node, out| {
            node.arrive(Frame { channel, from, to, kind, number, epoch, bytes }, now, out);
            // An ACK may release the next message.
            node.tick(now, out);
        });
        self.tell(cpu);
        true
    }

    /// The kernel's timer, which runs while a message waits for its ACK.
    pub(crate) async fn timer(&self, cpu: Cpu) {
        loop {
            while self.node.borrow().awaits() {
                cpu.compute(TICK).await;
                self.step(&cpu).await;
                // A peer may be dead.
                self.tell(&cpu);
            }
            self.sent.wait(&cpu, "a message of PM to be sent").await;
        }
    }

    /// The bytes of a frame on the cable.
    fn bytes(&self, frame: &Frame) -> Vec<u8> {
        let head = header::Frame {
            size: frame.bytes.len() as u16,
            kind: frame.kind.code(),
            channel: frame.channel.number() as u8,
            node: frame.to.0,
            number: frame.number,
            epoch: frame.epoch,
            ..Default::default()
        };
        let mut bytes = header::header_bytes(&self.own, &head);
        bytes.extend_from_slice(&frame.bytes);
        bytes
    }
}

/// The time in ticks of the protocol.
fn ticks(cpu: &Cpu) -> u64 {
    cpu.now().ps() / UNIT.ps()
}
