//! `memonet run --program`: programs that show what a machine is for.

use std::fmt;

use cluster::Cluster;
use lab::Nics;
use schemars::JsonSchema;
use serde::Serialize;

use crate::apart::Apart;
use crate::document::Head;
use crate::machines::Built;
use crate::nic::{Kind, Maker};
use crate::output::us;
use crate::usage;

/// How a program went.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The program.
    program: &'static str,
    /// What it does, with its sizes.
    about: String,
    /// The result is what the host computes by itself.
    right: bool,
    /// Its parts, one after the other.
    phases: Vec<Phase>,
    /// One message and its answer, stage by stage, of the program that is for that.
    message: Option<Message>,
}

/// A message with its answer.
#[derive(JsonSchema, Serialize)]
struct Message {
    /// Bytes of data.
    bytes: usize,
    #[serde(flatten)]
    apart: Apart,
}

/// A part of a program.
#[derive(JsonSchema, Serialize)]
struct Phase {
    /// What is done.
    name: &'static str,
    /// How long it takes.
    duration_ps: u64,
}

impl Report {
    /// Whether the result is right.
    pub fn right(&self) -> bool {
        self.right
    }
}

/// Runs a program on fresh boards.
pub fn run<M: Built>(name: &str, nic: Kind, seed: u64) -> anyhow::Result<Report> {
    let programs = || M::PROGRAMS.iter().chain(M::PARALLEL);
    let Some(program) = programs().find(|program| program.name == name) else {
        let known: Vec<_> = programs().map(|program| program.name).collect();
        return Err(usage::invalid(
            "--program <NAME>",
            name,
            format!("{} has {}", M::TITLE, known.join(", ")),
        ));
    };
    let command = format!("memonet run --machine {} --program {name} --nic lockstep --seed {seed}", M::NAME);
    let boards = Maker::<M>::new(nic, seed, command).open(program.nodes)?;
    let mut cluster = Cluster::with_switch(boards, &M::Settings::default());
    let done = (program.run)(&mut cluster, seed)?;
    Ok(Report {
        head: Head::of_run::<M>("run_program", nic)
            .seeded(seed)
            .until::<M>(cluster.now())
            .marked(cluster.fingerprint()?),
        program: program.name,
        about: done.about,
        right: done.right,
        phases: done.phases.into_iter().map(|(name, time)| Phase { name, duration_ps: time.ps() }).collect(),
        message: done.message.map(|message| Message {
            bytes: message.bytes,
            apart: Apart::new::<M>(&message.line, lab::WAYS),
        }),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}, nic {}", self.program, self.about, self.head.nic_name())?;
        for phase in &self.phases {
            writeln!(f, "  {:12}{:>14} us", phase.name, us(phase.duration_ps))?;
        }
        if let Some(Message { bytes, apart }) = &self.message {
            write!(
                f,
                "\nthe last message of {bytes} B and its answer, together twice the time above\n{apart}\n"
            )?;
        }
        if let Some(divergences) = self.head.divergences {
            writeln!(f, "{divergences} divergences")?;
        }
        writeln!(f, "fingerprint {}", self.head.fingerprint())?;
        write!(f, "{}", if self.right { "the right result" } else { "NOT the right result" })
    }
}
