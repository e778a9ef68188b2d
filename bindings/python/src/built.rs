//! A machine whose RTL can be opened.

use machine_api::Subject;

/// A machine of this build.
pub trait Built: Subject {
    /// Opens the RTL of its device after reset.
    #[cfg(feature = "rtl")]
    fn rtl() -> Result<Box<dyn cosim::Simulation>, String>;
}
