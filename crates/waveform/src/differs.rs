//! Difference flags: one bit per block, high where two sides differ.

use hdl::{Edges, MOST_CLOCKS, Signal, SignalRole, words_for};

/// Name of the bit in its block.
pub(crate) const NAME: &str = "differs";

/// One bit for each block of a device: high while any register or pin of the block differs between two sides.
/// A scope for waveforms, next to the scopes of the sides.
#[derive(Clone, Debug)]
pub struct Differs {
    signals: Vec<Signal>,
    /// For each bit: the words of the block's signals in a sample of a side.
    words: Vec<Vec<usize>>,
}

impl Differs {
    /// Flags for two sides that both have the signals `sides`.
    pub fn new(sides: &[Signal]) -> Self {
        let mut differs = Differs { signals: Vec::new(), words: Vec::new() };
        for signal in sides {
            let known = differs.signals.iter().position(|bit| bit.block == signal.block);
            let bit = known.unwrap_or_else(|| differs.add(signal.block.clone()));
            differs.words[bit].extend(signal.word..signal.word + words_for(signal.width));
        }
        differs
    }

    fn add(&mut self, block: String) -> usize {
        let word = self.signals.len();
        let role = SignalRole::Register(hdl::Kind::Vector);
        self.signals.push(Signal {
            block,
            name: NAME,
            width: 1,
            word,
            role,
            clocks: Edges::all(MOST_CLOCKS),
        });
        self.words.push(Vec::new());
        word
    }

    /// Signals of the flags, in the order of their samples.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// Appends the flags for a sample of each side.
    pub fn sample(&self, one: &[u64], other: &[u64], bits: &mut Vec<u64>) {
        bits.extend(
            self.words.iter().map(|words| u64::from(words.iter().any(|&word| one[word] != other[word]))),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_is_high_if_any_signal_of_its_block_differs() {
        let role = SignalRole::Register(hdl::Kind::Vector);
        let signal = |block: &str, name, width, word| Signal {
            block: block.into(),
            name,
            width,
            word,
            role,
            clocks: Edges::FIRST,
        };
        let sides = [signal("a", "x", 8, 0), signal("b", "y", 100, 1), signal("a", "z", 1, 3)];
        let differs = Differs::new(&sides);
        let blocks: Vec<_> = differs.signals().iter().map(|bit| bit.block.as_str()).collect();
        assert_eq!(blocks, ["a", "b"]);
        let bits = |other: [u64; 4]| {
            let mut bits = Vec::new();
            differs.sample(&[1, 2, 3, 0], &other, &mut bits);
            bits
        };
        assert_eq!(bits([1, 2, 3, 0]), [0, 0]);
        assert_eq!(bits([1, 2, 3, 1]), [1, 0]);
        assert_eq!(bits([1, 2, 4, 0]), [0, 1]);
    }
}
