//! A rank as a carrier of MPI, over messages of the board.

use std::collections::{BTreeMap, VecDeque};

use cluster::{Duration, Time};
use dimmnet2::registers::SystemRegister;
use dimmnet2::registers::code::mtu_code;
use dimmnet2::{StatusLower, StatusUpper};
use mpi::carrier::{Carrier, Direction, Packet, Part, Reach, Received, Sent};
use mpi::{Credits, PacketKind, Piece};

use super::ENTRIES;
use super::envelope::{self, Letter, Opened};
use super::landing::{Key, Landing};
use super::layout::{self, PIECE, STAGE};
use super::ranks::{Ranks, Seat};
use super::remote::Remote;
use super::shape;
use super::windows::Leaving;
use crate::Host;
use crate::programs::botf::{DATA_BYTES, Destination, Packet as Image, Peer};
use crate::programs::messages::{Head, Inbox};
use crate::programs::remote::Memory;
use crate::programs::vl::Source;
use crate::programs::{Board, Habits};

/// Time at which all ranks have their rings.
const READY: Duration = Duration::from_us(40);
/// Time of a turn of a waiting loop.
const LOOP: Duration = Duration::from_ns(10);
/// Write Windows, used in rotation.
const WINDOWS: u8 = 4;

/// The carrier of MPI over a board.
pub struct Native {
    board: Board,
    inbox: Inbox,
    processor: mpi::Host,
    seat: Seat,
    /// Credits of entries of the LH Buffer, for each other rank.
    credits: Vec<Credits>,
    /// Ranks without an entry for a message; they are polled in rotation for returned entries.
    lacking: VecDeque<usize>,
    /// Places of long messages that arrive.
    landing: Landing,
    /// Places of long messages that leave, and the bytes written there.
    cleared: BTreeMap<Key, (u32, u32)>,
    /// The last answer, if it named windows.
    answer: Option<(usize, Leaving)>,
    /// Next Write Window.
    window: u8,
    /// Accesses to windows.
    pub(super) remote: Remote,
    /// Prefetch Windows through which data of gets is read.
    pub(super) prefetch_windows: u8,
    /// Number of the last message that came whole: the receiver numbers it, because the sender does not.
    number: u32,
}

impl Native {
    /// Sets the board up, before the time at which all boards are. Packets carry `mtu` bytes, or as many as after
    /// reset.
    pub async fn open(
        host: Host,
        processor: mpi::Host,
        seat: Seat,
        mtu: Option<u16>,
        remote: Remote,
    ) -> Native {
        let Seat { rank, ranks } = seat;
        let habits = Habits { counter_kept: true, ..Habits::default() };
        let board = Board::initialise(host.clone(), ranks.process(rank)).await.with(habits);
        if let Some(code) = mtu.and_then(mtu_code) {
            host.store_uc(Board::system(SystemRegister::Mtu), code.into()).await;
        }
        let credits =
            Credits::of_slots(ENTRIES, ranks.count()).expect("a rank has an entry at each other one");
        let others = || (0..ranks.count()).filter(|other| *other != rank);
        for other in others() {
            host.store_uc(board.llcm(layout::taken(other)), 0).await;
        }
        let units = layout::ring_units(credits.share());
        let rings: Vec<_> = others().map(|other| layout::ring(ranks.peer(other), other, units)).collect();
        let inbox = Inbox::open(&board, units, &rings).await;
        let ready = Time::ZERO + READY;
        assert!(host.now() <= ready, "a rank has its rings before others push to it");
        host.compute(ready - host.now()).await;
        // From here on the process has the pages of a user, if another one has the other slot.
        let board = if ranks.share_boards() { board.as_user() } else { board };
        Native {
            board,
            inbox,
            processor,
            seat,
            credits: vec![credits; ranks.count()],
            lacking: VecDeque::new(),
            landing: Landing::new(&ranks.regions().landing),
            cleared: BTreeMap::new(),
            answer: None,
            window: 0,
            remote,
            prefetch_windows: WINDOWS,
            number: 0,
        }
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// All ranks of the run.
    pub(super) fn ranks(&self) -> Ranks {
        self.seat.ranks
    }

    pub(super) fn rank(&self) -> usize {
        self.seat.rank
    }

    /// Writes data that leaves to own SO-DIMM.
    pub(super) async fn stage(&mut self, data: &[u8]) {
        self.board.write_sodimm(STAGE, data).await;
    }

    /// Looks once for a receive status.
    pub(super) async fn next_status(&mut self) -> Option<(StatusLower, StatusUpper)> {
        self.board.next_status_within(1).await
    }

    /// Reads data that has arrived in own SO-DIMM.
    pub(super) async fn read_arrived(&self, offset: u32, bytes: usize) -> Vec<u8> {
        let mut data = Vec::with_capacity(bytes);
        let take = async |_, piece: &[u8]| data.extend_from_slice(piece);
        self.board.read_sodimm_through(self.prefetch_windows, offset, bytes, take).await;
        data
    }

    /// Takes the last answer that named windows: its rank, and the message that may leave.
    pub(super) fn answer(&mut self) -> Option<(usize, Leaving)> {
        self.answer.take()
    }

    /// Whether a rank has an entry for a message. A rank without one is polled for returned entries from now on.
    pub(super) fn may_send(&mut self, to: usize) -> bool {
        let may_send = self.credits[to].may_send();
        if !may_send && !self.lacking.contains(&to) {
            self.lacking.push_back(to);
        }
        may_send
    }

    /// Sends a message of the board: its head to the LH Buffer, and the data behind the first packet to the ring.
    /// Windows are free soon, because the receiver has room for all of it.
    pub(super) async fn push(&mut self, to: usize, message: &[u8]) {
        for (number, part) in message.chunks(DATA_BYTES).enumerate() {
            let destination = if number == 0 { Destination::LhBuffer } else { Destination::Ring };
            self.post(self.ranks().peer(to), destination, part).await;
        }
        self.credits[to].sent();
    }

    /// Sends a packet by BOTF from the next window.
    pub(super) async fn post(&mut self, peer: Peer, destination: Destination, data: &[u8]) {
        let image = Image { peer, swid: self.board.process().wid, destination, status: false, tag: 0 };
        let sent = self.board.send_packet(self.window, &image, data).await;
        sent.expect("a packet fits into a window");
        self.window = (self.window + 1) % WINDOWS;
    }

    /// Writes a piece of a message to its place at the receiver: by VS into own SO-DIMM, and on by RVS. The envelope
    /// that announces it leaves and arrives behind it.
    async fn write_piece(&mut self, to: usize, envelope: &mpi::Envelope, data: &[u8]) {
        let key = (to, envelope.request);
        let (place, written) = self.cleared.remove(&key).expect("data leaves when it has a place");
        // The data staged before has left.
        self.board.wait_sent().await;
        self.stage(data).await;
        let bytes = data.len() as u32;
        let side = |offset| Source::Contiguous { offset, size: bytes.next_multiple_of(8) };
        let peer = self.ranks().peer(to);
        self.board.issue_rvs(peer, side(STAGE), side(place + written), Memory::SoDimm, false).await;
        if written + bytes < envelope.length {
            self.cleared.insert(key, (place, written + bytes));
        }
    }

    /// Takes a message whose head has arrived; `None` if it is not of MPI.
    async fn take(&mut self, head: Head) -> Option<Received> {
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
            Letter::Windows(first) => {
                self.answer = Some((from, Leaving::new(self.ranks().ring(from), first)))
            }
            Letter::Written(bytes) => {
                let key = (from, envelope.request);
                let place = self.landing.written(key, bytes)?;
                let take = async |_, piece: &[u8]| data.extend_from_slice(piece);
                self.board.read_sodimm(place, bytes as usize, take).await;
                self.landing.read(key, bytes);
            }
        }
        Some(Received { from, packet: Some(Packet::new(envelope, data)) })
    }

    /// Takes the data of a message from the ring of its sender: `first` bytes of the packet with the head, for which
    /// the board delays a VL, and then the bytes that arrive, until there are `all`.
    async fn take_rest(&mut self, from: usize, first: usize, all: usize, data: &mut Vec<u8>) {
        let ring = if from < self.rank() { from } else { from - 1 };
        data.extend(self.inbox.take(&self.board, ring, first).await);
        while data.len() < all {
            let there = self.inbox.wait_for_more(&self.board, ring).await;
            data.extend(self.inbox.take(&self.board, ring, there.min(all - data.len())).await);
        }
    }

    /// Frees the entry of a message. Its sender is told when enough entries are free for a packet, which needs no entry
    /// itself.
    async fn took(&mut self, from: usize) {
        let credits = &mut self.credits[from];
        credits.took();
        if credits.is_to_tell() {
            let taken = u64::from(credits.tell());
            let word = Destination::Llcm(layout::taken(self.rank()));
            self.post(self.ranks().peer(from), word, &taken.to_le_bytes()).await;
        }
    }

    /// Polls one rank without entries for returned ones.
    async fn look_for_room(&mut self) {
        if let Some(rank) = self.lacking.pop_front() {
            let taken = self.board.host().load_uc(self.board.llcm(layout::taken(rank))).await;
            self.credits[rank].hear(taken as u32);
        }
    }
}

impl Carrier for Native {
    fn rank(&self) -> usize {
        self.seat.rank
    }

    fn ranks(&self) -> usize {
        self.seat.ranks.count()
    }

    fn most_bytes(&self) -> usize {
        mpi::Envelope::BYTES + PIECE
    }

    fn most_eager(&self) -> usize {
        PIECE
    }

    fn most_message(&self) -> usize {
        self.landing.most_bytes()
    }

    /// A look reads the next entry of the LH Buffer, and a word of one rank without entries if there are any, the next
    /// one each time. While an RVL is in progress, the ring of statuses is looked at too, a counted number of times.
    fn looks_alike(&self) -> bool {
        self.lacking.is_empty() && self.remote.is_idle()
    }

    fn host(&self) -> mpi::Host {
        self.processor.clone()
    }

    /// An answer takes a place for data; any other packet takes an entry alone.
    fn has_room(&mut self, to: usize, envelope: &mpi::Envelope) -> bool {
        self.may_send(to)
            && (envelope.kind != PacketKind::Clear || self.landing.room(envelope.length).is_some())
    }

    async fn send(&mut self, to: usize, Packet { envelope, data }: &Packet) -> Sent {
        let (letter, behind) = match envelope.kind {
            PacketKind::Eager if envelope::BYTES + data.len() <= DATA_BYTES => (Letter::Whole, &data[..]),
            PacketKind::Eager => (Letter::Long(envelope.length), &data[..]),
            PacketKind::Ask => (Letter::Ask(envelope.length, envelope.request), &data[..]),
            PacketKind::Clear => match self.landing.clear((to, envelope.request), envelope.length) {
                Some(place) => (Letter::Clear(place), &data[..]),
                None => return Sent::NoRoom,
            },
            PacketKind::Data => {
                self.write_piece(to, envelope, data).await;
                (Letter::Written(data.len() as u32), &[][..])
            }
        };
        self.push(to, &envelope::pack(self.rank(), letter, envelope, behind)).await;
        Sent::Yes
    }

    async fn receive(&mut self) -> Option<Received> {
        match self.inbox.poll_head(&self.board).await {
            Some(head) => self.take(head).await,
            None => {
                self.look_for_room().await;
                self.take_status().await;
                None
            }
        }
    }

    fn reach(&self) -> Reach {
        self.remote.reach()
    }

    async fn place(&mut self, bytes: u64) -> Option<u64> {
        self.place_window(bytes).await
    }

    fn release(&mut self, place: u64) {
        self.remote.places.free(place as u32);
    }

    fn cut(&self, _: Direction, _: u64, pieces: &[Piece]) -> Vec<Vec<Piece>> {
        shape::cut(pieces)
    }

    async fn write(&mut self, part: &Part, data: &[u8]) -> Sent {
        self.put(part, data).await;
        Sent::Yes
    }

    async fn read(&mut self, part: &Part, present: &[u8]) -> Sent {
        room(self.get(part, present).await)
    }

    async fn settle(&mut self, target: usize) -> Sent {
        room(self.ask_settled(target).await)
    }

    fn finished(&mut self) -> Option<(usize, Vec<u8>)> {
        self.remote.finished.pop_front()
    }

    async fn pause(&mut self) {
        self.board.host().compute(LOOP).await;
    }
}

fn room(has_room: bool) -> Sent {
    if has_room { Sent::Yes } else { Sent::NoRoom }
}

#[cfg(test)]
mod tests {
    use cluster::{RunError, Waiting};
    use dimmnet2::Dimmnet2 as Device;
    use dimmnet2::address::Area;
    use hdl::Model;
    use machine_api::Placement;
    use mpi::Costs;

    use super::*;
    use crate::parallel::remote;
    use crate::{AnyNic, Cluster, Settings};

    /// Opens the carriers of two ranks, `per_node` on each board. Then `rank` reads `address`.
    fn read_once_open(per_node: usize, rank: usize, address: u32) -> Result<Time, RunError> {
        let ranks = Ranks(Placement::new(2, per_node));
        let device = |_| Box::new(Model::new(Device::default())) as Box<AnyNic>;
        let boards = (0..ranks.0.nodes()).map(device).collect();
        let mut cluster = Cluster::with_switch(boards, &Settings::default());
        for seat in (0..ranks.count()).map(|rank| Seat { rank, ranks }) {
            let remote = remote(&cluster, ranks);
            cluster.spawn(ranks.node(seat.rank), "rank", move |host| async move {
                let processor = mpi::Host::new(host.processor().clone(), Costs::FREE);
                let native = Native::open(host, processor, seat, None, remote).await;
                if seat.rank == rank {
                    native.board().host().load_uc(address).await;
                }
            });
        }
        cluster.run(READY + Duration::from_us(100))
    }

    #[test]
    fn rank_of_a_shared_board_ends_at_each_page_that_is_not_its_own() {
        for (rank, own) in [(0, false), (1, true)] {
            for area in Area::ALL {
                let address = area.part(!own);
                let Err(RunError::Stalled { waiting, .. }) = read_once_open(2, rank, address) else {
                    panic!("rank {rank} reads {area:?} of the other slot");
                };
                assert_eq!(waiting[0].waiting, Waiting::PageFault(address), "rank {rank}, {area:?}");
            }
            assert!(read_once_open(2, rank, Area::Llcm.part(own)).is_ok(), "its own page");
        }
    }

    #[test]
    fn rank_alone_on_its_board_has_the_pages_of_both_slots() {
        assert!([false, true].iter().all(|wid| read_once_open(1, 0, Area::Llcm.part(*wid)).is_ok()));
    }
}
