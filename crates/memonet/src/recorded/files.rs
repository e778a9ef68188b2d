//! Waveform files shared by all boards: samples arrive board by board and are written in order of time.

use std::collections::{BTreeMap, VecDeque};

use waveform::{RecordError, Recorder};

/// The files and the samples that wait to be written. Times are in picoseconds.
pub(super) struct Files {
    pub recorders: Vec<Recorder>,
    /// Time of the last written sample.
    now: u64,
    /// For each board: time at which its pins become idle unless another edge follows, scope of the pins, and
    /// their idle value.
    idle: Vec<Option<(u64, usize, Vec<u64>)>>,
    /// Scope of the stages, and begin and code of each coming stage.
    stages: usize,
    coming: VecDeque<(u64, u64)>,
    /// Samples that earlier ones may still precede, by time and order of arrival.
    waiting: BTreeMap<(u64, u64), (usize, Vec<u64>)>,
    count: u64,
    /// Time of the latest sample.
    latest: u64,
    /// Maximum lead of a board over another: within an epoch, cables run one after the other.
    ahead: u64,
}

impl Files {
    /// Files for `boards` boards, none of which leads another by more than `ahead`.
    pub fn new(
        recorders: Vec<Recorder>,
        boards: usize,
        stages: (usize, VecDeque<(u64, u64)>),
        ahead: u64,
    ) -> Self {
        let (stages, coming) = stages;
        let (idle, waiting) = (vec![None; boards], BTreeMap::new());
        Files { recorders, now: 0, idle, stages, coming, waiting, count: 0, latest: 0, ahead }
    }

    /// Called at an edge of a board: records pins that became idle before, unless their board may lag behind.
    pub fn settle(&mut self, time: u64, board: usize) -> Result<(), RecordError> {
        for other in 0..self.idle.len() {
            let ahead = if other == board { 0 } else { self.ahead };
            if let Some((due, scope, words)) = self.idle[other].take_if(|(due, ..)| *due + ahead < time) {
                self.record(due, scope, &words)?;
            }
        }
        self.idle[board] = None;
        Ok(())
    }

    /// The pins of a board change to `words` at `due` unless it has another edge before.
    pub fn becomes_idle(&mut self, board: usize, due: u64, scope: usize, words: Vec<u64>) {
        self.idle[board] = Some((due, scope, words));
    }

    /// Records a sample. A board that slept catches up its last edges after the others; its late samples
    /// contain no changes.
    pub fn record(&mut self, time: u64, scope: usize, words: &[u64]) -> Result<(), RecordError> {
        self.reach(time)?;
        self.write(time, scope, words)
    }

    /// Records the stages that begin by that time.
    fn reach(&mut self, time: u64) -> Result<(), RecordError> {
        while let Some(&(begin, code)) = self.coming.front()
            && begin <= time
        {
            self.coming.pop_front();
            self.write(begin, self.stages, &[code])?;
        }
        Ok(())
    }

    fn write(&mut self, time: u64, scope: usize, words: &[u64]) -> Result<(), RecordError> {
        self.waiting.insert((time, self.count), (scope, words.to_vec()));
        self.count += 1;
        self.latest = self.latest.max(time);
        // Idle pins are known one epoch later, so samples wait for two.
        match self.latest.checked_sub(2 * self.ahead) {
            Some(before) => self.flush(before),
            None => Ok(()),
        }
    }

    /// Writes the samples before that time.
    fn flush(&mut self, before: u64) -> Result<(), RecordError> {
        while let Some(first) = self.waiting.first_entry().filter(|first| first.key().0 < before) {
            let ((time, _), (scope, words)) = first.remove_entry();
            self.now = self.now.max(time);
            self.recorders.iter_mut().try_for_each(|recorder| recorder.record(self.now, scope, &words))?;
        }
        Ok(())
    }

    /// Writes all samples; the recorders can then be finished.
    pub fn end(&mut self) -> Result<(), RecordError> {
        self.reach(u64::MAX)?;
        self.flush(u64::MAX)
    }
}
