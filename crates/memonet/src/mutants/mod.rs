//! `memonet mutants`: mutation testing of a device, or of a package without RTL.

mod copy;
mod device;
mod package;
mod program;
mod programs;
mod report;
mod trial;
mod verdict;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use self::copy::Copy;
use self::device::FaultKind;
use self::programs::Programs;
pub use self::report::Report;
use self::trial::Trial;
use self::verdict::Verdict;
use crate::interrupt::Interrupt;
use crate::machines::Name;
use crate::numbers;
use crate::output::{self, Outcome};
use crate::yosys::Sources;

/// Inject mutants into a device or a package and report the undetected ones.
///
/// A twin mutant has the same fault in the Rust block and in its SystemVerilog, so lockstep cannot detect it;
/// tests that know the expected behaviour must. A one-sided mutant has the fault in one of the two, and
/// lockstep must detect it. A package without RTL has mutants of its Rust code, which its tests must detect.
/// All mutants are built at once in a copy in target/mutants, and a number activates one. Verdicts are reused
/// while the test programs are unchanged. Exit code 1 if a mutant survives that testbench/mutants/NAME.txt
/// does not prove equivalent.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mutants --only botf --sample 20
  memonet mutants --kind twin --only status_write_unit --sample 10
  memonet mutants --package mpi_de --sample 8
  memonet mutants --package mpi --only matching
  memonet mutants --package mpi --list

Building the copy takes minutes, each mutant seconds.")]
pub struct Args {
    /// Machine whose device is mutated; without it and without --package, the default machine.
    #[arg(long, value_enum)]
    machine: Option<Name>,
    /// Package that is mutated; testbench/mutants/packages.toml lists them.
    #[arg(long, visible_alias = "code", conflicts_with_all = ["machine", "kind"])]
    package: Option<String>,
    /// Only mutants of this block, by the name of its module; may be given several times.
    #[arg(long, value_name = "BLOCK")]
    only: Vec<String>,
    /// Mutants of each kind: 200 twin and 200 one-sided ones of a device, and at least 10 of each block; of a
    /// package as many as the table says, and at least 1 of each module.
    #[arg(long, value_name = "N", value_parser = numbers::within::<usize>(1..=u64::MAX, "the number of mutants"))]
    sample: Option<usize>,
    /// Only mutants of one kind.
    #[arg(long, value_enum)]
    kind: Option<FaultKind>,
    /// Seed of the sample.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// List all places where a mutant is possible, and build nothing.
    #[arg(long, conflicts_with_all = ["sample", "kind", "seed", "output", "json"])]
    list: bool,
    /// Also write the table to this Markdown file.
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl Args {
    fn machine(&self) -> Name {
        self.machine.unwrap_or_default()
    }

    /// Whether mutants of this block are wanted.
    fn wants(&self, block: &String) -> bool {
        self.only.is_empty() || self.only.contains(block)
    }
}

/// Runs the tests on all mutants and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let root = Sources::find(args.machine())?.root;
    if args.list {
        let lines = match &args.package {
            Some(package) => package::list(&root, args, package)?,
            None => device::list(&root, args)?,
        };
        output::line(&lines.join("\n"))?;
        return Ok(Outcome::Success);
    }
    if let Some(file) = &args.output {
        output::check_folder(file)?;
    }
    let report = match &args.package {
        Some(package) => package::run(&root, args, package, &interrupt),
        None => device::run(&root, args, &interrupt),
    };
    // Programs that Ctrl-C ended, such as compilers, did not fail.
    if interrupt.came() {
        return Ok(Outcome::Interrupted);
    }
    let report = report?;
    if let Some(file) = &args.output {
        output::write(file, report.page().as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(report.all_found().into())
}

/// The verdict of each trial; as many trials run in parallel as there are processors.
fn run_trials<T: Trial>(
    trials: &[T],
    programs: &Programs<'_>,
    copy: &Copy,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Verdict>> {
    let earlier = copy.earlier_verdicts(|| programs.digests())?;
    let progress = machine_api::progress("mutants", trials.len() as u64, "faults");
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![None; trials.len()]);
    let work = || -> anyhow::Result<()> {
        while !interrupt.came() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(trial) = trials.get(at) else { break };
            let name = trial.to_string();
            let verdict = match earlier.valid.get(&name) {
                Some(verdict) => verdict.clone(),
                None => {
                    let outdated = earlier.outdated.get(&name);
                    let (verdict, by) = trial::run(trial, programs, outdated, copy.root(), interrupt)?;
                    trial.ended(&verdict);
                    if !interrupt.came() {
                        copy.record(&name, &verdict, &by)?;
                    }
                    verdict
                }
            };
            verdicts.lock().expect("no thread panics")[at] = Some(verdict);
            progress.inc(1);
        }
        Ok(())
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    progress.finish_and_clear();
    Ok(verdicts.into_inner().expect("no thread panics").into_iter().flatten().collect())
}
