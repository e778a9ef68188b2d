//! Interface to the C++ declarations of `device.h`.

/// The cxx bridge.
// The Safety sections below exist, but cxx does not copy them to the generated functions.
#[allow(unsafe_code, clippy::missing_safety_doc)]
#[cxx::bridge(namespace = "verilator")]
pub mod ffi {
    /// A signal in the symbol table.
    struct Signal {
        /// Path of instances below the top module, joined by `.`; empty for the top module itself.
        scope: String,
        /// Name in the module.
        name: String,
        /// Width in bits, of an element for a memory.
        width: u32,
        /// Number of elements of a memory; 0 for a register or pin.
        depth: u32,
    }

    /// A watched signal and the index of its first word in a sample.
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

        /// Opens a block after reset; an error if the library has no such block.
        fn open(library: &str, block: &str) -> Result<UniquePtr<Device>>;

        /// Raises clocks at one instant.
        fn step(self: Pin<&mut Device>, edges: u32, pins_i: &[u64], pins_o: &mut [u64]) -> Result<()>;
        /// Raises all clocks `edges` times under reset.
        fn reset(self: Pin<&mut Device>, edges: u32, pins_o: &mut [u64]) -> Result<()>;
        /// All public signals.
        fn signals(&self) -> Vec<Signal>;
        /// Selects the signals that `follow` compares.
        fn watch(self: Pin<&mut Device>, clocks: u32, watches: &[Watch]) -> Result<()>;
        /// Sets the expected values of the watched signals.
        ///
        /// # Safety
        /// The sample must hold all watched words.
        unsafe fn expect(self: Pin<&mut Device>, sample: &[u64]);
        /// Reads the expected values of the watched signals.
        ///
        /// # Safety
        /// The sample must hold all watched words.
        unsafe fn expected(&self, sample: &mut [u64]);
        /// Replays instants. Returns false if it stopped after one with a mismatch of a watched signal.
        ///
        /// # Safety
        /// There is one end for each edge, no end exceeds the changes, there is one value for each place, and
        /// all places are watched words.
        unsafe fn follow(
            self: Pin<&mut Device>,
            edges: &[u8],
            pins_i: &[u64],
            ends: &[u32],
            places: &[u32],
            values: &[u64],
        ) -> Result<bool>;
        /// The instant at which `follow` stopped.
        fn followed(&self) -> usize;
        /// Reads the current values of all watched signals.
        ///
        /// # Safety
        /// The sample must hold all watched words.
        unsafe fn gather(&self, sample: &mut [u64]);
        /// Reads all elements of a memory.
        fn read(&self, signal: u32, words: &mut [u64]) -> Result<()>;
        /// Overwrites a register to inject a fault.
        fn flip(self: Pin<&mut Device>, signal: u32, words: &[u64]) -> Result<()>;
    }
}
