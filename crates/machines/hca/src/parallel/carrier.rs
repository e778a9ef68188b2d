//! A host as a carrier of MPI: a connection to each other rank.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use mpi::carrier::{Carrier, Direction, OneSided, Packet, Part, Reach, Received, Sent};
use mpi::{Envelope, Piece};

use crate::bus::Bus;
use crate::layout::{self, LONGEST, SHARED};
use crate::port::{Completion, Port, SendError, Service};

/// Bytes of data of the longest packet.
const UNIT: usize = 64 << 10;
const _: () = assert!(Envelope::BYTES + UNIT <= LONGEST);
/// Bytes of the longest eager message. Our choice (decision 0064): up to this size a copy on either side costs less
/// than a request.
const EAGER: usize = 8 << 10;

/// Pieces of a put that are written one by one; one with more, and shorter ones, is packed into a message. Our choice:
/// seven writes of 8 bytes take longer than a message (docs/figures/mpi_one_sided.md).
const PIECES: usize = 6;
/// Mean length in bytes from which more pieces are written one by one.
const LONG: usize = 1 << 10;

/// A request that was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Posted {
    /// A packet of MPI.
    Send,
    /// An RDMA WRITE of a window.
    Write,
    /// An RDMA READ of a window: the buffer's address, and its bytes.
    Read(u32, usize),
}

/// The carrier of a rank. Rank and host have the same number.
pub struct OverConnections {
    port: Port,
    processor: mpi::Host,
    /// Ranks whose connections have failed, in the order of discovery.
    lost: Vec<usize>,
    /// Number of them that the library was told of.
    told: usize,
    one_sided: OneSided,
    /// Memory of all hosts, in which the simulator places the bytes of windows before the network reads them.
    memories: Vec<Rc<RefCell<Bus>>>,
    /// Requests of each connection that are not complete.
    posted: BTreeMap<u8, VecDeque<Posted>>,
    /// Ranks to which a WRITE is complete, and those from which a READ has brought data, in that order.
    finished: VecDeque<(usize, Vec<u8>)>,
    /// The last poll took completions without a packet of MPI.
    skipped: bool,
}

impl OverConnections {
    /// Sets the adapter up.
    pub async fn open(
        port: Port,
        processor: mpi::Host,
        one_sided: OneSided,
        memories: Vec<Rc<RefCell<Bus>>>,
    ) -> Self {
        port.open().await;
        OverConnections {
            port,
            processor,
            lost: Vec::new(),
            told: 0,
            one_sided,
            memories,
            posted: BTreeMap::new(),
            finished: VecDeque::new(),
            skipped: false,
        }
    }
}

impl OverConnections {
    /// Notes a request that was posted.
    fn note(&mut self, to: usize, posted: Posted) {
        self.posted.entry(self.port.verbs().pair_of(to)).or_default().push_back(posted);
    }

    /// Notes that the oldest request of a connection is complete.
    async fn complete(&mut self, pair: u8) {
        let peer = self.port.verbs().peer_of(pair);
        match self.posted.get_mut(&pair).and_then(VecDeque::pop_front) {
            Some(Posted::Write) => self.finished.push_back((peer, Vec::new())),
            Some(Posted::Read(address, bytes)) => {
                // Copied out of a buffer for which the adapter has a key.
                self.port.host().copy(bytes).await;
                self.finished.push_back((peer, self.port.host().memory(address, bytes)));
            }
            Some(Posted::Send) | None => {}
        }
    }

    /// Why a request to a rank cannot be posted now.
    fn refusal(&self, to: usize) -> Option<Sent> {
        let pair = self.port.verbs().pair(self.port.verbs().pair_of(to));
        match pair.failed {
            Some(_) => Some(Sent::Unreachable(to)),
            None => (!pair.has_room()).then_some(Sent::NoRoom),
        }
    }
}

/// The answer of the carrier to a failed post.
fn unsent(to: usize, error: SendError) -> Sent {
    match error {
        SendError::NoRoom => Sent::NoRoom,
        _ => Sent::Unreachable(to),
    }
}

impl Carrier for OverConnections {
    fn rank(&self) -> usize {
        self.port.verbs().node()
    }

    fn ranks(&self) -> usize {
        self.port.verbs().nodes()
    }

    fn most_bytes(&self) -> usize {
        Envelope::BYTES + UNIT
    }

    fn most_eager(&self) -> usize {
        EAGER
    }

    /// A look reads the next entry of the completion queue.
    fn looks_alike(&self) -> bool {
        !self.skipped
    }

    fn host(&self) -> mpi::Host {
        self.processor.clone()
    }

    /// A connection that has failed accepts every packet, and `send` reports it.
    fn has_room(&mut self, to: usize, _: &Envelope) -> bool {
        let pair = self.port.verbs().pair(self.port.verbs().pair_of(to));
        pair.has_room() || pair.failed.is_some()
    }

    async fn send(&mut self, to: usize, packet: &Packet) -> Sent {
        if !self.has_room(to, &packet.envelope) {
            return Sent::NoRoom;
        }
        // Copied into a buffer for which the adapter has a key.
        self.port.host().copy(packet.length()).await;
        match self.port.send(to, Service::Connection, &packet.to_bytes()).await {
            Ok(()) => {
                self.note(to, Posted::Send);
                Sent::Yes
            }
            Err(SendError::Failed(_)) => Sent::Unreachable(to),
            Err(SendError::NoRoom) => Sent::NoRoom,
            Err(error @ (SendError::TooLong | SendError::NoPeer)) => {
                unreachable!("the library knows its ranks: {error}")
            }
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        self.skipped = false;
        // Completions without a packet of MPI are skipped.
        loop {
            match self.port.poll().await? {
                Completion::Received(message) if message.service == Service::Connection => {
                    return Some(Received::bytes(message.from, message.data));
                }
                Completion::Sent(pair) => self.complete(pair).await,
                Completion::Failed(pair, _) if pair != crate::layout::DATAGRAMS => {
                    let peer = self.port.verbs().peer_of(pair);
                    if !self.lost.contains(&peer) {
                        self.lost.push(peer);
                    }
                }
                _ => {}
            }
            self.skipped = true;
        }
    }

    fn reach(&self) -> Reach {
        self.one_sided.reach(Reach::Everything)
    }

    /// A WRITE for each run of bytes. The adapter has one READ in progress, so a READ is of one run alone.
    fn cut(&self, direction: Direction, _place: u64, pieces: &[Piece]) -> Vec<Vec<Piece>> {
        let bytes: u64 = pieces.iter().map(|piece| piece.bytes).sum();
        let fits = match direction {
            Direction::Put => pieces.len() <= PIECES || bytes >= (LONG * pieces.len()) as u64,
            Direction::Get => pieces.len() == 1,
        };
        let units = |piece: &Piece| {
            let Piece { at, bytes } = *piece;
            let unit = UNIT as u64;
            (0..bytes.div_ceil(unit)).map(move |unit_number| {
                let begin = unit_number * unit;
                vec![Piece { at: at + begin, bytes: unit.min(bytes - begin) }]
            })
        };
        pieces.iter().filter(|_| fits).flat_map(units).collect()
    }

    /// An RDMA WRITE.
    async fn write(&mut self, part: &Part, data: &[u8]) -> Sent {
        let to = part.target;
        if let Some(refusal) = self.refusal(to) {
            return refusal;
        }
        // Copied into a buffer for which the adapter has a key.
        self.port.host().copy(data.len()).await;
        match self.port.write(to, SHARED, data).await {
            Ok(()) => {
                self.note(to, Posted::Write);
                Sent::Yes
            }
            Err(error) => unsent(to, error),
        }
    }

    /// An RDMA READ of the buffer in which the bytes are placed.
    async fn read(&mut self, part: &Part, present: &[u8]) -> Sent {
        let from = part.target;
        if let Some(refusal) = self.refusal(from) {
            return refusal;
        }
        let count = self.port.verbs().pair(self.port.verbs().pair_of(from)).sent;
        let place = layout::shown(self.rank(), count);
        self.memories[from].borrow_mut().poke(place, present);
        match self.port.read(from, place, present.len()).await {
            Ok(address) => {
                self.note(from, Posted::Read(address, present.len()));
                Sent::Yes
            }
            Err(error) => unsent(from, error),
        }
    }

    fn finished(&mut self) -> Option<(usize, Vec<u8>)> {
        self.finished.pop_front()
    }

    fn lost(&mut self) -> Option<usize> {
        let lost = self.lost.get(self.told).copied();
        self.told += usize::from(lost.is_some());
        lost
    }

    async fn pause(&mut self) {
        self.port.host().compute(self.port.host().costs().turn).await;
    }
}
