//! `--waves`: the recorded cycles, the files, and their size.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hdl::{Device, Edges, Instants, Nic};
use indicatif::DecimalBytes;
use machine_api::counted;
use waveform::{Format, View};

use crate::machines::Built;
use crate::nic::{Board, Kind};
use crate::numbers;
use crate::recorded::{self, Recording};
use crate::usage;

/// Options for waveforms.
#[derive(clap::Args)]
// Without the group that clap makes of a flattened struct.
#[group(skip)]
pub struct Args {
    /// Folder for waveforms; a million cycles take gigabytes, so see the options below.
    #[arg(long, value_name = "FOLDER")]
    pub waves: Option<PathBuf>,
    /// Core clock cycle at which the waveforms begin.
    #[arg(long, visible_alias = "waves-from", value_name = "CYCLE", requires = "waves", default_value_t = 0, value_parser = numbers::number)]
    from: u64,
    /// Core clock cycles that are recorded; default: up to the end of the run.
    #[arg(long, value_name = "N", requires = "waves", value_parser = numbers::positive)]
    waves_cycles: Option<u64>,
    /// Formats of the waveforms; an FST is much smaller.
    #[arg(long, value_enum, value_name = "FORMAT", requires = "waves", default_value_t)]
    waves_format: Formats,
}

/// Formats of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Formats {
    /// A VCD and an FST.
    #[default]
    Both,
    /// FST only.
    Fst,
    /// VCD only.
    Vcd,
}

impl Formats {
    fn list(self) -> &'static [Format] {
        match self {
            Formats::Both => &[Format::Vcd, Format::Fst],
            Formats::Fst => &[Format::Fst],
            Formats::Vcd => &[Format::Vcd],
        }
    }
}

/// The recorded core clock cycles of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First and last core clock edge.
    from: u64,
    until: u64,
}

impl Args {
    /// An error if the waveforms begin after the end of a run of `cycles` cycles.
    pub fn check(&self, cycles: u64) -> anyhow::Result<()> {
        if self.from > cycles {
            let reason = format!("it is after the end of the run: --cycles {cycles}");
            return Err(usage::invalid("--from <CYCLE>", self.from, reason));
        }
        Ok(())
    }

    /// The recorded cycles of a run of `cycles` cycles.
    pub fn window(&self, cycles: u64) -> Window {
        let until = self.waves_cycles.map_or(cycles, |length| self.from.saturating_add(length));
        Window { from: self.from, until: until.min(cycles) }
    }

    /// Files in this folder for the cycles of a window.
    pub fn recording<M: Built>(&self, folder: &Path, window: Window) -> Recording {
        let recording =
            Recording::new(folder, M::NAME, "lockstep", window.from, window.view::<M>(window.until));
        Recording { until: window.until, ..recording.only(self.waves_format.list()) }
    }
}

/// Cycles at the end of the waveforms in which a viewer opens.
const SHOWN: u64 = 30;

impl Window {
    /// The last cycles of waveforms that end with the run, or with the window, after `reached` cycles. A failure is at
    /// the end of its run.
    pub fn view<M: Built>(self, reached: u64) -> View {
        let period = M::Device::CLOCKS[0].period_ps;
        let end = reached.min(self.until);
        let shown = end.saturating_sub(self.from).min(SHOWN);
        View { start_ps: (end - shown) * period, length_ps: shown * period }
    }

    /// The size of the files of a recording, from the bytes that short trials write for each cycle.
    pub fn estimate<M: Built>(self, nic: Kind, seed: u64, recording: &Recording) -> anyhow::Result<Estimate> {
        let cycles = self.until - self.from;
        let [short, long] = TRIALS.map(|cycles| trial::<M>(nic, seed, cycles, recording));
        let (short, long) = (short?, long?);
        let files = short.into_iter().zip(long).map(|((format, short), (_, long))| {
            let per_cycle = long.saturating_sub(short) as f64 / (TRIALS[1] - TRIALS[0]) as f64;
            let bytes = short as f64 + per_cycle * (cycles as f64 - TRIALS[0] as f64);
            (format, bytes.max(0.0) as u64)
        });
        Ok(Estimate { cycles, files: files.collect() })
    }
}

/// Cycles of the two trials; what the second one adds is the cost of its cycles.
const TRIALS: [u64; 2] = [500, 2_000];

/// Bytes of the files of a run of that many cycles, which is recorded like `recording` in a temporary folder.
fn trial<M: Built>(
    nic: Kind,
    seed: u64,
    cycles: u64,
    recording: &Recording,
) -> anyhow::Result<Vec<(Format, u64)>> {
    let folder = tempfile::tempdir()?;
    let formats: Vec<_> = recording.formats().collect();
    let view = View { start_ps: 0, length_ps: 0 };
    let recording = Recording::new(folder.path(), M::NAME, "trial", 0, view).only(&formats);
    let (waves, mut boards) = recorded::record(&recording, vec![Board::<M>::open(nic, seed, "")?])?;
    let board = &mut boards[0];
    let (mut instants, mut traffic, mut done) = (Instants::new(M::Device::CLOCKS), M::traffic(seed), 0);
    while done < cycles {
        let edges = instants.next_edges();
        let out = *board.outputs();
        // The run itself reports a divergence.
        if board.edge(edges, M::next_pins(&mut traffic, edges, &out)).is_err() {
            break;
        }
        done += u64::from(edges.meets(Edges::FIRST));
    }
    drop(boards);
    waves.finish()?;
    let size = |(format, path): (Format, &Path)| Ok((format, path.metadata()?.len()));
    recording.formats().zip(recording.paths()).map(size).collect()
}

/// The expected size of the files of a recording.
#[derive(Debug, PartialEq, Eq)]
pub struct Estimate {
    cycles: u64,
    files: Vec<(Format, u64)>,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |(format, bytes): &(Format, u64)| match format {
            Format::Vcd => format!("{} of VCD", DecimalBytes(*bytes)),
            Format::Fst => format!("{} of FST", DecimalBytes(*bytes)),
        };
        let sizes: Vec<_> = self.files.iter().map(size).collect();
        let cycles = counted(self.cycles as usize, "cycle");
        write!(f, "waveforms of {cycles} take about {}; ", sizes.join(" and "))?;
        if self.files.iter().any(|(format, _)| *format == Format::Vcd) {
            f.write_str("--waves-format fst leaves the VCD out, ")?;
        }
        f.write_str("--from CYCLE and --waves-cycles N record a part")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "dimmnet2")]
    #[test]
    fn view_lies_inside_of_what_was_recorded() {
        type M = dimmnet2_machine::Dimmnet2;
        let of = |from, until, reached| {
            let View { start_ps, length_ps } = Window { from, until }.view::<M>(reached);
            (start_ps / 10_000, length_ps / 10_000)
        };
        assert_eq!(of(0, 1_000, 1_000), (970, 30));
        assert_eq!(of(0, 1_000_000, 10_000), (9_970, 30), "the run ended early");
        assert_eq!(of(990, 1_000, 1_000), (990, 10), "a short window");
        assert_eq!(of(100, 200, 1_000), (170, 30), "the window ends before the run");
        assert_eq!(of(500, 1_000, 100), (100, 0), "the run ended before the window");
    }

    #[test]
    fn estimate_names_formats_and_options() {
        let files = vec![(Format::Vcd, 4_100_000_000), (Format::Fst, 230_000)];
        let text = Estimate { cycles: 1_000_000, files }.to_string();
        assert!(
            text.starts_with("waveforms of 1000000 cycles take about 4.10 GB of VCD and 230.00 kB of FST; "),
            "{text}"
        );
    }
}
