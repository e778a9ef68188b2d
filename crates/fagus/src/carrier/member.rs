//! A node of a real network: a thread answers others while its program computes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::udp::Peers;
use crate::blocking::block_on;
use crate::comm::Timers;
use crate::dsm::{Dsm, Handle};
use crate::error::Error;
use crate::protocol::Nodes;

/// How long the thread of a node sleeps at most, while timers of others may change.
pub(super) const NAP: Duration = Duration::from_millis(1);

/// A node that takes part in a run.
pub struct Member {
    dsm: Dsm,
    timers: Timers,
    strangers: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Member {
    /// Starts its thread, which takes in what comes until it is told that the node ends, and counts what comes from strangers.
    pub(super) fn start(
        handle: Arc<Handle>,
        timers: Timers,
        serve: impl FnOnce(&Handle, &AtomicBool, &AtomicU64) + Send + 'static,
    ) -> Member {
        let (strangers, ends) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let thread = std::thread::spawn({
            let (handle, strangers, ends) = (handle.clone(), strangers.clone(), ends.clone());
            move || serve(&handle, &ends, &strangers)
        });
        Member { dsm: Dsm { handle }, timers, strangers, ends, thread: Some(thread) }
    }

    /// The memory.
    pub fn dsm(&self) -> &Dsm {
        &self.dsm
    }

    /// Datagrams of strangers so far, as far as they came through: an adapter drops what has another Q_Key.
    pub fn strangers(&self) -> u64 {
        self.strangers.load(Ordering::Relaxed)
    }

    /// Runs the program of the node, and goes when all have ended.
    pub fn run<R>(self, program: impl AsyncFnOnce(Dsm) -> Result<R, Error>) -> Result<R, Error> {
        let value = block_on(program(self.dsm.clone()))?;
        self.leave()?;
        Ok(value)
    }

    /// Waits until all leave, and goes.
    pub fn leave(self) -> Result<(), Error> {
        block_on(self.dsm.leave())
    }
}

impl Drop for Member {
    /// What was sent is to come, and those who did not hear that theirs came are to be told again.
    fn drop(&mut self) {
        let start = Instant::now();
        while !self.dsm.handle.node().is_quiet() && start.elapsed() < self.timers.dead {
            std::thread::sleep(NAP);
        }
        std::thread::sleep(self.timers.resend * 10);
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The number of this node and how many there are, if there may be so many.
pub(super) fn seated(peers: &Peers) -> Result<(u16, usize), Error> {
    let (me, nodes) = (peers.node, peers.addresses.len());
    if nodes > Nodes::MOST {
        return Err(Error::NoSuch { what: "run of nodes", number: nodes, count: Nodes::MOST });
    }
    if me >= nodes {
        return Err(Error::NoSuch { what: "node", number: me, count: nodes });
    }
    Ok((me as u16, nodes))
}
