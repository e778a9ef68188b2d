//! What is done with an endpoint and what comes of it, told to whoever keeps it.
//!
//! An endpoint is a state machine: configuration, seed and the calls on it decide everything that it does. Whoever has kept these can
//! have another one go the same way, and look at it at any step.

use std::net::SocketAddr;

use crate::endpoint::Transmit;
use crate::event::{ConnectError, Event, Peer, Priority, SendError};
use crate::keys::PublicKey;
use crate::permit::Policy;
use crate::{Config, Instant};

/// Keeps what is done with an endpoint.
pub trait Recorder: Send {
    /// A call has ended. What goes wrong with keeping it is the recorder's: an endpoint does not stop for it.
    fn keep(&mut self, call: Call<'_>);
}

/// A call on an endpoint, and what came of it.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// The endpoint was made.
    Made {
        /// Of this.
        config: &'a Config,
        /// And of this.
        seed: &'a [u8; 32],
    },
    /// `connect`.
    Connect {
        /// When.
        now: Instant,
        /// With whom.
        address: SocketAddr,
        /// The key that it has to have.
        key: Option<PublicKey>,
        /// The peer, or why there is none.
        peer: Result<Peer, ConnectError>,
    },
    /// `send`.
    Send {
        /// To whom.
        peer: Peer,
        /// How urgent.
        priority: Priority,
        /// What.
        block: &'a [u8],
        /// Whether it was taken.
        sent: Result<(), SendError>,
    },
    /// `pin`.
    Pin {
        /// Whose key.
        key: PublicKey,
        /// It was not there.
        pinned: bool,
    },
    /// `unpin`.
    Unpin {
        /// Whose key.
        key: PublicKey,
        /// It was there.
        was: bool,
    },
    /// `update_key`.
    UpdateKey(Peer),
    /// `close`.
    Close(Peer),
    /// `retransmit`.
    Retransmit(Peer),
    /// `permits`.
    Permits(Policy),
    /// `weigh`.
    Weigh(Peer, u32),
    /// `grant`.
    Grant {
        /// To whom.
        peer: Peer,
        /// Bytes that were asked for.
        bytes: usize,
        /// Bytes that were granted.
        granted: usize,
    },
    /// `input`.
    Input {
        /// When.
        now: Instant,
        /// From whom.
        from: SocketAddr,
        /// What.
        datagram: &'a [u8],
        /// It came with a mark of congestion.
        marked: bool,
        /// What `poll_timeout` said before it.
        due: Option<Instant>,
    },
    /// `poll_transmit`.
    Transmit {
        /// When.
        now: Instant,
        /// What was to be sent, if anything.
        transmit: Option<Transmit<'a>>,
    },
    /// `poll_event`, where there was one.
    Event(&'a Event),
}

/// The place of a recorder in an endpoint, mostly empty.
#[derive(Default)]
pub(crate) struct Recording(Option<Box<dyn Recorder>>);

impl Recording {
    pub(crate) fn to(recorder: Box<dyn Recorder>) -> Self {
        Self(Some(recorder))
    }

    /// Keeps a call, if anybody does.
    pub(crate) fn keep<'a>(&mut self, call: impl FnOnce() -> Call<'a>) {
        if let Some(recorder) = &mut self.0 {
            recorder.keep(call());
        }
    }

    /// Whether anybody keeps calls.
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }
}
