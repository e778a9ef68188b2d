//! `memonet run --program`: programs that show what a primitive is for.
//!
//! A program is one line in [`Program`], and a function that runs it and says what came of it; boards, time and report are
//! the same for all.

use std::fmt;

use clap::ValueEnum;
use cluster::Duration;
use dimmnet2_machine::programs::measure::PROCESS;
use dimmnet2_machine::programs::transpose::{SIDE, transpose};
use dimmnet2_machine::{AnyNic, Cluster, Settings};
use serde::Serialize;

use crate::nic::{Board, Kind};
use crate::output::us;
use crate::run::check;

/// Programs besides the main job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Program {
    /// One board transposes a matrix of 64 x 64 elements of 4 bytes in its SO-DIMMs, by VLS and VS.
    Transpose,
}

impl Program {
    /// As it is typed.
    fn name(self) -> &'static str {
        match self {
            Program::Transpose => "transpose",
        }
    }

    /// Nodes that it runs on.
    fn nodes(self) -> usize {
        match self {
            Program::Transpose => 1,
        }
    }
}

/// How a program went.
#[derive(Serialize)]
pub struct Report {
    program: Program,
    nic: Kind,
    seed: u64,
    /// What it does, with its sizes.
    about: String,
    /// The result is what the host computes by itself.
    right: bool,
    phases: Vec<Phase>,
    divergences: u32,
    simulated_us: String,
    fingerprint: String,
}

/// A part of a program.
#[derive(Serialize)]
struct Phase {
    name: &'static str,
    ps: u64,
}

/// What a program says about its run.
struct Done {
    about: String,
    right: bool,
    phases: Vec<Phase>,
}

impl Report {
    /// Whether the result is right.
    pub fn right(&self) -> bool {
        self.right
    }
}

/// Programs end long before this.
const LIMIT: Duration = Duration::from_us(10_000);

/// Runs a program on fresh boards.
pub fn run(program: Program, nic: Kind, seed: u64) -> anyhow::Result<Report> {
    let command = format!("memonet run --program {} --nic lockstep --seed {seed}", program.name());
    let boards = (0..program.nodes()).map(|_| Board::open(nic, seed, &command));
    let boards: anyhow::Result<Vec<Board>> = boards.collect();
    let devices = boards?.into_iter().map(|board| Box::new(board.ahead()) as Box<AnyNic>).collect();
    let mut cluster = Cluster::with_switch(devices, &Settings::default());
    let done = match program {
        Program::Transpose => run_transpose(&mut cluster, seed)?,
    };
    Ok(Report {
        program,
        nic,
        seed,
        about: done.about,
        right: done.right,
        phases: done.phases,
        divergences: 0,
        simulated_us: us(cluster.now().ps()),
        fingerprint: cluster.fingerprint()?.to_string(),
    })
}

fn run_transpose(cluster: &mut Cluster, seed: u64) -> anyhow::Result<Done> {
    let (mut random, side) = (hdl::Stimulus::new(seed), SIDE as usize);
    let matrix: Vec<u32> = (0..side * side).map(|_| random.word() as u32).collect();
    let expected: Vec<u32> = (0..side * side).map(|at| matrix[at % side * side + at / side]).collect();
    let program = cluster.spawn(0, "transpose", move |host| transpose(host, PROCESS, matrix));
    let ran = cluster.run(LIMIT);
    check(cluster, ran)?;
    let transposed = program.take().expect("the program is done");
    let phase = |name, duration: Duration| Phase { name, ps: duration.ps() };
    Ok(Done {
        about: format!(
            "{SIDE} x {SIDE} elements of 4 bytes in the SO-DIMMs of one board, by {SIDE} VLS and {SIDE} VS"
        ),
        right: transposed.matrix == expected,
        phases: vec![
            phase("store", transposed.store),
            phase("transpose", transposed.transpose),
            phase("load", transposed.load),
        ],
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}, nic {}", self.program.name(), self.about, self.nic.name())?;
        for phase in &self.phases {
            writeln!(f, "  {:12}{:>14} us", phase.name, us(phase.ps))?;
        }
        if self.nic == Kind::Lockstep {
            writeln!(f, "{} divergences", self.divergences)?;
        }
        writeln!(f, "fingerprint {}", self.fingerprint)?;
        write!(f, "{}", if self.right { "the right result" } else { "NOT the right result" })
    }
}
