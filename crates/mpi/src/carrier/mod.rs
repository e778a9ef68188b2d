//! Carriers: the network below the library, which moves packets between processes.

pub mod memory;
mod wait;

use std::future::Future;
use std::pin::Pin;

use cluster::Time;

pub use self::wait::Wait;
use crate::envelope::Envelope;
use crate::error::Error;
use crate::host::Host;

/// A received packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Number of the process that sent the packet.
    pub from: usize,
    /// Envelope and data.
    pub bytes: Vec<u8>,
}

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

    /// Whether an unsuccessful poll changes no state, so that the next poll reads the same values. Identical
    /// polls are then fast-forwarded ([`cluster::Looking`]).
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
    fn send(&mut self, to: usize, packet: &[u8]) -> impl Future<Output = Sent>;

    /// Takes the oldest received packet.
    fn receive(&mut self) -> impl Future<Output = Option<Packet>>;

    /// Whether the network stores data in the memory of other processes while they compute
    /// ([`write`](Carrier::write)).
    fn has_remote_writes(&self) -> bool {
        false
    }

    /// Begins to store data in the memory of another process, whose library takes no part. It is as long as that
    /// of the largest packet at most.
    fn write(&mut self, _to: usize, _data: &[u8]) -> impl Future<Output = Sent> {
        async { Sent::Refused(Error::Refused("the carrier has no remote writes")) }
    }

    /// A process to which the oldest write that was not reported is complete. Takes no time.
    fn written(&mut self) -> Option<usize> {
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
    fn send<'a>(&'a mut self, to: usize, packet: &'a [u8]) -> Local<'a, Sent>;
    fn receive(&mut self) -> Local<'_, Option<Packet>>;
    fn write<'a>(&'a mut self, to: usize, data: &'a [u8]) -> Local<'a, Sent>;
    fn written(&mut self) -> Option<usize>;
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

    fn send<'a>(&'a mut self, to: usize, packet: &'a [u8]) -> Local<'a, Sent> {
        Box::pin(Carrier::send(self, to, packet))
    }

    fn receive(&mut self) -> Local<'_, Option<Packet>> {
        Box::pin(Carrier::receive(self))
    }

    fn write<'a>(&'a mut self, to: usize, data: &'a [u8]) -> Local<'a, Sent> {
        Box::pin(Carrier::write(self, to, data))
    }

    fn written(&mut self) -> Option<usize> {
        Carrier::written(self)
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
