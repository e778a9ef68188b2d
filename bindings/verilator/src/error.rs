//! Errors of opening blocks.

/// Reason why a block cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The build has no RTL for this reason.
    #[error("the RTL was not built because {0}")]
    NotBuilt(&'static str),
    /// The library has no block with this name.
    #[error(transparent)]
    Refused(#[from] cxx::Exception),
}

impl OpenError {
    /// Verilator was missing at build time.
    pub const NO_VERILATOR: Self =
        Self::NotBuilt("Verilator is not installed; `ci/install` installs it, then build again");
}
