//! A host that uses a card: pinned memory, a PCI bus, descriptors and flags.
//!
//! At the pins, the host performs the accesses of the paper's driver and library (section 4.5), as
//! fast as the pins allow or with random pauses. The cost of a host's instructions is not modelled.

use std::collections::VecDeque;

use hdl::Stimulus;

use crate::header::{ETHER_TYPE, MAC_PREFIX};
use crate::host_memory::{BASE, BYTES, receive_area, send_area};
use crate::memory_map::{
    AREAS, Flag, OTHER, RECEIVE_SLOT_BYTES, RINGS, SEND_RECORDS, SLOTS, control_structure,
    receive_descriptor, send_descriptor,
};
use crate::pins::{BusIn, BusOut, HostIn, HostOut, Out};
use crate::protocol::{Control, Rules};
use crate::registers::Register;

/// Parameters that a host sets.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Number of the node.
    pub node: u16,
    /// Number of nodes.
    pub nodes: u16,
    /// Repairs of the printed rules.
    pub rules: Rules,
    /// N: messages that may be sent to a peer without an ACK.
    pub window: u16,
    /// T: cycles until a retransmission.
    pub timeout: u32,
    /// Expiries after which a peer is dead; 0 for never.
    pub limit: u8,
    /// Free slots that end discarding.
    pub room: u8,
    /// Cycles between visits of the timer scan, less one.
    pub scan_period: u16,
    /// Session of all peers.
    pub epoch: u16,
}

impl Setup {
    /// One of two nodes, with all repairs and times that suit a short test.
    pub fn pair(node: u16) -> Self {
        Self {
            node,
            nodes: 2,
            rules: Rules::REPAIRED,
            window: 8,
            timeout: 20_000,
            limit: 0,
            room: 4,
            scan_period: 200,
            epoch: 1,
        }
    }
}

/// A delivered message or frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Ring, 0 to 4.
    pub ring: u8,
    /// Sender.
    pub node: u16,
    /// Content of the message or frame.
    pub bytes: Vec<u8>,
}

/// Purpose of a read whose answer is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The answer is ignored.
    Ignored,
    /// Flag of the send descriptor that is used next.
    SendFlag(u8),
    /// Flag, address, size and peer of the receive descriptor that is filled next.
    ReceiveFlag(u8),
    Address,
    Size,
    Peer(u8),
}

/// A host with its memory, which drives the pins of a card.
#[derive(Clone, Debug)]
pub struct Host {
    random: Stimulus,
    /// The bus grants, or transfers a word, once in `stalls` cycles on average.
    pub stalls: u64,
    memory: Vec<u32>,
    beats: VecDeque<(HostIn, Answer)>,
    /// Pending answers: of reads one and two cycles ago.
    asked: [Answer; 2],
    page: Option<u32>,
    /// Messages that wait for a free descriptor, by ring.
    outbox: [VecDeque<(u32, u16, Vec<u8>)>; RINGS as usize],
    send_slot: [u8; RINGS as usize],
    receive_slot: [u8; RINGS as usize],
    /// A descriptor is being posted.
    busy: bool,
    address: u32,
    size: u32,
    /// Ring to poll next.
    turn: u8,
    /// Takes messages from the rings; otherwise they stay there.
    pub takes: bool,
    /// Messages and frames taken so far.
    pub deliveries: Vec<Delivery>,
    /// Descriptors that were found refused.
    pub refused: u64,
}

impl Host {
    /// A host that sets up its card with these parameters.
    pub fn new(seed: u64, setup: &Setup) -> Self {
        let mut host = Self {
            random: Stimulus::new(seed),
            stalls: 1,
            memory: vec![0; BYTES as usize / 4],
            beats: VecDeque::new(),
            asked: [Answer::Ignored; 2],
            page: None,
            outbox: Default::default(),
            send_slot: [0; RINGS as usize],
            receive_slot: [0; RINGS as usize],
            busy: false,
            address: 0,
            size: 0,
            turn: 0,
            takes: true,
            deliveries: Vec::new(),
            refused: 0,
        };
        host.set_up(setup);
        host
    }

    /// Disables the card and sets it up again; work in progress is lost.
    pub fn restart(&mut self, setup: &Setup) {
        let (stalls, takes) = (self.stalls, self.takes);
        *self = Self { stalls, takes, ..Self::new(self.random.word(), setup) };
        let set_up = std::mem::take(&mut self.beats);
        self.page = None;
        self.write_register(Register::Control, 0);
        for (ring, slot) in (0..RINGS).flat_map(|ring| (0..SLOTS).map(move |slot| (ring, slot))) {
            self.poke(send_descriptor(ring, slot) + 3, Flag::Free.code().into());
            self.poke(receive_descriptor(ring, slot) + 3, Flag::Free.code().into());
        }
        for word in 0..32 * u32::from(OTHER) {
            self.poke(SEND_RECORDS + word, 0);
        }
        self.beats.extend(set_up);
        self.page = None;
    }

    fn set_up(&mut self, setup: &Setup) {
        for ring in 0..RINGS {
            self.poke(AREAS + 2 * u32::from(ring), send_area(ring));
            self.poke(AREAS + 2 * u32::from(ring) + 1, receive_area(ring));
        }
        for (channel, node) in (0..OTHER).flat_map(|c| (0..setup.nodes).map(move |n| (c, n))) {
            let words = Control::open(setup.epoch).words();
            for (at, word) in (control_structure(channel, node)..).zip(words) {
                self.poke(at, word);
            }
        }
        let values = [
            (Register::Node, setup.node.into()),
            (Register::Nodes, setup.nodes.into()),
            (Register::MacPrefix, MAC_PREFIX),
            (Register::EtherType, ETHER_TYPE.into()),
            (Register::Rules, setup.rules.bits()),
            (Register::Window, setup.window.into()),
            (Register::Timeout, setup.timeout),
            (Register::Limit, setup.limit.into()),
            (Register::Room, setup.room.into()),
            (Register::ScanPeriod, setup.scan_period.into()),
            (Register::InterruptEnable, 0xf),
            (Register::Control, 1),
        ];
        for (register, value) in values {
            self.write_register(register, value);
        }
    }

    /// Queues an access.
    pub fn access(&mut self, access: HostIn) {
        self.beats.push_back((HostIn { enable: true, ..access }, Answer::Ignored));
    }

    /// Queues a write of a register.
    pub fn write_register(&mut self, register: Register, wdata: u32) {
        let address = 0x1000 + register.info().offset;
        self.access(HostIn { address, wdata, write: true, ..HostIn::default() });
    }

    /// Queues a write of NIC memory through the page register.
    pub fn poke(&mut self, word: u32, wdata: u32) {
        self.turn_to(word);
        let address = 0x2000 + (4 * (word & 0x3ff)) as u16;
        self.access(HostIn { address, wdata, write: true, ..HostIn::default() });
    }

    fn peek(&mut self, word: u32, answer: Answer) {
        self.turn_to(word);
        let address = 0x2000 + (4 * (word & 0x3ff)) as u16;
        self.beats.push_back((HostIn { address, enable: true, ..HostIn::default() }, answer));
    }

    /// Queues a read of the window, by a user process.
    fn poll(&mut self, word: u32, answer: Answer) {
        let access = HostIn { address: (4 * word) as u16, enable: true, user: true, ..HostIn::default() };
        self.beats.push_back((access, answer));
    }

    fn turn_to(&mut self, word: u32) {
        if self.page != Some(word >> 10) {
            self.page = Some(word >> 10);
            self.write_register(Register::Page, word >> 10);
        }
    }

    /// Queues a message, which is sent when its ring has a free descriptor. A frame of another
    /// protocol goes to ring 4, with two padding bytes.
    pub fn send(&mut self, ring: u8, node: u16, bytes: Vec<u8>) {
        let slot = (self.outbox[ring as usize].len() as u32 + u32::from(self.send_slot[ring as usize])) % 16;
        self.send_from(ring, send_area(ring) + 1536 * slot, node, bytes);
    }

    /// Sends from any address, also an invalid one.
    pub fn send_from(&mut self, ring: u8, address: u32, node: u16, bytes: Vec<u8>) {
        self.outbox[ring as usize].push_back((address, node, bytes));
    }

    /// Messages that wait for a descriptor.
    pub fn waiting(&self) -> usize {
        self.outbox.iter().map(VecDeque::len).sum()
    }

    /// Whether no access of the host is pending.
    pub fn is_quiet(&self) -> bool {
        self.beats.is_empty() && self.asked == [Answer::Ignored; 2] && !self.busy
    }

    /// The pins for the next edge of the card's clock; `out` are the card's present pins.
    pub fn pins(&mut self, out: &Out) -> (HostIn, BusIn) {
        self.answered(&out.host);
        if self.beats.is_empty() && !self.busy {
            self.look();
        }
        let (host, answer) = self.beats.pop_front().unwrap_or((HostIn::default(), Answer::Ignored));
        self.asked = [answer, self.asked[0]];
        (host, self.bus(&out.bus))
    }

    /// The answer to the access of two cycles ago.
    fn answered(&mut self, out: &HostOut) {
        let rdata = out.rdata;
        match std::mem::replace(&mut self.asked[1], Answer::Ignored) {
            Answer::Ignored => (),
            Answer::SendFlag(ring) => {
                self.busy = false;
                self.refused += u64::from(rdata == Flag::Refused.code().into());
                if rdata == Flag::Free.code().into() || rdata == Flag::Refused.code().into() {
                    self.post(ring);
                }
            }
            Answer::ReceiveFlag(ring) => {
                self.busy = false;
                if rdata == Flag::Full.code().into() {
                    self.busy = true;
                    let descriptor = receive_descriptor(ring, self.receive_slot[ring as usize]);
                    let ask = |host: &mut Self, word, answer| {
                        if ring == OTHER { host.peek(word, answer) } else { host.poll(word, answer) }
                    };
                    ask(self, descriptor, Answer::Address);
                    ask(self, descriptor + 1, Answer::Size);
                    ask(self, descriptor + 2, Answer::Peer(ring));
                }
            }
            Answer::Address => self.address = rdata,
            Answer::Size => self.size = rdata,
            Answer::Peer(ring) => {
                self.busy = false;
                self.take(ring, rdata as u16);
            }
        }
    }

    /// Polls the next ring, for a message to send and for one received.
    fn look(&mut self) {
        self.turn = (self.turn + 1) % (2 * RINGS);
        let ring = self.turn / 2;
        if self.turn.is_multiple_of(2) {
            if !self.outbox[ring as usize].is_empty() {
                self.busy = true;
                let slot = self.send_slot[ring as usize];
                self.peek(send_descriptor(ring, slot) + 3, Answer::SendFlag(ring));
            }
        } else if self.takes {
            self.busy = true;
            let flag = receive_descriptor(ring, self.receive_slot[ring as usize]) + 3;
            if ring == OTHER {
                self.peek(flag, Answer::ReceiveFlag(ring));
            } else {
                self.poll(flag, Answer::ReceiveFlag(ring));
            }
        }
    }

    /// Fills in a descriptor: three words, then the flag.
    fn post(&mut self, ring: u8) {
        let Some((address, node, bytes)) = self.outbox[ring as usize].pop_front() else { return };
        for (i, chunk) in bytes.chunks(4).enumerate() {
            let word = (0..4).map(|b| u32::from(chunk.get(b).copied().unwrap_or(0)) << (8 * b)).sum();
            self.store(address.wrapping_add(4 * i as u32), word);
        }
        let slot = self.send_slot[ring as usize];
        self.send_slot[ring as usize] = (slot + 1) % SLOTS;
        let descriptor = send_descriptor(ring, slot);
        let words = [address, bytes.len() as u32, node.into(), Flag::Full.code().into()];
        for (at, word) in (descriptor..).zip(words) {
            self.poke(at, word);
        }
    }

    /// Takes a message out of its slot and gives the slot back.
    fn take(&mut self, ring: u8, node: u16) {
        let slot = self.receive_slot[ring as usize];
        assert_eq!(self.address, receive_area(ring) + RECEIVE_SLOT_BYTES * u32::from(slot));
        let bytes = (0..self.size).map(|i| {
            let word = self.memory[((self.address - BASE + i) / 4) as usize];
            (word >> (8 * (i % 4))) as u8
        });
        let delivery = Delivery { ring, node, bytes: bytes.collect() };
        self.deliveries.push(delivery);
        self.receive_slot[ring as usize] = (slot + 1) % SLOTS;
        self.poke(receive_descriptor(ring, slot) + 3, Flag::Free.code().into());
        self.write_register(Register::Release, ring.into());
    }

    fn store(&mut self, address: u32, word: u32) {
        if let Some(place) = self.memory.get_mut((address.wrapping_sub(BASE) / 4) as usize) {
            *place = word;
        }
    }

    /// The bus: grants and transfers, at random if it stalls.
    fn bus(&mut self, out: &BusOut) -> BusIn {
        let lucky = |random: &mut Stimulus, odds: u64| odds <= 1 || random.one_in(odds);
        let grant = out.request && lucky(&mut self.random, self.stalls);
        let ready = out.transfer && lucky(&mut self.random, self.stalls);
        if ready && out.write {
            self.store(out.address, out.wdata);
        }
        let word = self.memory.get((out.address.wrapping_sub(BASE) / 4) as usize);
        BusIn { rdata: word.copied().unwrap_or(0), grant, ready }
    }
}
