//! The memories of a board, as bytes.

use cluster::AnyNic;
use dimmnet2::Dimmnet2;
use hdl::{Bits, Bundle, Kind, Probe, Role, Visitor, words_for};

/// What all memories of a board hold.
pub(crate) struct Contents {
    /// Path of each bank, and the first of its words.
    banks: Vec<(String, usize, usize)>,
    words: Vec<u64>,
}

impl Contents {
    /// Those of a board now.
    pub fn of(nic: &AnyNic) -> Self {
        let mut map = Map { path: vec![], banks: vec![], words: 0 };
        Dimmnet2::default().probe(&mut map);
        let mut words = Vec::with_capacity(map.words);
        nic.memories(&mut words);
        assert_eq!(words.len(), map.words, "a board has the memories of the model");
        Self { banks: map.banks, words }
    }

    /// A process's half of a memory of the host interface, which has two banks of 64-bit words.
    pub fn bytes(&self, memory: &str, wid: bool) -> Vec<u8> {
        let [even, odd] = ["even", "odd"].map(|bank| {
            let path = format!("core_logic.host_interface.{memory}.{bank}");
            let (_, first, words) = self.banks.iter().find(|bank| bank.0 == path).expect("the memory exists");
            let first = first + if wid { words / 2 } else { 0 };
            &self.words[first..first + words / 2]
        });
        let pairs = even.iter().zip(odd);
        pairs.flat_map(|(even, odd)| [even.to_le_bytes(), odd.to_le_bytes()].concat()).collect()
    }
}

/// Finds out where memories lie in [`hdl::Nic::memories`].
struct Map {
    path: Vec<&'static str>,
    banks: Vec<(String, usize, usize)>,
    words: usize,
}

impl Visitor for Map {
    fn enter(&mut self, name: &'static str) {
        self.path.push(name);
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn word(&mut self, _name: &'static str, _width: u32, _kind: Kind, _words: &[u64]) {}

    fn pins<B: Bundle>(&mut self, _role: Role, _pins: impl FnOnce() -> B) {}

    fn memory<T: Bits>(&mut self, contents: &[T]) {
        let words = contents.len() * words_for(T::WIDTH);
        self.banks.push((self.path.join("."), self.words, words));
        self.words += words;
    }
}
