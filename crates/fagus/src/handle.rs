//! Access of a program to its node, and the future of a call.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use crate::error::Error;
use crate::node::{Call, Node};

/// Sends the packets of a call if no thread or loop does.
type Flush = Box<dyn Fn(&mut Node) + Send + Sync>;

/// A node and its send function.
pub(crate) struct Handle {
    node: Mutex<Node>,
    flush: Flush,
}

impl Handle {
    pub fn new(node: Node, flush: Flush) -> Arc<Handle> {
        Arc::new(Handle { node: Mutex::new(node), flush })
    }

    /// Locks the node. A poisoned lock is usable, because every step leaves the node consistent.
    pub fn node(&self) -> MutexGuard<'_, Node> {
        self.node.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `what` on the node and sends the resulting packets.
    pub fn with<T>(&self, what: impl FnOnce(&mut Node) -> T) -> T {
        let mut node = self.node();
        let result = what(&mut node);
        (self.flush)(&mut node);
        result
    }
}

/// Future of a call.
pub(crate) struct Wait<'a> {
    handle: &'a Handle,
    call: Option<Call>,
    waits: bool,
}

impl<'a> Wait<'a> {
    pub fn new(handle: &'a Handle, call: Call) -> Wait<'a> {
        Wait { handle, call: Some(call), waits: false }
    }
}

impl Future for Wait<'_> {
    type Output = Result<(), Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let handle = self.handle;
        if let Some(call) = self.call.take() {
            if let Err(error) = handle.with(|node| node.begin(call)) {
                return Poll::Ready(Err(error));
            }
            self.waits = true;
        }
        let Some(result) = handle.node().end(context.waker()) else { return Poll::Pending };
        self.waits = false;
        Poll::Ready(result)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        if self.waits {
            self.handle.with(Node::forget);
        }
    }
}
