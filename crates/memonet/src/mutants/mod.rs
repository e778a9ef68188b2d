//! `memonet mutants`: faults put into a device, and whether anything finds them.

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
use lab::Subject;

use self::copy::Copy;
pub use self::report::Report;

use self::report::Tried;
use self::tests::Tests;
use self::trial::{Side, Trial, Verdict};
use crate::document::Head;
use crate::interrupt::Interrupt;
use crate::machines::{Name, with_machine};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::usage;
use crate::yosys::Sources;

/// Put plausible faults into a device, one at a time, and see what finds each of them.
///
/// A twin fault stands in the Rust block and in its SystemVerilog, so lockstep is silent: tests that know what the block should do have to
/// find it. A one-sided fault stands in one of the two, and lockstep has to find it. All of them are built at once, in a copy below
/// target/mutants, and a number wakes one. What was tried once is not tried again while the programs that judged it are the same. Exit code 1 if
/// a fault survives that testbench/mutants/MACHINE.txt does not argue to be none.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mutants --only botf --sample 20
  memonet mutants --kind twin --only status_write_unit --sample 10

Building the copy takes minutes, a fault seconds.")]
pub struct Args {
    /// The machine.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Faults of this block alone, by the name of its module. May be given several times.
    #[arg(long, value_name = "BLOCK")]
    only: Vec<String>,
    /// Faults of each kind, twin and one-sided; all that are drawn have at least 10 of each block among them, where that is not more.
    #[arg(long, value_name = "N", default_value = "200", value_parser = numbers::count)]
    sample: usize,
    /// Faults of one kind alone.
    #[arg(long, value_enum)]
    kind: Option<FaultKind>,
    /// Decides which faults are tried.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also write the table into this file, as Markdown.
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FaultKind {
    /// In both twins at once.
    Twin,
    /// In one of them.
    OneSided,
}

/// Faults of a block that are drawn at least.
const EACH: usize = 10;

/// Runs the command.
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
    let trials = drawn(args, &blocks);
    let planted = planted(&trials);
    let copy = Copy::make(&root, args.machine, &blocks, &planted)?;
    let tests = Tests::new(&copy, args.machine)?;
    let verdicts = tried(&trials, &tests, &copy, &interrupt);
    // What Ctrl-C ended, a compiler say, did not fail.
    if interrupt.came() {
        return Ok(Outcome::Interrupted);
    }
    let verdicts = verdicts?;
    let argued = report::argued(&root, args.machine)?;
    let places: BTreeMap<_, _> =
        blocks.iter().map(|block| (block.name.clone(), block.systemverilog.clone())).collect();
    let rows =
        trials.into_iter().zip(verdicts).map(|(trial, verdict)| Tried::new(trial, verdict, &argued, &places));
    let report = Report { head: Head::on("mutants", args.machine).seeded(args.seed), rows: rows.collect() };
    if let Some(file) = &args.output {
        output::write(file, report.page().as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(report.all_found().into())
}

/// What is tried: twin faults, and as many one-sided ones, each on the side that the seed says.
fn drawn(args: &Args, blocks: &[Block]) -> Vec<Trial> {
    let wanted = |block: &&Block| args.only.is_empty() || args.only.contains(&block.name);
    let all: Vec<_> = blocks.iter().filter(wanted).map(sites::of).collect();
    let sample = args.sample.max(if args.only.is_empty() { EACH * all.len() } else { 0 });
    let draw = |seed| draw::sample(all.clone(), sample, EACH, seed).into_iter();
    let twin = draw(args.seed).map(|fault| Trial { fault, side: Side::Both, number: 0 });
    // Other faults than those of both twins.
    let other = args.seed ^ 0x5a5a;
    let side = |fault: &_| if draw::is_in_rust(fault, other) { Side::Rust } else { Side::SystemVerilog };
    let one_sided = draw(other).map(|fault| Trial { side: side(&fault), fault, number: 0 });
    let mut trials: Vec<_> = twin.chain(one_sided).collect();
    match args.kind {
        Some(FaultKind::Twin) => trials.retain(|trial| trial.side == Side::Both),
        Some(FaultKind::OneSided) => trials.retain(|trial| trial.side != Side::Both),
        None => {}
    }
    // A fault that was drawn for both kinds has one number.
    let mut numbers = BTreeMap::new();
    for trial in &mut trials {
        let next = numbers.len() as u32 + 1;
        trial.number = *numbers.entry(trial.fault.clone()).or_insert(next);
    }
    trials
}

fn planted(trials: &[Trial]) -> Vec<Planted> {
    let faults: BTreeMap<u32, _> = trials.iter().map(|trial| (trial.number, &trial.fault)).collect();
    faults.into_iter().map(|(number, fault)| Planted { number, fault: fault.clone() }).collect()
}

/// The verdict on each trial, of as many at once as there are processors.
fn tried(
    trials: &[Trial],
    tests: &Tests<'_>,
    copy: &Copy,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Verdict>> {
    let earlier = copy.earlier(|| tests.digests())?;
    let progress = lab::progress("mutants", trials.len() as u64, "faults");
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![None; trials.len()]);
    let work = || -> anyhow::Result<()> {
        while !interrupt.came() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(trial) = trials.get(at) else { break };
            let name = trial.to_string();
            let verdict = match earlier.standing.get(&name) {
                Some(verdict) => verdict.clone(),
                None => {
                    let outdated = earlier.outdated.get(&name);
                    let (verdict, by) = trial.run(tests, outdated, copy.root(), interrupt)?;
                    if !interrupt.came() {
                        copy.note(&name, &verdict, &by)?;
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
