//! Mutants of a device: the same fault in both twins, or a fault in one of them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::mutants::{Block, Fault, Planted, draw, rust, sites, systemverilog};
use anyhow::Context;
use clap::ValueEnum;
use machine_api::Subject;

use super::Args;
use super::copy::Copy;
use super::program::ActiveMutants;
use super::programs::{Programs, TestProgram, benches};
use super::report::{self, MutantRow, Report, Side};
use super::trial::{TestRun, Trial};
use super::verdict::Verdict;
use crate::document::Head;
use crate::interrupt::Interrupt;
use crate::machines::{Judge, Name, with_machine};
use crate::usage;

/// Kinds of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FaultKind {
    /// The fault is in both twins.
    Twin,
    /// The fault is in one twin.
    OneSided,
}

/// Minimum number of mutants of a block in a sample.
const EACH: usize = 10;
/// One in so many further mutants is one of specification, see [`Operator::is_of_specification`].
///
/// [`Operator::is_of_specification`]: ::mutants::Operator::is_of_specification
const SHARE: usize = 4;
/// Minimum number of mutants of specification of a block in a sample, if the sample is large enough.
const EACH_WITHIN: usize = 2;
/// Mutants of each kind, unless `--sample` says otherwise.
const SAMPLE: usize = 200;
/// Additional processor time of a program with a mutant.
const PATIENCE: Duration = Duration::from_secs(10);
/// Tests that only compare model and RTL have this in their names.
const LOCKSTEP: &str = "matches_its_rtl";

/// A mutant of a device to be tested.
#[derive(Clone, Debug)]
struct DeviceTrial<'a> {
    /// Fault to inject.
    fault: Fault,
    /// Side on which it is active.
    side: Side,
    /// Number that activates the mutant, from 1.
    number: u32,
    /// Programs that know the expected behaviour; they precede the lockstep tests.
    judges: &'a [Judge],
}

impl fmt::Display for DeviceTrial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Both => "twin",
            Side::Rust => "Rust",
            Side::SystemVerilog => "SystemVerilog",
            Side::Code => "code",
        };
        write!(f, "{side}: {}", self.fault)
    }
}

impl Trial for DeviceTrial<'_> {
    fn active(&self) -> ActiveMutants {
        let on = |side| if self.side == side { 0 } else { self.number };
        ActiveMutants { rust: on(Side::SystemVerilog), systemverilog: on(Side::Rust) }
    }

    /// For twin mutants, the lockstep of the block has no name in reports: if it fails, the twins do not have
    /// the same fault.
    fn runs(&self, programs: &Programs<'_>) -> Vec<TestRun> {
        let owned = |arguments: &[&str]| arguments.iter().map(ToString::to_string).collect::<Vec<_>>();
        let block = owned(&[&format!("{}_{LOCKSTEP}", self.fault.block)]);
        let benches = |name: Option<&str>, arguments: &[String]| {
            let run = |place| TestRun::new(place, name, arguments);
            (self.judges.len()..programs.names().len()).map(run).collect::<Vec<_>>()
        };
        if self.side != Side::Both {
            return [benches(Some("lockstep of the block"), &block), benches(Some("lockstep"), &[])].concat();
        }
        let mut runs = Vec::new();
        for (place, judge) in self.judges.iter().enumerate() {
            let by = Some(judge.test.unwrap_or("unit tests"));
            if judge.test.is_none() {
                runs.push(TestRun::new(place, by, &owned(&[&format!("{}::", self.fault.block)])));
            }
            runs.push(TestRun::new(place, by, &owned(judge.only)));
        }
        runs.extend(benches(None, &block));
        runs.extend(benches(Some("testbench"), &owned(&["--skip", LOCKSTEP])));
        runs
    }
}

/// The blocks of a device with a twin. Refuses names of `--only` that it does not have.
fn blocks(root: &Path, machine: Name, only: &[String]) -> anyhow::Result<Vec<Block>> {
    let blocks = with_machine!(machine, M => Block::all(root, M::PACKAGES)).context("reading the blocks")?;
    match only.iter().find(|name| !blocks.iter().any(|block| block.name == **name)) {
        Some(name) => Err(usage::invalid("--only <BLOCK>", name, "the device has no such block")),
        None => Ok(blocks),
    }
}

/// All faults of the selected blocks, one in a line.
pub fn list(root: &Path, args: &Args) -> anyhow::Result<Vec<String>> {
    let blocks = blocks(root, args.machine(), &args.only)?;
    let wanted = blocks.iter().filter(|block| args.wants(&block.name));
    Ok(wanted
        .flat_map(|block| sites::of(block).into_iter().map(move |fault| (block, fault)))
        .map(|(block, fault)| {
            format!("{}:{}: {}: {fault}", block.systemverilog.display(), fault.line, fault.operator.kind())
        })
        .collect())
}

/// Tests the mutants of a device.
pub fn run(root: &Path, args: &Args, interrupt: &Interrupt) -> anyhow::Result<Report> {
    let machine = args.machine();
    let blocks = blocks(root, machine, &args.only)?;
    let judges: Vec<_> = machine.judges().collect();
    let trials = draw_trials(args, &blocks, &judges);
    let planted = planted_faults(&trials);
    let copy = Copy::make(root, machine.folder(), &|file| mutated(file, &blocks, &planted))?;
    let programs = Programs::new(&copy, programs(&copy, machine, &judges)?, PATIENCE);
    let verdicts = super::run_trials(&trials, &programs, &copy, interrupt)?;
    let argued = report::equivalent_mutants(root, machine.folder())?;
    let places: BTreeMap<_, _> =
        blocks.iter().map(|block| (block.name.clone(), block.systemverilog.clone())).collect();
    let skipped = blocks.iter().filter(|block| args.wants(&block.name)).map(sites::skipped).sum();
    let row = |(trial, verdict)| row(trial, verdict, &argued, &places);
    let rows = trials.into_iter().zip(verdicts).map(row).collect();
    Ok(Report {
        head: Head::on("mutants", machine).seeded(args.seed),
        package: None,
        uncompiled: None,
        skipped: Some(skipped),
        rows,
    })
}

fn row(
    trial: DeviceTrial<'_>,
    verdict: Verdict,
    argued: &BTreeMap<String, String>,
    places: &BTreeMap<String, PathBuf>,
) -> MutantRow {
    let file = places.get(&trial.fault.block).map(|file| file.display().to_string()).unwrap_or_default();
    MutantRow {
        block: trial.fault.block.clone(),
        operator: trial.fault.operator.kind(),
        fault: trial.fault.operator.to_string(),
        place: format!("{file}:{}", trial.fault.line),
        side: trial.side,
        equivalent: argued.get(&trial.fault.to_string()).cloned(),
        ..MutantRow::judged(verdict)
    }
}

/// The test programs: the judges, then the lockstep tests of the device.
fn programs(copy: &Copy, machine: Name, judges: &[Judge]) -> anyhow::Result<Vec<TestProgram>> {
    let device = machine.folder();
    let judged = judges
        .iter()
        .map(|judge| TestProgram { package: judge.package.into(), test: judge.test.map(String::from) });
    let benches = benches(&copy.root().join("testbench").join(device).join("tests"))?;
    let bench = |test| TestProgram { package: format!("testbench_{device}"), test: Some(test) };
    Ok(judged.chain(benches.into_iter().map(bench)).collect())
}

/// Draws the sample: twin mutants, and as many one-sided ones, each on a side that the seed selects.
fn draw_trials<'a>(args: &Args, blocks: &[Block], judges: &'a [Judge]) -> Vec<DeviceTrial<'a>> {
    let all: Vec<Vec<Fault>> = blocks.iter().filter(|block| args.wants(&block.name)).map(sites::of).collect();
    let sample = args.sample.unwrap_or(SAMPLE).max(if args.only.is_empty() { EACH * all.len() } else { 0 });
    // Faults of specification are drawn by themselves: they leave the other draws as they are.
    let of_kind = |of_specification: bool| {
        let is_of = move |fault: &Fault| fault.operator.is_of_specification() == of_specification;
        all.iter().map(|faults| faults.iter().filter(|fault| is_of(fault)).cloned().collect()).collect()
    };
    let draw = |seed| {
        let around = draw::sample(of_kind(false), sample, EACH, seed);
        let within = draw::sample(of_kind(true), sample.div_ceil(SHARE), EACH_WITHIN, seed);
        around.into_iter().chain(within)
    };
    let twin = draw(args.seed).map(|fault| DeviceTrial { fault, side: Side::Both, number: 0, judges });
    // The one-sided sample differs from the twin sample.
    let other = args.seed ^ 0x5a5a;
    let side = |fault: &_| if draw::is_in_rust(fault, other) { Side::Rust } else { Side::SystemVerilog };
    let one_sided = draw(other).map(|fault| DeviceTrial { side: side(&fault), fault, number: 0, judges });
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

fn planted_faults(trials: &[DeviceTrial<'_>]) -> Vec<Planted> {
    let faults: BTreeMap<u32, _> = trials.iter().map(|trial| (trial.number, &trial.fault)).collect();
    faults.into_iter().map(|(number, fault)| Planted { number, fault: fault.clone() }).collect()
}

/// The text of a twin with its faults; `None` for a file without faults.
fn mutated(file: &Path, blocks: &[Block], planted: &[Planted]) -> Option<String> {
    let block = blocks.iter().find(|block| block.rust == file || block.systemverilog == file)?;
    let own: Vec<_> = planted.iter().filter(|planted| planted.fault.block == block.name).cloned().collect();
    match own.as_slice() {
        [] => None,
        own if block.rust == file => Some(rust::plant(block, own)),
        own => Some(systemverilog::plant(block, own)),
    }
}
