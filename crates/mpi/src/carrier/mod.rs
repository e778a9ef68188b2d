//! Carriers: the network below the library, which moves packets between processes.

pub mod memory;
mod one_sided;
mod packet;
mod wait;

use std::future::Future;
use std::pin::Pin;

use cluster::Time;

pub use self::one_sided::{Direction, OneSided, Part, Piece, Reach};
pub use self::packet::{Data, Packet, Received};
pub use self::wait::Wait;
use crate::envelope::Envelope;
use crate::error::Error;
use crate::host::Host;

/// Result of sending a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The network has accepted the packet.
    Yes,
    /// The carrier has no room now; sending may succeed later.
    NoRoom,
    /// The network has declared this process dead. It is the receiver or another process without which the
    /// network cannot go on.
    Unreachable(usize),
    /// The packet was refused for this reason; so is every later packet to this process.
    Refused(Error),
}

/// The network as one process sees it.
///
/// Packets from one process to another arrive once and in order; the carrier is responsible for that. Calls
/// take simulated time unless their documentation says otherwise. The library polls every future to
/// completion except that of [`pause`](Carrier::pause).
pub trait Carrier {
    /// Number of this process, from 0.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn ranks(&self) -> usize;

    /// Largest packet in bytes, which is larger than an [envelope](crate::Envelope). The data of a rendezvous
    /// message is split into packets of this size.
    fn most_bytes(&self) -> usize;

    /// Longest message in bytes that is sent eagerly. If eager data must fit one packet, the room for data in
    /// one packet.
    fn most_eager(&self) -> usize {
        usize::MAX
    }

    /// Longest message in bytes that the carrier supports.
    fn most_message(&self) -> usize {
        u32::MAX as usize
    }

    /// Whether a packet with this envelope may be accepted now. Takes no time: if finding out takes time, it
    /// happens in [`pause`](Carrier::pause).
    fn has_room(&mut self, _to: usize, _envelope: &Envelope) -> bool {
        true
    }

    /// Whether the last poll, which was unsuccessful, changed no state, so that the next one reads the same values.
    /// Identical polls are then fast-forwarded ([`cluster::Looking`]).
    fn looks_alike(&self) -> bool {
        false
    }

    /// A time before which no packet arrives at this process, whatever the others do; `None` if that is not
    /// known. Takes no time.
    fn quiet_until(&self) -> Option<Time> {
        None
    }

    /// The processor and the costs of the library on it.
    fn host(&self) -> Host;

    /// Sends a packet to another process.
    fn send(&mut self, to: usize, packet: &Packet) -> impl Future<Output = Sent>;

    /// Takes the oldest received packet.
    fn receive(&mut self) -> impl Future<Output = Option<Received>>;

    /// Memory of other processes that the network accesses while they compute.
    fn reach(&self) -> Reach {
        Reach::Nothing
    }

    /// Assigns a place to `bytes` bytes that the library has allocated for a window; `None` if there is no room.
    fn place(&mut self, _bytes: u64) -> impl Future<Output = Option<u64>> {
        async { None }
    }

    /// Frees a place.
    fn release(&mut self, _place: u64) {}

    /// Cuts an access to the window at `place` into parts that the network carries out, each by one call of
    /// [`write`](Carrier::write) or [`read`](Carrier::read); none if the access has to be a message. Takes no time.
    fn cut(&self, _direction: Direction, _place: u64, _pieces: &[Piece]) -> Vec<Vec<Piece>> {
        Vec::new()
    }

    /// Begins to store data in the memory of another process.
    fn write(&mut self, _part: &Part, _data: &[u8]) -> impl Future<Output = Sent> {
        async { Sent::Refused(Error::Refused("the carrier has no remote writes")) }
    }

    /// Begins to read the memory of another process. The simulator knows the bytes that are there at `present`, so that
    /// the network finds them.
    fn read(&mut self, _part: &Part, _present: &[u8]) -> impl Future<Output = Sent> {
        async { Sent::Refused(Error::Refused("the carrier has no remote reads")) }
    }

    /// Begins to find out that all writes to a process are complete, if the network does not report it by itself.
    fn settle(&mut self, _target: usize) -> impl Future<Output = Sent> {
        async { Sent::Yes }
    }

    /// The target of the oldest write or read that is complete and was not reported, and the data of a read. Those of
    /// one target are complete in the order of their calls. Takes no time.
    fn finished(&mut self) -> Option<(usize, Vec<u8>)> {
        None
    }

    /// A process declared dead, unless an answer to [`send`](Carrier::send) has reported it; each is reported
    /// once. Takes no time.
    fn lost(&mut self) -> Option<usize> {
        None
    }

    /// A process to which packets were refused after [`send`](Carrier::send) had accepted them, and the
    /// reason. Nothing is delivered to or received from it any more. Takes no time.
    fn refused(&mut self) -> Option<(usize, Error)> {
        None
    }

    /// Waits until a packet may have arrived or a packet may be accepted. The future may be dropped.
    fn pause(&mut self) -> impl Future<Output = ()>;
}

type Local<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Object-safe form of [`Carrier`].
pub(crate) trait AnyCarrier {
    fn has_room(&mut self, to: usize, envelope: &Envelope) -> bool;
    fn looks_alike(&self) -> bool;
    fn quiet_until(&self) -> Option<Time>;
    fn send<'a>(&'a mut self, to: usize, packet: &'a Packet) -> Local<'a, Sent>;
    fn receive(&mut self) -> Local<'_, Option<Received>>;
    fn place(&mut self, bytes: u64) -> Local<'_, Option<u64>>;
    fn release(&mut self, place: u64);
    fn cut(&self, direction: Direction, place: u64, pieces: &[Piece]) -> Vec<Vec<Piece>>;
    fn write<'a>(&'a mut self, part: &'a Part, data: &'a [u8]) -> Local<'a, Sent>;
    fn read<'a>(&'a mut self, part: &'a Part, present: &'a [u8]) -> Local<'a, Sent>;
    fn settle(&mut self, target: usize) -> Local<'_, Sent>;
    fn finished(&mut self) -> Option<(usize, Vec<u8>)>;
    fn lost(&mut self) -> Option<usize>;
    fn refused(&mut self) -> Option<(usize, Error)>;
    fn pause(&mut self) -> Local<'_, ()>;
}

impl<C: Carrier> AnyCarrier for C {
    fn has_room(&mut self, to: usize, envelope: &Envelope) -> bool {
        Carrier::has_room(self, to, envelope)
    }

    fn looks_alike(&self) -> bool {
        Carrier::looks_alike(self)
    }

    fn quiet_until(&self) -> Option<Time> {
        Carrier::quiet_until(self)
    }

    fn send<'a>(&'a mut self, to: usize, packet: &'a Packet) -> Local<'a, Sent> {
        Box::pin(Carrier::send(self, to, packet))
    }

    fn receive(&mut self) -> Local<'_, Option<Received>> {
        Box::pin(Carrier::receive(self))
    }

    fn place(&mut self, bytes: u64) -> Local<'_, Option<u64>> {
        Box::pin(Carrier::place(self, bytes))
    }

    fn release(&mut self, place: u64) {
        Carrier::release(self, place);
    }

    fn cut(&self, direction: Direction, place: u64, pieces: &[Piece]) -> Vec<Vec<Piece>> {
        Carrier::cut(self, direction, place, pieces)
    }

    fn write<'a>(&'a mut self, part: &'a Part, data: &'a [u8]) -> Local<'a, Sent> {
        Box::pin(Carrier::write(self, part, data))
    }

    fn read<'a>(&'a mut self, part: &'a Part, present: &'a [u8]) -> Local<'a, Sent> {
        Box::pin(Carrier::read(self, part, present))
    }

    fn settle(&mut self, target: usize) -> Local<'_, Sent> {
        Box::pin(Carrier::settle(self, target))
    }

    fn finished(&mut self) -> Option<(usize, Vec<u8>)> {
        Carrier::finished(self)
    }

    fn lost(&mut self) -> Option<usize> {
        Carrier::lost(self)
    }

    fn refused(&mut self) -> Option<(usize, Error)> {
        Carrier::refused(self)
    }

    fn pause(&mut self) -> Local<'_, ()> {
        Box::pin(Carrier::pause(self))
    }
}
