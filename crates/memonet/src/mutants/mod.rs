//! `memonet mutants`: mutation testing of a device.

mod copy;
mod program;
mod report;
mod tests;
mod trial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ::mutants::{Block, Planted, draw, sites};
use anyhow::Context;
use clap::ValueEnum;
use machine_api::Subject;

use self::copy::Copy;
pub use self::report::Report;

use self::report::MutantRow;
use self::tests::Tests;
use self::trial::{Side, Trial, Verdict};
use crate::document::Head;
use crate::interrupt::Interrupt;
use crate::machines::{Name, with_machine};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::usage;
use crate::yosys::Sources;

/// Inject mutants into a device and report the undetected ones.
///
/// A twin mutant has the same fault in the Rust block and in its SystemVerilog, so lockstep cannot detect it;
/// tests that know the expected behaviour must. A one-sided mutant has the fault in one of the two, and
/// lockstep must detect it. All mutants are built at once in a copy in target/mutants, and a number activates
/// one. Verdicts are reused while the test programs are unchanged. Exit code 1 if a mutant survives that
/// testbench/mutants/MACHINE.txt does not prove equivalent.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mutants --only botf --sample 20
  memonet mutants --kind twin --only status_write_unit --sample 10

Building the copy takes minutes, each mutant seconds.")]
pub struct Args {
    /// Machine whose device is mutated.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Only mutants of this block, by the name of its module; may be given several times.
    #[arg(long, value_name = "BLOCK")]
    only: Vec<String>,
    /// Mutants of each kind, twin and one-sided; with all blocks, at least 10 of each block.
    #[arg(long, value_name = "N", default_value = "200", value_parser = numbers::within::<usize>(1..=u64::MAX, "the number of mutants"))]
    sample: usize,
    /// Only mutants of one kind.
    #[arg(long, value_enum)]
    kind: Option<FaultKind>,
    /// Seed of the sample.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Also write the table to this Markdown file.
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Kinds of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FaultKind {
    /// The fault is in both twins.
    Twin,
    /// The fault is in one twin.
    OneSided,
}

/// Minimum number of mutants of a block in a sample.
const EACH: usize = 10;

/// Runs the tests on all mutants and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let root = Sources::find(args.machine)?.root;
    if let Some(file) = &args.output {
        output::check_folder(file)?;
    }
    let blocks =
        with_machine!(args.machine, M => Block::all(&root, M::PACKAGES)).context("reading the blocks")?;
    for name in &args.only {
        if !blocks.iter().any(|block| block.name == *name) {
            return Err(usage::invalid("--only <BLOCK>", name, "the device has no such block"));
        }
    }
    let trials = draw_trials(args, &blocks);
    let planted = planted_faults(&trials);
    let copy = Copy::make(&root, args.machine, &blocks, &planted)?;
    let tests = Tests::new(&copy, args.machine)?;
    let verdicts = run_trials(&trials, &tests, &copy, &interrupt);
    // Programs that Ctrl-C ended, such as compilers, did not fail.
    if interrupt.came() {
        return Ok(Outcome::Interrupted);
    }
    let verdicts = verdicts?;
    let argued = report::equivalent_mutants(&root, args.machine)?;
    let places: BTreeMap<_, _> =
        blocks.iter().map(|block| (block.name.clone(), block.systemverilog.clone())).collect();
    let rows = trials
        .into_iter()
        .zip(verdicts)
        .map(|(trial, verdict)| MutantRow::new(trial, verdict, &argued, &places));
    let report = Report { head: Head::on("mutants", args.machine).seeded(args.seed), rows: rows.collect() };
    if let Some(file) = &args.output {
        output::write(file, report.page().as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(report.all_found().into())
}

/// Draws the sample: twin mutants, and as many one-sided ones, each on a side that the seed selects.
fn draw_trials(args: &Args, blocks: &[Block]) -> Vec<Trial> {
    let wanted = |block: &&Block| args.only.is_empty() || args.only.contains(&block.name);
    let all: Vec<_> = blocks.iter().filter(wanted).map(sites::of).collect();
    let sample = args.sample.max(if args.only.is_empty() { EACH * all.len() } else { 0 });
    let draw = |seed| draw::sample(all.clone(), sample, EACH, seed).into_iter();
    let twin = draw(args.seed).map(|fault| Trial { fault, side: Side::Both, number: 0 });
    // The one-sided sample differs from the twin sample.
    let other = args.seed ^ 0x5a5a;
    let side = |fault: &_| if draw::is_in_rust(fault, other) { Side::Rust } else { Side::SystemVerilog };
    let one_sided = draw(other).map(|fault| Trial { side: side(&fault), fault, number: 0 });
    let mut trials: Vec<_> = twin.chain(one_sided).collect();
    match args.kind {
        Some(FaultKind::Twin) => trials.retain(|trial| trial.side == Side::Both),
        Some(FaultKind::OneSided) => trials.retain(|trial| trial.side != Side::Both),
        None => {}
    }
    // A fault in both samples has one number.
    let mut numbers = BTreeMap::new();
    for trial in &mut trials {
        let next = numbers.len() as u32 + 1;
        trial.number = *numbers.entry(trial.fault.clone()).or_insert(next);
    }
    trials
}

fn planted_faults(trials: &[Trial]) -> Vec<Planted> {
    let faults: BTreeMap<u32, _> = trials.iter().map(|trial| (trial.number, &trial.fault)).collect();
    faults.into_iter().map(|(number, fault)| Planted { number, fault: fault.clone() }).collect()
}

/// The verdict of each trial; as many trials run in parallel as there are processors.
fn run_trials(
    trials: &[Trial],
    tests: &Tests<'_>,
    copy: &Copy,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Verdict>> {
    let earlier = copy.earlier_verdicts(|| tests.digests())?;
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
                    let (verdict, by) = trial.run(tests, outdated, copy.root(), interrupt)?;
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
