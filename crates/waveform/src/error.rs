//! Errors of writing waveforms; each message is a sentence.

use std::path::PathBuf;

/// Error when creating a waveform file.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The extension is neither `.vcd` nor `.fst`.
    #[error("cannot tell the waveform format of {}: the name must end in .vcd or .fst", path.display())]
    UnknownExtension {
        /// The file asked for.
        path: PathBuf,
    },
    /// The operating system cannot create the file.
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
        /// Reason given by the format's writer.
        reason: String,
    },
    /// The time unit is not a power of ten from 1 ps to 1 s.
    #[error("a time unit of {0} ps is not possible: it must be a power of ten from 1 ps to 1 s")]
    Timescale(u64),
    /// A scope has an invalid name.
    #[error("`{0}` is no name for a scope: it needs parts without spaces, joined by dots")]
    ScopeName(String),
    /// Two variables have the same path.
    #[error("two variables of the waveform have the same path `{0}`")]
    RepeatedPath(String),
}

/// Error when recording a sample.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The recorder has no scope of this index.
    #[error("there is no scope {scope}: the recorder was created with {scopes}")]
    NoScope {
        /// Index asked for.
        scope: usize,
        /// Number of scopes.
        scopes: usize,
    },
    /// The sample has the wrong length for its scope.
    #[error("a sample of scope `{scope}` has {expected} words, not {found}")]
    SampleLength {
        /// Name of the scope.
        scope: String,
        /// Words of its signals.
        expected: usize,
        /// Words given.
        found: usize,
    },
    /// The time is earlier than that of the last record.
    #[error("time runs backwards in the waveform: from {from} ps to {to} ps")]
    TimeBackwards {
        /// Time of the last record.
        from: u64,
        /// Time asked for.
        to: u64,
    },
    /// The time is not a multiple of the file's unit.
    #[error("{time} ps is not a multiple of the waveform's time unit of {timescale} ps")]
    TimeBetweenUnits {
        /// Time asked for.
        time: u64,
        /// Unit of the file in picoseconds.
        timescale: u64,
    },
    /// The file cannot be written.
    #[error("cannot write to the waveform file {}: {reason}", path.display())]
    Write {
        /// Waveform file.
        path: PathBuf,
        /// Reason given by the format's writer.
        reason: WriteError,
    },
}

/// Error of the writer of a format.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system reports an error.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The FST writer reports an error.
    #[error(transparent)]
    Fst(#[from] fst_writer::FstWriteError),
}
