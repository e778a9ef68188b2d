//! `memonet gate-level`: the netlist of a device in a four-valued simulator.

mod bench;

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use hdl::{Bits, Bundle, BundleTable, Device, Instants, Kind, Nic};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::interrupt::Interrupt;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{Board, Kind as NicKind};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::yosys::{self, Sources};

/// Compare the Yosys netlist with the model in Icarus Verilog.
///
/// Verilator, which runs the RTL elsewhere in Memonet, has two-valued logic: an uninitialised bit is 0 or 1.
/// Here Yosys writes a netlist of the RTL, and Icarus Verilog simulates it with four values: registers and
/// memories are unknown (X) until they are written. The input pins of a recorded run of the model are
/// replayed after one edge under reset, and every output pin is compared after every edge. External memories
/// are initialised to 0, as in the model. Exit code 1 if a pin differs or is unknown.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet gate-level

Yosys takes up to a minute for a device, Icarus some seconds for 10,000 instants. `ci/install gate-level` installs both.")]
pub struct Args {
    /// Machine whose device is compared.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Number of instants at which a clock rises.
    #[arg(long, default_value_t = 10_000, value_parser = numbers::positive)]
    instants: u64,
    /// Seed of the traffic, which is that of `memonet lockstep`.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Report of `memonet gate-level`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Instants that were replayed.
    instants: u64,
    /// Bits of the output pins, all compared at every instant.
    pins_bits: u32,
    /// Instants at which a pin differed.
    different: u64,
    /// Instants at which a pin was unknown.
    unknown: u64,
    /// The first difference.
    first: Option<First>,
    /// Versions of the tools, as they print them.
    tools: String,
}

/// A pin that differs.
#[derive(JsonSchema, Serialize)]
struct First {
    /// Number of the instant, from 0.
    instant: u64,
    /// Path of the pin.
    pin: String,
    /// Bits of the model, as binary digits.
    model: String,
    /// Bits of the netlist; x if unknown.
    netlist: String,
}

/// Compares the netlist and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    match with_machine!(args.machine, M => compare::<M>(args, &interrupt)) {
        // Tools that Ctrl-C ended did not fail.
        _ if interrupt.came() => Ok(Outcome::Interrupted),
        result => result,
    }
}

fn compare<M: Built>(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let sources = Sources::find(args.machine)?;
    let tools = format!("{}; {}", yosys::version()?, icarus("-V", &[])?.lines().next().unwrap_or_default());
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let progress = machine_api::counter("gate-level", "steps");
    let step = |what: &str| {
        progress.set_message(format!("gate-level, {what}"));
        progress.inc(1);
    };
    step("the model");
    record::<M>(args, interrupt, &folder.join("run.txt"))?;
    step("the netlist");
    let netlist = folder.join("netlist.v");
    netlist_of(M::NAME, &sources, &netlist)?;
    step("Icarus");
    let ports: Vec<_> = M::Device::CLOCKS.iter().map(|clock| clock.port).collect();
    let (input, out) =
        (<<M::Device as Device>::In as Bits>::WIDTH, <<M::Device as Device>::Out as Bits>::WIDTH);
    let bench = bench::of(M::NAME, &ports, input, out, &bench::outside(&fs::read_to_string(&netlist)?));
    fs::write(folder.join("bench.v"), bench)?;
    let [program, bench] = ["bench.vvp", "bench.v"].map(|name| folder.join(name));
    icarus("-g2012", &["-o".as_ref(), program.as_ref(), bench.as_ref(), netlist.as_ref()])?;
    let played = Command::new("vvp").arg("-n").arg(&program).current_dir(folder).output();
    let played = played.context("vvp cannot be started; `ci/install gate-level` installs it")?;
    progress.finish_and_clear();
    let result = bench::BenchResult::read(&String::from_utf8_lossy(&played.stdout))
        .with_context(|| format!("vvp ended early: {}", String::from_utf8_lossy(&played.stderr)))?;
    ensure!(
        result.instants == args.instants,
        "vvp replayed {} instants of {}",
        result.instants,
        args.instants
    );
    let table = <<M::Device as Device>::Out as Bundle>::TABLE;
    let report = Report {
        head: Head::on("second_opinion", args.machine).seeded(args.seed),
        instants: result.instants,
        pins_bits: out,
        different: result.different,
        unknown: result.unknown,
        first: result.first.map(|(instant, model, netlist)| First::new(table, instant, &model, &netlist)),
        tools,
    };
    output::print(&report, args.json)?;
    Ok((report.different + report.unknown == 0).into())
}

/// Records the pins of the model: a line for each instant with the rising clocks, the input pins, and the
/// output pins after the edge.
fn record<M: Built>(args: &Args, interrupt: &Interrupt, file: &Path) -> anyhow::Result<()> {
    let mut board = Board::<M>::open(NicKind::Model, args.seed, "")?;
    let mut instants = Instants::new(M::Device::CLOCKS);
    let mut traffic = M::traffic(args.seed);
    let mut file = BufWriter::new(fs::File::create(file)?);
    for _ in 0..args.instants {
        if interrupt.came() {
            bail!("interrupted");
        }
        let edges = instants.next_edges();
        let out = *board.outputs();
        let pins = *M::next_pins(&mut traffic, edges, &out);
        board.edge(edges, &pins).map_err(anyhow::Error::from_boxed)?;
        writeln!(file, "{:x} {} {}", edges.bits(), hexadecimal(pins), hexadecimal(*board.outputs()))?;
    }
    Ok(file.flush()?)
}

/// The bits of a bundle in hexadecimal, the highest first.
fn hexadecimal<B: Bits>(bundle: B) -> String {
    let mut words = vec![0; hdl::words_for(B::WIDTH)];
    bundle.put(&mut words, 0, B::WIDTH);
    words.iter().rev().map(|word| format!("{word:016x}")).collect()
}

/// Writes the netlist. `POWER_UP` initialises block RAMs in simulation to their contents after power-up;
/// synthesis ignores it.
fn netlist_of(top: &str, sources: &Sources, file: &Path) -> anyhow::Result<()> {
    yosys::run(&format!(
        "verilog_defines -DPOWER_UP; {}; hierarchy -check -top {top}; proc; flatten; opt -full; memory -nomap; write_verilog -noattr \"{}\"",
        sources.read_hardware(&sources.modules),
        file.display()
    ))?;
    Ok(())
}

fn icarus(flag: &str, arguments: &[&OsStr]) -> anyhow::Result<String> {
    let output = Command::new("iverilog").arg(flag).args(arguments).output();
    let output = output.context("iverilog cannot be started; `ci/install gate-level` installs it")?;
    if !output.status.success() {
        bail!("iverilog: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl First {
    /// The lowest pin with a difference.
    fn new(table: &'static BundleTable, instant: u64, model: &str, netlist: &str) -> Self {
        // The last digit is the lowest bit.
        let [ours, theirs] = [model, netlist].map(|text| text.chars().rev().collect::<Vec<_>>());
        let differ = |bit: u32| ours.get(bit as usize) != theirs.get(bit as usize);
        let bit = (0..table.width).find(|bit| differ(*bit)).unwrap_or(0);
        let (pin, offset, width) = pin(table, bit);
        let show = |digits: &[char]| {
            (offset..offset + width).rev().filter_map(|bit| digits.get(bit as usize)).collect::<String>()
        };
        First { instant, pin, model: show(&ours), netlist: show(&theirs) }
    }
}

/// Path, offset and width of the pin that contains a bit.
fn pin(table: &'static BundleTable, bit: u32) -> (String, u32, u32) {
    let holds = |field: &&hdl::Field| (field.offset..field.offset + field.width).contains(&bit);
    let Some(field) = table.fields.iter().find(holds) else { return (String::new(), 0, table.width) };
    match field.kind {
        Kind::Bundle(inner) => {
            let (path, offset, width) = pin(inner, bit - field.offset);
            (format!("{}.{path}", field.name), field.offset + offset, width)
        }
        _ => (field.name.to_string(), field.offset, field.width),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = &self.first {
            let First { instant, pin, model, netlist } = first;
            writeln!(
                f,
                "instant {instant}: `{pin}` is {netlist} in the netlist and {model} in the model, in binary digits"
            )?;
        }
        let Report { instants, pins_bits, different, unknown, .. } = self;
        write!(
            f,
            "{instants} instants, {pins_bits} bits of output pins: {different} with a difference, {unknown} with an unknown bit; {}",
            self.tools
        )
    }
}
