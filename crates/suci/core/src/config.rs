//! Configuration of an endpoint.

use core::time::Duration;
use std::collections::BTreeSet;
use std::net::SocketAddr;

use crate::keys::{PublicKey, SecretKey};
use crate::modern::packet::LEAST_DATAGRAM;
use crate::paper::Repairs;

/// Longest permitted time of any setting.
const LONGEST: Duration = Duration::from_secs(3_600);

/// Protocol of an endpoint. Both ends need the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The protocol of the paper (sections 3 and 4) with some of its repairs.
    Paper(Repairs),
    /// The protocol of this library.
    Modern,
}

impl Rules {
    /// The paper as printed. It loses data and deadlocks on lossy networks; for study only.
    pub const PRINTED: Self = Self::Paper(Repairs::NONE);
    /// The paper with all repairs necessary for reliable transfer over any network.
    pub const REPAIRED: Self = Self::Paper(Repairs::ALL);
    /// The protocol of this library, for production.
    pub const MODERN: Self = Self::Modern;
}

/// Protection of packets. There is no default, so that unprotected traffic is explicit in the code.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Security {
    /// No protection. An attacker on the path can read, change and forge blocks. An attacker off the path has
    /// to guess a connection ID of 64 bits.
    Trusted,
    /// Protection by a key that all peers share: blocks are encrypted, and packets cannot be changed, forged
    /// or replayed without the key. Any holder of the key is a peer. Connection keys come from the operating
    /// system and are erased with the connection.
    ///
    /// The handshake is Noise `NNpsk0`.
    SharedKey([u8; 32]),
    /// Protection by a list of public keys. Each peer is identified by its own key: [`Event::Connected`]
    /// reports it, and [`connect_to`](crate::Endpoint::connect_to) demands it. Blocks are encrypted, and
    /// packets cannot be changed, forged or replayed, not even by other peers. A secret key that leaks later
    /// does not reveal earlier traffic (forward secrecy).
    ///
    /// The handshake is Noise `IK`.
    ///
    /// [`Event::Connected`]: crate::Event::Connected
    Pinned {
        /// Secret key of this endpoint.
        own: SecretKey,
        /// Public keys that may call. Peers called by this endpoint are named in the call and need not be
        /// listed. [`pin`](crate::Endpoint::pin) adds keys.
        peers: BTreeSet<PublicKey>,
    },
}

impl Security {
    /// Noise protocol name of the handshake (noiseprotocol.org, revision 34, section 8); `None` without
    /// protection.
    pub const fn pattern(&self) -> Option<&'static str> {
        match self {
            Self::Trusted => None,
            Self::SharedKey(_) => Some("Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s"),
            Self::Pinned { .. } => Some("Noise_IK_25519_ChaChaPoly_BLAKE2s"),
        }
    }
}

impl core::fmt::Debug for Security {
    /// Omits the keys.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Trusted => "Trusted",
            Self::SharedKey(_) => "SharedKey",
            Self::Pinned { .. } => "Pinned",
        })
    }
}

/// Configuration of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Protocol, the same at all peers.
    pub rules: Rules,
    /// Protection of packets, the same at all peers.
    pub security: Security,
    /// UDP payload in bytes that every path must carry; 1,200 passes nearly everywhere. Blocks are divided
    /// into parts of this size.
    pub datagram: usize,
    /// Largest UDP payload in bytes, at least `datagram`. Path MTU discovery finds whether a path carries it;
    /// several parts then share a datagram.
    pub largest_datagram: usize,
    /// Sends packets as ECN-capable (RFC 3168) if the socket supports it.
    pub ecn: bool,
    /// Packets sealed with one key before both sides update it; unused without protection.
    pub rekey_after: u64,
    /// Largest number of simultaneous connections of one public key; the oldest is closed when it is
    /// exceeded. Only with pinned keys.
    pub per_key: usize,
    /// Receive window of a peer in bytes: incomplete blocks, and complete ones not yet taken by the
    /// application.
    pub window: usize,
    /// Largest block of a peer in bytes. It must fit the window with 64 bytes of overhead for each block.
    pub largest_block: usize,
    /// Send queue of a peer in bytes, until blocks are acknowledged.
    pub queue: usize,
    /// Bytes that all peers together may have in flight to this endpoint, about the size of the socket
    /// buffer.
    pub budget: usize,
    /// Bytes that a peer may have in flight without a permit.
    pub unscheduled: usize,
    /// Lifetime of a permit, or four round trips if that is longer.
    pub permit_life: Duration,
    /// Largest number of peers at a time.
    pub peers: usize,
    /// Round trip time before the first measurement.
    pub initial_rtt: Duration,
    /// Minimum by which the probe timeout exceeds the round trip; variation of the round trip adds to it.
    pub least_timeout: Duration,
    /// Longest delay of an acknowledgement, for a second packet or for data to send.
    pub ack_delay: Duration,
    /// Idle time after which a peer is pinged.
    pub keep_alive: Duration,
    /// Time without an answer after which a peer is closed.
    pub give_up: Duration,
    /// ID of this endpoint in the address database. Only with the rules of the paper.
    pub id: u16,
    /// Address database: all peers and their IDs (section 4.1). Only with the rules of the paper.
    pub database: Vec<(SocketAddr, u16)>,
    /// Unacknowledged packets that count as congestion, so that the sender requests a permit before it
    /// retransmits (section 3.2; the paper prints no number). Only with the rules of the paper.
    pub congested: usize,
}

impl Config {
    /// Default settings, which are choices of this project.
    pub fn new(rules: Rules, security: Security) -> Self {
        Self {
            rules,
            security,
            datagram: 1_200,
            largest_datagram: 8_972,
            ecn: true,
            rekey_after: 1 << 20,
            per_key: 4,
            window: 1 << 20,
            largest_block: 1 << 18,
            queue: 1 << 20,
            budget: 160 << 10,
            unscheduled: 2_400,
            permit_life: Duration::from_millis(10),
            peers: 1_024,
            initial_rtt: Duration::from_millis(50),
            least_timeout: Duration::from_micros(200),
            ack_delay: Duration::from_micros(200),
            keep_alive: Duration::from_secs(10),
            give_up: Duration::from_secs(30),
            id: 0,
            database: Vec::new(),
            congested: 32,
        }
    }

    /// Largest datagram accepted, in bytes.
    pub(crate) fn most(&self) -> usize {
        self.largest_datagram.max(self.datagram)
    }

    /// Checks that all settings are valid together.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if !(LEAST_DATAGRAM..=65_507).contains(&self.datagram) {
            return Err(ConfigError::Datagram(self.datagram));
        }
        if self.largest_datagram > 65_507 {
            return Err(ConfigError::LargestDatagram(self.largest_datagram));
        }
        if self.per_key == 0 || self.rekey_after == 0 {
            return Err(ConfigError::Keys);
        }
        if matches!(self.rules, Rules::Paper(_)) && self.security != Security::Trusted {
            return Err(ConfigError::Unprotected);
        }
        let waits = [self.initial_rtt, self.permit_life, self.keep_alive, self.give_up];
        let floors = [self.least_timeout, self.ack_delay];
        if waits.iter().any(Duration::is_zero) || waits.iter().chain(&floors).any(|time| *time > LONGEST) {
            return Err(ConfigError::Time);
        }
        let cost = self.largest_block.saturating_add(crate::modern::BLOCK_OVERHEAD);
        if self.largest_block == 0 || cost > self.window.min(self.queue) {
            return Err(ConfigError::LargestBlock(self.largest_block));
        }
        if self.window.max(self.budget).max(self.unscheduled) > u32::MAX as usize {
            return Err(ConfigError::Window);
        }
        Ok(())
    }
}

/// Reason why the configuration is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// `datagram` is out of range.
    #[error("Config::datagram is {0} bytes; it has to be from {LEAST_DATAGRAM} to 65507")]
    Datagram(usize),
    /// `largest_datagram` exceeds the UDP payload.
    #[error("Config::largest_datagram is {0} bytes; UDP carries 65507")]
    LargestDatagram(usize),
    /// `rekey_after` or `per_key` is 0, so that no packet could be sealed or no key could connect.
    #[error("Config::rekey_after and per_key have to be at least 1")]
    Keys,
    /// `largest_block` is 0 or does not fit `window` or `queue`.
    #[error("Config::largest_block is {0} bytes; it has to be at least 1, and 64 less than window and queue")]
    LargestBlock(usize),
    /// A time is 0, or too long to be intended.
    #[error("times of Config are at most an hour, and more than nothing but for least_timeout and ack_delay")]
    Time,
    /// The paper's packets cannot be protected.
    #[error("the rules of the paper protect nothing; they go with Security::Trusted alone")]
    Unprotected,
    /// A size exceeds its 32-bit field.
    #[error("Config::window, budget and unscheduled have to be less than 4 GiB")]
    Window,
}
