//! `memonet explain`: the time line of one transfer.

mod svg;
mod trace;

use std::fmt;
use std::path::PathBuf;

use clap::ValueEnum;
use cluster::{Duration, Stage, Time};
use machine_api::{Nics, Path, Traced, Working};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use waveform::View;

use crate::document::Head;
use crate::library_cost;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{Kind, Maker};
use crate::numbers;
use crate::output::{self, Outcome, us};
use crate::recorded::{Recorders, Recording};
use crate::spread::Spread;
use crate::usage;

/// Show where the time of one transfer goes, stage by stage.
///
/// The transfer begins with the sender's first store and ends when the receiver's poll sees the data. Stages
/// follow each other without gap or overlap, so they sum to the total. A stage of the host ends when its
/// processor continues; the bus stage is the delay of the chipset until the command reaches the board.
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Args {
    /// Path of the data; the list below names them.
    path: String,
    /// Machine to simulate.
    #[arg(long, value_enum, default_value_t)]
    pub machine: Name,
    /// Bytes of data in one message; for LHS including the envelope of 8 bytes. Default: a few bytes.
    #[arg(long, value_parser = numbers::count)]
    bytes: Option<usize>,
    /// Implementation of both boards.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    #[command(flatten)]
    library: library_cost::Args,
    /// SVG file for the time line.
    #[arg(long, value_name = "FILE", value_parser = output::svg_file())]
    svg: Option<PathBuf>,
    /// File for the stages as trace events.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Folder for waveforms of both boards with the stages.
    #[arg(long, value_name = "FOLDER")]
    waves: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  memonet explain botf --bytes 8
  memonet explain rvs --bytes 2024 --svg rvs.svg
  memonet explain lhs1 --bytes 56 --nic lockstep --trace lhs1.json    # for chrome://tracing or ui.perfetto.dev
  memonet explain lhs2 --bytes 56 --nic lockstep --waves /tmp/waves   # the same stages above the boards' signals";

/// The paths of all machines, and examples.
fn help() -> String {
    let mut help = String::from("Paths:\n");
    for machine in Name::value_variants() {
        for path in with_machine!(*machine, M => <M as Traced>::PATHS) {
            help += &format!("  {:10}{:9}{}\n", machine.folder(), path.name, path.doc);
        }
    }
    help + "\n" + EXAMPLES + &library_example()
}

/// An example with the first machine whose messages pass a library.
fn library_example() -> String {
    let example = |name: &Name| {
        with_machine!(*name, M => <M as Working>::LIBRARY.map(|library| {
            let (path, machine) = (<M as Traced>::PATHS[0].name, name.folder());
            format!(
                "\n  memonet explain {path} --machine {machine} --library-cost counted        # with the instructions of {}",
                library.name
            )
        }))
    };
    Name::value_variants().iter().find_map(example).unwrap_or_default()
}

/// Runs the transfer and prints its time line.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_machine!(args.machine, M => run_on::<M>(args))
}

fn run_on<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    let Some(path) = M::path(&args.path) else {
        let known: Vec<_> = M::PATHS.iter().map(|path| path.name).collect();
        let reason = format!("messages of {} travel by {}", M::TITLE, known.join(", "));
        return Err(usage::invalid("<PATH>", &args.path, reason));
    };
    let bytes = args.bytes.unwrap_or(path.short);
    if !path.bytes.contains(&bytes) {
        let (least, most) = (path.bytes.start(), path.bytes.end());
        let reason = format!("a packet of {} holds {least} to {most} bytes", path.name);
        return Err(usage::invalid("--bytes <BYTES>", bytes, reason));
    }
    let command = format!(
        "memonet explain {} --machine {} --bytes {bytes}{} --nic lockstep",
        path.name,
        M::NAME,
        args.library.typed()
    );
    let maker = Maker::<M>::new(args.nic, 0, command).with(args.library.settings::<M>()?);
    let activity = machine_api::activity(format!("explain, {}", path.name));
    let mut line = transfer::<M>(path, bytes, args.nic, &maker)?;
    let spread = Some(M::spread(path, bytes, &maker)?.into());
    if let Some(folder) = &args.waves {
        // The waveforms contain the stages, which are known only after a first run.
        let view = View { start_ps: line.begin_ps, length_ps: line.total_ps };
        let from = (line.begin_ps / M::CLOCKS.domain(0).period.ps()).saturating_sub(LEAD);
        let begin = Time::from_ps(line.begin_ps) - Time::ZERO;
        let later = |stage: &Stage| Stage { begin: stage.begin + begin, ..*stage };
        let stages = line.stages.iter().map(later).collect();
        let name = format!("explain_{}", path.name);
        let recording = Recording { stages, ..Recording::new(folder, M::NAME, &name, from, view) };
        let recorders = Recorders::new(&maker, &recording);
        line = transfer::<M>(path, bytes, args.nic, &recorders)?;
        line.waves = recorders.finish()?;
    }
    line.spread = spread;
    line.library = args.library.chosen(M::LIBRARY.is_some());
    drop(activity);
    if let Some(file) = &args.svg {
        output::write(file, svg::draw(&line).as_bytes())?;
    }
    if let Some(file) = &args.trace {
        output::write(file, trace::events(&line).to_string().as_bytes())?;
    }
    output::print(&line, args.json)?;
    Ok(Outcome::Success)
}

/// Cycles of the first clock shown before the transfer.
const LEAD: u64 = 200;

/// The stages of one transfer.
pub struct TimeLine {
    head: Head,
    path: &'static str,
    bytes: usize,
    /// Picoseconds from the beginning of the run, and of the waveforms, to the first stage.
    begin_ps: u64,
    /// Sum of the stages in picoseconds.
    total_ps: u64,
    stages: Vec<Stage>,
    /// Latency over the phases of the receiver's poll loop.
    spread: Option<Spread>,
    library: library_cost::Chosen,
    /// Files of waveforms and their layouts.
    waves: Vec<PathBuf>,
    lanes: &'static [&'static str],
    /// Code of a stage in waveforms and traces; never 0.
    code: fn(&str) -> u64,
}

impl TimeLine {
    /// The stages in order; the first begins at 0.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    fn title(&self) -> String {
        format!("{}, {} bytes, nic {}", self.path, self.bytes, self.head.nic_name())
    }
}

/// A time line as a JSON document.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Json<'a> {
    #[serde(flatten)]
    head: &'a Head,
    /// Path of the data.
    path: &'static str,
    /// Bytes of data.
    bytes: usize,
    #[serde(flatten)]
    library: library_cost::Chosen,
    /// From the beginning of the run, and of the waveforms, to the first stage.
    begin_ps: u64,
    /// Sum of the stages.
    total_ps: u64,
    /// Stages of that time, without gap or overlap.
    stages: Vec<JsonStage>,
    /// One-way latency over the phases of the receiver's poll loop.
    one_way: Option<Spread>,
    /// Files of waveforms and their layouts.
    #[serde(serialize_with = "crate::shell_words::paths")]
    waves: &'a [PathBuf],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct JsonStage {
    /// Code of the stage in waveforms.
    id: u64,
    /// Name of the stage.
    name: &'static str,
    /// Component that is active.
    lane: &'static str,
    /// Beginning of the stage; that of the first is 0.
    begin_ps: u64,
    /// Duration of the stage.
    duration_ps: u64,
}

impl Serialize for TimeLine {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &TimeLine { ref head, path, bytes, begin_ps, total_ps, .. } = self;
        let stage = |&Stage { name, lane, begin, duration }: &Stage| JsonStage {
            id: (self.code)(name),
            name,
            lane,
            begin_ps: begin.ps(),
            duration_ps: duration.ps(),
        };
        let stages = self.stages.iter().map(stage).collect();
        Json {
            head,
            path,
            bytes,
            library: self.library,
            begin_ps,
            total_ps,
            stages,
            one_way: self.spread,
            waves: &self.waves,
        }
        .serialize(serializer)
    }
}

/// Sends `bytes` bytes from host 0 to host 1 and returns the stages.
fn transfer<M: Built>(
    path: &'static Path,
    bytes: usize,
    nic: Kind,
    nics: &dyn Nics<M>,
) -> anyhow::Result<TimeLine> {
    let line = M::transfer(path, bytes, Duration::ZERO, nics)?;
    let zero = line.begin();
    let shifted = |stage: &Stage| Stage { begin: Time::ZERO + (stage.begin - zero), ..*stage };
    Ok(TimeLine {
        head: Head::of_run::<M>("explain", nic),
        path: path.name,
        bytes,
        begin_ps: zero.ps(),
        total_ps: line.total().ps(),
        stages: line.stages.iter().map(shifted).collect(),
        spread: None,
        library: library_cost::Args::default().chosen(M::LIBRARY.is_some()),
        waves: Vec::new(),
        lanes: M::LANES,
        code: M::code,
    })
}

/// Width of the longest bar in characters.
const BAR: u64 = 48;

impl fmt::Display for TimeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title())?;
        for lane in self.lanes {
            for stage in self.stages.iter().filter(|stage| stage.lane == *lane) {
                let column = |ps: u64| (ps * BAR / self.total_ps.max(1)) as usize;
                let (begin, end) = (stage.begin.ps(), stage.begin.ps() + stage.duration.ps());
                let (left, right) = (column(begin), column(end));
                writeln!(
                    f,
                    "  {lane:9}{:14}{:>10} us  {:left$}{}",
                    stage.name,
                    us(stage.duration.ps()),
                    "",
                    "#".repeat((right - left).max(1))
                )?;
            }
        }
        write!(f, "  {:23}{:>10} us", "total", us(self.total_ps))?;
        if let Some(spread) = &self.spread {
            write!(f, "\n{spread}")?;
        }
        self.waves.iter().try_for_each(|path| write!(f, "\nwrote {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line<M: Built>(path: &'static Path, bytes: usize) -> TimeLine {
        transfer::<M>(path, bytes, Kind::Model, &Maker::new(Kind::Model, 0, "")).unwrap()
    }

    fn check<M: Built>() {
        for path in M::PATHS {
            let most = *path.bytes.end();
            for bytes in [path.short, *path.bytes.start(), 24, 56, 57, 496.min(most)] {
                let line = line::<M>(path, bytes);
                let mut end = Time::ZERO;
                for stage in line.stages() {
                    assert_eq!(stage.begin, end, "{} before {}", line.title(), stage.name);
                    assert!(M::LANES.contains(&stage.lane), "{}", stage.lane);
                    assert!((line.code)(stage.name) > 0, "code 0 means no message");
                    end += stage.duration;
                }
                assert_eq!((end - Time::ZERO).ps(), line.total_ps, "{}", line.title());
                svg::tests::check(&line);
            }
        }
    }

    #[test]
    fn stages_have_no_gaps_and_labels_do_not_overlap() {
        for name in Name::value_variants() {
            with_machine!(*name, M => check::<M>());
        }
    }

    fn outputs<M: Built>() {
        for path in M::PATHS {
            let line = line::<M>(path, 64);
            let (text, svg, trace) = (line.to_string(), svg::draw(&line), trace::events(&line));
            let events = trace["traceEvents"].as_array().unwrap();
            for stage in line.stages() {
                assert!(text.contains(stage.name) && svg.contains(&format!(">{} ", stage.name)));
                assert!(events.iter().any(|event| event["name"] == stage.name && event["ph"] == "X"));
            }
        }
    }

    #[test]
    fn outputs_name_every_stage() {
        for name in Name::value_variants() {
            with_machine!(*name, M => outputs::<M>());
        }
    }
}
