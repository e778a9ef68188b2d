//! Waveforms of the cycles before a failure.

use std::path::{Path, PathBuf};

use hdl::{Clock, Edges, Signal};
use waveform::{Differs, Format, Group, Layout, Recorder, Scope, Variable, View, variables};

use crate::log::Moment;

/// Cycles in which the viewer opens.
const VIEW: u64 = 30;

/// Input of a waveform file: the past of both sides and the failure that ends it.
pub(crate) struct Waves<'a> {
    pub clocks: &'static [Clock],
    /// Input pins of the device.
    pub pins_i: Signal,
    /// Signals of both sides.
    pub signals: &'a [Signal],
    /// Instants up to the failure.
    pub history: &'a [Moment],
    /// Sample of the RTL at the last instant.
    pub rtl: &'a [u64],
    /// Block that the layout shows.
    pub block: &'a str,
}

impl Waves<'_> {
    /// Writes `NAME.fst` and its layout `NAME.fst.gtkw`; returns the path of the first.
    pub fn write(&self, folder: &Path, name: &str) -> Result<PathBuf, String> {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let path = folder.join(format!("{name}.fst"));
        let (differs, pins_i) = (Differs::new(self.signals), [self.pins_i.clone()]);
        let scopes = [
            Scope { name: "dut", signals: &pins_i },
            Scope { name: "dut.model", signals: self.signals },
            Scope { name: "dut.rtl", signals: self.signals },
            Scope { name: "dut.differs", signals: differs.signals() },
        ];
        let recorded = self.record(&path, &scopes, &differs);
        let end = recorded.map_err(|error| format!("{}: {error}", path.display()))?;
        let length_ps = VIEW * self.clocks[0].period_ps;
        let view = View { start_ps: end.saturating_sub(length_ps), length_ps };
        let layout = path.with_extension("fst.gtkw");
        std::fs::write(&layout, self.layout(&scopes).gtkw(Format::Fst, view))
            .map_err(|error| format!("{}: {error}", layout.display()))?;
        Ok(path)
    }

    /// Writes the samples; returns the time at which they end.
    fn record(
        &self,
        path: &Path,
        scopes: &[Scope],
        differs: &Differs,
    ) -> Result<u64, Box<dyn std::error::Error>> {
        let mut recorder = Recorder::create(path, 1, scopes)?;
        let times = times(self.history, self.clocks[0].period_ps);
        for (index, (moment, time)) in self.history.iter().zip(times).enumerate() {
            let model = &moment.sample[..];
            let rtl = if index + 1 == self.history.len() { self.rtl } else { model };
            let mut flags = Vec::new();
            differs.sample(model, rtl, &mut flags);
            for (scope, sample) in [&moment.pins_i[..], model, rtl, &flags].into_iter().enumerate() {
                recorder.record(time, scope, sample)?;
            }
        }
        Ok(recorder.finish()?.end_ps)
    }

    /// The block that differs, signal by signal on both sides, then the input pins.
    fn layout(&self, scopes: &[Scope]) -> Layout {
        let all = variables(scopes);
        let side = |scope: usize| all.iter().filter(move |variable| variable.scope == scope);
        let mut block: Vec<Variable> = Vec::new();
        for model in side(1).filter(|variable| variable.block == self.block) {
            block.push(model.clone());
            block.extend(side(2).find(|rtl| rtl.block == model.block && rtl.name == model.name).cloned());
        }
        block.extend(side(3).find(|flag| flag.block == self.block).cloned());
        let title = if self.block.is_empty() { "Block" } else { self.block };
        let group = |title: &str, several, variables| Group { title: title.into(), several, variables };
        Layout {
            groups: vec![group(title, true, block), group("Input pins", false, side(0).cloned().collect())],
        }
    }
}

/// Times of instants: edges of the first clock are whole periods; instants between two of them are spread
/// evenly, because their times are not logged.
fn times(history: &[Moment], period: u64) -> Vec<u64> {
    let first = |moment: &Moment| moment.edges.meets(Edges::FIRST);
    let mut times = Vec::new();
    let mut at = 0;
    while at < history.len() {
        // Instants from one edge of the first clock up to the next one.
        let count = 1 + history[at + 1..].iter().take_while(|moment| !first(moment)).count();
        let start = history[at].cycle * period;
        times.extend((0..count as u64).map(|step| start + step * period / count as u64));
        at += count;
    }
    times
}

/// Folder for waveforms of failures: below the target folder for a test of cargo, where `cargo clean` removes
/// them; otherwise below the folder for temporary files.
pub(crate) fn default_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target =
        program.parent().filter(|folder| folder.ends_with("deps")).and_then(|deps| deps.ancestors().nth(2));
    target.map_or_else(std::env::temp_dir, |target| target.join("tmp")).join("divergence")
}

/// Name of the files: the top block, the test that runs, and the seed.
pub(crate) fn file_name(top: &str, seed: u64) -> String {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").unwrap_or_default();
    let name = match test {
        "" => format!("{top}_seed{seed}"),
        test if test.contains(top) => format!("{test}_seed{seed}"),
        test => format!("{top}_{test}_seed{seed}"),
    };
    name.replace("::", "_")
}
