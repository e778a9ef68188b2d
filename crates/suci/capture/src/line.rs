//! A call as a line of text with its data.

use std::borrow::Cow;
use std::net::SocketAddr;

use suci::record::Call;
use suci::{Event, Instant, Peer, Policy};

use crate::keys::Keys;
use crate::{VERSION, config};

/// Direction, time and address of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// Received from this address.
    In(Instant, SocketAddr),
    /// Sent to this address.
    Out(Instant, SocketAddr),
}

/// The line of a call, its data, and the packet if the data is one.
pub fn line<'a>(call: &Call<'a>, keys: Keys) -> (String, Cow<'a, [u8]>, Option<Packet>) {
    let nothing = Cow::Borrowed(&[][..]);
    let plain = |line: String| (line, nothing.clone(), None);
    match *call {
        Call::Made { config, seed } => {
            (VERSION.into(), Cow::Owned(config::write(config, seed, keys).into_bytes()), None)
        }
        Call::Connect { now, address, key, peer } => {
            let peer = peer.map_or_else(|why| why.to_string(), peer_name);
            let key = key.map_or_else(|| "any".into(), |key| key.to_string());
            plain(format!("connect {} {address} {key} -> {peer}", now.nanos()))
        }
        Call::Pin { key, pinned } => plain(format!("pin {key} -> {pinned}")),
        Call::Unpin { key, was } => plain(format!("unpin {key} -> {was}")),
        Call::UpdateKey(peer) => plain(format!("update_key {}", peer_name(peer))),
        Call::Send { peer, priority, block, sent } => {
            let sent = sent.map_or_else(|why| why.to_string(), |()| "taken".into());
            let line = format!("send {} {priority} {} -> {sent}", peer_name(peer), block.len());
            (line, Cow::Borrowed(block), None)
        }
        Call::Close(peer) => plain(format!("close {}", peer_name(peer))),
        Call::Retransmit(peer) => plain(format!("retransmit {}", peer_name(peer))),
        Call::Permits(policy) => plain(format!("permits {}", policy_name(policy))),
        Call::Weigh(peer, weight) => plain(format!("weigh {} {weight}", peer_name(peer))),
        Call::Grant { peer, bytes, granted } => {
            plain(format!("grant {} {bytes} -> {granted}", peer_name(peer)))
        }
        Call::Input { now, from, datagram, marked, due } => {
            let due = due.map_or_else(|| "never".into(), |due| due.nanos().to_string());
            let marked = if marked { " marked" } else { "" };
            let line = format!("in {} {from} {} due {due}{marked}", now.nanos(), datagram.len());
            (line, Cow::Borrowed(datagram), Some(Packet::In(now, from)))
        }
        Call::Transmit { now, transmit: Some(transmit) } => {
            let line = format!("out {} -> {} {}", now.nanos(), transmit.to, transmit.bytes.len());
            (line, Cow::Borrowed(transmit.bytes), Some(Packet::Out(now, transmit.to)))
        }
        Call::Transmit { now, transmit: None } => plain(format!("out {} -> nothing", now.nanos())),
        Call::Event(event) => plain(format!("event -> {}", event_line(event))),
    }
}

fn peer_name(peer: Peer) -> String {
    peer.number().to_string()
}

const POLICIES: [(Policy, &str); 3] =
    [(Policy::Share, "share"), (Policy::Weighted, "weighted"), (Policy::Manual, "manual")];

fn policy_name(policy: Policy) -> &'static str {
    POLICIES.iter().find(|known| known.0 == policy).map_or("share", |known| known.1)
}

/// Policy with this name.
pub fn policy(name: &str) -> Option<Policy> {
    POLICIES.iter().find(|known| known.1 == name).map(|known| known.0)
}

fn event_line(event: &Event) -> String {
    match event {
        // Received packets contain the block itself, so only its hash is compared.
        Event::Block { peer, priority, block } => {
            let (peer, hash) = (peer_name(*peer), hash(block));
            format!("block from {peer}, priority {priority}, {} bytes, {hash:016x}", block.len())
        }
        other => format!("{other:?}"),
    }
}

/// FNV-1a hash of 64 bits (Fowler, Noll, Vo). A cryptographic hash is unnecessary, because captures are
/// trusted.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
