//! Replays the calls of a recorded endpoint on another one.

use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use suci::record::{Call, Recorder};
use suci::{ConfigError, Endpoint, Instant, Peer};

use crate::config::{self, BadConfig};
use crate::keys::Keys;
use crate::line::{line, policy};
use crate::read::{Kept, ReadError, Reader};

/// Reason why a capture cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The configuration is unusable.
    #[error(transparent)]
    Start(#[from] BadConfig),
    /// The endpoint refuses the configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A line is not a valid call.
    #[error("block {number} is damaged: '{line}' is no call")]
    NoCall {
        /// Number of its block in the file.
        number: usize,
        /// Text of the line.
        line: String,
    },
}

/// The first difference between the recorded and the replayed endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Number of the block in the file.
    pub number: usize,
    /// Packets received and sent before the difference.
    pub packets: (usize, usize),
    /// Time of the endpoint's clock in nanoseconds.
    pub at_ns: u64,
    /// Recorded call and result.
    pub recorded: String,
    /// Replayed call and result.
    pub replayed: String,
    /// Index of the first different byte of packets that are otherwise equal.
    pub byte: Option<usize>,
}

/// Result of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Replayed calls.
    pub calls: usize,
    /// Received packets.
    pub received: usize,
    /// Sent packets, which were equal.
    pub sent: usize,
    /// Blocks sent by the application.
    pub blocks_sent: usize,
    /// Blocks taken by the application.
    pub blocks_taken: usize,
    /// Time of the last call in nanoseconds.
    pub until_ns: u64,
    /// First difference, where the replay ended.
    pub divergence: Option<Divergence>,
}

/// A recorder of the last call, for comparison.
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

/// Replays all calls of a capture.
pub fn replay(reader: Reader<'_>) -> Result<Played, ReplayError> {
    replay_with(reader, |_| ())
}

/// Replays all calls and passes each to `tell` before.
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

/// Replays a call and returns its time, if it has one. `None` if the line is invalid.
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
