//! A node as a carrier of MPI: sends and takes messages of the board.

use std::collections::{BTreeMap, VecDeque};

use cluster::{Duration, Time};
use dimmnet2::registers::SystemRegister;
use dimmnet2::registers::code::mtu_code;
use mpi::carrier::{Carrier, Packet, Sent};
use mpi::{Credits, PacketKind};

use super::envelope::{self, Letter, Opened};
use super::landing::{Key, Landing, MOST_BYTES};
use super::layout::{self, PIECE, STAGE};
use super::windows::Leaving;
use super::{ENTRIES, PROCESS};
use crate::programs::botf::{DATA_BYTES, Destination, Packet as Image, Peer};
use crate::programs::messages::{Head, Inbox};
use crate::programs::remote::Memory;
use crate::programs::vl::Source;
use crate::programs::{Board, Habits};
use crate::{Host, lid};

/// All nodes have their rings by then.
const READY: Duration = Duration::from_us(40);
/// A turn of a loop that waits.
const LOOP: Duration = Duration::from_ns(10);
/// Write Windows that are used in turn.
const WINDOWS: u8 = 4;

/// A board in the hands of MPI.
pub struct Native {
    board: Board,
    inbox: Inbox,
    processor: mpi::Host,
    nodes: usize,
    /// Entries of the LH Buffer that this node and each other one have of each other.
    credits: Vec<Credits>,
    /// Nodes that had no entry for a message; whether they have given one back is looked for in turn.
    lacking: VecDeque<usize>,
    /// Places of long messages that come.
    landing: Landing,
    /// Places of long messages that leave, and the bytes that were written there.
    cleared: BTreeMap<Key, (u32, u32)>,
    /// The answer that has come last, if it named windows.
    answer: Option<(usize, Leaving)>,
    /// The Write Window that is used next.
    window: u8,
    /// A message that came whole needs no number of its sender's; it gets one from the other end.
    number: u32,
}

impl Native {
    /// Sets the board up, by the time at which all nodes are. Its packets carry so many bytes, or as many as after reset.
    pub async fn open(host: Host, processor: mpi::Host, nodes: usize, mtu: Option<u16>) -> Native {
        let node = host.node();
        let habits = Habits { counter_kept: true, ..Habits::default() };
        let board = Board::initialise(host.clone(), PROCESS).await.with(habits);
        if let Some(code) = mtu.and_then(mtu_code) {
            host.store_uc(Board::system(SystemRegister::Mtu), code.into()).await;
        }
        let credits = Credits::of_slots(ENTRIES, nodes).expect("a rank has an entry at each other one");
        let others = || (0..nodes).filter(|other| *other != node);
        for other in others() {
            host.store_uc(board.llcm(layout::taken(other)), 0).await;
        }
        let units = layout::ring_units(credits.share());
        let rings: Vec<_> = others().map(|other| layout::ring(peer(other), other, units)).collect();
        let inbox = Inbox::open(&board, units, &rings).await;
        let ready = Time::ZERO + READY;
        assert!(host.now() <= ready, "a node has its rings before others push to it");
        host.compute(ready - host.now()).await;
        Native {
            board,
            inbox,
            processor,
            nodes,
            credits: vec![credits; nodes],
            lacking: VecDeque::new(),
            landing: Landing::default(),
            cleared: BTreeMap::new(),
            answer: None,
            window: 0,
            number: 0,
        }
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// An answer that named windows, once: who gives them, and the message that may leave.
    pub(super) fn answer(&mut self) -> Option<(usize, Leaving)> {
        self.answer.take()
    }

    /// Whether a node has an entry for a message. If it has none, whether it has given one back is looked for.
    pub(super) fn may_send(&mut self, to: usize) -> bool {
        let may_send = self.credits[to].may_send();
        if !may_send && !self.lacking.contains(&to) {
            self.lacking.push_back(to);
        }
        may_send
    }

    /// Sends a message of the board: its head to the LH Buffer, and what does not fit into that packet to the ring. No window is waited
    /// for long, because there is room for all of it.
    pub(super) async fn push(&mut self, to: usize, message: &[u8]) {
        for (number, part) in message.chunks(DATA_BYTES).enumerate() {
            let destination = if number == 0 { Destination::LhBuffer } else { Destination::Ring };
            self.post(peer(to), destination, part).await;
        }
        self.credits[to].sent();
    }

    /// Sends a packet by BOTF from the next window.
    pub(super) async fn post(&mut self, peer: Peer, destination: Destination, data: &[u8]) {
        let image = Image { peer, swid: PROCESS.wid, destination, status: false, tag: 0 };
        let sent = self.board.send_packet(self.window, &image, data).await;
        sent.expect("a packet fits into a window");
        self.window = (self.window + 1) % WINDOWS;
    }

    /// Writes a piece of a message to the place that its receiver has for it: into the own SO-DIMM by VS, and on by RVS. The envelope
    /// that tells of it leaves behind it, and comes behind it.
    async fn write(&mut self, to: usize, envelope: &mpi::Envelope, data: &[u8]) {
        let key = (to, envelope.request);
        let (place, written) = self.cleared.remove(&key).expect("data leaves when it has a place");
        // What was staged before has left.
        self.board.wait_sent().await;
        self.board.write_sodimm(STAGE, data).await;
        let bytes = data.len() as u32;
        let side = |offset| Source::Contiguous { offset, size: bytes.next_multiple_of(8) };
        self.board.issue_rvs(peer(to), side(STAGE), side(place + written), Memory::SoDimm, false).await;
        if written + bytes < envelope.length {
            self.cleared.insert(key, (place, written + bytes));
        }
    }

    /// Takes a message whose head has come. None if it is none of MPI.
    async fn take(&mut self, head: Head) -> Option<Packet> {
        let Opened { from, letter, mut envelope, data } = envelope::open(&head)?;
        let mut data = data.to_vec();
        let in_ring = head.size as usize - head.data.len();
        if in_ring > 0 {
            self.take_rest(from, in_ring, envelope.length as usize, &mut data).await;
        }
        self.took(from).await;
        match letter {
            Letter::Whole | Letter::Long(_) => {
                self.number = self.number.wrapping_sub(1);
                envelope.request = self.number;
            }
            Letter::Ask(..) => {}
            Letter::Clear(place) => {
                self.cleared.insert((from, envelope.request), (place, 0));
            }
            Letter::Windows(first) => self.answer = Some((from, Leaving::new(first))),
            Letter::Written(bytes) => {
                let key = (from, envelope.request);
                let place = self.landing.written(key, bytes)?;
                let take = async |_, piece: &[u8]| data.extend_from_slice(piece);
                self.board.read_sodimm(place, bytes as usize, take).await;
                self.landing.read(key, bytes);
            }
        }
        Some(Packet { from, bytes: [&envelope.to_bytes()[..], &data].concat() })
    }

    /// Takes what of a message lies in the ring of its sender: `first` bytes of the packet that brought the head, for which the board
    /// lets a VL wait, and then what comes, until there are `all`.
    async fn take_rest(&mut self, from: usize, first: usize, all: usize, data: &mut Vec<u8>) {
        let ring = if from < self.rank() { from } else { from - 1 };
        data.extend(self.inbox.take(&self.board, ring, first).await);
        while data.len() < all {
            let there = self.inbox.wait_for_more(&self.board, ring).await;
            data.extend(self.inbox.take(&self.board, ring, there.min(all - data.len())).await);
        }
    }

    /// A message was taken, and its place is free. Its sender is told when that is worth a packet, which needs no place.
    async fn took(&mut self, from: usize) {
        let credits = &mut self.credits[from];
        credits.took();
        if credits.is_to_tell() {
            let taken = u64::from(credits.tell());
            let word = Destination::Llcm(layout::taken(self.rank()));
            self.post(peer(from), word, &taken.to_le_bytes()).await;
        }
    }

    /// Looks once whether a node has given places back that had none.
    async fn look_for_room(&mut self) {
        if let Some(node) = self.lacking.pop_front() {
            let taken = self.board.host().load_uc(self.board.llcm(layout::taken(node))).await;
            self.credits[node].hear(taken as u32);
        }
    }
}

impl Carrier for Native {
    fn rank(&self) -> usize {
        self.board.host().node()
    }

    fn ranks(&self) -> usize {
        self.nodes
    }

    fn most_bytes(&self) -> usize {
        mpi::Envelope::BYTES + PIECE
    }

    fn most_eager(&self) -> usize {
        PIECE
    }

    fn most_message(&self) -> usize {
        MOST_BYTES
    }

    /// It reads the next entry of the LH Buffer, and a word of one node that had no place, if there are such nodes of the next one in turn.
    fn looks_alike(&self) -> bool {
        self.lacking.is_empty()
    }

    fn host(&self) -> mpi::Host {
        self.processor.clone()
    }

    /// An answer names a place, all else needs an entry only.
    fn has_room(&mut self, to: usize, envelope: &mpi::Envelope) -> bool {
        self.may_send(to)
            && (envelope.kind != PacketKind::Clear || self.landing.room(envelope.length).is_some())
    }

    async fn send(&mut self, to: usize, packet: &[u8]) -> Sent {
        let (envelope, data) = mpi::Envelope::split(packet).expect("the library sends packets of MPI");
        let (letter, behind) = match envelope.kind {
            PacketKind::Eager if envelope::BYTES + data.len() <= DATA_BYTES => (Letter::Whole, data),
            PacketKind::Eager => (Letter::Long(envelope.length), data),
            PacketKind::Ask => (Letter::Ask(envelope.length, envelope.request), data),
            PacketKind::Clear => match self.landing.clear((to, envelope.request), envelope.length) {
                Some(place) => (Letter::Clear(place), data),
                None => return Sent::NoRoom,
            },
            PacketKind::Data => {
                self.write(to, &envelope, data).await;
                (Letter::Written(data.len() as u32), &[][..])
            }
        };
        self.push(to, &envelope::pack(self.rank(), letter, &envelope, behind)).await;
        Sent::Yes
    }

    async fn receive(&mut self) -> Option<Packet> {
        match self.inbox.poll_head(&self.board).await {
            Some(head) => self.take(head).await,
            None => {
                self.look_for_room().await;
                None
            }
        }
    }

    async fn pause(&mut self) {
        self.board.host().compute(LOOP).await;
    }
}

/// The process of MPI on a node.
pub(super) fn peer(node: usize) -> Peer {
    Peer { lid: lid(node), wid: PROCESS.wid }
}
