//! Two cards of GigaE PM back to back: a message and its answer, for waveforms.

use std::fmt;
use std::path::PathBuf;

use gigae_pm::GigaePm;
use gigae_pm::traffic::CORE_PS;
use gigae_pm::traffic::host::Setup;
use gigae_pm::traffic::pair::Pair;
use gigae_pm::traffic::wire::Faults;
use hdl::{Nic, Stimulus};
use serde::Serialize;
use waveform::View;

use crate::nic::{Board, Kind};
use crate::recorded::{self, Recorded, Recording};

/// Both cards are set up by this core clock edge, and waveforms begin.
pub const FROM: u64 = 300;
/// The first stretch that one sees: the sender's work on the descriptor.
pub const VIEW: View = View { start_ps: FROM * CORE_PS, length_ps: 10_000_000 };
/// A message and its answer end long before this.
const LIMIT_PS: u64 = 1_000_000_000;
/// What the ACK of the answer still needs when the answer is there.
const REST_PS: u64 = 10_000_000;

/// How it went.
#[derive(Serialize)]
pub struct Report {
    nic: Kind,
    seed: u64,
    bytes: usize,
    divergences: u32,
    /// Picoseconds from the first host's decision to send to its sight of the answer.
    round_trip_ps: u64,
    waves: Vec<PathBuf>,
}

/// A message of that size from node 0 to node 1, and one back.
pub fn run(bytes: usize, nic: Kind, seed: u64, recording: &Recording) -> anyhow::Result<Report> {
    let board = |_| Board::<GigaePm>::open(nic, seed, "memonet wave --machine gigae_pm");
    let boards: anyhow::Result<Vec<_>> = (0..2).map(board).collect();
    let (waves, cards) = recorded::record(recording, boards?)?;
    let cards: [Recorded<GigaePm>; 2] = cards.try_into().ok().expect("two boards are two cards");
    let mut pair = Pair::new(cards, seed, Faults::default(), Setup::pair);
    let mut random = Stimulus::new(seed);
    let message: Vec<u8> = (0..bytes).map(|_| random.word() as u8).collect();

    let run = |pair: &mut Pair<_>, until: &dyn Fn(&Pair<_>) -> bool| {
        let ran = pair.run_until(LIMIT_PS, until).map_err(|error| anyhow::anyhow!(error))?;
        ran.ok_or_else(|| anyhow::anyhow!("the message did not arrive in time"))
    };
    run(&mut pair, &|pair| pair.now() >= FROM * CORE_PS)?;
    pair.hosts[0].send(0, 1, message.clone());
    let there = run(&mut pair, &|pair| !pair.hosts[1].deliveries.is_empty())?;
    pair.hosts[1].send(0, 0, message.clone());
    let back = run(&mut pair, &|pair| !pair.hosts[0].deliveries.is_empty())?;
    let end = pair.now() + REST_PS;
    run(&mut pair, &|pair| pair.now() >= end)?;

    for (host, card) in pair.hosts.iter().zip(&mut pair.cards) {
        anyhow::ensure!(host.deliveries[0].bytes == message, "the message arrived with other bytes");
        card.check().map_err(|error| anyhow::anyhow!(error))?;
    }
    let waves = waves.finish()?;
    Ok(Report { nic, seed, bytes, divergences: 0, round_trip_ps: there + back, waves })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.round_trip_ps as f64 / 1e6;
        writeln!(f, "{} bytes there and back, nic {}: {us:.2} us at the pins", self.bytes, self.nic.name())?;
        for path in &self.waves {
            writeln!(f, "wrote {}", path.display())?;
        }
        write!(f, "{} divergences", self.divergences)
    }
}
