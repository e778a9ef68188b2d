//! A DDR SO-DIMM as the board sees it: bursts of 16 bytes, and pauses to refresh.

use std::collections::BTreeMap;

use dimmnet2::pins::MemoryOut;

use crate::{Duration, Time};

/// From one refresh to the next: 64 ms for 8192 rows (JEDEC JESD79, tREFI).
pub const REFRESH_INTERVAL: Duration = Duration::from_ns(7_800);

/// How long a refresh takes (JEDEC JESD79, tRFC for up to 512 Mbit at DDR200).
pub const REFRESH: Duration = Duration::from_ns(75);

const PAGE: usize = 4096;

/// Random cycles in which a module takes no command, for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stalls {
    /// Chooses the cycles.
    pub seed: u64,
    /// How many of 256 cycles.
    pub in_256: u8,
}

/// One module, filled page by page as it is written; the rest reads 0.
#[derive(Clone, Debug, Default)]
pub struct SoDimm {
    pages: BTreeMap<u64, Box<[u8; PAGE]>>,
    stalls: Option<Stalls>,
}

impl SoDimm {
    /// Lets the module pause at random; whether it does in a cycle depends on the seed and the time only.
    pub fn set_stalls(&mut self, stalls: Option<Stalls>) {
        self.stalls = stalls;
    }

    /// Whether the module takes a command in the cycle that begins at `cycle`.
    pub fn ready(&self, cycle: Time) -> bool {
        let interval = REFRESH_INTERVAL.ps();
        // The first refresh comes a whole interval after power-up.
        let refreshing = cycle.ps() >= interval && cycle.ps() % interval < REFRESH.ps();
        let stalled = self.stalls.is_some_and(|s| (mix(s.seed ^ cycle.ps()) & 0xff) < u64::from(s.in_256));
        !refreshing && !stalled
    }

    /// One clock edge with the board's pins; only in a cycle with `ready`.
    pub fn tick(&mut self, pins: &MemoryOut) {
        if !pins.write {
            return;
        }
        let address = u64::from(pins.address) * 16;
        let page = self.pages.entry(address / PAGE as u64).or_insert_with(|| Box::new([0; PAGE]));
        let start = (address % PAGE as u64) as usize;
        for (i, byte) in pins.wdata.to_le_bytes().into_iter().enumerate() {
            if pins.byte_enable >> i & 1 == 1 {
                page[start + i] = byte;
            }
        }
    }

    /// Looks at the byte at `address`, without taking time.
    pub fn peek(&self, address: u64) -> u8 {
        let page = self.pages.get(&(address / PAGE as u64));
        page.map_or(0, |page| page[(address % PAGE as u64) as usize])
    }

    /// The pages written so far in ascending order, with their addresses.
    pub fn pages(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.pages.iter().map(|(page, bytes)| (page * PAGE as u64, &bytes[..]))
    }
}

/// Spreads a number over 64 bits (the finalizer of SplitMix64).
fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn not_ready(module: &SoDimm, cycles: std::ops::Range<u64>) -> usize {
        cycles.filter(|cycle| !module.ready(Time::from_ps(cycle * 10_000))).count()
    }

    #[test]
    fn burst_writes_only_enabled_bytes() {
        let mut module = SoDimm::default();
        let wdata = u128::from_le_bytes(*b"0123456789abcdef");
        module.tick(&MemoryOut { wdata, address: 0x101, byte_enable: 0x8003, write: true });
        module.tick(&MemoryOut { wdata: 0, address: 0x101, byte_enable: 0xffff, write: false });
        let bytes: Vec<u8> = (0x1010..0x1020).map(|address| module.peek(address)).collect();
        assert_eq!(&bytes, b"01\0\0\0\0\0\0\0\0\0\0\0\0\0f");
        assert_eq!(module.peek(u64::from(u32::MAX) * 16), 0);
        assert_eq!(module.pages().map(|(address, _)| address).collect::<Vec<_>>(), [0x1000]);
    }

    #[test]
    fn highest_burst_address_is_a_place_of_its_own() {
        let mut module = SoDimm::default();
        module.tick(&MemoryOut { wdata: 9, address: (1 << 29) - 1, byte_enable: 1, write: true });
        assert_eq!(module.peek((8 << 30) - 16), 9);
        assert_eq!(module.peek(0), 0);
    }

    #[test]
    fn refresh_takes_8_cycles_every_780() {
        let module = SoDimm::default();
        assert_eq!(not_ready(&module, 0..780), 0);
        assert_eq!(not_ready(&module, 780..788), 8);
        assert_eq!(not_ready(&module, 0..7_800), 9 * 8);
    }

    #[test]
    fn stalls_depend_on_seed_and_time_only() {
        let stalled = |seed| {
            let mut module = SoDimm::default();
            module.set_stalls(Some(Stalls { seed, in_256: 64 }));
            (0..700).map(|cycle| module.ready(Time::from_ps(cycle * 10_000))).collect::<Vec<_>>()
        };
        assert_eq!(stalled(1), stalled(1));
        assert_ne!(stalled(1), stalled(2));
        let share = stalled(1).iter().filter(|ready| !**ready).count();
        assert!((100..250).contains(&share), "{share} of 700");
    }
}
