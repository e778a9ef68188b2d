//! One run of programs on their hosts.

use std::path::Path;

use anyhow::anyhow;
use cluster::{Rates, RunError};
use hca_machine::{Cluster, Hca, Settings};
use machine_api::{Nics, Subject};
use processes::Program;
use processes::verbs::{self, Launch, Run};
use waveform::View;

use super::{Args, Report, SEPARATOR};
use crate::launcher::{CallTrace, FailedRun, Launcher, MachineRun};
use crate::nic::Maker;
use crate::numbers;
use crate::pcapng::Capture;
use crate::recorded::{Recorders, Recording};
use crate::shell_words::{command_line, quoted};

/// Hosts of a network at least: a cable has two ends. A single program leaves the second host idle.
const LEAST_HOSTS: usize = 2;

/// Runs the programs once, after a line that names the adapter.
pub(super) fn once(args: &Args, programs: Vec<Program>, launcher: &Launcher) -> Result<Report, FailedRun> {
    let interrupt = launcher.interrupt.clone();
    let keep_running = move || !interrupt.came();
    let (run, hosts) = match args.launched {
        None => {
            let hosts = programs.len();
            (Run::new(programs, keep_running), hosts)
        }
        Some(hosts) => {
            let launch = Launch::start(&programs[0], hosts);
            let launch = launch.map_err(|error| FailedRun::new(error.to_string()))?;
            (Run::launched(launch, hosts, keep_running), hosts)
        }
    };
    launcher.say(format_args!(
        "{} on the channel adapter (nic {}, {})",
        machine_api::counted(hosts, if args.launched.is_some() { "host" } else { "program" }),
        args.nic.name(),
        args.bus.name(),
    ));
    let trace = args.trace.as_ref().map(|_| CallTrace::of(&run, "verbs", "host"));
    let progress = launcher.watch(&run);
    let ran = run_on_adapters(args, &run, hosts, launcher);
    drop(progress);
    // The trace of a failed run is the one that the user needs.
    if let (Some(trace), Some(file)) = (trace, &args.trace) {
        trace.write(file).map_err(|error| FailedRun::new(format!("{error:#}")))?;
    }
    let ran = launcher.result(&run, ran)?;
    Ok(Report::new(args, &run, &ran))
}

fn run_on_adapters(args: &Args, run: &Run, hosts: usize, launcher: &Launcher) -> anyhow::Result<MachineRun> {
    let settings = Settings { bus: args.bus, verbs_library: args.library.cost(), ..Settings::default() };
    let maker = Maker::<Hca>::new(args.nic, args.seed, command(args));
    let recording = args.waves.as_ref().map(|folder| {
        let view = View { start_ps: 0, length_ps: 50_000_000 };
        Recording::new(folder, Hca::NAME, &format!("verbs_{}", programs_name(args)), 0, view)
    });
    let recorders = recording.as_ref().map(|recording| Recorders::new(&maker, recording));
    let boards = match &recorders {
        Some(recorders) => recorders.open(hosts.max(LEAST_HOSTS))?,
        None => maker.open(hosts.max(LEAST_HOSTS))?,
    };
    let mut cluster = Cluster::with_switch(boards, &settings);
    if let Some(loss) = args.lose.filter(|loss| *loss > 0) {
        cluster.set_faults(Rates { loss, ..Rates::default() }, args.seed);
    }
    let capture = Capture::begin(&mut cluster, args.pcapng.as_deref())?;
    for host in 0..hosts {
        let run = run.clone();
        let _ends = cluster.spawn(host, "program", move |port| verbs::hca::serve(port, run));
    }
    let ended = cluster.run(launcher.limit);
    // The packets of a failed run are the ones that the user needs.
    if let Some(capture) = capture {
        capture.end(&mut cluster)?;
    }
    let waves = recorders.map_or(Ok(Vec::new()), Recorders::finish)?;
    let end = ended.map_err(|error| match error {
        RunError::Limit { .. } => {
            let places = run.last_calls();
            anyhow!("virtual time is over, {}: {places}; --limit gives it longer", args.limit)
        }
        error => anyhow!(error).context("running the hosts"),
    })?;
    cluster.check().map_err(|error| anyhow!("{error}"))?;
    Ok(MachineRun { end, fingerprint: Some(cluster.fingerprint()?), waves })
}

/// Name of the first program, without its folder.
fn programs_name(args: &Args) -> String {
    Path::new(&args.programs[0]).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The command line of this run.
fn command(args: &Args) -> String {
    let Args { nic, bus, seed, limit, programs, launched, .. } = args;
    let hosts = launched.map_or(String::new(), |hosts| format!(" -n {hosts}"));
    let lose =
        args.lose.map_or(String::new(), |share| format!(" --lose {} --seed {seed}", numbers::percent(share)));
    debug_assert_eq!(quoted(SEPARATOR), SEPARATOR, "a shell takes it as a word");
    let programs = command_line(programs);
    format!(
        "memonet verbs{hosts} --nic {} --bus {}{}{lose} --limit {limit} -- {programs}",
        nic.name(),
        bus.name(),
        args.library.typed()
    )
}
