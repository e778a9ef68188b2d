//! Recording of a waveform, sample by sample.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use bitvec::prelude::*;
use files::Growing;
use hdl::StateMachineTable;

use crate::change::Watch;
use crate::format::exponent;
use crate::fst::{BLOCK, FstFile};
use crate::variable::{sample_words, variables};
use crate::vcd::VcdFile;
use crate::{CreateError, Format, RecordError, Scope, Variable, WriteError};

/// Writes the changes in samples of devices to a VCD or FST file.
///
/// A time stamp is written only when something changes, so idle time costs a comparison and no space. The
/// file has a temporary name until it is finished. A dropped recorder finishes its file too, so that the
/// events before a failure are visible.
pub struct Recorder {
    /// `None` once the file is finished.
    file: Option<(Output, Growing)>,
    scopes: Vec<Recorded>,
    path: PathBuf,
    timescale: u64,
    /// Time of the last record in units of the file, and its distance from the one before.
    now: Option<u64>,
    step: u64,
    /// Whether time 0 has passed and scopes without a sample have been set to unknown.
    begun: bool,
    records: u64,
}

struct Recorded {
    name: String,
    variables: Vec<Variable>,
    /// Index of the scope's first variable in the file.
    first: usize,
    watch: Watch,
}

struct Output {
    sink: Sink,
    /// Last time stamp in the file.
    stamp: Option<u64>,
    changes: u64,
}

enum Sink {
    Vcd(VcdFile),
    Fst(Box<FstFile>),
}

/// Statistics of a finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Path of the file.
    pub path: PathBuf,
    /// Number of variables.
    pub variables: usize,
    /// Number of samples taken.
    pub records: u64,
    /// Number of value changes written, first values included.
    pub changes: u64,
    /// Time at which the waveform ends, in picoseconds.
    pub end_ps: u64,
    /// Length of the file in bytes.
    pub bytes: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, variables, records, changes, end_ps, bytes } = self;
        let path = path.display();
        write!(f, "{path}: {variables} variables, {records} samples, {changes} changes, ")?;
        write!(f, "{end_ps} ps, {bytes} bytes")
    }
}

impl Recorder {
    /// Creates the file and writes its header. The extension, `.vcd` or `.fst`, selects the format; the unit
    /// of time is a power of ten of picoseconds.
    pub fn create(path: impl AsRef<Path>, timescale_ps: u64, scopes: &[Scope]) -> Result<Self, CreateError> {
        Self::create_with_block(path.as_ref(), timescale_ps, scopes, BLOCK)
    }

    fn create_with_block(
        path: &Path,
        timescale: u64,
        scopes: &[Scope],
        block: usize,
    ) -> Result<Self, CreateError> {
        let path = path.to_path_buf();
        let Some(format) = Format::of(&path) else {
            return Err(CreateError::UnknownExtension { path });
        };
        let exponent = exponent(timescale).ok_or(CreateError::Timescale(timescale))?;
        let all = variables(scopes);
        check_names(scopes, &all)?;

        // FST files are opened for reading too, because they are read back when they are finished.
        let created = Growing::create(&path);
        let (file, growing) = created.map_err(|source| CreateError::Create { path: path.clone(), source })?;
        let sink = match format {
            Format::Vcd => VcdFile::create(file, exponent, &all).map(Sink::Vcd).map_err(|e| e.to_string()),
            Format::Fst => FstFile::create(file, exponent, &all, block)
                .map(|file| Sink::Fst(Box::new(file)))
                .map_err(|e| e.to_string()),
        };
        let sink = sink.map_err(|reason| CreateError::Header { path: path.clone(), reason })?;

        let mut all = all.into_iter().peekable();
        let mut first = 0;
        let scopes = scopes.iter().enumerate().map(|(index, scope)| {
            let mut variables = Vec::new();
            while let Some(variable) = all.next_if(|variable| variable.scope == index) {
                variables.push(variable);
            }
            let watch = Watch::new(&variables, sample_words(scope.signals));
            let recorded = Recorded { name: scope.name.to_string(), first, watch, variables };
            first += recorded.variables.len();
            recorded
        });
        let scopes = scopes.collect();
        let file = Some((Output { sink, stamp: None, changes: 0 }, growing));
        Ok(Self { file, scopes, path, timescale, now: None, step: 1, begun: false, records: 0 })
    }

    /// Records a sample of scope number `scope` at a time not before the last one.
    #[inline]
    pub fn record(&mut self, time_ps: u64, scope: usize, sample: &[u64]) -> Result<(), RecordError> {
        let Some(recorded) = self.scopes.get(scope) else {
            return Err(RecordError::NoScope { scope, scopes: self.scopes.len() });
        };
        if sample.len() != recorded.watch.len() {
            let (scope, expected) = (recorded.name.clone(), recorded.watch.len());
            return Err(RecordError::SampleLength { scope, expected, found: sample.len() });
        }
        let time = self.advance(time_ps)?;

        let Recorded { variables, first, watch, .. } = &mut self.scopes[scope];
        let (file, bits) = (output(&mut self.file), sample.view_bits::<Lsb0>());
        let written = watch.take(sample, |index| {
            let Variable { at, width, machine, .. } = variables[index];
            file.change(time, *first + index, machine, &bits[at..at + width as usize])
        });
        written.map_err(|reason| self.failed(reason))
    }

    /// Advances to a time and returns it in units of the file.
    fn advance(&mut self, time_ps: u64) -> Result<u64, RecordError> {
        let time = time_ps / self.timescale;
        if time * self.timescale != time_ps {
            return Err(RecordError::TimeBetweenUnits { time: time_ps, timescale: self.timescale });
        }
        let last = self.now.unwrap_or(0);
        if time < last {
            return Err(RecordError::TimeBackwards { from: last * self.timescale, to: time_ps });
        }
        if time > 0 && !self.begun {
            self.begin().map_err(|reason| self.failed(reason))?;
        }
        if time > last {
            self.step = time - last;
        }
        self.now = Some(time);
        self.records += 1;
        Ok(time)
    }

    /// Called at the end of time 0: all variables without a value become unknown.
    fn begin(&mut self) -> Result<(), WriteError> {
        self.begun = true;
        for scope in self.scopes.iter().filter(|scope| !scope.watch.recorded()) {
            for (index, variable) in scope.variables.iter().enumerate() {
                output(&mut self.file).unknown(scope.first + index, variable)?;
            }
        }
        Ok(())
    }

    /// Completes and renames the file. The last values are held as long as the ones before them.
    pub fn finish(mut self) -> Result<Summary, RecordError> {
        self.complete().map_err(|reason| self.failed(reason))
    }

    #[cold]
    fn failed(&self, reason: WriteError) -> RecordError {
        RecordError::Write { path: self.path.clone(), reason }
    }

    fn complete(&mut self) -> Result<Summary, WriteError> {
        if !self.begun {
            self.begin()?;
        }
        let end = self.now.unwrap_or(0) + self.step;
        output(&mut self.file).stamp(end)?;
        let (file, growing) = self.file.take().expect("it is finished once");
        let bytes = match file.sink {
            Sink::Vcd(file) => file.finish()?,
            Sink::Fst(file) => file.finish()?,
        };
        growing.keep()?;
        Ok(Summary {
            path: self.path.clone(),
            variables: self.scopes.iter().map(|scope| scope.variables.len()).sum(),
            records: self.records,
            changes: file.changes,
            end_ps: end * self.timescale,
            bytes,
        })
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if self.file.is_some() {
            // Callers that need the error call `finish`.
            let _ = self.complete();
        }
    }
}

/// Output of an unfinished recorder.
fn output(file: &mut Option<(Output, Growing)>) -> &mut Output {
    let (output, _) = file.as_mut().expect("nothing is recorded when it is finished");
    output
}

impl Output {
    #[inline]
    fn stamp(&mut self, time: u64) -> Result<(), WriteError> {
        if self.stamp != Some(time) {
            self.stamp = Some(time);
            match &mut self.sink {
                Sink::Vcd(file) => file.time(time)?,
                Sink::Fst(file) => file.time(time)?,
            }
        }
        Ok(())
    }

    #[inline]
    fn change(
        &mut self,
        time: u64,
        variable: usize,
        machine: Option<&'static StateMachineTable>,
        bits: &BitSlice<u64, Lsb0>,
    ) -> Result<(), WriteError> {
        self.stamp(time)?;
        self.changes += 1;
        match (&mut self.sink, machine) {
            (Sink::Vcd(file), None) => file.bits(variable, bits)?,
            (Sink::Vcd(file), Some(table)) => file.state(variable, table, bits.load_le())?,
            (Sink::Fst(file), _) => file.bits(variable, bits)?,
        }
        Ok(())
    }

    fn unknown(&mut self, index: usize, variable: &Variable) -> Result<(), WriteError> {
        self.stamp(0)?;
        match &mut self.sink {
            Sink::Vcd(file) => file.unknown(index, variable)?,
            // All variables of an FST file start as x.
            Sink::Fst(_) => {}
        }
        Ok(())
    }
}

fn check_names(scopes: &[Scope], variables: &[Variable]) -> Result<(), CreateError> {
    for Scope { name, .. } in scopes {
        let good = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic());
        if !name.split('.').all(good) {
            return Err(CreateError::ScopeName(name.to_string()));
        }
    }
    let mut paths = HashSet::new();
    match variables.iter().map(Variable::path).find(|path| !paths.insert(path.clone())) {
        Some(path) => Err(CreateError::RepeatedPath(path)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fst_file_of_many_blocks_equals_one_of_one_block() {
        let (role, block) = (hdl::SignalRole::Register(hdl::Kind::Vector), String::new());
        let signals =
            [hdl::Signal { block, name: "value", width: 64, word: 0, role, clocks: hdl::Edges::FIRST }];
        let read = |block: usize| {
            let path =
                std::env::temp_dir().join(format!("memonet_blocks_{block}_{}.fst", std::process::id()));
            let scopes = [Scope { name: "a", signals: &signals }];
            let mut recorder = Recorder::create_with_block(&path, 1, &scopes, block).unwrap();
            for time in 0..1000u64 {
                recorder.record(time, 0, &[(time / 3).wrapping_mul(0x9e37_79b9_7f4a_7c15)]).unwrap();
            }
            let bytes = recorder.finish().unwrap().bytes;
            let mut wave = wellen::simple::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            let value = wave.hierarchy().signals().next().unwrap();
            wave.load_signals(&[value]);
            let changes = wave.get_signal(value).unwrap().iter_changes();
            let changes: Vec<_> = changes
                .map(|(index, value)| (wave.time_table()[index as usize], value.to_bit_string().unwrap()))
                .collect();
            (bytes, changes)
        };
        let (one, many) = (read(BLOCK), read(500));
        assert_eq!(one.1.len(), 334);
        assert_eq!(one.1, many.1);
        assert!(many.0 > one.0, "blocks were written on the way");
    }
}
