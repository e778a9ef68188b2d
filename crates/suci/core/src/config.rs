//! What an endpoint is told when it is made.

use core::time::Duration;
use std::collections::BTreeSet;
use std::net::SocketAddr;

use crate::keys::{PublicKey, SecretKey};
use crate::modern::packet::LEAST_DATAGRAM;
use crate::paper::Repairs;

/// The longest time that may be waited for anything.
const LONGEST: Duration = Duration::from_secs(3_600);

/// Which protocol is spoken. Both ends need the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// That of the paper, sections 3 and 4, with some of the repairs.
    Paper(Repairs),
    /// Our own.
    Modern,
}

impl Rules {
    /// The paper to the letter. It loses data and comes to a standstill on networks that lose anything: for study.
    pub const PRINTED: Self = Self::Paper(Repairs::NONE);
    /// The paper with what it takes to carry everything over any network.
    pub const REPAIRED: Self = Self::Paper(Repairs::ALL);
    /// Our own, for use.
    pub const MODERN: Self = Self::Modern;
}

/// Against whom packets are protected. It has no default: what is not protected has to be named in the code.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Security {
    /// Nobody. Whoever can read and write packets of the network can read, change and forge blocks. Off the path, an attacker has
    /// to guess a connection id of 64 bits.
    Trusted,
    /// Whoever does not have this key, which all peers share: blocks are encrypted, and no packet is changed, forged or repeated.
    /// A peer is whoever has it. Keys for a connection come from the operating system, and are forgotten with it.
    ///
    /// The handshake is Noise's `NNpsk0`.
    SharedKey([u8; 32]),
    /// Whoever is not in a list of public keys. Each peer has a key of its own, by which it is known: [`Event::Connected`] names it,
    /// and [`connect_to`](crate::Endpoint::connect_to) says whom it is to be. Blocks are encrypted, and no packet is changed, forged
    /// or repeated, not even by other peers. Who learns a secret key later reads nothing of before.
    ///
    /// The handshake is Noise's `IK`.
    ///
    /// [`Event::Connected`]: crate::Event::Connected
    Pinned {
        /// The key of this endpoint.
        own: SecretKey,
        /// Who may call. Whom we call is named then and need not be here. [`pin`](crate::Endpoint::pin) adds to it.
        peers: BTreeSet<PublicKey>,
    },
}

impl Security {
    /// The handshake, by the name that Noise gives it (noiseprotocol.org, revision 34, section 8); none where nothing is protected.
    pub const fn pattern(&self) -> Option<&'static str> {
        match self {
            Self::Trusted => None,
            Self::SharedKey(_) => Some("Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s"),
            Self::Pinned { .. } => Some("Noise_IK_25519_ChaChaPoly_BLAKE2s"),
        }
    }
}

impl core::fmt::Debug for Security {
    /// Without the keys.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Trusted => "Trusted",
            Self::SharedKey(_) => "SharedKey",
            Self::Pinned { .. } => "Pinned",
        })
    }
}

/// What an endpoint is told when it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which protocol.
    pub rules: Rules,
    /// Against whom packets are protected.
    pub security: Security,
    /// Datagram in bytes, of UDP's payload, that every path must carry: 1,200 passes nearly everywhere. Parts of blocks are made for it.
    pub datagram: usize,
    /// Largest datagram in bytes, `datagram` if that is more. Whether a path carries it is tried, and several parts then travel in one.
    pub largest_datagram: usize,
    /// Packets say that routers may mark them instead of losing them (ECN, RFC 3168), where the socket can.
    pub ecn: bool,
    /// Packets that are sealed with one key; then both sides go on to the next. Only with a key.
    pub rekey_after: u64,
    /// Connections that one public key may have at a time; of more the oldest is closed. Only with pinned keys.
    pub per_key: usize,
    /// Memory for blocks from one peer in bytes: unfinished ones, and those that the application has not taken.
    pub window: usize,
    /// Largest block from a peer in bytes. It fits in the window, together with 64 bytes that each block counts beside its own.
    pub largest_block: usize,
    /// Memory for blocks to one peer in bytes, until they are acknowledged.
    pub queue: usize,
    /// What all peers together may have on the way to here, in bytes: about what the socket's buffer holds.
    pub budget: usize,
    /// Bytes that a peer may have on the way to here without a permit.
    pub unscheduled: usize,
    /// How long a permit is in force, or four round trips if that is longer.
    pub permit_life: Duration,
    /// Most peers at a time.
    pub peers: usize,
    /// Round trip time to begin with.
    pub initial_rtt: Duration,
    /// How much longer than a round trip an answer is waited for at least. Round trips that vary add to it.
    pub least_timeout: Duration,
    /// How long an acknowledgement is kept back for a second packet, or for something to send.
    pub ack_delay: Duration,
    /// A peer that is silent for so long is asked whether it is there.
    pub keep_alive: Duration,
    /// One that gives no answer for so long is closed.
    pub give_up: Duration,
    /// Own ID in the address database. Only with the rules of the paper.
    pub id: u16,
    /// The address database: all peers and their IDs (section 4.1). Only with the rules of the paper.
    pub database: Vec<(SocketAddr, u16)>,
    /// Packets without an acknowledgement that count as congestion, on which a permit is asked for before anything is sent again
    /// (section 3.2; the paper prints no number). Only with the rules of the paper.
    pub congested: usize,
}

impl Config {
    /// Defaults, all of them our choice.
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

    /// The largest datagram that is taken, in bytes.
    pub(crate) fn most(&self) -> usize {
        self.largest_datagram.max(self.datagram)
    }

    /// Whether an endpoint can be made of it.
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

/// Why no endpoint was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Too small or too large.
    #[error("Config::datagram is {0} bytes; it has to be from {LEAST_DATAGRAM} to 65507")]
    Datagram(usize),
    /// Too large.
    #[error("Config::largest_datagram is {0} bytes; UDP carries 65507")]
    LargestDatagram(usize),
    /// No packet could be sealed, or no key could connect.
    #[error("Config::rekey_after and per_key have to be at least 1")]
    Keys,
    /// It has no room.
    #[error("Config::largest_block is {0} bytes; it has to be at least 1, and 64 less than window and queue")]
    LargestBlock(usize),
    /// Zero, or long enough to be a mistake.
    #[error("times of Config are at most an hour, and more than nothing but for least_timeout and ack_delay")]
    Time,
    /// The paper's packets have no protection.
    #[error("the rules of the paper protect nothing; they go with Security::Trusted alone")]
    Unprotected,
    /// More than a field of 32 bits holds.
    #[error("Config::window, budget and unscheduled have to be less than 4 GiB")]
    Window,
}
