//! A peer whose address changes, and what its path carries.
//!
//! A sealed packet with a number above all others may come from a new address: the peer has moved, or something between has, or an
//! attacker has sent a copy on. So the new address is asked for a number that nobody else knows, and packets go on to the old one until
//! it is sent back from there. A packet from a new address is answered by one question, which is little longer than the shortest
//! packet: nobody can be made to send much to an address that is not proven.

use std::net::SocketAddr;

use super::{Connection, Context, Stage};
use crate::config::Config;
use crate::event::Event;
use crate::modern::congestion::Congestion;
use crate::modern::mtu::Discovery;
use crate::modern::recovery::RoundTrip;
use crate::modern::seal::Seal;

/// Where the peer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    pub address: SocketAddr,
    /// What is to be sent back.
    pub question: u64,
    /// The question is to be sent.
    pub due: bool,
}

impl Connection {
    /// Whether a packet may come from another address than the last.
    pub fn may_move(&self) -> bool {
        self.stage == Stage::Open && matches!(self.seal, Seal::Keys(_))
    }

    /// A genuine packet has come from here. `question` is a number that nobody can guess.
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

    /// A question was answered, from this address. True if the peer is there from now on.
    pub fn proven(&mut self, cx: &mut Context<'_>, from: SocketAddr, number: u64) -> bool {
        let right = |candidate: &Candidate| candidate.address == from && candidate.question == number;
        if self.candidate.take_if(|candidate| right(candidate)).is_none() {
            return false;
        }
        self.address = from;
        // Nothing is known of the new path.
        self.trip = RoundTrip::default();
        self.congestion = Congestion::new(self.mtu.base());
        self.mtu = Discovery::new(self.mtu.base(), self.mtu.most());
        self.in_vain = 0;
        self.probe = self.sent.in_flight() > 0;
        cx.counters.moved += 1;
        cx.events.push_back(Event::Moved { peer: cx.peer, address: from });
        true
    }

    /// Goes on to the next key when it is time, or somebody wants it, and the other side is ready.
    pub(super) fn rekey(&mut self, cx: &mut Context<'_>) {
        self.wants_key |= self.seal.used(self.sent.next()) >= cx.config.rekey_after;
        if self.wants_key && self.seal.update(self.highest) {
            self.wants_key = false;
            cx.counters.rekeyed += 1;
        }
    }

    /// Replaces the key that seals packets, and so the other side's, as soon as the other side is ready.
    pub fn update_key(&mut self) {
        self.wants_key = matches!(self.seal, Seal::Keys(_));
    }

    /// Gives back memory that a peer without traffic does not need.
    pub(super) fn rest(&mut self) {
        self.sent.shrink();
        self.outbox.shrink();
        self.inbox.shrink();
    }

    /// The largest datagram to this peer, given what it takes.
    pub(super) fn discovery(config: &Config, base: u16, most: u16) -> Discovery {
        let base = config.datagram.min(usize::from(base));
        Discovery::new(base, config.most().min(usize::from(most)))
    }
}
