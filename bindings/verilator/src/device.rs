//! Devices with RTL. A single opaque C++ class serves all blocks: pins are passed as 64-bit words; registers
//! and memories are found by name when a block is opened and compared in C++. A clock edge therefore costs
//! two calls for any number of registers.

use cosim::{LogSlice, RtlSignal, Simulation, SimulationError, Watch};
use cxx::UniquePtr;
use hdl::Edges;

use crate::OpenError;
use crate::bridge::ffi;

/// A Verilated block or device after reset.
pub struct Device {
    device: UniquePtr<ffi::Device>,
    /// Words of a sample; C++ accesses samples up to this length without checks.
    sample_words: usize,
}

/// Opens a block from the library of the package `library`, after reset.
pub fn open(library: &str, block: &str) -> Result<Device, OpenError> {
    Ok(Device { device: ffi::open(library, block)?, sample_words: 0 })
}

impl Device {
    /// Overwrites a register of at most 64 bits, such as `u_child.name_q`, to inject a fault. Dependent logic
    /// is updated at once. A failing assertion without a clock is returned as an error.
    ///
    /// # Panics
    /// If the block has no such register, or the value is wider.
    pub fn flip(&mut self, register: &str, value: u64) -> Result<(), SimulationError> {
        let (scope, name) = register.rsplit_once('.').unwrap_or(("", register));
        let signals = self.device.signals();
        let found = signals.iter().position(|signal| signal.scope == scope && signal.name == name);
        let found = found.unwrap_or_else(|| panic!("there is no register {register}"));
        let width = signals[found].width;
        assert!(width <= 64 && (width == 64 || value >> width == 0), "{register} has {width} bits");
        self.device.pin_mut().flip(found as u32, &[value]).map_err(|stop| SimulationError(stop.what().into()))
    }
}

// SAFETY: a device owns everything it refers to, including its context, and sets the thread's context only
// during a call.
#[allow(unsafe_code)]
unsafe impl Send for ffi::Device {}

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
        self.device
            .pin_mut()
            .watch(clocks.bits().into(), &watches)
            .expect("watches name registers of this block");
    }

    fn reset(&mut self, edges: u32, pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.device.pin_mut().reset(edges, pins_o).map_err(|stop| SimulationError(stop.what().into()))
    }

    #[inline]
    fn step(&mut self, edges: Edges, pins_i: &[u64], pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.device
            .pin_mut()
            .step(edges.bits().into(), pins_i, pins_o)
            .map_err(|stop| SimulationError(stop.what().into()))
    }

    #[allow(unsafe_code)]
    fn expect(&mut self, sample: &[u64]) {
        assert!(sample.len() >= self.sample_words, "the sample is too short");
        // SAFETY: the sample holds all words up to the last watched one.
        unsafe { self.device.pin_mut().expect(sample) };
    }

    #[allow(unsafe_code)]
    fn expected(&self, sample: &mut [u64]) {
        assert!(sample.len() >= self.sample_words, "the sample is too short");
        // SAFETY: the sample holds all words up to the last watched one.
        unsafe { self.device.expected(sample) };
    }

    #[allow(unsafe_code)]
    fn follow(&mut self, instants: &LogSlice) -> Result<Option<usize>, (usize, SimulationError)> {
        let LogSlice { edges, pins_i, ends, places, values } = *instants;
        assert!(
            places.iter().all(|&place| (place as usize) < self.sample_words),
            "a change outside the sample"
        );
        assert!(ends.len() == edges.len() && ends.iter().all(|&end| end as usize <= places.len()));
        assert!(values.len() == places.len(), "a value per change");
        // SAFETY: guaranteed by the assertions above; unwatched words before the last watched one have place
        // 0.
        let followed = unsafe { self.device.pin_mut().follow(edges, pins_i, ends, places, values) };
        match followed {
            Ok(true) => Ok(None),
            Ok(false) => Ok(Some(self.device.followed())),
            Err(stop) => Err((self.device.followed(), SimulationError(stop.what().into()))),
        }
    }

    #[allow(unsafe_code)]
    fn gather(&self, sample: &mut [u64]) {
        assert!(sample.len() >= self.sample_words, "the sample is too short");
        // SAFETY: the sample holds all words up to the last watched one.
        unsafe { self.device.gather(sample) };
    }

    fn flip(&mut self, signal: usize, bit: u32) -> Result<(), SimulationError> {
        let found = &self.device.signals()[signal];
        assert!(bit < found.width, "{} has {} bits", found.name, found.width);
        let mut words = vec![0; hdl::words_for(found.width)];
        self.read(signal, &mut words);
        words[bit as usize / 64] ^= 1 << (bit % 64);
        let stop = |stop: cxx::Exception| SimulationError(stop.what().into());
        self.device.pin_mut().flip(signal as u32, &words).map_err(stop)
    }

    fn read(&self, signal: usize, words: &mut [u64]) {
        self.device.read(signal as u32, words).expect("the memory has this many words");
    }
}
