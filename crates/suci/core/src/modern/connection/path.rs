//! Connection migration and path MTU.
//!
//! A sealed packet with the highest number so far may come from a new address: the peer has moved, a NAT has
//! rebound, or an attacker has forwarded a copy. The new address therefore gets a challenge with an
//! unpredictable number, and packets still go to the old address until the response arrives from the new one.
//! A packet from a new address causes a single challenge, little longer than the shortest packet, which rules
//! out amplification.

use std::net::SocketAddr;

use super::{Connection, Context, Stage};
use crate::config::Config;
use crate::event::Event;
use crate::modern::congestion::Congestion;
use crate::modern::mtu::Discovery;
use crate::modern::recovery::RoundTrip;
use crate::modern::seal::Seal;

/// Possible new address of the peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    pub address: SocketAddr,
    /// Number of the challenge.
    pub question: u64,
    /// Whether the challenge is to be sent.
    pub due: bool,
}

impl Connection {
    /// Whether the peer may change its address.
    pub fn may_move(&self) -> bool {
        self.stage == Stage::Open && matches!(self.seal, Seal::Keys(_))
    }

    /// Handles a genuine packet from this address. `question` is an unpredictable number for a challenge.
    pub fn seen_from(&mut self, from: SocketAddr, newest: bool, question: u64) {
        if from == self.address {
            if newest {
                self.candidate = None;
            }
            return;
        }
        if !newest {
            return;
        }
        match &mut self.candidate {
            Some(known) if known.address == from => known.due = true,
            other => *other = Some(Candidate { address: from, question, due: true }),
        }
    }

    /// Handles a challenge response. Returns true if it validates the new address.
    pub fn proven(&mut self, cx: &mut Context<'_>, from: SocketAddr, number: u64) -> bool {
        let right = |candidate: &Candidate| candidate.address == from && candidate.question == number;
        if self.candidate.take_if(|candidate| right(candidate)).is_none() {
            return false;
        }
        self.address = from;
        // The new path has no measurements yet.
        self.trip = RoundTrip::default();
        self.congestion = Congestion::new(self.mtu.base());
        self.mtu = Discovery::new(self.mtu.base(), self.mtu.most());
        self.in_vain = 0;
        self.probe = self.sent.in_flight() > 0;
        cx.counters.moved += 1;
        cx.events.push_back(Event::Moved { peer: cx.peer, address: from });
        true
    }

    /// Updates the sending key when it is due or requested and the peer is ready.
    pub(super) fn rekey(&mut self, cx: &mut Context<'_>) {
        self.wants_key |= self.seal.used(self.sent.next()) >= cx.config.rekey_after;
        if self.wants_key && self.seal.update(self.highest) {
            self.wants_key = false;
            cx.counters.rekeyed += 1;
        }
    }

    /// Requests a key update in both directions, as soon as the peer is ready.
    pub fn update_key(&mut self) {
        self.wants_key = matches!(self.seal, Seal::Keys(_));
    }

    /// Releases memory that an idle connection does not need.
    pub(super) fn rest(&mut self) {
        self.sent.shrink();
        self.outbox.shrink();
        self.inbox.shrink();
    }

    /// Path MTU discovery between the limits of both sides.
    pub(super) fn discovery(config: &Config, base: u16, most: u16) -> Discovery {
        let base = config.datagram.min(usize::from(base));
        Discovery::new(base, config.most().min(usize::from(most)))
    }
}
