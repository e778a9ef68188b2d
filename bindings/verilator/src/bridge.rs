//! The boundary to C++: what `device.h` declares.

/// The boundary itself.
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

        /// Opens a block of a library.
        fn open(library: &str, block: &str) -> Result<UniquePtr<Device>>;

        /// One instant at which clocks rise.
        fn step(self: Pin<&mut Device>, edges: u32, pins_i: &[u64], pins_o: &mut [u64]) -> Result<()>;
        /// Clock edges under reset.
        fn reset(self: Pin<&mut Device>, edges: u32, pins_o: &mut [u64]) -> Result<()>;
        /// All public signals.
        fn signals(&self) -> Vec<Signal>;
        /// Chooses what `follow` compares.
        fn watch(self: Pin<&mut Device>, clocks: u32, watches: &[Watch]) -> Result<()>;
        /// Says what the watched signals are to hold.
        ///
        /// # Safety
        /// The sample must hold all watched words.
        unsafe fn expect(self: Pin<&mut Device>, sample: &[u64]);
        /// What the watched signals are to hold.
        ///
        /// # Safety
        /// The sample must hold all watched words.
        unsafe fn expected(&self, sample: &mut [u64]);
        /// Goes through instants; false if it ended after one after which a watched signal is not as expected.
        ///
        /// # Safety
        /// There is an end per edge, none beyond the changes, and a value per place; all places are watched words.
        unsafe fn follow(
            self: Pin<&mut Device>,
            edges: &[u8],
            pins_i: &[u64],
            ends: &[u32],
            places: &[u32],
            values: &[u64],
        ) -> Result<bool>;
        /// The instant at which `follow` ended early.
        fn followed(&self) -> usize;
        /// Present values of all watched signals.
        ///
        /// # Safety
        /// The sample must hold all watched words.
        unsafe fn gather(&self, sample: &mut [u64]);
        /// All elements of a memory.
        fn read(&self, signal: u32, words: &mut [u64]) -> Result<()>;
        /// Puts a value into a register behind the back of the RTL.
        fn flip(self: Pin<&mut Device>, signal: u32, words: &[u64]) -> Result<()>;
    }
}
