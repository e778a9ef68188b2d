//! What carries packets between ranks: a network and the way to it, as the library sees them.

pub mod memory;
mod pm;

use std::future::Future;
use std::pin::Pin;

pub use self::pm::OverPm;
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
    /// The network has given the receiver up.
    Unreachable,
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

    /// Most bytes of a packet, its envelope included.
    fn most_bytes(&self) -> usize;

    /// Packets that have come and not been received, of all senders together, for which there is room. `None` if senders are held back
    /// by the carrier itself; else the library does it, by credits.
    fn slots(&self) -> Option<usize> {
        None
    }

    /// The processor.
    fn host(&self) -> Host;

    /// Sends a packet to another process.
    fn send(&mut self, to: usize, packet: &[u8]) -> impl Future<Output = Sent>;

    /// The oldest packet that has come.
    fn receive(&mut self) -> impl Future<Output = Option<Packet>>;

    /// Lets time pass until a packet may have come, or there may be room for one. May be dropped.
    fn pause(&mut self) -> impl Future<Output = ()>;
}

type Local<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A carrier whose type nobody needs to know.
pub(crate) trait AnyCarrier {
    fn send<'a>(&'a mut self, to: usize, packet: &'a [u8]) -> Local<'a, Sent>;
    fn receive(&mut self) -> Local<'_, Option<Packet>>;
    fn pause(&mut self) -> Local<'_, ()>;
}

impl<C: Carrier> AnyCarrier for C {
    fn send<'a>(&'a mut self, to: usize, packet: &'a [u8]) -> Local<'a, Sent> {
        Box::pin(Carrier::send(self, to, packet))
    }

    fn receive(&mut self) -> Local<'_, Option<Packet>> {
        Box::pin(Carrier::receive(self))
    }

    fn pause(&mut self) -> Local<'_, ()> {
        Box::pin(Carrier::pause(self))
    }
}
