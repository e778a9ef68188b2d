//! `memonet run --program`: programs that show what a machine is for.

use std::fmt;

use cluster::Cluster;
use lab::Nics;
use serde::Serialize;

use crate::machines::{Built, Name};
use crate::nic::{Kind, Maker};
use crate::output::us;
use crate::usage;

/// How a program went.
#[derive(Serialize)]
pub struct Report {
    machine: Name,
    program: &'static str,
    nic: Kind,
    seed: u64,
    /// What it does, with its sizes.
    about: String,
    /// The result is what the host computes by itself.
    right: bool,
    phases: Vec<Phase>,
    /// Nothing was compared if there is no number.
    divergences: Option<u32>,
    simulated_us: String,
    fingerprint: String,
}

/// A part of a program.
#[derive(Serialize)]
struct Phase {
    name: &'static str,
    ps: u64,
}

impl Report {
    /// Whether the result is right.
    pub fn right(&self) -> bool {
        self.right
    }
}

/// Runs a program on fresh boards.
pub fn run<M: Built>(name: &str, nic: Kind, seed: u64) -> anyhow::Result<Report> {
    let Some(program) = M::PROGRAMS.iter().find(|program| program.name == name) else {
        let known: Vec<_> = M::PROGRAMS.iter().map(|program| program.name).collect();
        let known = if known.is_empty() { "no programs".to_string() } else { known.join(", ") };
        return Err(usage::invalid("--program <NAME>", name, format!("{} has {known}", M::TITLE)));
    };
    let command = format!("memonet run --machine {} --program {name} --nic lockstep --seed {seed}", M::NAME);
    let boards = Maker::<M>::new(nic, seed, command).open(program.nodes)?;
    let mut cluster = Cluster::with_switch(boards, &M::Settings::default());
    let done = (program.run)(&mut cluster, seed)?;
    Ok(Report {
        machine: M::WHICH,
        program: program.name,
        nic,
        seed,
        about: done.about,
        right: done.right,
        phases: done.phases.into_iter().map(|(name, time)| Phase { name, ps: time.ps() }).collect(),
        divergences: nic.divergences(),
        simulated_us: us(cluster.now().ps()),
        fingerprint: cluster.fingerprint()?.to_string(),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}, nic {}", self.program, self.about, self.nic.name())?;
        for phase in &self.phases {
            writeln!(f, "  {:12}{:>14} us", phase.name, us(phase.ps))?;
        }
        if let Some(divergences) = self.divergences {
            writeln!(f, "{divergences} divergences")?;
        }
        writeln!(f, "fingerprint {}", self.fingerprint)?;
        write!(f, "{}", if self.right { "the right result" } else { "NOT the right result" })
    }
}
