//! The memories of a board, as bytes.

use dimmnet2::Dimmnet2;
use dimmnet2_machine::AnyNic;
use hdl::{MemoryPlace, memory_map};

/// Contents of all memories of a board.
pub(crate) struct Contents {
    map: Vec<MemoryPlace>,
    words: Vec<u64>,
}

impl Contents {
    /// Contents of a board's memories now.
    pub fn of(nic: &AnyNic) -> Self {
        let map = memory_map(&Dimmnet2::default());
        let mut words = Vec::new();
        nic.memories(&mut words);
        let end = map.last().map(|place| place.words().end);
        assert_eq!(Some(words.len()), end, "a board has the memories of the model");
        Self { map, words }
    }

    /// A process's half of a host interface memory, which has two banks of 64-bit words.
    pub fn bytes(&self, memory: &str, wid: bool) -> Vec<u8> {
        let [even, odd] = ["even", "odd"].map(|bank| {
            let path = format!("core_logic.host_interface.{memory}.{bank}");
            let place = self.map.iter().find(|place| place.block == path).expect("the memory exists");
            let (first, second) = self.words[place.words()].split_at(place.depth / 2);
            if wid { second } else { first }
        });
        let pairs = even.iter().zip(odd);
        pairs.flat_map(|(even, odd)| [even.to_le_bytes(), odd.to_le_bytes()].concat()).collect()
    }
}
