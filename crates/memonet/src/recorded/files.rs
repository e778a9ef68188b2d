//! The files that boards write to, whose samples come board by board and go in the order of time.

use std::collections::{BTreeMap, VecDeque};

use waveform::{RecordError, Recorder};

/// The files that boards write to.
pub(super) struct Files {
    pub recorders: Vec<Recorder>,
    /// Time of the last record.
    now: u64,
    /// By board: when its pins become idle unless it walks another edge, their scope, and what they hold then.
    idle: Vec<Option<(u64, usize, Vec<u64>)>>,
    /// Scope of the stages, and when each of those to come begins.
    stages: usize,
    coming: VecDeque<(u64, u64)>,
    /// Samples that others may come before, by their times, then in the order in which they came.
    waiting: BTreeMap<(u64, u64), (usize, Vec<u64>)>,
    count: u64,
    /// Time of the latest sample.
    latest: u64,
    /// By how much one board may be ahead of another: a cable goes through all its instants of an epoch before the next one has its turn.
    ahead: u64,
}

impl Files {
    /// Files for so many boards, none of which is further ahead than that.
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

    /// A board walks an edge at that time: what became idle before is recorded, unless that board may not have come so far.
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

    /// The pins of a board become that if it walks no other edge.
    pub fn becomes_idle(&mut self, board: usize, due: u64, scope: usize, words: Vec<u64>) {
        self.idle[board] = Some((due, scope, words));
    }

    /// Records a sample. A board that slept walks its last edges after the others, so what it shows then, which is
    /// nothing new, may be late.
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
        // What is known to be idle is known one epoch later.
        match self.latest.checked_sub(2 * self.ahead) {
            Some(before) => self.flush(before),
            None => Ok(()),
        }
    }

    /// Writes what was before that time.
    fn flush(&mut self, before: u64) -> Result<(), RecordError> {
        while let Some(first) = self.waiting.first_entry().filter(|first| first.key().0 < before) {
            let ((time, _), (scope, words)) = first.remove_entry();
            self.now = self.now.max(time);
            self.recorders.iter_mut().try_for_each(|recorder| recorder.record(self.now, scope, &words))?;
        }
        Ok(())
    }

    /// Writes all there is; then the recorders can be ended.
    pub fn end(&mut self) -> Result<(), RecordError> {
        self.reach(u64::MAX)?;
        self.flush(u64::MAX)
    }
}
