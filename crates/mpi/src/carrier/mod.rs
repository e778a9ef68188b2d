//! What carries packets between ranks: a network and the way to it, as the library sees them.

pub mod memory;
mod wait;

use std::future::Future;
use std::pin::Pin;

pub use self::wait::Wait;
use crate::envelope::Envelope;
use crate::error::Error;
use crate::host::Host;

/// A packet that has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Process that sent it.
    pub from: usize,
    /// All its bytes.
    pub bytes: Vec<u8>,
}

/// What became of a packet that was to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The network has it.
    Yes,
    /// There is no room now. Later there will be.
    NoRoom,
    /// Nothing goes there any more, because the network has given this process up: the receiver, or another one without which the
    /// network does not go on.
    Unreachable(usize),
    /// It was refused, for this reason, and so is all that would follow it there.
    Refused(Error),
}

/// Carries packets between processes, each of which has one of these.
///
/// Packets of one process to another come once and in order; what that takes is the carrier's business. Each call takes the time that it
/// takes. Futures of calls are run to their ends, but for that of [`pause`](Carrier::pause).
pub trait Carrier {
    /// Number of this process.
    fn rank(&self) -> usize;

    /// Processes that there are.
    fn ranks(&self) -> usize;

    /// Most bytes of a packet, its [envelope](crate::Envelope) included and more than that. Data of a message that was cleared goes in as many as it takes.
    fn most_bytes(&self) -> usize;

    /// Most bytes of a message that goes without asking. One that fits a packet and no more, if data that was not asked for goes in one.
    fn most_eager(&self) -> usize {
        usize::MAX
    }

    /// Most bytes of a message at all.
    fn most_message(&self) -> usize {
        u32::MAX as usize
    }

    /// Whether there may be room for a packet of this envelope to another process. Takes no time: if it has to be looked for, that is
    /// done while the library waits.
    fn has_room(&mut self, _to: usize, _envelope: &Envelope) -> bool {
        true
    }

    /// Whether a look that finds nothing changes nothing either, so that the next one reads what this one has read. Then looks that are all
    /// alike need not be [simulated](cluster::Looking).
    fn looks_alike(&self) -> bool {
        false
    }

    /// The processor.
    fn host(&self) -> Host;

    /// Sends a packet to another process.
    fn send(&mut self, to: usize, packet: &[u8]) -> impl Future<Output = Sent>;

    /// The oldest packet that has come.
    fn receive(&mut self) -> impl Future<Output = Option<Packet>>;

    /// A process that the network has given up, other than in an answer to [`send`](Carrier::send); each is named once. Takes no time.
    fn lost(&mut self) -> Option<usize> {
        None
    }

    /// A process to which something was refused after [`send`](Carrier::send) had taken it, and why: nothing goes there or comes from there
    /// any more. Takes no time.
    fn refused(&mut self) -> Option<(usize, Error)> {
        None
    }

    /// Lets time pass until a packet may have come, or there may be room for one. May be dropped.
    fn pause(&mut self) -> impl Future<Output = ()>;
}

type Local<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A carrier whose type nobody needs to know.
pub(crate) trait AnyCarrier {
    fn has_room(&mut self, to: usize, envelope: &Envelope) -> bool;
    fn looks_alike(&self) -> bool;
    fn send<'a>(&'a mut self, to: usize, packet: &'a [u8]) -> Local<'a, Sent>;
    fn receive(&mut self) -> Local<'_, Option<Packet>>;
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

    fn send<'a>(&'a mut self, to: usize, packet: &'a [u8]) -> Local<'a, Sent> {
        Box::pin(Carrier::send(self, to, packet))
    }

    fn receive(&mut self) -> Local<'_, Option<Packet>> {
        Box::pin(Carrier::receive(self))
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
