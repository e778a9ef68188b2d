//! A node on a real network, with a thread that serves other nodes while the program computes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::comm::Timers;
use crate::dsm::Dsm;
use crate::error::Error;
use crate::executor::block_on;
use crate::handle::Handle;

/// Longest sleep of a node's thread, so that it notices changed timers.
pub(super) const NAP: Duration = Duration::from_millis(1);

/// A node of a running program.
pub struct Member {
    dsm: Dsm,
    timers: Timers,
    strangers: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Member {
    /// Starts the thread of the node, which processes packets until the node ends and counts packets of
    /// unknown senders.
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

    /// The shared memory.
    pub fn dsm(&self) -> &Dsm {
        &self.dsm
    }

    /// Datagrams of unknown senders received so far. An adapter already drops those with a different Q_Key.
    pub fn strangers(&self) -> u64 {
        self.strangers.load(Ordering::Relaxed)
    }

    /// Runs the program of the node and leaves when all programs have ended.
    pub fn run<R>(self, program: impl AsyncFnOnce(Dsm) -> Result<R, Error>) -> Result<R, Error> {
        let value = block_on(program(self.dsm.clone()))?;
        self.leave()?;
        Ok(value)
    }

    /// Waits until all nodes leave, then ends this one.
    pub fn leave(self) -> Result<(), Error> {
        block_on(self.dsm.leave())
    }
}

impl Drop for Member {
    /// Waits until all packets are acknowledged, then long enough to acknowledge retransmissions of other
    /// nodes.
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
