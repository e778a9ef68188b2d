//! A rank as a carrier of MPI whose long messages go through the Prefetch Windows of their receivers.
//!
//! A short message goes as in [`Native`]. A longer one starts with a request; a receiver that wants it, and whose
//! windows no other message owns, answers with the first chunk that may be sent ([`windows`](super::windows)). The
//! sender writes data into its Write Windows, and an RVS in a BOTF carries each into the next Prefetch Window of the
//! receiver. So no byte goes through an SO-DIMM. The receiver reports the first chunk that it has not read in a word of
//! the sender's LLCM, which needs no entry.

use std::collections::{BTreeMap, VecDeque};

use dimmnet2::address::{Area, WINDOW_BYTES};
use dimmnet2::registers::SystemRegister;
use mpi::carrier::{Carrier, Direction, Packet, Part, Reach, Received, Sent};
use mpi::{Envelope, PacketKind, Piece};

use super::carrier::Native;
use super::envelope::{self, Letter};
use super::layout;
use super::ranks::Seat;
use super::remote::Remote;
use super::windows::{self, CHUNK, Leaving, Ring, Window, Windows};
use crate::Host;
use crate::host::cost::LINE_FILLS;
use crate::programs::Board;
use crate::programs::botf::{DATA_BYTES, Destination, Peer};

/// Bytes of a line, and lines of a window.
const LINE: usize = 64;
const LINES: usize = WINDOW_BYTES as usize / LINE;

/// Chunks of a packet of the library: some windows fill while the host reads others.
const PACKET_CHUNKS: u64 = 2;

/// Data of such a packet.
const PACKET: usize = PACKET_CHUNKS as usize * CHUNK;

/// Packets that leave or arrive without a wait before other messages are looked for.
const PACKETS: u32 = 8;

/// Looks for the preferred message before one look for any other.
const LOOKS: u32 = 4;

/// The carrier of MPI over a board, with its Prefetch Windows for long messages.
pub struct Streaming {
    native: Native,
    /// The windows of this rank.
    windows: Windows,
    /// Messages that leave through the windows of others, by receiver.
    leaving: BTreeMap<usize, Leaving>,
    /// Looks since the beginning.
    turns: u32,
    /// Ranks whose windows are full; they are polled in rotation.
    full: VecDeque<usize>,
}

impl Streaming {
    /// Sets the board up, before the time at which all boards are.
    pub async fn open(host: Host, processor: mpi::Host, seat: Seat, remote: Remote) -> Streaming {
        let Seat { rank, ranks } = seat;
        if !ranks.share_boards() {
            // The process owns the windows of both slots, and packets arrive for both.
            let pgid = ranks.process(rank).pgid;
            host.store_uc(Board::system(SystemRegister::Pgid1), pgid.into()).await;
        }
        let mut native = Native::open(host, processor, seat, None, remote).await;
        // The others receive long messages.
        native.prefetch_windows = 1;
        Streaming {
            native,
            windows: Windows::new(ranks.ring(rank)),
            leaving: BTreeMap::new(),
            turns: 0,
            full: VecDeque::new(),
        }
    }

    fn host(&self) -> &Host {
        self.native.board().host()
    }

    /// Sends the next packet of a message, chunk by chunk. All of it has windows.
    async fn stream(&mut self, to: usize, data: &[u8]) {
        let Peer { lid, .. } = self.native.ranks().peer(to);
        for piece in data.chunks(CHUNK) {
            let leaving = self.leaving.get_mut(&to).expect("data leaves when it was answered");
            let chunk = leaving.leave(piece.len());
            let Window { wid, number } = leaving.ring.window(chunk);
            let offset = u32::from(number) * WINDOW_BYTES + windows::begin(piece.len()) as u32;
            let destination = Destination::PrefetchWindow(offset);
            self.native.post(Peer { lid, wid }, destination, &windows::pack(chunk, piece)).await;
        }
        if self.leaving[&to].is_over() {
            self.leaving.remove(&to);
        }
    }

    /// The next packet of the incoming message, if its first chunk has arrived. The other chunks follow without a wait.
    async fn take(&mut self) -> Option<Received> {
        let coming = self.windows.coming()?;
        let mut left = coming.left.min(PACKET);
        let mut data = Vec::with_capacity(left);
        while left > 0 {
            let bytes = left.min(CHUNK);
            if !self.is_there().await {
                if data.is_empty() {
                    return None;
                }
                continue;
            }
            self.read(bytes, &mut data).await;
            left -= bytes;
            if self.windows.is_to_tell(PACKET_CHUNKS) {
                let word = Destination::Llcm(layout::read(self.rank()));
                let next = self.windows.next();
                let peer = self.native.ranks().peer(coming.from);
                self.native.post(peer, word, &next.to_le_bytes()).await;
            }
        }
        let request = coming.request;
        let envelope = Envelope { context: 0, rank: 0, tag: 0, length: 0, request, kind: PacketKind::Data };
        Some(Received { from: coming.from, packet: Some(Packet::new(envelope, data)) })
    }

    /// Looks for the next chunk. If it is there, its line is in the cache; otherwise it is flushed.
    async fn is_there(&mut self) -> bool {
        let chunk = self.windows.next();
        let line = last_line(self.windows.ring, chunk);
        let there = windows::number(&self.host().load_cached_line(line).await) == chunk;
        if !there {
            self.host().flush_line(line).await;
        }
        there
    }

    /// Reads a chunk that has arrived. Each line is flushed when it has been read, while others are in flight to the
    /// cache, so that the next chunk in this window is seen. The last line filled is the one that announces the next
    /// chunk.
    async fn read(&mut self, bytes: usize, data: &mut Vec<u8>) {
        let chunk = self.windows.next();
        let (begin, last) = (windows::begin(bytes), last_line(self.windows.ring, chunk));
        let first = begin / LINE;
        let address = |line: usize| last - ((LINES - 1 - line) * LINE) as u32;
        let more = self.windows.coming().is_some_and(|coming| coming.left > bytes);
        let behind = more.then(|| last_line(self.windows.ring, chunk + 1));
        let lines: Vec<u32> = (first..LINES - 1).map(address).collect();
        let mut ahead = lines.iter().copied().chain(behind);
        let mut window = Vec::with_capacity(WINDOW_BYTES as usize);
        for line in ahead.by_ref().take(LINE_FILLS) {
            self.host().prefetch_line(line).await;
        }
        for &line in &lines {
            window.extend_from_slice(&self.host().load_cached_line(line).await);
            self.host().flush_line(line).await;
            if let Some(next) = ahead.next() {
                self.host().prefetch_line(next).await;
            }
        }
        // The line is in the cache since it announced the chunk.
        window.extend_from_slice(&self.host().load_cached_line(last).await);
        self.host().flush_line(last).await;
        data.extend_from_slice(&window[begin - first * LINE..][..bytes]);
        self.windows.read(bytes);
    }

    /// Polls one rank whose windows were full.
    async fn look_for_windows(&mut self) {
        let Some(to) = self.full.pop_front() else { return };
        let read = self.host().load_uc(self.native.board().llcm(layout::read(to))).await;
        let Some(leaving) = self.leaving.get_mut(&to) else { return };
        leaving.hear(read);
        if !leaving.may_go_on(PACKET) {
            self.full.push_back(to);
        }
    }
}

/// The line that holds the number of a chunk.
fn last_line(ring: Ring, chunk: u64) -> u32 {
    let Window { wid, number } = ring.window(chunk);
    Area::PrefetchWindow.window(wid, number) + WINDOW_BYTES - LINE as u32
}

impl Carrier for Streaming {
    fn rank(&self) -> usize {
        self.native.rank()
    }

    fn ranks(&self) -> usize {
        Carrier::ranks(&self.native)
    }

    fn most_bytes(&self) -> usize {
        Envelope::BYTES + PACKET
    }

    /// The data that one BOTF carries with its envelope.
    fn most_eager(&self) -> usize {
        DATA_BYTES - envelope::BYTES
    }

    /// Without a message in windows, looks are those of [`Native`].
    fn looks_alike(&self) -> bool {
        self.windows.coming().is_none() && self.full.is_empty() && self.native.looks_alike()
    }

    fn host(&self) -> mpi::Host {
        self.native.host()
    }

    /// Data needs windows and no entry; an answer needs the windows of this rank as well.
    fn has_room(&mut self, to: usize, envelope: &Envelope) -> bool {
        match envelope.kind {
            PacketKind::Data => {
                let leaving = self.leaving.get_mut(&to).expect("data leaves when it was answered");
                leaving.length = envelope.length as usize;
                let there = leaving.may_go_on(PACKET);
                if !there && !self.full.contains(&to) {
                    self.full.push_back(to);
                }
                there
            }
            PacketKind::Clear => {
                let free = envelope.length == 0 || self.windows.coming().is_none();
                free && self.native.may_send(to)
            }
            PacketKind::Eager | PacketKind::Ask => self.native.has_room(to, envelope),
        }
    }

    async fn send(&mut self, to: usize, packet: &Packet) -> Sent {
        let Packet { envelope, data } = packet;
        let length = envelope.length as usize;
        match envelope.kind {
            PacketKind::Data => self.stream(to, data).await,
            PacketKind::Clear => {
                let mut letter = Letter::Clear(0);
                if length > 0 {
                    let Some(first) = self.windows.give(to, envelope.request, length) else {
                        return Sent::NoRoom;
                    };
                    letter = Letter::Windows(first);
                }
                self.native.push(to, &envelope::pack(self.rank(), letter, envelope, data)).await;
            }
            PacketKind::Eager | PacketKind::Ask => return self.native.send(to, packet).await,
        }
        Sent::Yes
    }

    /// A message in windows is looked for first: a look at the LH Buffer costs as much as half a chunk.
    async fn receive(&mut self) -> Option<Received> {
        self.turns += 1;
        if !self.turns.is_multiple_of(PACKETS) {
            for _ in 0..LOOKS {
                if let Some(packet) = self.take().await {
                    return Some(packet);
                }
                if self.leaving.values().any(|leaving| leaving.may_go_on(PACKET)) {
                    return None;
                }
                self.look_for_windows().await;
            }
        }
        let packet = self.native.receive().await;
        if let Some((from, leaving)) = self.native.answer() {
            self.leaving.insert(from, leaving);
        }
        if packet.is_none() {
            self.look_for_windows().await;
        }
        packet
    }

    fn reach(&self) -> Reach {
        Carrier::reach(&self.native)
    }

    async fn place(&mut self, bytes: u64) -> Option<u64> {
        Carrier::place(&mut self.native, bytes).await
    }

    fn release(&mut self, place: u64) {
        Carrier::release(&mut self.native, place);
    }

    fn cut(&self, direction: Direction, place: u64, pieces: &[Piece]) -> Vec<Vec<Piece>> {
        Carrier::cut(&self.native, direction, place, pieces)
    }

    async fn write(&mut self, part: &Part, data: &[u8]) -> Sent {
        Carrier::write(&mut self.native, part, data).await
    }

    async fn read(&mut self, part: &Part, present: &[u8]) -> Sent {
        Carrier::read(&mut self.native, part, present).await
    }

    async fn settle(&mut self, target: usize) -> Sent {
        Carrier::settle(&mut self.native, target).await
    }

    fn finished(&mut self) -> Option<(usize, Vec<u8>)> {
        Carrier::finished(&mut self.native)
    }

    async fn pause(&mut self) {
        self.native.pause().await;
    }
}
