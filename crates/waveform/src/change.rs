//! Detection of the variables that changed between two samples.

use std::ops::Range;

use crate::Variable;

/// The last sample of a scope, and the variables in each of its words.
///
/// Most words of most samples are unchanged. Words are therefore compared first, eight at a time, and
/// variables only where a word differs.
pub(crate) struct Watch {
    words: Vec<u64>,
    recorded: bool,
    /// Range of each word's parts in `parts`.
    by_word: Vec<Range<usize>>,
    parts: Vec<Part>,
    /// Sample in which each variable last changed, so that a variable in two words is reported once.
    seen: Vec<u64>,
    samples: u64,
}

/// The bits of a variable in one word.
struct Part {
    variable: u32,
    mask: u64,
}

const STEP: usize = 8;

impl Watch {
    /// Watches the variables of a scope whose samples have `words` words.
    pub(crate) fn new(variables: &[Variable], words: usize) -> Self {
        let mut per_word: Vec<Vec<Part>> = (0..words).map(|_| Vec::new()).collect();
        for (index, variable) in variables.iter().enumerate() {
            let (from, to) = (variable.at, variable.at + variable.width as usize);
            for (word, parts) in per_word.iter_mut().enumerate().take(to.div_ceil(64)).skip(from / 64) {
                let low = from.saturating_sub(word * 64);
                let high = (to - word * 64).min(64);
                let mask = u64::MAX >> (64 - (high - low)) << low;
                parts.push(Part { variable: index as u32, mask });
            }
        }
        let (mut parts, mut by_word) = (Vec::new(), Vec::new());
        for word in per_word {
            by_word.push(parts.len()..parts.len() + word.len());
            parts.extend(word);
        }
        let seen = vec![0; variables.len()];
        Self { words: vec![0; words], recorded: false, by_word, parts, seen, samples: 0 }
    }

    /// Words of a sample.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether a sample has been taken.
    pub(crate) fn recorded(&self) -> bool {
        self.recorded
    }

    /// Takes a sample and calls `changed` for every variable that differs from the last sample; for all
    /// variables the first time.
    #[inline]
    pub(crate) fn take<E>(
        &mut self,
        sample: &[u64],
        mut changed: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.recorded {
            self.recorded = true;
            self.words.copy_from_slice(sample);
            return (0..self.seen.len()).try_for_each(changed);
        }
        self.samples += 1;
        for start in (0..sample.len()).step_by(STEP) {
            let end = (start + STEP).min(sample.len());
            if self.words[start..end] == sample[start..end] {
                continue;
            }
            for (word, &now) in sample.iter().enumerate().take(end).skip(start) {
                let difference = std::mem::replace(&mut self.words[word], now) ^ now;
                if difference == 0 {
                    continue;
                }
                for part in &self.parts[self.by_word[word].clone()] {
                    let variable = part.variable as usize;
                    if difference & part.mask != 0 && self.seen[variable] != self.samples {
                        self.seen[variable] = self.samples;
                        changed(variable)?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(at: usize, width: u32) -> Variable {
        let (scope_name, block, name) = (String::new(), String::new(), format!("v{at}"));
        Variable { scope: 0, scope_name, block, name, width, machine: None, at }
    }

    fn changes(watch: &mut Watch, sample: &[u64]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut note = |variable| {
            found.push(variable);
            Ok::<_, ()>(())
        };
        watch.take(sample, &mut note).unwrap();
        found
    }

    #[test]
    fn sample_reports_each_changed_variable_once() {
        let variables = [variable(0, 1), variable(1, 100), variable(101, 27), variable(128, 64)];
        let mut watch = Watch::new(&variables, 3);
        assert_eq!(changes(&mut watch, &[0, 0, 0]), [0, 1, 2, 3]);
        assert_eq!(changes(&mut watch, &[0, 0, 0]), [0; 0]);
        assert_eq!(changes(&mut watch, &[2, 1, 0]), [1]);
        assert_eq!(changes(&mut watch, &[2, 1 | 1 << 36, 0]), [1]);
        assert_eq!(changes(&mut watch, &[2, 1 | 1 << 36 | 1 << 37, 9]), [2, 3]);
        assert_eq!(changes(&mut watch, &[3, 1 | 1 << 36 | 1 << 37, 9]), [0]);
    }
}
