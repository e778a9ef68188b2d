//! Joins modelled cards to Ethernets outside: a frame from there goes into ring 4 of its card, and what a card delivers by
//! interrupt goes out.
//!
//! Virtual time passes in slices, as fast as they can be computed. A frame from outside comes at the beginning of a slice, so
//! when it comes in virtual time is chance. While nothing is under way no time passes at all.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use cluster::{Duration, Output};
use schemars::JsonSchema;
use serde::Serialize;

use crate::pcapng::Capture;
use gigae_pm_machine::{BusHost, Cluster, Driver, Programs, Symbol, TransmitError};

/// Virtual time that passes between two looks at the outside.
pub const SLICE: Duration = Duration::from_us(20);
/// Quiet slices after which nothing is under way; what a card does shows sooner ([`Cluster::is_still`]).
const QUIET_SLICES: u32 = 5;
/// Frames from outside that wait for a card; more of them wait where they come from.
const QUEUE: usize = 64;
/// From one try to give a full card a frame to the next: about what a frame takes.
const RETRY: Duration = Duration::from_us(10);

/// An Ethernet outside.
pub trait Outside {
    /// Puts the next frame into the buffer, if there is one; its length.
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>>;

    /// Hands a frame out; false if it is not taken.
    fn send(&mut self, frame: &[u8]) -> io::Result<bool>;
}

/// Frames and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Count {
    /// Frames.
    pub frames: u64,
    /// Their bytes, check sequences not included.
    pub bytes: u64,
}

impl Count {
    fn add(&mut self, frame: &[u8]) {
        self.frames += 1;
        self.bytes += frame.len() as u64;
    }
}

/// What passed between a node and its outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Counts {
    /// From outside to the card.
    pub sent: Count,
    /// From the card to the outside.
    pub received: Count,
    /// From outside, but too short or too long for Ethernet.
    pub refused: u64,
    /// From the card, but not taken outside.
    pub not_taken: u64,
}

/// What the bridge and the program that feeds a card share.
#[derive(Default)]
struct Feed {
    queue: VecDeque<Vec<u8>>,
    counts: Counts,
}

/// One node's end.
struct End<O> {
    outside: O,
    feed: Rc<RefCell<Feed>>,
    feeder: Option<Output<()>>,
}

/// Whether anything is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// There is.
    Busy,
    /// Nothing until a frame comes from outside.
    Quiet,
}

/// A cluster whose nodes have Ethernets outside.
pub struct Bridge<O> {
    cluster: Cluster,
    ends: Vec<End<O>>,
    capture: Option<Capture<Symbol>>,
    quiet: u32,
    buffer: Vec<u8>,
}

impl<O: Outside> Bridge<O> {
    /// Lets all hosts take part in Ethernet. Frames on the wires go into a file if there is one.
    pub fn new(
        mut cluster: Cluster,
        outsides: Vec<O>,
        capture: Option<Capture<Symbol>>,
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
        // Longer than a TAP device would ever hand out, so that nothing is cut to a good length.
        Ok(Bridge { cluster, ends, capture, quiet: 0, buffer: vec![0; 1 << 16] })
    }

    /// The cluster.
    pub fn cluster(&mut self) -> &mut Cluster {
        &mut self.cluster
    }

    /// The outsides, by node.
    pub fn outsides(&self) -> impl Iterator<Item = &O> {
        self.ends.iter().map(|end| &end.outside)
    }

    /// What passed between a node and its outside so far.
    pub fn counts(&self, node: usize) -> Counts {
        self.ends[node].feed.borrow().counts
    }

    /// Takes frames in, lets a slice of virtual time pass, and hands frames out.
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

    /// Ends the file of frames; how many are in it.
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

    /// Frames from outside for a card; whether there are any.
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

    /// Frames of a card for the outside; whether there are any.
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

/// Gives a card the frames that wait for it.
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
