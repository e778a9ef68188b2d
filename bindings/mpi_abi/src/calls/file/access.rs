//! Data access (MPI 5.0, section 14.4): all functions that read or write, by the ways to give an offset and to
//! coordinate ranks.

use super::collective::{let_others_run, synchronize};
use super::transfer::{self, Buffer, Direction};
use super::{change, on_file, ordered, position};
use crate::arguments::{Memory, Number, Out};
use crate::calls::status;
use crate::calls::tolerance::elements;
use crate::fault::{Fault, Outcome};
use crate::objects::{Destination, Ending, OpenFile, Progress, Request, RequestKind, SplitCall, within};
use crate::types::*;

/// Offset of an access, in etypes.
#[derive(Clone, Copy)]
enum Place {
    Explicit(MPI_Offset),
    Individual,
    Shared,
    /// The shared file pointer, in the order of ranks.
    Ordered,
}

/// Arguments of an access.
#[derive(Clone, Copy)]
struct Access {
    direction: Direction,
    place: Place,
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
}

impl Access {
    /// Checks the arguments.
    fn check(&self, file: &OpenFile) -> Outcome<Buffer> {
        if matches!(self.place, Place::Explicit(_) | Place::Individual) {
            file.check_random_access()?;
        }
        match self.direction {
            Direction::Read => file.check_readable()?,
            Direction::Write => file.check_writable()?,
        }
        if let Place::Explicit(offset) = self.place {
            file.view.index(offset)?;
        }
        let (count, kind) = elements(self.count, self.kind)?;
        Ok(Buffer { memory: self.memory, count, kind })
    }

    /// Carries out an access of this rank alone.
    fn run(&self, fh: MPI_File, file: &OpenFile) -> Outcome<MPI_Status> {
        let buffer = self.check(file)?;
        let etypes = buffer.etypes(file)?;
        let behind = |offset: MPI_Offset| {
            let behind = offset.checked_add(etypes);
            behind.ok_or_else(|| Fault::new(MPI_ERR_ARG, "the file pointer is beyond any file"))
        };
        match self.place {
            Place::Explicit(offset) => transfer::run(self.direction, file, offset, &buffer),
            Place::Individual => {
                let behind = behind(file.position)?;
                let status = transfer::run(self.direction, file, file.position, &buffer)?;
                change(fh, |file| file.position = behind)?;
                Ok(status)
            }
            Place::Shared | Place::Ordered => {
                let_others_run(file)?;
                let offset = position::shared(file)?;
                position::set_shared(file, behind(offset)?)?;
                transfer::run(self.direction, file, offset, &buffer)
            }
        }
    }

    /// Carries out an access in all ranks. A rank with wrong arguments takes part, so that no other waits.
    fn run_together(&self, fh: MPI_File, file: &OpenFile, waits: bool) -> Outcome<MPI_Status> {
        let allowed = file.check_no_split();
        let status = match self.place {
            Place::Ordered => ordered::run(self.direction, file, allowed.and_then(|()| self.check(file))),
            _ => allowed.and_then(|()| self.run(fh, file)),
        };
        let synchronized = if waits { synchronize(file) } else { Ok(()) };
        synchronized.and(status)
    }
}

/// A blocking access of one rank.
fn now(fh: MPI_File, access: Access, to: Out<MPI_Status>) -> Outcome {
    on_file(fh, |file| {
        status::offer(to, access.run(fh, &file)?);
        Ok(())
    })
}

/// A blocking access of all ranks.
fn together(fh: MPI_File, access: Access, to: Out<MPI_Status>) -> Outcome {
    on_file(fh, |file| {
        status::offer(to, access.run_together(fh, &file, true)?);
        Ok(())
    })
}

/// A non-blocking access, of one rank or of all, which need not wait for each other.
fn later(fh: MPI_File, access: Access, request: Out<MPI_Request>) -> Outcome {
    on_file(fh, |file| {
        let ending = Ending { status: access.run(fh, &file)?, outcome: Ok(()) };
        let (progress, kind) = (Progress::Placed(Box::new(ending)), RequestKind::Receive);
        let complete = Request::begun(progress, Destination::default(), kind, MPI_COMM_SELF);
        request.set(within(|objects| Ok(objects.add_request(complete)))?)
    })
}

/// Begins a split collective access.
fn begin(fh: MPI_File, access: Access, end: &'static str) -> Outcome {
    on_file(fh, |file| {
        let outcome = access.run_together(fh, &file, false);
        // Wrong arguments are faults of this call; the ranks end it together all the same.
        let result = outcome.as_ref().map(|_| ()).map_err(Fault::clone);
        if file.split.is_none() {
            change(fh, |file| file.split = result.is_ok().then_some(SplitCall { end, outcome }))?;
        }
        result
    })
}

/// Ends a split collective access.
fn end(fh: MPI_File, name: &'static str, to: Out<MPI_Status>) -> Outcome {
    on_file(fh, |file| {
        let ended = match file.split.clone() {
            Some(split) if split.end == name => {
                change(fh, |file| file.split = None)?;
                split.outcome
            }
            Some(split) => {
                Err(Fault::new(MPI_ERR_IO, format!("another call has begun, which {} ends", split.end)))
            }
            None => Err(Fault::new(MPI_ERR_IO, "no split collective call has begun")),
        };
        status::offer(to, ended?);
        Ok(())
    })
}

macro_rules! accesses {
    ($($name:ident $direction:ident;)*) => {
        pastey::paste! {
            $(
                plain! {
                    $direction,
                    [<file_ $name _at>] [<file_ $name _at_all>] [<file_i $name _at>] [<file_i $name _at_all>],
                    Place::Explicit(offset), offset: MPI_Offset
                }
                plain! {
                    $direction, [<file_ $name>] [<file_ $name _all>] [<file_i $name>] [<file_i $name _all>],
                    Place::Individual,
                }
                functions! { $direction, now Out<MPI_Status>, [<file_ $name _shared>], Place::Shared, }
                functions! { $direction, later Out<MPI_Request>, [<file_i $name _shared>], Place::Shared, }
                functions! { $direction, together Out<MPI_Status>, [<file_ $name _ordered>], Place::Ordered, }
                split! {
                    $direction, [<file_ $name _at_all_begin>] [<file_ $name _at_all_end>],
                    concat!("MPI_File_", stringify!($name), "_at_all_end"), Place::Explicit(offset), offset: MPI_Offset
                }
                split! {
                    $direction, [<file_ $name _all_begin>] [<file_ $name _all_end>],
                    concat!("MPI_File_", stringify!($name), "_all_end"), Place::Individual,
                }
                split! {
                    $direction, [<file_ $name _ordered_begin>] [<file_ $name _ordered_end>],
                    concat!("MPI_File_", stringify!($name), "_ordered_end"), Place::Ordered,
                }
            )*
        }
    };
}

/// Blocking, collective and non-blocking functions with the same arguments.
macro_rules! plain {
    ($direction:ident, $now:ident $together:ident $later:ident $later_together:ident, $($rest:tt)*) => {
        functions! { $direction, now Out<MPI_Status>, $now, $($rest)* }
        functions! { $direction, together Out<MPI_Status>, $together, $($rest)* }
        functions! { $direction, later Out<MPI_Request>, $later, $($rest)* }
        functions! { $direction, later Out<MPI_Request>, $later_together, $($rest)* }
    };
}

macro_rules! functions {
    ($direction:ident, $does:ident $result:ty, $name:ident, $place:expr, $($offset:ident: $kind:ty)?) => {
        /// Accesses data: the row of the table with this name tells how.
        pub fn $name(
            fh: MPI_File,
            $($offset: $kind,)?
            memory: Memory,
            count: Number,
            kind: MPI_Datatype,
            result: $result,
        ) -> Outcome {
            $does(fh, Access { direction: Direction::$direction, place: $place, memory, count, kind }, result)
        }
    };
}

/// The two functions of a split collective access.
macro_rules! split {
    ($direction:ident, $begin:ident $end:ident, $ends:expr, $place:expr, $($offset:ident: $kind:ty)?) => {
        /// Begins a split collective access.
        pub fn $begin(
            fh: MPI_File,
            $($offset: $kind,)?
            memory: Memory,
            count: Number,
            kind: MPI_Datatype,
        ) -> Outcome {
            begin(fh, Access { direction: Direction::$direction, place: $place, memory, count, kind }, $ends)
        }

        /// Ends a split collective access.
        pub fn $end(fh: MPI_File, _memory: Memory, status: Out<MPI_Status>) -> Outcome {
            end(fh, $ends, status)
        }
    };
}

accesses! {
    read Read;
    write Write;
}
