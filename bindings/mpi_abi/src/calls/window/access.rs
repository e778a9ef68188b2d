//! Accesses to the memory of other ranks.

use processes::mpi::call::{Answer, Call, WindowAccess, WindowCall};
use serde_bytes::ByteBuf;

use super::{change, create, read, synchronize};
use crate::arguments::{Memory, Number, Out};
use crate::calls::request;
use crate::calls::status::null_end;
use crate::fault::{Fault, Outcome};
use crate::link::{self, Named};
use crate::objects::{Destination, Progress, RequestKind, Type, datatype, fault};
use crate::types::*;

/// Memory of the origin.
struct Origin {
    memory: Memory,
    count: usize,
    kind: Type,
}

impl Origin {
    fn new(memory: Memory, count: Number, kind: MPI_Datatype) -> Outcome<Self> {
        Ok(Origin { memory, count: count.count()?, kind: datatype(kind)? })
    }

    fn bytes(&self) -> Outcome<usize> {
        self.kind.bytes(self.count)
    }

    fn pack(&self) -> Outcome<Vec<u8>> {
        self.kind.pack(self.memory, self.count)
    }

    /// Data for a target; none for `MPI_PROC_NULL`.
    fn data_for(&self, target: &Target) -> Outcome<ByteBuf> {
        let data = if target.rank == MPI_PROC_NULL { Vec::new() } else { self.pack()? };
        Ok(data.into())
    }

    fn destination(&self) -> Destination {
        Destination::one(self.memory, self.count, &self.kind)
    }
}

/// Memory of a target.
struct Target {
    rank: c_int,
    displacement: MPI_Aint,
    count: usize,
    kind: Type,
}

impl Target {
    fn new(rank: c_int, displacement: MPI_Aint, count: Number, kind: MPI_Datatype) -> Outcome<Self> {
        Ok(Target { rank, displacement, count: count.count()?, kind: datatype(kind)? })
    }

    /// One element of a predefined datatype.
    fn one(rank: c_int, displacement: MPI_Aint, kind: &Type) -> Self {
        Target { rank, displacement, count: 1, kind: kind.clone() }
    }

    fn bytes(&self) -> Outcome<usize> {
        self.kind.bytes(self.count)
    }

    /// Runs of bytes, in the order of the data.
    fn runs(&self) -> Outcome<Vec<(i64, u64)>> {
        let mut runs: Vec<(i64, u64)> = Vec::new();
        let add = |at: i64, length: usize| match runs.last_mut() {
            Some((last, bytes)) if last.wrapping_add(*bytes as i64) == at => *bytes += length as u64,
            _ => runs.push((at, length as u64)),
        };
        self.kind.layout.runs(self.count as u64, add).map_err(fault)?;
        Ok(runs)
    }

    /// Checks that the target has as many bytes as the origin.
    fn check_length(&self, origin: usize) -> Outcome {
        match self.bytes()? {
            target if target == origin => Ok(()),
            target => Err(Fault::new(
                MPI_ERR_TRUNCATE,
                format!("the origin has {origin} bytes, and its place at the target {target}"),
            )),
        }
    }
}

/// The end of an access: a synchronization, or the completion of a request.
#[derive(Clone, Copy)]
enum End {
    Synchronization,
    Request(Out<MPI_Request>),
}

/// Begins an access. `destination` receives data of the target.
fn begin(
    win: MPI_Win,
    end: End,
    what: impl FnOnce() -> Outcome<(Target, WindowAccess, Option<Destination>)>,
) -> Outcome {
    let (number, flavor) = read(win, |window| (window.number, window.values.flavor))?;
    let begin = || {
        let (target, access, destination) = what()?;
        let Some(rank) = synchronize::target(win, target.rank)? else {
            return finish(win, end, Progress::Over(null_end()), None);
        };
        let is_dynamic = flavor == MPI_WIN_FLAVOR_DYNAMIC;
        let has_request = matches!(end, End::Request(_));
        // The destination of a request belongs to the request.
        let (landing, destination) = if has_request { (None, destination) } else { (destination, None) };
        let place = landing.map(|landing| add_destination(win, landing)).transpose()?;
        let call = WindowCall::Access {
            window: number,
            target: rank,
            displacement: if is_dynamic { 0 } else { target.displacement as i64 },
            runs: target.runs()?,
            access,
            destination: place,
            has_request,
        };
        let address = is_dynamic.then(|| create::at(Memory::at_address(target.displacement as usize)));
        match link::ask_with(Call::Window(call), Named::address(address)) {
            Ok(Answer::Done) => finish(win, end, Progress::Over(null_end()), destination),
            Ok(Answer::Request(number)) => finish(win, end, Progress::Active(number), destination),
            failed => {
                if let Some(place) = place {
                    change(win, |window| window.destinations.remove(&place))?;
                }
                Err(failed.map_or_else(|fault| fault, link::other))
            }
        }
    };
    begin().map_err(|fault: Fault| fault.on(win))
}

fn add_destination(win: MPI_Win, destination: Destination) -> Outcome<u32> {
    change(win, |window| {
        let number = window.next_destination;
        window.next_destination = number.wrapping_add(1);
        window.destinations.insert(number, destination);
        number
    })
}

/// Gives the program its request.
fn finish(win: MPI_Win, end: End, progress: Progress, destination: Option<Destination>) -> Outcome {
    let End::Request(to) = end else { return Ok(()) };
    let is_active = matches!(progress, Progress::Active(_));
    let destination = destination.unwrap_or_default();
    request::give(to, progress, destination, RequestKind::Collective, MPI_COMM_WORLD)?;
    if !is_active {
        return Ok(());
    }
    let handle = to.get()?;
    let requests = change(win, |window| {
        window.requests.push(handle);
        if window.requests.len() < MOST_REQUESTS { Vec::new() } else { std::mem::take(&mut window.requests) }
    })?;
    // Most of them are over in a program that waits for each.
    let active = synchronize::active(&requests)?;
    change(win, |window| window.requests.extend(active.into_iter().map(|(handle, _)| handle)))
}

/// Requests of a window that are kept before those that are over are removed.
const MOST_REQUESTS: usize = 1024;

/// Number of an operation, which is one of the standard.
fn operation(op: MPI_Op) -> Outcome<u32> {
    number_of_operation(op)
        .ok_or_else(|| Fault::new(MPI_ERR_OP, "operations of the program are not for windows"))
}

/// Number of the predefined datatype that all elements of these have. Elements of several datatypes can only be
/// replaced, byte by byte.
fn element(origin: &Type, target: &Type, op: MPI_Op) -> Outcome<u32> {
    let kinds = [origin, target].map(|kind| kind.layout.kind());
    let number = match kinds {
        [Some(origin), Some(target)] if origin == target => {
            let is_kind = |(_, number): &&(&str, u32)| processes::mpi::kind(*number) == Some(origin);
            processes::mpi::KINDS.iter().find(is_kind).map(|(_, number)| *number)
        }
        [None, None] if op == MPI_REPLACE => number_of_datatype(MPI_BYTE),
        _ => None,
    };
    number.ok_or_else(|| {
        Fault::new(MPI_ERR_TYPE, "the elements of origin and target are not of one predefined datatype")
    })
}

fn begin_put(win: MPI_Win, end: End, origin: Outcome<Origin>, target: Outcome<Target>) -> Outcome {
    begin(win, end, || {
        let (origin, target) = (origin?, target?);
        target.check_length(origin.bytes()?)?;
        let data = origin.data_for(&target)?;
        Ok((target, WindowAccess::Put(data), None))
    })
}

fn begin_get(win: MPI_Win, end: End, origin: Outcome<Origin>, target: Outcome<Target>) -> Outcome {
    begin(win, end, || {
        let (origin, target) = (origin?, target?);
        let length = origin.bytes()?;
        target.check_length(length)?;
        let destination = origin.destination();
        Ok((target, WindowAccess::Get(length as u64), Some(destination)))
    })
}

fn begin_accumulate(
    win: MPI_Win,
    end: End,
    origin: Outcome<Origin>,
    target: Outcome<Target>,
    op: MPI_Op,
) -> Outcome {
    begin(win, end, || {
        let (origin, target) = (origin?, target?);
        target.check_length(origin.bytes()?)?;
        let operation = operation(op)?;
        if target.bytes()? == 0 {
            // Datatypes of no elements have no common one.
            return Ok((target, WindowAccess::Put(Vec::new().into()), None));
        }
        let datatype = element(&origin.kind, &target.kind, op)?;
        let bytes = origin.data_for(&target)?;
        Ok((target, WindowAccess::Accumulate { operation, datatype, bytes }, None))
    })
}

/// Begins a fetch; `MPI_NO_OP` is a get that is atomic with accumulates.
fn begin_fetch(
    win: MPI_Win,
    end: End,
    origin: impl FnOnce() -> Outcome<Origin>,
    result: Outcome<Origin>,
    target: Outcome<Target>,
    op: MPI_Op,
) -> Outcome {
    begin(win, end, || {
        let (result, target) = (result?, target?);
        let length = result.bytes()?;
        target.check_length(length)?;
        let (operation, destination) = (operation(op)?, result.destination());
        if op == MPI_NO_OP || length == 0 {
            return Ok((target, WindowAccess::Get(length as u64), Some(destination)));
        }
        let origin = origin()?;
        target.check_length(origin.bytes()?)?;
        let datatype = element(&origin.kind, &target.kind, op)?;
        let bytes = origin.data_for(&target)?;
        let access = WindowAccess::Fetch { operation, datatype, bytes };
        Ok((target, access, Some(destination)))
    })
}

/// Defines an access that a synchronization ends, and its twin with a request.
macro_rules! accesses {
    ($($now:ident $requested:ident($($argument:ident: $kind:ty),*) |$end:ident, $win:ident| $does:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($now), "`.")]
            #[allow(clippy::too_many_arguments)]
            pub fn $now($($argument: $kind,)* $win: MPI_Win) -> Outcome {
                let $end = End::Synchronization;
                $does
            }

            #[doc = concat!("`", stringify!($now), "` with a request.")]
            #[allow(clippy::too_many_arguments)]
            pub fn $requested($($argument: $kind,)* $win: MPI_Win, request: Out<MPI_Request>) -> Outcome {
                let $end = End::Request(request);
                $does
            }
        )*
    };
}

accesses! {
    put rput(
        memory: Memory, count: Number, kind: MPI_Datatype, rank: c_int, displacement: MPI_Aint, target_count: Number,
        target_kind: MPI_Datatype
    ) |end, win| begin_put(
        win, end, Origin::new(memory, count, kind), Target::new(rank, displacement, target_count, target_kind)
    );
    get rget(
        memory: Memory, count: Number, kind: MPI_Datatype, rank: c_int, displacement: MPI_Aint, target_count: Number,
        target_kind: MPI_Datatype
    ) |end, win| begin_get(
        win, end, Origin::new(memory, count, kind), Target::new(rank, displacement, target_count, target_kind)
    );
    accumulate raccumulate(
        memory: Memory, count: Number, kind: MPI_Datatype, rank: c_int, displacement: MPI_Aint, target_count: Number,
        target_kind: MPI_Datatype, op: MPI_Op
    ) |end, win| begin_accumulate(
        win, end, Origin::new(memory, count, kind), Target::new(rank, displacement, target_count, target_kind), op
    );
    get_accumulate rget_accumulate(
        memory: Memory, count: Number, kind: MPI_Datatype, result: Memory, result_count: Number, result_kind: MPI_Datatype,
        rank: c_int, displacement: MPI_Aint, target_count: Number, target_kind: MPI_Datatype, op: MPI_Op
    ) |end, win| begin_fetch(
        win, end, || Origin::new(memory, count, kind), Origin::new(result, result_count, result_kind),
        Target::new(rank, displacement, target_count, target_kind), op
    );
}

/// `MPI_Fetch_and_op`.
pub fn fetch_and_op(
    memory: Memory,
    result: Memory,
    kind: MPI_Datatype,
    rank: c_int,
    displacement: MPI_Aint,
    op: MPI_Op,
    win: MPI_Win,
) -> Outcome {
    let one = |memory| Ok(Origin { memory, count: 1, kind: predefined(kind)? });
    let target = predefined(kind).map(|kind| Target::one(rank, displacement, &kind));
    begin_fetch(win, End::Synchronization, || one(memory), one(result), target, op)
}

/// `MPI_Compare_and_swap`.
pub fn compare_and_swap(
    memory: Memory,
    compare: Memory,
    result: Memory,
    kind: MPI_Datatype,
    rank: c_int,
    displacement: MPI_Aint,
    win: MPI_Win,
) -> Outcome {
    begin(win, End::Synchronization, || {
        let kind = predefined(kind)?;
        let element = kind.layout.kind();
        use mpi::Class::{Byte, Integer, Logical, Multilanguage};
        let is_whole =
            matches!(element.map(mpi::Kind::class), Some(Integer | Logical | Multilanguage | Byte));
        // Other libraries accept characters, although the standard does not list them.
        if !is_whole && element != Some(mpi::Kind::Char) {
            return Err(Fault::new(
                MPI_ERR_TYPE,
                "only integers, logicals, addresses and bytes are compared",
            ));
        }
        let target = Target::one(rank, displacement, &kind);
        let value = |memory| Origin { memory, count: 1, kind: kind.clone() };
        let [compare, bytes] = match rank {
            MPI_PROC_NULL => [Vec::new(), Vec::new()],
            _ => [value(compare).pack()?, value(memory).pack()?],
        };
        let destination = value(result).destination();
        let access = WindowAccess::CompareAndSwap { compare: compare.into(), bytes: bytes.into() };
        Ok((target, access, Some(destination)))
    })
}

/// Datatype of the standard, as single elements need.
fn predefined(kind: MPI_Datatype) -> Outcome<Type> {
    crate::objects::predefined(kind)
        .ok_or_else(|| Fault::new(MPI_ERR_TYPE, "the datatype is not one of the standard"))
}
