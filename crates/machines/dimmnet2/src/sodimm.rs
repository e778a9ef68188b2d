//! A DDR SO-DIMM as the board sees it: bursts of 16 bytes, and pauses to refresh.

use cluster::host::Memory;
use cluster::{Duration, Time};
use dimmnet2::pins::MemoryOut;

/// Interval of refreshes: 64 ms for 8192 rows (JEDEC JESD79, tREFI).
pub const REFRESH_INTERVAL: Duration = Duration::from_ns(7_800);

/// Duration of a refresh (JEDEC JESD79, tRFC for up to 512 Mbit at DDR200).
pub const REFRESH: Duration = Duration::from_ns(75);

/// Cycles from a read command to its data (JEDEC JESD79, CAS latency 2 at DDR200).
const CAS_LATENCY: usize = 2;

/// Random cycles in which a module takes no command, for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stalls {
    /// Seed of the choice of cycles.
    pub seed: u64,
    /// Number of such cycles in 256.
    pub in_256: u8,
}

/// One module. Pages are allocated when they are written; the rest reads 0.
#[derive(Clone, Debug, Default)]
pub struct SoDimm {
    /// Bursts of the reads that were taken one and two cycles ago.
    reads: [u128; CAS_LATENCY],
    contents: Memory,
    stalls: Option<Stalls>,
}

impl SoDimm {
    /// Sets random pauses; whether a cycle pauses depends on the seed and the time alone.
    pub fn set_stalls(&mut self, stalls: Option<Stalls>) {
        self.stalls = stalls;
    }

    /// Whether the module takes a command in the cycle that begins at `cycle`.
    #[inline]
    pub fn ready(&self, cycle: Time) -> bool {
        let interval = REFRESH_INTERVAL.ps();
        // The first refresh begins a whole interval after power-up.
        let refreshing = cycle.ps() >= interval && cycle.ps() % interval < REFRESH.ps();
        let stalled = self.stalls.is_some_and(|s| (mix(s.seed ^ cycle.ps()) & 0xff) < u64::from(s.in_256));
        !refreshing && !stalled
    }

    /// The data pins in the present cycle; 0 without a burst.
    #[inline]
    pub fn rdata(&self) -> u128 {
        self.reads[CAS_LATENCY - 1]
    }

    /// One clock edge with the board's pins; a command is taken if the module was `ready`.
    #[inline]
    pub fn tick(&mut self, pins: &MemoryOut, ready: bool) {
        let read = if ready && pins.read { self.burst(pins.address) } else { 0 };
        self.reads = [read, self.reads[0]];
        if ready && pins.write {
            self.write(pins);
        }
    }

    fn burst(&self, address: u32) -> u128 {
        u128::from_le_bytes(self.contents.read(u64::from(address) * 16))
    }

    fn write(&mut self, pins: &MemoryOut) {
        self.contents.write(u64::from(pins.address) * 16, pins.wdata.to_le_bytes(), pins.byte_enable);
    }

    /// The byte at `address`. Takes no virtual time.
    pub fn peek(&self, address: u64) -> u8 {
        self.contents.peek(address)
    }

    /// Sets the byte at `address`. Takes no virtual time.
    pub fn poke(&mut self, address: u64, byte: u8) {
        self.contents.poke(address, byte);
    }

    /// The pages written so far in ascending order, with their addresses.
    pub fn pages(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.contents.pages()
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
        let write = MemoryOut { wdata, address: 0x101, byte_enable: 0x8003, write: true, read: false };
        module.tick(&write, true);
        module.tick(&MemoryOut { wdata: 0, byte_enable: 0xffff, ..write }, false);
        module.tick(&MemoryOut { wdata: 0, byte_enable: 0xffff, write: false, ..write }, true);
        let bytes: Vec<u8> = (0x1010..0x1020).map(|address| module.peek(address)).collect();
        assert_eq!(&bytes, b"01\0\0\0\0\0\0\0\0\0\0\0\0\0f");
        assert_eq!(module.peek(u64::from(u32::MAX) * 16), 0);
        assert_eq!(module.pages().map(|(address, _)| address).collect::<Vec<_>>(), [0x1000]);
    }

    #[test]
    fn highest_burst_address_is_a_place_of_its_own() {
        let mut module = SoDimm::default();
        let address = (1 << 29) - 1;
        let write = MemoryOut { wdata: 9, address, byte_enable: 1, write: true, read: false };
        module.tick(&write, true);
        assert_eq!(module.peek((8 << 30) - 16), 9);
        assert_eq!(module.peek(0), 0);
    }

    #[test]
    fn burst_read_is_on_the_pins_two_cycles_later_for_one_cycle() {
        let mut module = SoDimm::default();
        let write = MemoryOut { wdata: 7, address: 3, byte_enable: 0xffff, write: true, read: false };
        module.tick(&write, true);
        module.tick(&MemoryOut { wdata: 8, address: 4, ..write }, true);
        let read = |address| MemoryOut { address, read: true, ..MemoryOut::default() };
        let commands = [(read(3), true), (read(4), true), (read(4), false), (read(5), true), (read(3), true)];
        let data: Vec<_> = commands
            .into_iter()
            .chain([(MemoryOut::default(), true); 3])
            .map(|(pins, ready)| {
                let rdata = module.rdata();
                module.tick(&pins, ready);
                rdata
            })
            .collect();
        assert_eq!(data, [0, 0, 7, 8, 0, 0, 7, 0]);
        assert_eq!(module.pages().count(), 1, "reading an unwritten page does not make one");
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
