//! Time after which a silent peer is given up. smoltcp also counts it while nothing is awaited, so it has a timeout only
//! while data are not acknowledged: a connection without traffic stays open, as in Linux without keep-alive.

use smoltcp::socket::tcp::{Socket, State};
use smoltcp::time::{Duration, Instant};

/// The timeout of one connection.
pub struct PeerTimeout {
    limit: Duration,
    /// Since when only the end of the connection is awaited.
    ending_since: Option<Instant>,
}

/// An answer that the peer owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaited {
    Nothing,
    /// An answer to the first packet, or the acknowledgement of data. smoltcp restarts its timer with the data and with
    /// each packet of the peer.
    Acknowledgement,
    /// The acknowledgement of the end, or the peer's own end. smoltcp's timer may have started long before.
    End,
}

impl Awaited {
    fn of(socket: &Socket, is_orphan: bool) -> Self {
        match socket.state() {
            State::SynSent | State::SynReceived => Awaited::Acknowledgement,
            _ if socket.send_queue() > 0 => Awaited::Acknowledgement,
            State::FinWait1 | State::Closing | State::LastAck => Awaited::End,
            // No program is left that could read data before the peer's end.
            State::FinWait2 if is_orphan => Awaited::End,
            _ => Awaited::Nothing,
        }
    }
}

impl PeerTimeout {
    pub fn new(limit: Duration) -> Self {
        PeerTimeout { limit, ending_since: None }
    }

    pub fn set(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Starts or stops the timers of a socket, and resets a connection whose end is awaited for too long.
    pub fn apply(&mut self, socket: &mut Socket, is_orphan: bool, now: Instant) {
        let awaited = Awaited::of(socket, is_orphan);
        socket.set_timeout((awaited == Awaited::Acknowledgement).then_some(self.limit));
        self.ending_since = (awaited == Awaited::End).then(|| self.ending_since.unwrap_or(now));
        if self.expires().is_some_and(|at| at <= now) {
            socket.abort();
            self.ending_since = None;
        }
    }

    /// Instant at which the connection is reset unless its end is acknowledged.
    pub fn expires(&self) -> Option<Instant> {
        Some(self.ending_since? + self.limit)
    }
}
