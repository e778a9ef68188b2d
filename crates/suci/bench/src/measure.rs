//! Measurements: round trips, and bursts in one direction.

use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_setaffinity};

use crate::links::{Link, Protocol, Result};
use crate::relay::Relay;

/// Settings of a measurement.
#[derive(Clone, Copy)]
pub struct Setup {
    /// Loss rate of the relay in millionths; 0 for no relay.
    pub loss: u64,
    /// Seed of the relay.
    pub seed: u64,
    /// Processors of the calling and the called end, if they are pinned.
    pub processors: Option<(usize, usize)>,
}

/// Length of a round trip message in bytes.
const PING: usize = 4;
/// Round trips before the measurement.
const WARM: usize = 200;

/// Pins this thread to a processor.
fn pin(processor: Option<usize>) {
    let Some(processor) = processor else { return };
    let mut set = CpuSet::new();
    set.set(processor);
    // Without permission the thread is not pinned.
    let _ = sched_setaffinity(None, &set);
}

/// Connects two ends and runs a function on each.
fn between<T>(
    protocol: Protocol,
    setup: Setup,
    there: impl FnOnce(&mut dyn Link) -> Result<()> + Send + 'static,
    here: impl FnOnce(&mut dyn Link) -> Result<T>,
) -> Result<T> {
    let (address, serve) = (protocol.serve)()?;
    let relay = if setup.loss > 0 { Some(Relay::new(address, setup.loss, setup.seed)?) } else { None };
    let server = std::thread::spawn(move || -> Result<()> {
        pin(setup.processors.map(|(_, there)| there));
        let mut link = serve()?;
        there(link.as_mut())?;
        link.linger(Duration::from_millis(20));
        Ok(())
    });
    pin(setup.processors.map(|(here, _)| here));
    let mut link = (protocol.call)(relay.as_ref().map_or(address, |relay| relay.address))?;
    let result = here(link.as_mut());
    if result.is_ok() {
        link.linger(Duration::from_millis(20));
        drop(link);
        // Errors of the server after the last message are ignored.
        let _ = server.join();
    }
    result
}

/// Times of round trips of 4 bytes, sorted.
pub fn round_trips(protocol: Protocol, setup: Setup, count: usize) -> Result<Vec<Duration>> {
    let all = WARM + count;
    let there = move |link: &mut dyn Link| {
        let mut message = Vec::new();
        for _ in 0..all {
            link.receive(&mut message)?;
            link.send(&message)?;
            link.flush()?;
        }
        Ok(())
    };
    between(protocol, setup, there, move |link| {
        let (mut times, mut back) = (Vec::with_capacity(all), Vec::new());
        for number in 0..all as u32 {
            let begin = Instant::now();
            let message: [u8; PING] = number.to_be_bytes();
            link.send(&message)?;
            link.flush()?;
            link.receive(&mut back)?;
            times.push(begin.elapsed());
            if back != message {
                return Err("another message came back".into());
            }
        }
        times.drain(..WARM);
        times.sort();
        Ok(times)
    })
}

/// Time of `count` messages of this length in one direction, until the answer to the last one arrives.
pub fn burst(protocol: Protocol, setup: Setup, length: usize, count: usize) -> Result<Duration> {
    let there = move |link: &mut dyn Link| {
        let mut message = Vec::new();
        link.receive(&mut message)?;
        link.send(&message)?;
        link.flush()?;
        for number in 0..count as u32 {
            link.receive(&mut message)?;
            if message.len() != length || message[..4] != number.to_be_bytes() {
                return Err("another message came than was sent".into());
            }
        }
        link.send(&message[..PING])?;
        link.flush()
    };
    between(protocol, setup, there, move |link| {
        let (mut message, mut back) = (vec![7; length], Vec::new());
        link.send(&message)?;
        link.flush()?;
        link.receive(&mut back)?;
        let begin = Instant::now();
        for number in 0..count as u32 {
            message[..4].copy_from_slice(&number.to_be_bytes());
            link.send(&message)?;
        }
        link.flush()?;
        link.receive(&mut back)?;
        if back != (count as u32 - 1).to_be_bytes() {
            return Err("another answer came back".into());
        }
        Ok(begin.elapsed())
    })
}
