//! A queue pair, split into a sender and a receiver.

use std::sync::Arc;
use std::time::Duration;

use cxx::UniquePtr;

use crate::bridge::ffi;
use crate::peer::{Arrived, Peer};
use crate::port::{Choice, Gid, Port};
use crate::route;

/// An error of verbs, with the function that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("verbs: {0}")]
pub struct VerbsError(String);

impl From<cxx::Exception> for VerbsError {
    fn from(exception: cxx::Exception) -> VerbsError {
        VerbsError(exception.what().into())
    }
}

struct Pair(UniquePtr<ffi::Pair>);

// SAFETY: libibverbs may be called from any thread. The halves of `ffi::Pair` for sending and for receiving share no mutable
// state. There is one `Sender` and one `Receiver`, both borrowed mutably, so no half is used by two threads at once.
#[allow(unsafe_code)]
unsafe impl Send for Pair {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Pair {}

/// The sending half of a queue pair.
pub struct Sender {
    pair: Arc<Pair>,
    peers: usize,
}

/// The receiving half of a queue pair.
pub struct Receiver {
    pair: Arc<Pair>,
    buffer: Vec<u8>,
}

/// Active ports of this computer.
pub fn ports() -> Result<Vec<Port>, VerbsError> {
    let gid = |gid: ffi::Gid| Gid { index: gid.index, bytes: gid.bytes };
    let port = |port: ffi::Port| Port {
        device: port.device,
        number: port.number,
        lid: port.lid,
        mtu: port.mtu as usize,
        gids: port.gids.into_iter().map(gid).collect(),
    };
    Ok(ffi::ports()?.into_iter().map(port).collect())
}

/// Opens a queue pair at a port. It knows no peers before [`Unreached::reach`].
pub fn open(at: &Choice, key: u32, receives: u32, sends: u32) -> Result<Unreached, VerbsError> {
    let wanted = ffi::Wanted {
        device: at.port.device.clone(),
        port: at.port.number,
        gid_index: at.gid.index,
        key,
        receives,
        sends,
    };
    Ok(Unreached(ffi::open(&wanted)?))
}

/// A queue pair that receives, but has no peers to send to.
pub struct Unreached(UniquePtr<ffi::Pair>);

impl Unreached {
    /// Queue pair number, 24 bits.
    pub fn number(&self) -> u32 {
        self.0.number()
    }

    /// Adds these peers; the halves for sending and receiving.
    pub fn reach(mut self, peers: &[Peer]) -> Result<(Sender, Receiver), VerbsError> {
        for Peer { lid, gid, pair } in peers.iter().copied() {
            self.0.pin_mut().reach(&ffi::Address { lid, gid, pair })?;
        }
        let buffer = vec![0; self.0.slot_bytes() as usize];
        let pair = Arc::new(Pair(self.0));
        Ok((Sender { pair: pair.clone(), peers: peers.len() }, Receiver { pair, buffer }))
    }
}

impl Sender {
    /// Sends a packet to a peer; false if the send ring is full.
    pub fn send(&mut self, peer: usize, packet: &[u8]) -> Result<bool, VerbsError> {
        assert!(peer < self.peers, "there is no peer {peer}");
        Ok(self.pair.0.send(peer, packet)?)
    }
}

impl Receiver {
    /// Receives the next datagram, waiting at most for `timeout`, in whole milliseconds.
    pub fn receive(&mut self, timeout: Duration) -> Result<Option<Arrived>, VerbsError> {
        let received = self.pair.0.receive(&mut self.buffer, timeout.as_millis() as i32)?;
        let whole = &self.buffer[..received.bytes as usize];
        Ok(whole.split_first_chunk::<{ route::BYTES }>().map(|(header, packet)| Arrived {
            pair: received.pair,
            lid: received.lid,
            gid: if received.routed { route::source(header) } else { None },
            packet: packet.to_vec(),
        }))
    }
}
