//! Sparse byte memory.

use std::collections::BTreeMap;

const PAGE: usize = 1024;

/// A memory whose unwritten bytes read 0.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pages: BTreeMap<u64, Box<[u8; PAGE]>>,
}

impl Memory {
    /// The byte at `address`.
    pub fn get(&self, address: u64) -> u8 {
        let page = self.pages.get(&(address / PAGE as u64));
        page.map_or(0, |page| page[(address % PAGE as u64) as usize])
    }

    /// Writes the byte at `address`.
    pub fn set(&mut self, address: u64, byte: u8) {
        let page = self.pages.entry(address / PAGE as u64).or_insert_with(|| Box::new([0; PAGE]));
        page[(address % PAGE as u64) as usize] = byte;
    }

    /// All bytes of the pages written so far, in ascending order of address.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u8)> {
        self.pages.iter().flat_map(|(page, bytes)| (page * PAGE as u64..).zip(bytes.iter().copied()))
    }
}
