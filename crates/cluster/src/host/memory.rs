//! Sparse memory, allocated as it is written.

use std::collections::BTreeMap;

const PAGE: usize = 4096;

/// Bytes by address, allocated page by page on writing; unwritten bytes read 0. Access times are modelled
/// elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pages: BTreeMap<u64, Box<[u8; PAGE]>>,
}

impl Memory {
    /// The byte at `address`.
    pub fn peek(&self, address: u64) -> u8 {
        let page = self.pages.get(&(address / PAGE as u64));
        page.map_or(0, |page| page[(address % PAGE as u64) as usize])
    }

    /// Sets the byte at `address`.
    pub fn poke(&mut self, address: u64, byte: u8) {
        self.page(address)[(address % PAGE as u64) as usize] = byte;
    }

    /// `N` bytes from `address`, a multiple of `N`; `N` is a power of two.
    pub fn read<const N: usize>(&self, address: u64) -> [u8; N] {
        self.pages.get(&(address / PAGE as u64)).map_or([0; N], |page| {
            let start = (address % PAGE as u64) as usize;
            page[start..start + N].try_into().expect("aligned bytes are on one page")
        })
    }

    /// Writes those of 16 bytes from `address`, a multiple of 16, whose bit in `mask` is set.
    pub fn write(&mut self, address: u64, bytes: [u8; 16], mask: u16) {
        let page = self.page(address);
        let start = (address % PAGE as u64) as usize;
        for (i, byte) in bytes.into_iter().enumerate() {
            if mask >> i & 1 == 1 {
                page[start + i] = byte;
            }
        }
    }

    /// The pages written so far, with their addresses, in ascending order.
    pub fn pages(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.pages.iter().map(|(page, bytes)| (page * PAGE as u64, &bytes[..]))
    }

    fn page(&mut self, address: u64) -> &mut [u8; PAGE] {
        self.pages.entry(address / PAGE as u64).or_insert_with(|| Box::new([0; PAGE]))
    }
}
