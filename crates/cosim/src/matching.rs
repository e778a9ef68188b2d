//! Matches every signal of the model with its RTL twin, by path and name.

use std::collections::HashMap;

use hdl::{MemoryPlace, Observed, Signal};

use crate::{Divergence, RtlSignal, Simulation, SimulationError, Watch};

/// Error that prevents pairing a model with its RTL.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// One line for each signal that is missing on one side or has different widths.
    #[error("model and RTL do not have the same signals:\n  {}", .0.join("\n  "))]
    Unmatched(Vec<String>),
    /// Model and RTL differ after reset.
    #[error(transparent)]
    Divergence(#[from] Box<Divergence>),
    /// The RTL stopped during reset.
    #[error("the RTL stopped under reset: {0}")]
    Stopped(#[from] SimulationError),
}

/// A memory of the model with its RTL twin.
#[derive(Debug)]
pub(crate) struct Memory {
    pub place: MemoryPlace,
    pub signal: usize,
}

/// RTL twins of a model's signals and memories.
pub(crate) struct Twins {
    /// In the order of the model's signals, without those that the RTL does not show.
    pub watches: Vec<Watch>,
    /// In the order of the model's probe.
    pub memories: Vec<Memory>,
}

/// Path in the model. Instances are named `u_` plus the field that holds the block in the model.
fn block_path(scope: &str) -> String {
    let name = |part: &str| part.strip_prefix("u_").unwrap_or(part).to_string();
    scope.split('.').map(name).collect::<Vec<_>>().join(".")
}

fn full_name(block: &str, name: &str) -> String {
    if block.is_empty() { name.to_string() } else { format!("{block}.{name}") }
}

fn size(width: u32, depth: usize) -> String {
    if depth == 0 { format!("{width} bits") } else { format!("{depth} x {width} bits") }
}

/// Matches all signals that the RTL shows; every register and every memory must have exactly one twin.
pub(crate) fn twins(
    signals: &[Signal],
    model: &impl Observed,
    rtl_side: &dyn Simulation,
) -> Result<Twins, OpenError> {
    let rtl: Vec<RtlSignal> = rtl_side.signals();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (index, signal) in rtl.iter().enumerate() {
        by_name.insert(full_name(&block_path(&signal.scope), &signal.name), index);
    }

    let mut problems = Vec::new();
    let mut matched = vec![false; rtl.len()];
    let mut find = |name: String, width: u32, depth: usize| match by_name.get(&name) {
        None => {
            problems.push(format!("{name}: only in the model ({width} bits)"));
            None
        }
        Some(&index) if rtl[index].width != width || rtl[index].depth as usize != depth => {
            matched[index] = true;
            let RtlSignal { width: rtl_width, depth: rtl_depth, .. } = rtl[index];
            problems.push(format!(
                "{name}: {} in the model, {} in the RTL",
                size(width, depth),
                size(rtl_width, rtl_depth as usize)
            ));
            None
        }
        Some(&index) if matched[index] => {
            problems.push(format!("{name}: twice in the model"));
            None
        }
        Some(&index) => {
            matched[index] = true;
            Some(index)
        }
    };

    let mut watches = Vec::new();
    let visibility = rtl_side.visibility();
    for signal in signals.iter().filter(|signal| visibility.shows(signal)) {
        let found = find(full_name(&signal.block, &signal.rtl_name()), signal.width, 0);
        watches.extend(found.map(|index| Watch { signal: index, word: signal.word }));
    }
    let mut memories = Vec::new();
    for place in model.memory_map() {
        let found = find(full_name(&place.block, "mem"), place.width, place.depth);
        memories.extend(found.map(|signal| Memory { place, signal }));
    }

    // Everything stored in RTL is a register `name_q` or a memory; `ci/lint` enforces the names.
    let stored = |signal: &RtlSignal| signal.depth > 0 || signal.name.ends_with("_q");
    for (signal, _) in rtl.iter().zip(matched).filter(|(signal, matched)| !matched && stored(signal)) {
        let name = full_name(&block_path(&signal.scope), &signal.name);
        problems.push(format!("{name}: only in the RTL ({})", size(signal.width, signal.depth as usize)));
    }
    if problems.is_empty() { Ok(Twins { watches, memories }) } else { Err(OpenError::Unmatched(problems)) }
}

/// Index in the RTL of the register with the same words in the sample; every register has a twin.
pub(crate) fn twin_of(register: &Signal, watches: &[Watch]) -> usize {
    let found = watches.binary_search_by_key(&register.word, |watch| watch.word);
    watches[found.unwrap_or_else(|_| panic!("{} is a register", register.name))].signal
}

/// Appends the words of all memories.
pub(crate) fn read_memories(rtl: &dyn Simulation, memories: &[Memory], words: &mut Vec<u64>) {
    for memory in memories {
        let start = words.len();
        words.resize(start + memory.place.words().len(), 0);
        rtl.read(memory.signal, &mut words[start..]);
    }
}
