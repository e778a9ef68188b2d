//! Transfer of data between memory and a file, both with gaps.

use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;

use super::collective::let_others_run;
use super::{host, representation};
use crate::arguments::Memory;
use crate::calls::external;
use crate::fault::{Fault, Outcome};
use crate::objects::{OpenFile, Pieces, Type, fault};
use crate::types::*;

/// Most bytes that are copied between memory and a file at a time.
const CHUNK: usize = 4 << 20;

/// Direction of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write,
}

/// Elements of the program.
pub(super) struct Buffer {
    /// Address.
    pub memory: Memory,
    /// Number of elements.
    pub count: usize,
    /// Datatype of the elements.
    pub kind: Type,
}

impl Buffer {
    /// Etypes of a file that the elements have.
    pub fn etypes(&self, file: &OpenFile) -> Outcome<MPI_Offset> {
        file.view.etypes(self.bytes(file)?)
    }

    /// Bytes of a file that the elements have.
    fn bytes(&self, file: &OpenFile) -> Outcome<u64> {
        representation::bytes(&self.kind, self.count, file.view.is_external())
    }
}

/// Transfers data and returns the status of the access.
pub(super) fn run(
    direction: Direction,
    file: &OpenFile,
    offset: MPI_Offset,
    buffer: &Buffer,
) -> Outcome<MPI_Status> {
    let bytes = match direction {
        Direction::Write => write(file, offset, buffer)?,
        Direction::Read => read(file, offset, buffer)?,
    };
    if direction == Direction::Read && (file.atomic || bytes < buffer.kind.bytes(buffer.count)? as u64) {
        // The program may wait for data that another rank writes.
        let_others_run(file)?;
    }
    let mut status = MPI_Status::EMPTY;
    status.set_bytes(bytes);
    Ok(status)
}

/// Writes elements at an offset in etypes. Returns the bytes of memory that were written.
fn write(file: &OpenFile, offset: MPI_Offset, buffer: &Buffer) -> Outcome<u64> {
    let bytes = buffer.bytes(file)?;
    let pieces = file.view.tiling.pieces(file.view.displacement, file.view.index(offset)?, bytes)?;
    // A filetype without data leaves no place to write to.
    if bytes == 0 || file.view.tiling.size() == 0 {
        return Ok(0);
    }
    let &Buffer { memory, count, ref kind } = buffer;
    kind.check(memory, count)?;
    let mut output = Output { file, pieces, pending: Vec::new(), outcome: Ok(()) };
    if file.view.is_external() {
        output.pending = external::convert_to(kind, memory, count)?;
    } else {
        kind.layout.runs(count as u64, |at, length| output.take(memory, at, length)).map_err(fault)?;
    }
    output.flush();
    let failed = |error| host::fault("write", &file.name, &error);
    output.outcome.map(|()| count as u64 * kind.layout.size()).map_err(failed)
}

/// Reads elements from an offset in etypes. Returns the bytes of memory that were read: fewer at the end of the
/// file.
fn read(file: &OpenFile, offset: MPI_Offset, buffer: &Buffer) -> Outcome<u64> {
    let bytes = buffer.bytes(file)?;
    let pieces = file.view.tiling.pieces(file.view.displacement, file.view.index(offset)?, bytes)?;
    if bytes == 0 {
        return Ok(0);
    }
    let &Buffer { memory, count, ref kind } = buffer;
    kind.check(memory, count)?;
    let mut input = Input { file, pieces, read: Vec::new(), taken: 0, over: false, outcome: Ok(()) };
    if file.view.is_external() {
        let packed = input.all(bytes)?;
        return external::convert_from(kind, memory, count, &packed);
    }
    let (mut behind, mut ascends, mut given) = (i64::MIN, true, 0);
    let give = |at: i64, length: usize| {
        ascends &= at >= behind;
        behind = at.saturating_add(length as i64);
        given += input.give(memory, at, length);
    };
    kind.layout.runs(count as u64, give).map_err(fault)?;
    if !ascends {
        kind.check_overlap(count)?;
    }
    input.outcome.map(|()| given).map_err(|error| host::fault("read", &file.name, &error))
}

/// Data in flight to a file.
struct Output<'a> {
    file: &'a OpenFile,
    pieces: Pieces<'a>,
    pending: Vec<u8>,
    outcome: io::Result<()>,
}

impl Output<'_> {
    /// Takes a run of memory.
    fn take(&mut self, memory: Memory, mut at: i64, mut length: usize) {
        while length > 0 && self.outcome.is_ok() {
            let some = length.min(CHUNK - self.pending.len());
            memory.read(at, some, &mut self.pending);
            (at, length) = (at + some as i64, length - some);
            if self.pending.len() == CHUNK {
                self.flush();
            }
        }
    }

    /// Writes what is pending.
    fn flush(&mut self) {
        let mut rest = &self.pending[..];
        while let (Ok(()), Some((at, length))) = (&self.outcome, self.pieces.take(rest.len() as u64)) {
            let (piece, behind) = rest.split_at(length as usize);
            self.outcome = self.file.host.write_all_at(piece, at);
            rest = behind;
        }
        self.pending.clear();
    }
}

/// Data in flight from a file.
struct Input<'a> {
    file: &'a OpenFile,
    pieces: Pieces<'a>,
    read: Vec<u8>,
    /// Bytes of `read` that the program has.
    taken: usize,
    /// No more data comes: the pieces or the file have ended, or reading has failed.
    over: bool,
    outcome: io::Result<()>,
}

impl Input<'_> {
    /// Fills a run of memory. Returns its bytes that were filled.
    fn give(&mut self, memory: Memory, at: i64, length: usize) -> u64 {
        let mut given = 0;
        while given < length {
            if self.taken == self.read.len() && !self.refill(CHUNK) {
                break;
            }
            let rest = &self.read[self.taken..];
            let some = rest.len().min(length - given);
            memory.write(at + given as i64, &rest[..some]);
            (self.taken, given) = (self.taken + some, given + some);
        }
        given as u64
    }

    /// All data of the access.
    fn all(&mut self, bytes: u64) -> Outcome<Vec<u8>> {
        let mut all = Vec::new();
        let room = usize::try_from(bytes).ok().and_then(|bytes| all.try_reserve(bytes).ok());
        room.ok_or_else(|| Fault::new(MPI_ERR_NO_MEM, "there is no memory for the data to convert"))?;
        while self.refill(CHUNK) {
            all.append(&mut self.read);
        }
        match &self.outcome {
            Ok(()) => Ok(all),
            Err(error) => Err(host::fault("read", &self.file.name, error)),
        }
    }

    /// Reads the next bytes, at most `most`. False if none come any more.
    fn refill(&mut self, most: usize) -> bool {
        (self.taken, self.over) = (0, self.over || self.outcome.is_err());
        self.read.clear();
        while !self.over && self.read.len() < most {
            let Some((at, length)) = self.pieces.take((most - self.read.len()) as u64) else {
                self.over = true;
                break;
            };
            let begin = self.read.len();
            self.read.resize(begin + length as usize, 0);
            let found = fill(self.file, at, &mut self.read[begin..]);
            let (found, outcome) = found.map_or_else(|error| (0, Err(error)), |found| (found, Ok(())));
            self.read.truncate(begin + found);
            self.over = outcome.is_err() || (found as u64) < length;
            self.outcome = outcome;
        }
        !self.read.is_empty()
    }
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &OpenFile, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut found = 0;
    while found < buffer.len() {
        match file.host.read_at(&mut buffer[found..], at + found as u64) {
            Ok(0) => break,
            Ok(some) => found += some,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
