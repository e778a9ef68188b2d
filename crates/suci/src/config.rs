//! What an endpoint is told when it is made.

use core::time::Duration;
use std::net::SocketAddr;

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
    SharedKey([u8; 32]),
}

impl core::fmt::Debug for Security {
    /// Without the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(if matches!(self, Self::Trusted) { "Trusted" } else { "SharedKey" })
    }
}

/// What an endpoint is told when it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which protocol.
    pub rules: Rules,
    /// Against whom packets are protected.
    pub security: Security,
    /// Largest datagram in bytes, of UDP's payload. Paths must carry it: 1,200 passes nearly everywhere.
    pub datagram: usize,
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

    /// Whether an endpoint can be made of it.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if !(LEAST_DATAGRAM..=65_507).contains(&self.datagram) {
            return Err(ConfigError::Datagram(self.datagram));
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
