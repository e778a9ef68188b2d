//! A Verilated block or device, driven through its packed ports.
//!
//! One opaque C++ class serves every block: pins cross as 64-bit words, registers and memories are found
//! by name when a block is opened and compared inside C++, so that a clock edge costs two calls however
//! many registers there are.
//!
//! This crate implements [`cosim::Simulation`], not the other way round: so `cosim` can be built and tested
//! where Verilator is not installed.

use cosim::{RtlSignal, Simulation, SimulationError, Watch};
use cxx::UniquePtr;
use hdl::Edges;

/// The boundary to C++; crates of devices name `ffi::Device` in their own bridge.
// The Safety sections below are there, but cxx does not carry them to the functions it makes.
#[allow(unsafe_code, clippy::missing_safety_doc)]
#[cxx::bridge(namespace = "verilator")]
pub mod ffi {
    /// A signal in the symbol table.
    struct Signal {
        /// Path of instances below the top module, joined by `.`; empty for the top module itself.
        scope: String,
        /// Name in the module.
        name: String,
        /// Width in bits, of one element if it is a memory.
        width: u32,
        /// Elements of a memory; 0 if it is not one.
        depth: u32,
    }

    /// A signal and where its first word is in a sample.
    struct Watch {
        /// Index in the list of signals.
        signal: u32,
        /// Index in the sample.
        word: u32,
    }

    unsafe extern "C++" {
        include!("verilator/src/device.h");

        /// A Verilated block.
        type Device;

        /// One instant at which clocks rise.
        fn step(self: Pin<&mut Device>, edges: u32, pins_i: &[u64], pins_o: &mut [u64]) -> Result<()>;
        /// Clock edges under reset.
        fn reset(self: Pin<&mut Device>, edges: u32, pins_o: &mut [u64]) -> Result<()>;
        /// All public signals.
        fn signals(&self) -> Vec<Signal>;
        /// Chooses what `differs` compares.
        fn watch(self: Pin<&mut Device>, clocks: u32, watches: &[Watch]) -> Result<()>;
        /// Word of the first difference in the signals of the clocks that rise, or -1.
        ///
        /// # Safety
        /// The sample must hold all watched words.
        unsafe fn differs(&self, edges: u32, sample: &[u64]) -> i64;
        /// Present values of all watched signals.
        ///
        /// # Safety
        /// The sample must hold all watched words of all groups.
        unsafe fn gather(&self, sample: &mut [u64]);
        /// All elements of a memory.
        fn read(&self, signal: u32, words: &mut [u64]) -> Result<()>;
    }

    impl UniquePtr<Device> {}
}

/// A Verilated block or device after reset.
pub struct Device {
    device: UniquePtr<ffi::Device>,
    /// Words of the watched signals; C++ reads and writes samples up to here without further checks.
    sample_words: usize,
}

impl Device {
    /// Takes over what a device's bridge has opened.
    pub fn new(device: UniquePtr<ffi::Device>) -> Self {
        Self { device, sample_words: 0 }
    }
}

/// Bit 0 the core clock, bit 1 the network clock.
fn bits(edges: Edges) -> u32 {
    edges.core as u32 | (edges.network as u32) << 1
}

impl Simulation for Device {
    fn signals(&self) -> Vec<RtlSignal> {
        let signal =
            |s: ffi::Signal| RtlSignal { scope: s.scope, name: s.name, width: s.width, depth: s.depth };
        self.device.signals().into_iter().map(signal).collect()
    }

    fn watch(&mut self, clocks: Edges, watches: &[Watch]) {
        let signals = self.device.signals();
        for watch in watches {
            let end = watch.word + hdl::words_for(signals[watch.signal].width);
            self.sample_words = self.sample_words.max(end);
        }
        let watches: Vec<_> = watches
            .iter()
            .map(|watch| ffi::Watch { signal: watch.signal as u32, word: watch.word as u32 })
            .collect();
        self.device.pin_mut().watch(bits(clocks), &watches).expect("watches name registers of this block");
    }

    fn reset(&mut self, edges: u32, pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.device.pin_mut().reset(edges, pins_o).map_err(|stop| SimulationError(stop.what().into()))
    }

    #[inline]
    fn step(&mut self, edges: Edges, pins_i: &[u64], pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.device
            .pin_mut()
            .step(bits(edges), pins_i, pins_o)
            .map_err(|stop| SimulationError(stop.what().into()))
    }

    #[inline]
    #[allow(unsafe_code)]
    fn differs(&self, edges: Edges, sample: &[u64]) -> Option<usize> {
        assert!(sample.len() >= self.sample_words, "the sample is too short");
        // SAFETY: the sample holds all words up to the last watched one, and it is only read.
        let word = unsafe { self.device.differs(bits(edges), sample) };
        usize::try_from(word).ok()
    }

    #[allow(unsafe_code)]
    fn gather(&self, sample: &mut [u64]) {
        assert!(sample.len() >= self.sample_words, "the sample is too short");
        // SAFETY: the sample holds all words up to the last watched one.
        unsafe { self.device.gather(sample) };
    }

    fn read(&self, signal: usize, words: &mut [u64]) {
        self.device.read(signal as u32, words).expect("the memory has this many words");
    }
}
