//! Partitioned communication (MPI 5.0, chapter 4). The data of a send travels as one message when its last partition is
//! ready, so all partitions of a receive arrive together.

use processes::mpi::call::{Call, SendMode};

use super::look::{self, RequestState};
use super::point_to_point::{post_tagged_send, progress};
use super::status::null_end;
use super::tolerance::elements;
use crate::arguments::{List, Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{
    Communicator, Destination, Partitions, Persistent, Progress, Request, RequestKind, Starts, Transfer,
    communicator, used_communicator, within,
};
use crate::types::*;

/// `MPI_Psend_init`.
#[allow(clippy::too_many_arguments)]
pub fn psend_init(
    memory: Memory,
    partitions: c_int,
    count: Number,
    kind: MPI_Datatype,
    to: c_int,
    tag: c_int,
    on: MPI_Comm,
    _info: MPI_Info,
    request: Out<MPI_Request>,
) -> Outcome {
    init(Starts::Send(SendMode::Standard), memory, partitions, count, kind, to, tag, on, request)
}

/// `MPI_Precv_init`.
#[allow(clippy::too_many_arguments)]
pub fn precv_init(
    memory: Memory,
    partitions: c_int,
    count: Number,
    kind: MPI_Datatype,
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
    _info: MPI_Info,
    request: Out<MPI_Request>,
) -> Outcome {
    init(Starts::Receive, memory, partitions, count, kind, from, tag, on, request)
}

#[allow(clippy::too_many_arguments)]
fn init(
    starts: Starts,
    memory: Memory,
    partitions: c_int,
    count: Number,
    kind: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    on: MPI_Comm,
    request: Out<MPI_Request>,
) -> Outcome {
    let own = communicator(on)?;
    let checked = || {
        let partitions = usize::try_from(partitions).ok().filter(|partitions| *partitions > 0);
        let partitions =
            partitions.ok_or_else(|| Fault::new(MPI_ERR_ARG, "a partitioned message has a partition"))?;
        let (each, datatype) = elements(count, kind)?;
        let count = each.checked_mul(partitions);
        let count =
            count.ok_or_else(|| Fault::new(MPI_ERR_COUNT, "partitions are more than memory holds"))?;
        if tag < 0 {
            return Err(Fault::new(MPI_ERR_TAG, format!("{tag} is no tag: it is below zero")));
        }
        if peer != MPI_PROC_NULL {
            own.check(peer, MPI_ERR_RANK)?;
        }
        Ok((partitions, count, datatype))
    };
    let (partitions, count, datatype) = checked().map_err(|fault: Fault| fault.on(on))?;
    let kind = match starts {
        Starts::Send(_) => RequestKind::Send,
        Starts::Receive => RequestKind::Partitioned { tag },
    };
    let transfer = Transfer { memory, count, datatype, peer, tag, on, starts };
    let inactive = Request::begun(Progress::Inactive, Destination::default(), kind, on);
    request.set(within(|objects| {
        let earlier = objects.partitioned.entry((on, peer, tag, starts == Starts::Receive)).or_default();
        let partitions = Partitions { ready: vec![false; partitions], channel: channel(tag, *earlier) };
        *earlier += 1;
        let persistent = Some(Persistent::Partitioned(transfer, partitions));
        Ok(objects.add_request(Request { persistent, ..inactive }))
    })?)
}

/// Tag on the wire of the request number `earlier` with a tag between two ranks. Requests match in the order of their
/// creation, however they are started; the number is in the upper bits, the tag in the lower ones.
fn channel(tag: c_int, earlier: u32) -> u32 {
    1 << 31 | tag as u32 ^ earlier.reverse_bits() >> 1
}

/// Starts a partitioned request: a send waits for its partitions.
pub(super) fn start(
    handle: MPI_Request,
    transfer: &Transfer,
    partitions: &Partitions,
) -> Outcome<(Progress, Destination)> {
    let own = used_communicator(transfer.on)?;
    match transfer.starts {
        Starts::Send(_) => {
            change(handle, |partitions| partitions.ready.fill(false))?;
            Ok((Progress::Held, Destination::default()))
        }
        Starts::Receive => receive(&own, transfer, partitions.channel).map_err(|fault| fault.on(transfer.on)),
    }
}

fn receive(own: &Communicator, transfer: &Transfer, channel: u32) -> Outcome<(Progress, Destination)> {
    let Transfer { memory, count, ref datatype, peer, .. } = *transfer;
    let destination = Destination::one(memory, count, datatype);
    if peer == MPI_PROC_NULL {
        return Ok((Progress::Over(null_end()), destination));
    }
    let call = Call::Receive {
        communicator: own.number,
        source: Some(own.check(peer, MPI_ERR_RANK)?),
        tag: Some(channel),
        capacity: datatype.bytes(count)? as u64,
        nonblocking: true,
    };
    Ok((progress(link::ask(call)?)?, destination))
}

fn change<T>(handle: MPI_Request, change: impl FnOnce(&mut Partitions) -> T) -> Outcome<T> {
    within(|objects| match &mut objects.requests.get_mut(handle)?.persistent {
        Some(Persistent::Partitioned(_, partitions)) => Ok(change(partitions)),
        _ => Err(Fault::new(MPI_ERR_REQUEST, "the request is no partitioned one")),
    })
}

/// `MPI_Pready`.
pub fn pready(partition: c_int, request: MPI_Request) -> Outcome {
    ready(request, &[partition])
}

/// `MPI_Pready_range`. Both ends belong to the range.
pub fn pready_range(low: c_int, high: c_int, request: MPI_Request) -> Outcome {
    let most = change(request, |partitions| partitions.ready.len())?;
    // A range beyond the partitions is an error whatever its length.
    let list: Vec<_> = (low..=high).take(most + 1).collect();
    ready(request, &list)
}

/// `MPI_Pready_list`.
pub fn pready_list(length: Number, list: List<c_int>, request: MPI_Request) -> Outcome {
    ready(request, &list.list(length.count()?)?)
}

/// Marks partitions of an active send as ready, and sends the message after the last one.
fn ready(handle: MPI_Request, list: &[c_int]) -> Outcome {
    let found = within(|objects| objects.requests.get(handle).cloned())?;
    let Some(Persistent::Partitioned(transfer, _)) = found.persistent else {
        return Err(Fault::new(MPI_ERR_REQUEST, "the request is no partitioned one"));
    };
    let wrong = |class, why: String| Err(Fault::new(class, why).on(transfer.on));
    if transfer.starts == Starts::Receive || !matches!(found.progress, Progress::Held) {
        return wrong(
            MPI_ERR_REQUEST,
            "the request is no partitioned send that waits for partitions".to_owned(),
        );
    }
    for &partition in list {
        let marked = change(handle, |partitions| {
            let place = usize::try_from(partition).ok().and_then(|at| partitions.ready.get_mut(at));
            place.map(|ready| std::mem::replace(ready, true))
        })?;
        match marked {
            Some(false) => {}
            Some(true) => return wrong(MPI_ERR_ARG, format!("partition {partition} was ready before")),
            None => return wrong(MPI_ERR_ARG, format!("there is no partition {partition}")),
        }
    }
    let (all, channel) =
        change(handle, |partitions| (partitions.ready.iter().all(|ready| *ready), partitions.channel))?;
    if !all {
        return Ok(());
    }
    let Transfer { memory, count, ref datatype, peer, on, .. } = transfer;
    let progress = post_tagged_send(SendMode::Standard, true, memory, count, datatype, peer, channel, on)?;
    within(|objects| {
        objects.requests.get_mut(handle)?.progress = progress;
        Ok(())
    })
}

/// `MPI_Parrived`: all partitions of a message arrive together.
pub fn parrived(request: MPI_Request, partition: c_int, flag: Out<c_int>) -> Outcome {
    if request == MPI_REQUEST_NULL {
        return flag.set(1);
    }
    let (most, on) = within(|objects| {
        let found = objects.requests.get(request)?;
        match &found.persistent {
            Some(Persistent::Partitioned(Transfer { starts: Starts::Receive, .. }, partitions)) => {
                Ok((partitions.ready.len(), found.on))
            }
            _ => Err(Fault::new(MPI_ERR_REQUEST, "the request is no partitioned receive")),
        }
    })?;
    if usize::try_from(partition).is_ok_and(|partition| partition < most) {
        flag.set((look::look(request)? != RequestState::Waits).into())
    } else {
        Err(Fault::new(MPI_ERR_ARG, format!("there is no partition {partition}")).on(on))
    }
}
