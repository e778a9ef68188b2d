//! One run of programs on their hosts.

use std::rc::Rc;

use anyhow::anyhow;
use cluster::{Duration, Fingerprint, RunError, Time};
use hca_machine::{Cluster, Hca, Settings};
use lab::Nics;
use processes::verbs::{Program, Run};

use super::{Args, BETWEEN, Report};
use crate::interrupt::{self, Interrupt};
use crate::mpirun::quoted;
use crate::nic::Maker;
use crate::output;

/// How a run went on the machine.
pub(super) struct Ran {
    pub end: Time,
    /// What the machine's own fingerprint adds to that of the calls.
    pub machine: Fingerprint,
}

/// Why there is no report of a run.
pub(super) struct Failed {
    /// In words.
    pub why: String,
    /// The exit code.
    pub code: u8,
}

/// Hosts of the network at least: a cable has two ends. The second one does nothing where there is one program.
const LEAST_HOSTS: usize = 2;

/// Runs the programs once. What runs on what is said first.
pub(super) fn once(
    args: &Args,
    programs: Vec<Program>,
    limit: Duration,
    interrupt: &Rc<Interrupt>,
) -> Result<Report, Failed> {
    let hosts = programs.len();
    let ended = interrupt.clone();
    let run = Run::new(programs, move || !ended.came());
    output::aside(format_args!(
        "memonet verbs: {} on the channel adapter (nic {}, {})",
        lab::counted(hosts, "program"),
        args.nic.name(),
        args.bus.name(),
    ));
    let ran = on(args, &run, hosts, limit);
    if interrupt.came() {
        let who = run.ending().map_or(String::new(), |ending| format!("; {ending}"));
        return Err(Failed { why: format!("ended by a signal{who}"), code: interrupt::EXIT_CODE });
    }
    match (run.ending(), ran) {
        (Some(ending), _) => Err(Failed { why: ending.to_string(), code: ending.code() }),
        (None, Err(error)) => Err(Failed { why: format!("{error:#}"), code: 1 }),
        (None, Ok(ran)) => Ok(Report::new(args, &run, &ran)),
    }
}

fn on(args: &Args, run: &Run, hosts: usize, limit: Duration) -> anyhow::Result<Ran> {
    let settings = Settings { bus: args.bus, ..Settings::default() };
    let maker = Maker::<Hca>::new(args.nic, 1, command(args));
    let mut cluster = Cluster::with_switch(maker.open(hosts.max(LEAST_HOSTS))?, &settings);
    for host in 0..hosts {
        let run = run.clone();
        let _ends = cluster.spawn(host, "guest", move |port| processes::verbs::serve(port, run));
    }
    let end = cluster.run(limit).map_err(|error| match error {
        RunError::Limit { .. } => {
            anyhow!("virtual time is over, {}: {}; --limit gives it longer", args.limit, run.places())
        }
        error => anyhow!(error).context("running the hosts"),
    })?;
    cluster.check().map_err(|error| anyhow!("{error}"))?;
    Ok(Ran { end, machine: cluster.fingerprint()? })
}

/// What is typed to run the same again.
fn command(args: &Args) -> String {
    let Args { nic, bus, limit, programs, .. } = args;
    let words: Vec<_> = programs.iter().map(|word| quoted(&word.to_string_lossy())).collect();
    debug_assert_eq!(quoted(BETWEEN), BETWEEN, "a shell leaves it as it is");
    format!("memonet verbs --nic {} --bus {} --limit {limit} -- {}", nic.name(), bus.name(), words.join(" "))
}
