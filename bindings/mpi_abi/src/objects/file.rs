//! Open files of a rank and the views of them.

use std::fs;
use std::sync::Arc;

use super::{SharedPointer, Tiling, Type};
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// An open file. Clones share the file of the host.
#[derive(Clone, Debug)]
pub struct OpenFile {
    /// Number of the file's own communicator at the simulator.
    pub communicator: u32,
    /// Processes that have opened the file, by their ranks in `MPI_COMM_WORLD`.
    pub processes: Arc<[u32]>,
    /// Rank of this process.
    pub rank: usize,
    /// Name that the program gave.
    pub name: Arc<str>,
    /// Descriptor at the operating system, of this rank alone.
    pub host: Arc<fs::File>,
    /// Access mode.
    pub mode: c_int,
    /// The view of this process.
    pub view: Arc<View>,
    /// Individual file pointer, in etypes.
    pub position: MPI_Offset,
    /// Shared file pointer, or the reason why there is none.
    pub shared: Outcome<Arc<SharedPointer>>,
    /// Set by `MPI_File_set_atomicity`.
    pub atomic: bool,
    /// The split collective call that has begun.
    pub split: Option<SplitCall>,
    /// Hints in use: keys and values.
    pub hints: Vec<(String, String)>,
    /// Error handler.
    pub handler: MPI_Errhandler,
}

/// A split collective call that has begun: its end is a call of the same kind (MPI 5.0, section 14.4.5).
#[derive(Clone, Debug)]
pub struct SplitCall {
    /// Name of the function that ends the call.
    pub end: &'static str,
    /// Status of the data access, or its error.
    pub outcome: Outcome<MPI_Status>,
}

impl OpenFile {
    /// Whether the access mode contains this bit.
    pub fn has(&self, mode: c_int) -> bool {
        self.mode & mode != 0
    }

    /// Refuses a call that files in sequential mode do not allow.
    pub fn check_random_access(&self) -> Outcome {
        match self.has(MPI_MODE_SEQUENTIAL) {
            true => Err(Fault::new(
                MPI_ERR_UNSUPPORTED_OPERATION,
                "the file is open with MPI_MODE_SEQUENTIAL, which allows shared file pointers only",
            )),
            false => Ok(()),
        }
    }

    /// Refuses to write a file that is open for reading.
    pub fn check_writable(&self) -> Outcome {
        match self.has(MPI_MODE_RDONLY) {
            true => Err(Fault::new(MPI_ERR_READ_ONLY, "the file is open with MPI_MODE_RDONLY")),
            false => Ok(()),
        }
    }

    /// Refuses to read a file that is open for writing.
    pub fn check_readable(&self) -> Outcome {
        match self.has(MPI_MODE_WRONLY) {
            true => Err(Fault::new(MPI_ERR_ACCESS, "the file is open with MPI_MODE_WRONLY")),
            false => Ok(()),
        }
    }

    /// Refuses a call while a split collective call goes on.
    pub fn check_no_split(&self) -> Outcome {
        match &self.split {
            Some(split) => {
                let why = format!("a split collective call has begun, which {} ends", split.end);
                Err(Fault::new(MPI_ERR_IO, why))
            }
            None => Ok(()),
        }
    }

    /// The shared file pointer.
    pub fn shared(&self) -> Outcome<&SharedPointer> {
        self.shared.as_deref().map_err(Fault::clone)
    }
}

/// The data of a file that a process sees (MPI 5.0, section 14.3).
#[derive(Clone, Debug)]
pub struct View {
    /// Bytes of the file before the view.
    pub displacement: MPI_Offset,
    /// Unit of offsets.
    pub etype: Type,
    /// Bytes of an etype in the file.
    pub unit: u64,
    /// Template of the accessible data.
    pub filetype: Type,
    /// Places of the filetype's data.
    pub tiling: Tiling,
    /// Name of the data representation.
    pub representation: Arc<str>,
}

impl View {
    /// Whether values in the file have the representation `external32`.
    pub fn is_external(&self) -> bool {
        &*self.representation == "external32"
    }

    /// Byte of the view's data at an offset in etypes.
    pub fn index(&self, offset: MPI_Offset) -> Outcome<u64> {
        let Ok(offset) = u64::try_from(offset) else {
            return Err(Fault::new(MPI_ERR_ARG, format!("an offset of {offset} is below zero")));
        };
        let large = || Fault::new(MPI_ERR_ARG, format!("an offset of {offset} is beyond any file"));
        offset.checked_mul(self.unit).ok_or_else(large)
    }

    /// Offset in the file, in bytes, of an offset in etypes.
    pub fn byte_offset(&self, offset: MPI_Offset) -> Outcome<MPI_Offset> {
        let found = self.tiling.offset(self.index(offset)?).and_then(|at| at.checked_add(self.displacement));
        found.ok_or_else(|| Fault::new(MPI_ERR_ARG, format!("an offset of {offset} is beyond any file")))
    }

    /// Etypes of `bytes` of data in the file, which are a whole number.
    pub fn etypes(&self, bytes: u64) -> Outcome<MPI_Offset> {
        match bytes.checked_rem(self.unit) {
            Some(0) => Ok((bytes / self.unit) as MPI_Offset),
            None if bytes == 0 => Ok(0),
            _ => Err(Fault::new(
                MPI_ERR_IO,
                format!("{bytes} bytes are no whole number of etypes, which have {} bytes", self.unit),
            )),
        }
    }

    /// End of a file of `size` bytes, in etypes; a part of an etype counts as one.
    pub fn end(&self, size: u64) -> MPI_Offset {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let data = self.tiling.data_below((size - self.displacement).max(0));
        data.div_ceil(self.unit.max(1)) as MPI_Offset
    }
}
