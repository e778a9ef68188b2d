//! One run of programs on their hosts.

use anyhow::anyhow;
use cluster::RunError;
use hca_machine::{Cluster, Hca, Settings};
use machine_api::Nics;
use processes::Program;
use processes::verbs::{self, Run};

use super::{Args, Report, SEPARATOR};
use crate::launcher::{FailedRun, Launcher, MachineRun};
use crate::nic::Maker;
use crate::shell_words::{command_line, quoted};

/// Hosts of a network at least: a cable has two ends. A single program leaves the second host idle.
const LEAST_HOSTS: usize = 2;

/// Runs the programs once, after a line that names the adapter.
pub(super) fn once(args: &Args, programs: Vec<Program>, launcher: &Launcher) -> Result<Report, FailedRun> {
    let hosts = programs.len();
    let interrupt = launcher.interrupt.clone();
    let run = Run::new(programs, move || !interrupt.came());
    launcher.say(format_args!(
        "{} on the channel adapter (nic {}, {})",
        machine_api::counted(hosts, "program"),
        args.nic.name(),
        args.bus.name(),
    ));
    let progress = launcher.watch(&run);
    let ran = run_on_adapters(args, &run, hosts, launcher);
    drop(progress);
    let ran = launcher.result(&run, ran)?;
    Ok(Report::new(args, &run, &ran))
}

fn run_on_adapters(args: &Args, run: &Run, hosts: usize, launcher: &Launcher) -> anyhow::Result<MachineRun> {
    let settings = Settings { bus: args.bus, ..Settings::default() };
    let maker = Maker::<Hca>::new(args.nic, 1, command(args));
    let mut cluster = Cluster::with_switch(maker.open(hosts.max(LEAST_HOSTS))?, &settings);
    for host in 0..hosts {
        let run = run.clone();
        let _ends = cluster.spawn(host, "program", move |port| verbs::hca::serve(port, run));
    }
    let end = cluster.run(launcher.limit).map_err(|error| match error {
        RunError::Limit { .. } => {
            let places = run.last_calls();
            anyhow!("virtual time is over, {}: {places}; --limit gives it longer", args.limit)
        }
        error => anyhow!(error).context("running the hosts"),
    })?;
    cluster.check().map_err(|error| anyhow!("{error}"))?;
    Ok(MachineRun { end, fingerprint: Some(cluster.fingerprint()?), waves: Vec::new() })
}

/// The command line of this run.
fn command(args: &Args) -> String {
    let Args { nic, bus, limit, programs, .. } = args;
    debug_assert_eq!(quoted(SEPARATOR), SEPARATOR, "a shell takes it as a word");
    let programs = command_line(programs);
    format!("memonet verbs --nic {} --bus {} --limit {limit} -- {programs}", nic.name(), bus.name())
}
