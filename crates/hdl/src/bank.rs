//! A bank of 64-bit words in two lanes of 32 bits, twin of `rtl/common/bank.sv`.

use crate::words::Words;
use crate::{Probe, Visitor};

/// A write to some bytes of a word of a [`Bank`] or a [`DualBank`](crate::DualBank).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankWrite {
    /// Bytes to write, bit 0 is bits 7:0 of the word; 0 writes nothing.
    pub byte_enable: u8,
    /// Word to write.
    pub address: usize,
    /// Data to write.
    pub wdata: u64,
}

impl BankWrite {
    /// The write with whole lanes of 32 bits: a lane is written if any of its bytes is enabled.
    #[inline(always)]
    fn lanes(self) -> Self {
        let low = if self.byte_enable & 0x0f != 0 { 0x0f } else { 0 };
        let high = if self.byte_enable & 0xf0 != 0 { 0xf0 } else { 0 };
        Self { byte_enable: low | high, ..self }
    }

    /// Writes the enabled bytes to `words`.
    #[inline(always)]
    pub(crate) fn apply<const DEPTH: usize>(&self, words: &mut Words<u64, DEPTH>) {
        if self.byte_enable != 0 {
            let mask = byte_mask(self.byte_enable);
            let word = words.at(self.address);
            *word = *word & !mask | self.wdata & mask;
        }
    }
}

/// Mask with all bits of the enabled bytes.
#[inline(always)]
pub fn byte_mask(byte_enable: u8) -> u64 {
    // Every byte gets a copy of the enables, of which byte i keeps bit i; then any set bit fills its byte.
    let kept = (u64::from(byte_enable) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let carried = (kept & 0x7f7f_7f7f_7f7f_7f7f) + 0x7f7f_7f7f_7f7f_7f7f;
    let set = (carried | kept) & 0x8080_8080_8080_8080;
    (set >> 7) * 0xff
}

/// A bank of `DEPTH` words with one write port and one registered read port. Reading and writing one word on
/// the same edge reads the old value. A block RAM has one write enable per port, so a lane of 32 bits is
/// written whole when any of its bytes is enabled (decision 0014).
#[derive(Clone, Debug)]
pub struct Bank<const DEPTH: usize> {
    words: Words<u64, DEPTH>,
    rdata: u64,
}

impl<const DEPTH: usize> Default for Bank<DEPTH> {
    fn default() -> Self {
        Self { words: Words::default(), rdata: 0 }
    }
}

impl<const DEPTH: usize> Bank<DEPTH> {
    /// The most recently read word.
    #[inline(always)]
    pub fn rdata(&self) -> u64 {
        self.rdata
    }

    /// One clock edge.
    #[inline(always)]
    pub fn tick(&mut self, read: Option<usize>, write: BankWrite) {
        if let Some(address) = read {
            self.rdata = self.words.get(address);
        }
        if write.byte_enable != 0 {
            write.lanes().apply(&mut self.words);
        }
    }

    /// A clock edge during reset: clears the read register, keeps the contents.
    pub fn reset(&mut self) {
        self.rdata = 0;
    }

    /// The contents, for observers outside the device.
    pub fn words(&self) -> Vec<u64> {
        self.words.all()
    }
}

impl<const DEPTH: usize> Probe for Bank<DEPTH> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("rdata", 64, self.rdata);
        visitor.memory(DEPTH, self.words.written());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_mask_fills_each_enabled_byte() {
        for byte_enable in 0..=255u8 {
            let bytes = std::array::from_fn(|i| if byte_enable >> i & 1 == 1 { 0xff } else { 0 });
            assert_eq!(byte_mask(byte_enable), u64::from_le_bytes(bytes), "{byte_enable:#b}");
        }
    }

    #[test]
    fn write_reaches_only_the_lanes_of_enabled_bytes() {
        let mut bank = Bank::<16>::default();
        let write = |byte_enable, wdata| BankWrite { byte_enable, address: 3, wdata };
        bank.tick(None, write(0xff, 0x1111_2222_3333_4444));
        bank.tick(None, write(0xf0, 0xaaaa_bbbb_cccc_dddd));
        bank.tick(None, write(0x00, 0xffff_ffff_ffff_ffff));
        assert_eq!(bank.words()[3], 0xaaaa_bbbb_3333_4444);
        bank.tick(None, write(0x02, 0xeeee_eeee_5555_6666));
        assert_eq!(bank.words()[3], 0xaaaa_bbbb_5555_6666);
    }

    #[test]
    fn read_of_a_word_being_written_returns_the_old_word() {
        let mut bank = Bank::<16>::default();
        bank.tick(None, BankWrite { byte_enable: 0xff, address: 3, wdata: 1 });
        bank.tick(Some(3), BankWrite { byte_enable: 0xff, address: 3, wdata: 2 });
        assert_eq!(bank.rdata(), 1);
        bank.tick(None, BankWrite { byte_enable: 0xff, address: 3, wdata: 3 });
        assert_eq!(bank.rdata(), 1);
        bank.tick(Some(3), BankWrite::default());
        assert_eq!(bank.rdata(), 3);
        bank.reset();
        assert_eq!((bank.rdata(), bank.words()[3]), (0, 3));
    }
}
