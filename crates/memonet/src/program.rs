//! `memonet run --program`: example programs of a machine.

use std::fmt;

use cluster::{AnyNic, Cluster};
use machine_api::{Done, Nics, parallel_programs};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::breakdown::Breakdown;
use crate::carrier_options;
use crate::document::Head;
use crate::library_cost;
use crate::machines::Built;
use crate::nic::{Kind, Maker};
use crate::output::us;
use crate::per_node;
use crate::usage;

/// Report of a program.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Name of the program.
    program: &'static str,
    /// Description of the program, with its sizes.
    about: String,
    /// Processes on each node, of which the last one may have fewer; `null` for 1.
    per_node: Option<usize>,
    #[serde(flatten)]
    library: library_cost::Chosen,
    /// The result equals the one that the host computes directly.
    right: bool,
    /// Phases of the program in order.
    phases: Vec<Phase>,
    /// A message and its answer by stages; only ping programs have it.
    message: Option<Message>,
}

/// A message and its answer.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Message {
    /// Bytes of data.
    bytes: usize,
    #[serde(flatten)]
    breakdown: Breakdown,
}

/// A phase of a program.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Phase {
    /// Name of the phase.
    name: &'static str,
    /// Duration of the phase.
    duration_ps: u64,
}

impl Report {
    /// The program's result is correct.
    pub fn right(&self) -> bool {
        self.right
    }
}

/// Runs a program on new boards; MPI programs use the transport `way`.
pub fn run<M: Built>(
    name: &str,
    nic: Kind,
    seed: u64,
    way: &carrier_options::Args,
    per_node: per_node::Args,
) -> anyhow::Result<Report> {
    run_around::<M>(name, nic, seed, way, per_node, |boards| boards, |_| {})
}

/// Runs a program on boards that `around` has wrapped, in a cluster that `prepare` has seen before the run.
pub fn run_around<M: Built>(
    name: &str,
    nic: Kind,
    seed: u64,
    way: &carrier_options::Args,
    per_node: per_node::Args,
    around: impl Fn(Vec<Box<AnyNic<M>>>) -> Vec<Box<AnyNic<M>>>,
    prepare: impl Fn(&mut Cluster<M>),
) -> anyhow::Result<Report> {
    let settings = way.settings::<M>()?;
    let boards = |nodes| {
        let (machine, way, per_node) = (M::NAME, way.typed(), per_node.typed());
        let command = format!(
            "memonet run --machine {machine} --program {name}{per_node}{way} --nic lockstep --seed {seed}"
        );
        let boards = Maker::<M>::new(nic, seed, command).open(nodes)?;
        let mut cluster = Cluster::with_switch(around(boards), &settings);
        prepare(&mut cluster);
        anyhow::Ok(cluster)
    };
    if let Some(program) = parallel_programs::<M>().into_iter().find(|program| program.name == name) {
        let placement = per_node.placement(program.processes);
        let library = library_cost::Chosen::of(way.library_cost(), true);
        let way = way.of::<M>()?.at(placement);
        let mut cluster = boards(placement.nodes())?;
        let done = (program.run)(&mut cluster, way)?;
        let report = report(program.name, nic, seed, cluster, done)?;
        return Ok(Report { per_node: per_node.given(), library, ..report });
    }
    if let Some(program) = M::PROGRAMS.iter().find(|program| program.name == name) {
        if let Some(option) = way.first() {
            return Err(usage::conflict(&option, format_args!("--program {name}")));
        }
        if let Some(processes) = per_node.given() {
            let known: Vec<_> = parallel_programs::<M>().map(|program| program.name).into();
            let reason = format!("{name} is one process; {} take it", known.join(", "));
            return Err(usage::invalid(per_node::OPTION, processes, reason));
        }
        let mut cluster = boards(program.processes)?;
        let done = (program.run)(&mut cluster, seed)?;
        return report(program.name, nic, seed, cluster, done);
    }
    let own = M::PROGRAMS.iter().map(|program| program.name);
    let known: Vec<_> = own.chain(parallel_programs::<M>().map(|program| program.name)).collect();
    Err(usage::invalid("--program <NAME>", name, format!("{} has {}", M::TITLE, known.join(", "))))
}

fn report<M: Built>(
    program: &'static str,
    nic: Kind,
    seed: u64,
    mut cluster: Cluster<M>,
    done: Done,
) -> anyhow::Result<Report> {
    Ok(Report {
        head: Head::of_run::<M>("run_program", nic)
            .seeded(seed)
            .until::<M>(cluster.now())
            .marked(cluster.fingerprint()?),
        program,
        about: done.about,
        per_node: None,
        library: library_cost::Chosen::of(None, false),
        right: done.right,
        phases: done.phases.into_iter().map(|(name, time)| Phase { name, duration_ps: time.ps() }).collect(),
        message: done.message.map(|message| Message {
            bytes: message.bytes,
            breakdown: Breakdown::new::<M>(&message.line, machine_api::WAYS),
        }),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}, nic {}", self.program, self.about, self.head.nic_name())?;
        for phase in &self.phases {
            writeln!(f, "  {:12}{:>14} us", phase.name, us(phase.duration_ps))?;
        }
        if let Some(Message { bytes, breakdown }) = &self.message {
            write!(
                f,
                "\nthe last message of {bytes} B and its answer, together twice the time above\n{breakdown}\n"
            )?;
        }
        if let Some(comparison) = self.head.comparison() {
            writeln!(f, "{comparison}")?;
        }
        writeln!(f, "fingerprint {}", self.head.fingerprint())?;
        write!(f, "{}", if self.right { "the right result" } else { "NOT the right result" })
    }
}
