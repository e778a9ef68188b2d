//! Another endpoint goes the way of the recorded one.

use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use suci::record::{Call, Recorder};
use suci::{ConfigError, Endpoint, Instant, Peer};

use crate::config::{self, BadConfig};
use crate::line::{line, policy};
use crate::read::{Kept, ReadError, Reader};
use crate::write::Keys;

/// Why a capture cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no endpoint to be made of it.
    #[error(transparent)]
    Start(#[from] BadConfig),
    /// The endpoint refuses its configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A call cannot be made.
    #[error("block {number} is damaged: '{line}' is no call")]
    NoCall {
        /// Number of its block.
        number: usize,
        /// Its line.
        line: String,
    },
}

/// Where the endpoint did something else than the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Number of the block in the file.
    pub number: usize,
    /// Packets until there that had come, and that were sent.
    pub packets: (usize, usize),
    /// When, by the clock of the endpoint, in nanoseconds.
    pub at_ns: u64,
    /// What the recorded one did.
    pub recorded: String,
    /// What this one does.
    pub replayed: String,
    /// The first byte in which packets differ that are the same otherwise.
    pub byte: Option<usize>,
}

/// How a replay went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Calls that were made again.
    pub calls: usize,
    /// Packets that had come.
    pub received: usize,
    /// Packets that were sent, and were the same.
    pub sent: usize,
    /// Blocks that the application had sent.
    pub blocks_sent: usize,
    /// Blocks that had arrived.
    pub blocks_taken: usize,
    /// The last time that is told, in nanoseconds.
    pub until_ns: u64,
    /// Where it came to its end before that of the file.
    pub divergence: Option<Divergence>,
}

/// A recorder that keeps the last call, to be compared.
#[derive(Clone, Default)]
struct Last(Arc<Mutex<(String, Vec<u8>)>>);

impl Last {
    fn take(&self) -> (String, Vec<u8>) {
        take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Recorder for Last {
    fn keep(&mut self, call: Call<'_>) {
        let (line, bytes, _) = line(&call, Keys::Kept);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (line, bytes.into_owned());
    }
}

/// Makes all calls of a capture again.
pub fn replay(reader: Reader<'_>) -> Result<Played, ReplayError> {
    replay_with(reader, |_| ())
}

/// The same, and tells of each call before it is made.
pub fn replay_with(mut reader: Reader<'_>, mut tell: impl FnMut(&Kept)) -> Result<Played, ReplayError> {
    let text = String::from_utf8_lossy(&reader.made.bytes).into_owned();
    let (config, seed) = config::parse(&text)?;
    let last = Last::default();
    let mut endpoint = Endpoint::recorded(config, seed, Box::new(last.clone()))?;
    tell(&take(&mut reader.made));
    let mut played = Played { calls: 1, ..Played::default() };
    for kept in reader {
        let kept = kept?;
        tell(&kept);
        last.take();
        let now = again(&mut endpoint, &kept).ok_or_else(|| ReplayError::NoCall {
            number: kept.number,
            line: kept.line.chars().take(80).collect(),
        })?;
        played.until_ns = now.map_or(played.until_ns, Instant::nanos);
        let (line, bytes) = last.take();
        if line != kept.line || bytes != kept.bytes {
            let differs = bytes.iter().zip(&kept.bytes).position(|(one, other)| one != other);
            played.divergence = Some(Divergence {
                number: kept.number,
                packets: (played.received, played.sent),
                at_ns: played.until_ns,
                byte: differs.filter(|_| line == kept.line),
                recorded: kept.line,
                replayed: if line.is_empty() { "nothing".into() } else { line },
            });
            break;
        }
        played.calls += 1;
        let word = kept.line.split(' ').next();
        played.received += usize::from(word == Some("in"));
        played.sent += usize::from(word == Some("out") && !kept.bytes.is_empty());
        played.blocks_sent += usize::from(word == Some("send") && kept.line.ends_with(" -> taken"));
        played.blocks_taken += usize::from(kept.line.starts_with("event -> block"));
    }
    Ok(played)
}

/// Makes a call again; its time, if it has one. None if it is no call.
fn again(endpoint: &mut Endpoint, kept: &Kept) -> Option<Option<Instant>> {
    let mut words = kept.line.split(' ');
    let mut word = || words.next();
    let time = |word: Option<&str>| word?.parse().ok().map(Instant::from_nanos);
    let peer = |word: Option<&str>| word?.parse().ok().map(Peer::of_number);
    match word()? {
        "connect" => {
            let now = time(word())?;
            let address = word()?.parse().ok()?;
            let _ = match word()? {
                "any" => endpoint.connect(now, address),
                key => endpoint.connect_to(now, address, key.parse().ok()?),
            };
            return Some(Some(now));
        }
        "send" => {
            let (peer, priority) = (peer(word())?, word()?.parse().ok()?);
            let _ = endpoint.send(peer, priority, &kept.bytes);
        }
        "pin" => {
            endpoint.pin(word()?.parse().ok()?);
        }
        "unpin" => {
            endpoint.unpin(&word()?.parse().ok()?);
        }
        "update_key" => endpoint.update_key(peer(word())?),
        "close" => endpoint.close(peer(word())?),
        "retransmit" => endpoint.retransmit(peer(word())?),
        "permits" => endpoint.permits(policy(word()?)?),
        "weigh" => endpoint.weigh(peer(word())?, word()?.parse().ok()?),
        "grant" => {
            endpoint.grant(peer(word())?, word()?.parse().ok()?);
        }
        "in" => {
            let now = time(word())?;
            let from = word()?.parse().ok()?;
            endpoint.input_marked(now, from, &kept.bytes, kept.line.ends_with(" marked"));
            return Some(Some(now));
        }
        "out" => {
            let now = time(word())?;
            endpoint.poll_transmit(now);
            return Some(Some(now));
        }
        "event" => {
            endpoint.poll_event();
        }
        _ => return None,
    }
    Some(None)
}
