//! Watches: observations of register values.

use hdl::{Signal, StateMachine};
use thiserror::Error;

/// Watches a register or the pins of a block: records an observation at each edge after which `predicate` has
/// become true. A register that counts while the device sleeps is seen when the device wakes.
pub struct Watch {
    /// Name of the observation.
    pub mark: &'static str,
    /// Path of the block below the device, parts joined by `.`.
    pub path: &'static str,
    /// Name of the register, or `pins_i`, `pins_o`.
    pub name: &'static str,
    /// Condition on the words of the signal, bit 0 first.
    pub predicate: Predicate,
}

impl Watch {
    /// Watches the state machine of a block enter a state.
    pub fn state<M: StateMachine + 'static>(mark: &'static str, path: &'static str, state: M) -> Self {
        let predicate: Predicate = Box::new(move |words| M::take(words, 0, M::WIDTH) == state);
        Watch { mark, path, name: "state", predicate }
    }
}

/// Condition on the words of a signal, bit 0 first.
pub type Predicate = Box<dyn Fn(&[u64]) -> bool>;

/// Error when setting a watch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WatchError {
    /// The device has no such signal.
    #[error("the device has no signal {0}")]
    UnknownSignal(String),
}

/// Watches of one device.
#[derive(Default)]
pub(crate) struct Watches {
    watches: Vec<(Watch, Signal, bool)>,
    words: Vec<u64>,
}

impl Watches {
    pub fn is_empty(&self) -> bool {
        self.watches.is_empty()
    }

    /// Adds a watch; `sample` holds the present values, relative to which changes count.
    pub fn add(&mut self, watch: Watch, signals: &[Signal], sample: &[u64]) -> Result<(), WatchError> {
        let signal = signals
            .iter()
            .find(|signal| signal.block == watch.path && signal.name == watch.name)
            .ok_or_else(|| WatchError::UnknownSignal(format!("{}.{}", watch.path, watch.name)))?
            .clone();
        let is = (watch.predicate)(signal.words(sample));
        self.watches.push((watch, signal, is));
        Ok(())
    }

    /// Examines a sample and calls `each` with the name of every watch that has become true.
    pub fn look(&mut self, sample: impl FnOnce(&mut Vec<u64>), mut each: impl FnMut(&'static str)) {
        self.words.clear();
        sample(&mut self.words);
        for (watch, signal, was) in &mut self.watches {
            let is = (watch.predicate)(signal.words(&self.words));
            if is && !*was {
                each(watch.mark);
            }
            *was = is;
        }
    }
}
