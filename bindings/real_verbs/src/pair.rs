//! A queue pair, as one who sends and one who receives.

use std::sync::Arc;
use std::time::Duration;

use cxx::UniquePtr;

use crate::bridge::ffi;
use crate::peer::{Arrived, Peer};
use crate::port::{Choice, Gid, Port};
use crate::route;

/// What verbs says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("verbs: {0}")]
pub struct VerbsError(String);

impl From<cxx::Exception> for VerbsError {
    fn from(exception: cxx::Exception) -> VerbsError {
        VerbsError(exception.what().into())
    }
}

struct Pair(UniquePtr<ffi::Pair>);

// SAFETY: libibverbs may be called from any thread, and `ffi::Pair` has a half for sending and one for receiving, which share nothing that changes. `send` is called
// by a `Sender` that is borrowed mutably and `receive` by such a `Receiver`, of which there is one each, so no half is used by two threads at once.
#[allow(unsafe_code)]
unsafe impl Send for Pair {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Pair {}

/// Sends packets of a queue pair.
pub struct Sender {
    pair: Arc<Pair>,
    peers: usize,
}

/// Receives packets of a queue pair.
pub struct Receiver {
    pair: Arc<Pair>,
    buffer: Vec<u8>,
}

/// All ports of this machine that are up.
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

/// A queue pair at a port that is not known to anybody yet: its number, and what [`reaches`](Unreached::reach) others.
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

/// A queue pair that receives, and does not know where to send to.
pub struct Unreached(UniquePtr<ffi::Pair>);

impl Unreached {
    /// Its number.
    pub fn number(&self) -> u32 {
        self.0.number()
    }

    /// Both halves, which know these peers.
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
    /// Sends a packet to a peer; false if so many are leaving that there is no room.
    pub fn send(&mut self, peer: usize, packet: &[u8]) -> Result<bool, VerbsError> {
        assert!(peer < self.peers, "there is no peer {peer}");
        Ok(self.pair.0.send(peer, packet)?)
    }
}

impl Receiver {
    /// What comes next, waited for so long at most.
    pub fn receive(&mut self, nap: Duration) -> Result<Option<Arrived>, VerbsError> {
        let come = self.pair.0.receive(&mut self.buffer, nap.as_millis() as i32)?;
        let whole = &self.buffer[..come.bytes as usize];
        Ok(whole.split_first_chunk::<{ route::BYTES }>().map(|(header, packet)| Arrived {
            pair: come.pair,
            lid: come.lid,
            gid: if come.routed { route::source(header) } else { None },
            packet: packet.to_vec(),
        }))
    }
}
