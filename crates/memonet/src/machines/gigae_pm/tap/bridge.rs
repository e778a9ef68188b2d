//! Connects modelled cards to external Ethernets: a frame from outside enters ring 4 of its card, and frames
//! that the card delivers by interrupt leave to the outside.
//!
//! Virtual time advances in slices, as fast as they can be computed. An external frame enters at the
//! beginning of a slice, so its virtual time is not deterministic. While the cluster is idle, no virtual time
//! passes.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use cluster::{Duration, Output};
use schemars::JsonSchema;
use serde::Serialize;

use crate::pcapng::Capture;
use gigae_pm_machine::{BusHost, Cluster, Driver, GigaePm, Programs, TransmitError};

/// Virtual time between two polls of the outside.
pub const SLICE: Duration = Duration::from_us(20);
/// Idle slices after which the cluster counts as quiet; card activity is detected sooner
/// ([`Cluster::is_still`]).
const QUIET_SLICES: u32 = 5;
/// Maximum number of external frames queued for a card; further ones stay in the external queue.
const QUEUE: usize = 64;
/// Delay before a frame is offered again to a full card: about the duration of a frame.
const RETRY: Duration = Duration::from_us(10);

/// An external Ethernet.
pub trait Outside {
    /// Copies the next frame into the buffer and returns its length; `None` if there is no frame.
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>>;

    /// Sends a frame to the outside; false if it was not accepted.
    fn send(&mut self, frame: &[u8]) -> io::Result<bool>;
}

/// Number of frames and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct FrameCount {
    /// Frames transferred.
    pub frames: u64,
    /// Bytes of the frames, without check sequences.
    pub bytes: u64,
}

impl FrameCount {
    fn add(&mut self, frame: &[u8]) {
        self.frames += 1;
        self.bytes += frame.len() as u64;
    }
}

/// Traffic between a node and its outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct NodeCounters {
    /// Frames from outside to the card.
    pub sent: FrameCount,
    /// Frames from the card to the outside.
    pub received: FrameCount,
    /// External frames that are too short or too long for Ethernet.
    pub refused: u64,
    /// Frames from the card that the outside did not accept.
    pub not_taken: u64,
}

/// State shared by the bridge and the program that feeds a card.
#[derive(Default)]
struct Feed {
    queue: VecDeque<Vec<u8>>,
    counts: NodeCounters,
}

/// Bridge state of one node.
struct End<O> {
    outside: O,
    feed: Rc<RefCell<Feed>>,
    feeder: Option<Output<()>>,
}

/// Activity of the cluster and its outsides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Frames or computations are in progress.
    Busy,
    /// Nothing happens until a frame arrives from outside.
    Quiet,
}

/// A cluster whose nodes are connected to external Ethernets.
pub struct Bridge<O> {
    cluster: Cluster,
    ends: Vec<End<O>>,
    capture: Option<Capture<GigaePm>>,
    quiet: u32,
    buffer: Vec<u8>,
}

impl<O: Outside> Bridge<O> {
    /// Brings all Ethernet interfaces up. Frames on the wires are written to the capture file, if any.
    pub fn new(
        mut cluster: Cluster,
        outsides: Vec<O>,
        capture: Option<Capture<GigaePm>>,
    ) -> Result<Self, cluster::RunError> {
        if capture.is_some() {
            cluster.capture();
        }
        for node in 0..outsides.len() {
            cluster.spawn_kernel(node, "up", |host, driver| async move {
                driver.up(&host).await;
            });
        }
        cluster.run(Duration::from_us(1_000))?;
        let end = |outside| End { outside, feed: Rc::default(), feeder: None };
        let ends = outsides.into_iter().map(end).collect();
        // The buffer exceeds the longest frame of a TAP device, so that no oversized frame is truncated to a
        // valid length.
        Ok(Bridge { cluster, ends, capture, quiet: 0, buffer: vec![0; 1 << 16] })
    }

    /// The modelled cluster.
    pub fn cluster(&mut self) -> &mut Cluster {
        &mut self.cluster
    }

    /// The external Ethernets, in the order of nodes.
    pub fn outsides(&self) -> impl Iterator<Item = &O> {
        self.ends.iter().map(|end| &end.outside)
    }

    /// Traffic between a node and its outside so far.
    pub fn counts(&self, node: usize) -> NodeCounters {
        self.ends[node].feed.borrow().counts
    }

    /// Accepts external frames, simulates a slice of virtual time, and sends frames to the outside.
    pub fn step(&mut self) -> anyhow::Result<Activity> {
        let mut came = false;
        for node in 0..self.ends.len() {
            came |= self.take_in(node)?;
        }
        self.cluster.run_until(self.cluster.now() + SLICE)?;
        for node in 0..self.ends.len() {
            came |= self.hand_out(node)?;
        }
        self.write_capture()?;
        self.quiet = if came || !self.cluster.is_still() { 0 } else { self.quiet + 1 };
        Ok(if self.quiet < QUIET_SLICES { Activity::Busy } else { Activity::Quiet })
    }

    /// Completes the capture file and returns the number of its frames.
    pub fn finish(mut self) -> anyhow::Result<Option<u64>> {
        self.write_capture()?;
        self.capture.map(Capture::finish).transpose()
    }

    fn write_capture(&mut self) -> anyhow::Result<()> {
        match &mut self.capture {
            Some(capture) => capture.write(&self.cluster.take_captured()),
            None => Ok(()),
        }
    }

    /// Queues external frames for a card; true if frames are waiting.
    fn take_in(&mut self, node: usize) -> io::Result<bool> {
        let end = &mut self.ends[node];
        while end.feed.borrow().queue.len() < QUEUE
            && let Some(length) = end.outside.receive(&mut self.buffer)?
        {
            end.feed.borrow_mut().queue.push_back(self.buffer[..length].to_vec());
        }
        if end.feeder.as_ref().is_some_and(|feeder| feeder.take().is_some()) {
            end.feeder = None;
        }
        let waiting = !end.feed.borrow().queue.is_empty();
        if waiting && end.feeder.is_none() {
            let feed = end.feed.clone();
            let feeder = |host, driver: Rc<Driver>| async move { feed_card(&host, &driver, &feed).await };
            end.feeder = Some(self.cluster.spawn_kernel(node, "feeder", feeder));
        }
        Ok(waiting)
    }

    /// Sends frames of a card to the outside; true if there were any.
    fn hand_out(&mut self, node: usize) -> io::Result<bool> {
        let end = &mut self.ends[node];
        let mut any = false;
        while let Some(frame) = self.cluster.nodes()[node].side().driver().take_frame() {
            let taken = end.outside.send(&frame)?;
            let counts = &mut end.feed.borrow_mut().counts;
            if taken {
                counts.received.add(&frame);
            } else {
                counts.not_taken += 1;
            }
            any = true;
        }
        Ok(any)
    }
}

/// Gives a card its queued frames.
async fn feed_card(host: &BusHost, driver: &Driver, feed: &RefCell<Feed>) {
    loop {
        let Some(frame) = feed.borrow_mut().queue.pop_front() else { return };
        loop {
            match driver.transmit(host, &frame).await {
                Ok(()) => feed.borrow_mut().counts.sent.add(&frame),
                Err(TransmitError::Size(_)) => feed.borrow_mut().counts.refused += 1,
                Err(TransmitError::Full) => {
                    host.processor().compute(RETRY).await;
                    continue;
                }
                Err(TransmitError::Down) => unreachable!("the interface is up until the end"),
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests;
