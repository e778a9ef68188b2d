//! What can go wrong, a sentence each.

use std::path::PathBuf;

/// Why a waveform file cannot be opened for writing.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The extension names no format.
    #[error("cannot tell the waveform format of {}: the name must end in .vcd or .fst", path.display())]
    UnknownExtension {
        /// The file asked for.
        path: PathBuf,
    },
    /// The operating system refuses the file.
    #[error("cannot create the waveform file {}: {source}", path.display())]
    Create {
        /// The file asked for.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The header could not be written.
    #[error("cannot write the header of the waveform file {}: {reason}", path.display())]
    Header {
        /// The file asked for.
        path: PathBuf,
        /// The writer's reason.
        reason: String,
    },
    /// The time unit cannot be expressed.
    #[error("a time unit of {0} ps is not possible: it must be a power of ten from 1 ps to 1 s")]
    Timescale(u64),
    /// A scope has a name that a file cannot hold.
    #[error("`{0}` is no name for a scope: it needs parts without spaces, joined by dots")]
    ScopeName(String),
    /// Two variables have the same path.
    #[error("two variables of the waveform have the same path `{0}`")]
    RepeatedPath(String),
}

/// Why a sample cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is no such scope.
    #[error("there is no scope {scope}: the recorder was created with {scopes}")]
    NoScope {
        /// Index asked for.
        scope: usize,
        /// Number of scopes.
        scopes: usize,
    },
    /// The sample is not one of this scope's signals.
    #[error("a sample of scope `{scope}` has {expected} words, not {found}")]
    SampleLength {
        /// Name of the scope.
        scope: String,
        /// Words of its signals.
        expected: usize,
        /// Words given.
        found: usize,
    },
    /// Time runs backwards.
    #[error("time runs backwards in the waveform: from {from} ps to {to} ps")]
    TimeBackwards {
        /// Time of the last record.
        from: u64,
        /// Time asked for.
        to: u64,
    },
    /// The time lies between two units of the file.
    #[error("{time} ps is not a multiple of the waveform's time unit of {timescale} ps")]
    TimeBetweenUnits {
        /// Time asked for.
        time: u64,
        /// The unit.
        timescale: u64,
    },
    /// The file cannot be written.
    #[error("cannot write to the waveform file {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What its writer says.
        reason: WriteError,
    },
}

/// Why the writer of a format gives up.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system refuses.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The FST writer gives up.
    #[error(transparent)]
    Fst(#[from] fst_writer::FstWriteError),
}
