//! Figures 6 to 9: sizes, systems, and a run for each point.

use std::collections::BTreeMap;

use cluster::Duration;
use machine_api::{Request, Series, jobs};
use suci::Rules;

use super::{Bench, hosts};
use crate::programs::mpich::Over;
use crate::programs::over_suci::{self, Setup};
use crate::programs::{Program, mpich};

/// Ping-pong and burst go from 4 B to 512 KB in powers of two (section 5.1).
fn powers(last: u32, step: usize) -> impl Iterator<Item = usize> {
    (2..=last).step_by(step).map(|power| 1 << power)
}

/// Library that carries messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// Suci with the repaired rules of the paper.
    Suci,
    /// Suci with our own rules, whose receivers grant permits.
    Modern,
    /// MPI over TCP.
    Mpich,
    /// MPI over PM in the driver, as in SCore.
    Score,
}

impl System {
    fn name(self) -> &'static str {
        match self {
            System::Suci => "Suci, repaired",
            System::Modern => "Suci, our own rules",
            System::Mpich => "MPI over TCP",
            System::Score => "MPI over PM",
        }
    }
}

/// A curve of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Curve {
    pub program: Which,
    pub nodes: usize,
    pub system: System,
}

/// A program, in the order of the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    PingPong,
    Burst,
    Gather,
    Broadcast,
}

impl Which {
    pub const ALL: [Which; 4] = [Which::PingPong, Which::Burst, Which::Gather, Which::Broadcast];

    /// Number of its figure in the paper.
    pub fn figure(self) -> &'static str {
        ["6", "7", "8", "9"][self as usize]
    }

    fn program(self) -> Program {
        [Program::PingPong, Program::Burst, Program::Gather, Program::Broadcast][self as usize]
    }

    fn nodes(self) -> &'static [usize] {
        match self {
            Which::PingPong | Which::Burst => &[2],
            Which::Gather => &[40],
            Which::Broadcast => &[5, 40],
        }
    }

    fn systems(self) -> &'static [System] {
        match self {
            Which::PingPong | Which::Burst => &[System::Suci, System::Mpich, System::Score],
            Which::Gather => &[System::Suci, System::Modern, System::Mpich],
            Which::Broadcast => &[System::Suci, System::Mpich],
        }
    }

    /// With `brief` only those that rows need, where they are much fewer.
    fn sizes(self, brief: bool) -> Vec<usize> {
        match self {
            Which::Broadcast if brief => vec![1 << 14, 1 << 19],
            Which::PingPong | Which::Burst => powers(19, 1).collect(),
            Which::Gather => powers(16, 2).collect(),
            // Every other power of two, and the longest.
            Which::Broadcast => powers(18, 2).chain([1 << 19]).collect(),
        }
    }
}

/// The requested curves.
pub struct Curves(BTreeMap<Curve, Series>);

impl Curves {
    pub fn measure(bench: &Bench<'_>, request: &Request<'_>) -> anyhow::Result<Self> {
        let mut points = Vec::new();
        for program in Which::ALL.into_iter().filter(|which| request.wants(which.figure())) {
            for &nodes in program.nodes() {
                for &system in program.systems() {
                    let curve = Curve { program, nodes, system };
                    points.extend(program.sizes(request.brief).into_iter().map(|size| (curve, size)));
                }
            }
        }
        let values = jobs::run(&points, &|| (), |&(curve, size)| throughput(bench, curve, size))?;
        let mut all: BTreeMap<Curve, Series> = BTreeMap::new();
        for ((curve, size), value) in points.into_iter().zip(values) {
            let name = match curve.program {
                Which::Broadcast => format!("{}, {} nodes", curve.system.name(), curve.nodes),
                _ => curve.system.name().to_string(),
            };
            let series = all.entry(curve).or_insert(Series { name, points: Vec::new() });
            series.points.push((size as f64, value));
        }
        Ok(Self(all))
    }

    /// A curve; `None` if its figure was not requested.
    pub fn get(&self, program: Which, nodes: usize, system: System) -> Option<&Series> {
        self.0.get(&Curve { program, nodes, system })
    }

    /// All curves of a figure.
    pub fn of(&self, program: Which) -> Vec<Series> {
        self.0
            .iter()
            .filter(|(curve, _)| curve.program == program)
            .map(|(_, series)| series.clone())
            .collect()
    }
}

/// Throughput in MB/s; of a gather that of one node (section 5.2).
fn throughput(bench: &Bench<'_>, curve: Curve, size: usize) -> anyhow::Result<f64> {
    let Curve { program, nodes, system } = curve;
    let mut cluster = hosts(bench, nodes)?;
    let which = program.program();
    let rounds = which.rounds(size);
    let rules = |rules| Setup { rules, permits: true, seed: 1, asleep: Duration::ZERO };
    let outcome = match system {
        System::Suci => over_suci::run(&mut cluster, which, size, rounds, rules(Rules::REPAIRED)),
        System::Modern => over_suci::run(&mut cluster, which, size, rounds, rules(Rules::MODERN)),
        System::Mpich => mpich::run(&mut cluster, Over::Tcp, which, size, rounds),
        System::Score => mpich::run(&mut cluster, Over::Pm, which, size, rounds),
    }?;
    let senders = if program == Which::Gather { nodes - 1 } else { 1 };
    Ok(outcome.megabytes_per_second() / senders as f64)
}
