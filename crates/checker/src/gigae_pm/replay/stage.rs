//! Cards with their hosts, and wires that hold every frame until the script decides on it.

use std::collections::VecDeque;

use ::gigae_pm::GigaePm;
use ::gigae_pm::clocks;
use ::gigae_pm::header::ETHER_TYPE;
use ::gigae_pm::header::read_header;
use ::gigae_pm::memory_map::control_structure;
use ::gigae_pm::pins::{In, NetworkIn, Out};
use ::gigae_pm::protocol::Control;
use ::gigae_pm::registers::Register;
use ::gigae_pm::traffic::host::{Host, Setup};
use hdl::{Instants, Nic, NicError, Signal};

use crate::gigae_pm::channel::Frame;

/// The channel on which everything is played.
pub const CHANNEL: u8 = 0;
/// Bytes of preamble and start delimiter.
const PREAMBLE: usize = 8;
/// Byte times between frames.
const GAP: usize = 12;
/// Core clock edges from one look at the firmware to the next: no work of it is shorter.
const LOOK: u64 = 16;
/// Core clock edges without an event after which a stage is at rest: more than a short frame takes from the firmware of one card to
/// that of the next, and than S1 takes from one message to the next.
const REST: u64 = 400;
/// A stage that is not at rest by then never will be.
const RESTLESS: u64 = 400_000;

/// A frame that has left a card.
#[derive(Clone, Debug)]
pub struct HeldFrame {
    /// Its sender, a node.
    pub from: u16,
    /// Its receiver, a node.
    pub to: u16,
    /// Its fields.
    pub frame: Frame,
    /// Its bytes on the wire, with preamble.
    bytes: Vec<u8>,
}

/// A card with its host and the ends of its wires.
struct Node<N> {
    card: N,
    host: Host,
    pins: In,
    leaving: Vec<u8>,
    arriving: VecDeque<Option<u8>>,
}

/// Indices of words in a sample of a card and in its memories.
struct Places {
    /// State of the Dispatcher; 0 while the firmware has nothing to do.
    dispatcher: usize,
    discarding: usize,
    held: usize,
    expired: usize,
    causes: usize,
    /// First word of NIC memory.
    memory: usize,
}

impl Places {
    fn of(signals: &[Signal]) -> Self {
        let word = |block: &str, name: &str| {
            let is = |signal: &&Signal| signal.name == name && signal.block == block;
            signals.iter().find(is).expect("every card has it").word
        };
        let map = hdl::memory_map(&GigaePm::default());
        let memory = map.iter().find(|place| place.block == "nic_memory").expect("every card has it");
        Self {
            dispatcher: word("firmware.dispatcher", "state"),
            discarding: word("firmware.apply_rule", "discarding"),
            held: word("firmware.receive_frame", "held"),
            expired: word("firmware.apply_rule", "expired"),
            causes: word("host_port", "interrupt_cause"),
            memory: memory.start,
        }
    }
}

/// Cards, their hosts, and the frames on the wires.
pub struct Stage<N> {
    nodes: Vec<Node<N>>,
    places: Places,
    instants: Instants,
    edges: u64,
    /// Frames that have left a card and not arrived, in the order in which they left.
    pub held: Vec<HeldFrame>,
    /// Frames arrive at once.
    pub flows: bool,
    /// Nothing reaches this node.
    pub deaf: Option<u16>,
    /// Frames that have left a card.
    pub frames: u64,
}

impl<N: Nic<In = In, Out = Out>> Stage<N> {
    /// Cards after reset, with hosts that set them up; node numbers are those of the cards.
    pub fn new(cards: Vec<N>, setup: impl Fn(u16) -> Setup) -> Self {
        let places = Places::of(cards[0].signals());
        let node = |(node, card)| Node {
            card,
            host: Host::new(1 + node as u64, &setup(node as u16)),
            pins: In::default(),
            leaving: Vec::new(),
            arriving: VecDeque::new(),
        };
        Self {
            places,
            nodes: cards.into_iter().enumerate().map(node).collect(),
            instants: Instants::new(&clocks::CLOCKS),
            edges: 0,
            held: Vec::new(),
            flows: false,
            deaf: None,
            frames: 0,
        }
    }

    /// Picoseconds since reset.
    pub fn now(&self) -> u64 {
        self.instants.now
    }

    pub fn edges(&self) -> u64 {
        self.edges
    }

    pub fn host(&mut self, node: u16) -> &mut Host {
        &mut self.nodes[usize::from(node)].host
    }

    /// The hosts of all nodes.
    pub fn hosts(&mut self) -> impl Iterator<Item = &mut Host> {
        self.nodes.iter_mut().map(|node| &mut node.host)
    }

    /// Compares what is not compared on every edge.
    pub fn check(&mut self) -> Result<(), NicError> {
        self.nodes.iter_mut().try_for_each(|node| node.card.check())
    }

    /// The next instant at which a clock rises.
    pub fn step(&mut self) -> Result<(), NicError> {
        let edges = self.instants.next_edges();
        self.edges += u64::from(edges.meets(clocks::CORE));
        for at in 0..self.nodes.len() {
            let node = &mut self.nodes[at];
            let out = *node.card.outputs();
            if edges.meets(clocks::CORE) {
                (node.pins.host, node.pins.bus) = node.host.pins(&out);
            }
            if edges.meets(clocks::NETWORK) {
                node.pins.network = node.hears();
                if out.network.tx_enable {
                    node.leaving.push(out.network.tx_data);
                } else if !node.leaving.is_empty() {
                    let bytes = std::mem::take(&mut node.leaving);
                    self.has_left(bytes);
                }
            }
            let node = &mut self.nodes[at];
            node.card.edge(edges, &node.pins)?;
        }
        Ok(())
    }

    fn has_left(&mut self, bytes: Vec<u8>) {
        self.frames += 1;
        let read = bytes.get(PREAMBLE..).and_then(|frame| read_header(frame, ETHER_TYPE));
        let (from, frame) = read.expect("a card sends whole frames, and its host nothing else");
        let frame_fields = Frame { kind: frame.kind, epoch: frame.epoch, number: frame.number };
        let held = HeldFrame { from, to: frame.node, frame: frame_fields, bytes };
        if self.flows { self.arrive(&held) } else { self.held.push(held) }
    }

    /// A frame arrives.
    pub fn arrive(&mut self, held: &HeldFrame) {
        if self.deaf != Some(held.to) {
            let wire = &mut self.nodes[usize::from(held.to)].arriving;
            wire.extend(held.bytes.iter().copied().map(Some).chain([None; GAP]));
        }
    }

    /// Puts a frame onto the wires that no card of this stage has sent.
    pub fn forge(&mut self, from: u16, to: u16, frame: Frame, bytes: Vec<u8>) {
        self.held.push(HeldFrame { from, to, frame, bytes });
    }

    /// From now on frames arrive as they are sent, after those that are held now.
    pub fn let_flow(&mut self) {
        self.flows = true;
        for held in std::mem::take(&mut self.held) {
            self.arrive(&held);
        }
    }

    /// Runs until nothing moves any more but the clocks.
    pub fn settle(&mut self) -> Result<(), NicError> {
        let start = self.edges;
        let mut busy = start;
        while self.edges < busy + REST {
            if self.edges > start + RESTLESS {
                return Err("a card does not come to rest".into());
            }
            if self.moves() {
                busy = self.edges;
            }
            self.run(LOOK)?;
        }
        Ok(())
    }

    /// Runs for `edges` core clock edges.
    pub fn run(&mut self, edges: u64) -> Result<(), NicError> {
        let end = self.edges + edges;
        while self.edges < end {
            self.step()?;
        }
        Ok(())
    }

    fn moves(&self) -> bool {
        let on_wire = |node: &Node<N>| !node.arriving.is_empty() || node.card.outputs().network.tx_enable;
        (0..).zip(&self.nodes).any(|(number, node)| {
            on_wire(node) || node.host.waiting() != 0 || self.register(number, self.places.dispatcher) != 0
        })
    }

    /// A word of a sample of a card: a register of up to 64 bits.
    fn register(&self, node: u16, word: usize) -> u64 {
        let mut sample = Vec::new();
        self.nodes[usize::from(node)].card.sample(&mut sample);
        sample[word]
    }

    /// Timers of a node that have expired since its set-up.
    pub fn expired(&self, node: u16) -> u64 {
        self.register(node, self.places.expired)
    }

    /// Causes for which a card would interrupt its host.
    pub fn interrupt_causes(&self, node: u16) -> u8 {
        self.register(node, self.places.causes) as u8
    }

    /// Whether a card discards the messages of the channel.
    pub fn discards(&self, node: u16) -> bool {
        self.register(node, self.places.discarding) >> CHANNEL & 1 == 1
    }

    /// Slots of the channel's receive ring that a host holds.
    pub fn slots_held(&self, node: u16) -> u8 {
        (self.register(node, self.places.held) >> (5 * CHANNEL)) as u8 & 0x1f
    }

    /// The control structure of a peer in the NIC memory of a node.
    pub fn control(&self, node: u16, peer: u16) -> Control {
        let mut words = Vec::new();
        self.nodes[usize::from(node)].card.memories(&mut words);
        let first = self.places.memory + control_structure(CHANNEL, peer) as usize;
        Control::from_words(std::array::from_fn(|word| words[first + word] as u32))
    }

    /// The kernel of a node writes the control structure of a peer.
    pub fn set_control(&mut self, node: u16, peer: u16, control: Control) {
        for (at, word) in (control_structure(CHANNEL, peer)..).zip(control.words()) {
            self.host(node).poke(at, word);
        }
    }

    /// The kernels of all nodes write a register.
    pub fn set_registers(&mut self, register: Register, value: u32) {
        self.hosts().for_each(|host| host.write_register(register, value));
    }
}

impl<N> Node<N> {
    fn hears(&mut self) -> NetworkIn {
        match self.arriving.pop_front() {
            Some(Some(byte)) => NetworkIn { rx_data: byte, rx_valid: true, rx_error: false },
            Some(None) | None => NetworkIn::default(),
        }
    }
}
