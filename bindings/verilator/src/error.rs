//! Why there is no device.

/// Why a block cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// This was built without RTL, and why.
    #[error("the RTL was not built because {0}")]
    NotBuilt(&'static str),
    /// The library has no block of that name.
    #[error(transparent)]
    Refused(#[from] cxx::Exception),
}

impl OpenError {
    /// Verilator was missing when this was built.
    pub const NO_VERILATOR: Self =
        Self::NotBuilt("Verilator is not installed; `ci/install` installs it, then build again");
}
