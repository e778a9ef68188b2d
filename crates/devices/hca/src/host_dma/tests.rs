//! Transfers of any alignment, in both directions.

use super::*;
use crate::hca::PACKET_WORDS;

/// A page near the end of the address space.
const PAGE: u32 = 0xffff_e000;

/// Host memory and packet memory with a host DMA between them.
struct Sides {
    host: [u8; 0x1000],
    packet: [u8; 8 * PACKET_WORDS],
    /// Addresses of the words that crossed the bus.
    bus: Vec<u32>,
    /// Words of the packet that were read before the first bus transfer.
    ahead: u16,
}

impl Sides {
    fn new() -> Self {
        Sides { host: [0; 0x1000], packet: [0; 8 * PACKET_WORDS], bus: Vec::new(), ahead: 0 }
    }

    /// Runs a transfer; the bus takes a word in every third cycle, or in every one.
    fn run(&mut self, transfer: Transfer, slow: bool) {
        let mut dma = HostDma::default();
        let mut memory_rdata = 0;
        dma.tick(&In { transfer, start: true, ..In::default() });
        for cycle in 0.. {
            let out = dma.outputs();
            let at = (out.address.wrapping_sub(PAGE)) as usize;
            let ready = out.transfer && (!slow || cycle % 3 == 2);
            let rdata = if ready { word(&self.host[at..]) } else { 0 };
            if ready {
                self.bus.push(out.address);
                if out.write {
                    put(&mut self.host[at..], out.wdata, out.byte_enable);
                }
            }
            if out.memory_write {
                put(&mut self.packet[8 * usize::from(out.write_address)..], out.wdata, out.byte_enable);
            }
            if out.done {
                return;
            }
            self.ahead += u16::from(dma.state == State::Fetch);
            let read = out.memory_read || out.memory_next && ready;
            dma.tick(&In { grant: out.request, ready, rdata, memory_rdata, ..In::default() });
            if read {
                memory_rdata = word(&self.packet[8 * usize::from(out.read_address)..]);
            }
        }
    }
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
}

fn put(bytes: &mut [u8], word: u64, byte_enable: u8) {
    for (i, byte) in word.to_le_bytes().into_iter().enumerate().filter(|(i, _)| byte_enable >> i & 1 == 1) {
        bytes[i] = byte;
    }
}

/// Transfers of all alignments on both sides, and of many lengths.
fn transfers(to_host: bool) -> impl Iterator<Item = Transfer> {
    let lengths = (1..=20).chain([63, 64, 65, 100]);
    lengths.flat_map(move |bytes| {
        (0..64).map(move |lanes| Transfer {
            address: PAGE + 0x100 + lanes % 8,
            offset: 0x200 + lanes as u16 / 8,
            bytes,
            to_host,
        })
    })
}

/// All transfers in one direction: of counting bytes, on a fast and a slow bus, and of bytes that are all
/// ones.
fn cases(to_host: bool) -> impl Iterator<Item = (Transfer, fn(usize) -> u8, bool)> {
    let counting: fn(usize) -> u8 = |at| at as u8;
    let patterns = [(counting, false), (counting, true), (|_| 0xff, true)];
    transfers(to_host).flat_map(move |transfer| patterns.map(|(pattern, slow)| (transfer, pattern, slow)))
}

/// Each word of the bus that holds a byte of the transfer, once and in order.
fn words(transfer: Transfer) -> Vec<u32> {
    let first = transfer.address & !7;
    (first..transfer.address + u32::from(transfer.bytes)).step_by(8).collect()
}

#[test]
fn bytes_read_fill_the_packet_and_each_word_is_read_once() {
    for (transfer, pattern, slow) in cases(false) {
        let mut sides = Sides::new();
        (0..sides.host.len()).for_each(|at| sides.host[at] = pattern(at));
        sides.run(transfer, slow);
        let (from, to) = ((transfer.address - PAGE) as usize, usize::from(transfer.offset));
        let length = usize::from(transfer.bytes);
        assert_eq!(sides.packet[to..to + length], sides.host[from..from + length], "{transfer:?}");
        let behind = (to + length).next_multiple_of(8) - to;
        assert!(sides.packet[to + length..to + behind].iter().all(|&byte| byte == 0), "{transfer:?}");
        assert_eq!(sides.bus, words(transfer), "{transfer:?}");
    }
}

#[test]
fn put_bytes_come_into_host_memory_and_nothing_else_is_touched() {
    for (transfer, pattern, slow) in cases(true) {
        let mut sides = Sides::new();
        (0..sides.packet.len()).for_each(|at| sides.packet[at] = pattern(at));
        sides.run(transfer, slow);
        let (from, to) = (usize::from(transfer.offset), (transfer.address - PAGE) as usize);
        let mut expected = [0; 0x1000];
        expected[to..]
            .iter_mut()
            .zip(&sides.packet[from..])
            .take(transfer.bytes.into())
            .for_each(|(byte, &sent)| *byte = sent);
        assert!(sides.host == expected, "{transfer:?}");
        assert_eq!(sides.bus, words(transfer), "{transfer:?}");
        // As many words as the first bus word has bytes of.
        let first = transfer.bytes.min(8 - transfer.address as u16 % 8);
        assert_eq!(sides.ahead, (transfer.offset % 8 + first).div_ceil(8), "{transfer:?}");
    }
}
