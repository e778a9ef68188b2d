//! Requests: waiting, testing, statuses.

use rank::call::{Answer, Call, End, Of};

use super::point_to_point::{NO_TAG, nobody};
use crate::arguments::{List, Number, Out, OutNumber, OutNumbers};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Landing, Progress, Request, within};
use crate::types::*;

/// What a status is of which there is nothing to tell (MPI 5.0, section 3.7.3).
pub(super) const EMPTY: MPI_Status = MPI_Status {
    MPI_SOURCE: MPI_ANY_SOURCE,
    MPI_TAG: MPI_ANY_TAG,
    MPI_ERROR: MPI_SUCCESS,
    MPI_internal: [0; 5],
};

/// The status of an end.
pub(super) fn status(end: &End) -> MPI_Status {
    let (source, tag) = (end.source as c_int, if end.tag == NO_TAG { MPI_ANY_TAG } else { end.tag as c_int });
    let mut status = MPI_Status { MPI_SOURCE: source, MPI_TAG: tag, ..EMPTY };
    set_bytes(&mut status, end.length);
    status.MPI_internal[2] = end.cancelled.into();
    status
}

/// Bytes of the message of a status.
pub(super) fn bytes(status: &MPI_Status) -> u64 {
    u64::from(status.MPI_internal[0] as u32) | u64::from(status.MPI_internal[1] as u32) << 32
}

/// The message of a status has so many bytes.
pub(super) fn set_bytes(status: &mut MPI_Status, bytes: u64) {
    status.MPI_internal[0] = bytes as u32 as c_int;
    status.MPI_internal[1] = (bytes >> 32) as u32 as c_int;
}

/// Gives the program a request.
pub(super) fn give(
    to: Out<MPI_Request>,
    progress: Progress,
    landing: Landing,
    receives: bool,
    on: MPI_Comm,
) -> Outcome {
    let request = Request::begun(progress, landing, receives, on);
    to.set(within(|objects| Ok(objects.requests.add(request)))?)
}

/// What ended: data goes to its place, the status to the program.
pub(super) fn finish(progress: Progress, landing: &Landing, receives: bool, to: Out<MPI_Status>) -> Outcome {
    let Progress::Over(end) = progress else {
        return Err(Fault::new(MPI_ERR_INTERN, "a call that ends at once has not ended"));
    };
    let (told, outcome) = land(&end, landing, receives);
    let error = to.get().map_or(MPI_SUCCESS, |old| old.MPI_ERROR);
    // A call with one status leaves its error field as it was (MPI 5.0, section 3.2.5).
    to.offer(MPI_Status { MPI_ERROR: error, ..told });
    outcome
}

fn land(end: &End, landing: &Landing, receives: bool) -> (MPI_Status, Outcome) {
    let landed = landing.put(&end.bytes);
    let outcome = match &end.failure {
        Some(failure) => Err(Fault::new(failure.class, failure.why.clone())),
        None => landed,
    };
    // A send has nothing to tell but whether it was cancelled, a collective operation nothing.
    let told = match receives {
        true => status(end),
        false => MPI_Status { MPI_internal: [0, 0, end.cancelled.into(), 0, 0], ..EMPTY },
    };
    (told, outcome)
}

/// Asks for ends; nobody has to be asked for none.
pub(super) fn ends(requests: Vec<u32>, of: Of) -> Outcome<Vec<(u32, End)>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    match link::ask(Call::Ends { requests, of })? {
        Answer::Ended(ends) => Ok(ends),
        answer => Err(link::other(answer)),
    }
}

/// One of the requests of a call that has ended: its place in the list, its status, and what was wrong.
struct Ended {
    place: usize,
    status: MPI_Status,
    outcome: Outcome,
    on: MPI_Comm,
}

/// The requests of a call, some of which end. The handles of those that do become null, unless they are persistent. Without any that is
/// active there is nothing to end: `None`.
fn complete(count: usize, list: Out<MPI_Request>, of: Of) -> Outcome<Option<Vec<Ended>>> {
    let handles = list.list(count)?;
    let mut over = Vec::new();
    let (mut asked, mut places) = (Vec::new(), Vec::new());
    for (place, &handle) in handles.iter().enumerate() {
        if handle == MPI_REQUEST_NULL {
            continue;
        }
        match within(|objects| objects.requests.get(handle).map(|request| request.progress.clone()))? {
            Progress::Inactive => {}
            Progress::Active(number) => {
                asked.push(number);
                places.push(place);
            }
            Progress::Over(end) => over.push((place, end)),
        }
    }
    if asked.is_empty() && over.is_empty() {
        return Ok(None);
    }
    let one = matches!(of, Of::Any | Of::AnyIfThere);
    let mut found = Vec::new();
    if one && !over.is_empty() {
        found.push(over.remove(0));
    } else {
        let of = if matches!(of, Of::Some) && !over.is_empty() { Of::SomeIfThere } else { of };
        let were_asked = asked.len();
        let ends = ends(asked, of)?;
        let enough = !matches!(of, Of::AllIfThere) || ends.len() == were_asked;
        for (at, end) in ends {
            let place = places.get(at as usize).copied();
            found.push((place.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the end of no request"))?, end));
        }
        if enough {
            found.append(&mut over);
        }
    }
    found.sort_by_key(|(place, _)| *place);
    let end = |(place, end): (usize, End)| {
        let handle = handles[place];
        let request = within(|objects| {
            let request = objects.requests.get_mut(handle)?;
            request.progress = Progress::Inactive;
            match request.persistent.is_some() {
                true => Ok(request.clone()),
                false => objects.requests.remove(handle),
            }
        })?;
        if request.persistent.is_none() {
            list.at(place).set(MPI_REQUEST_NULL)?;
        }
        let (status, outcome) = land(&end, &request.landing, request.receives);
        Ok(Ended { place, status, outcome, on: request.on })
    };
    found.into_iter().map(end).collect::<Outcome<Vec<_>>>().map(Some)
}

/// One status, and what was wrong.
fn tell_one(ended: Ended, to: Out<MPI_Status>) -> Outcome {
    let error = to.get().map_or(MPI_SUCCESS, |old| old.MPI_ERROR);
    to.offer(MPI_Status { MPI_ERROR: error, ..ended.status });
    ended.outcome.map_err(|fault| fault.on(ended.on))
}

/// Statuses of several, each with its error; `place` says where each goes.
fn tell_all(ended: Vec<Ended>, to: Out<MPI_Status>, place: impl Fn(usize, &Ended) -> usize) -> Outcome {
    let mut wrong = None;
    for (index, ended) in ended.into_iter().enumerate() {
        let error = ended.outcome.as_ref().map_or_else(|fault| fault.class, |()| MPI_SUCCESS);
        to.at(place(index, &ended)).offer(MPI_Status { MPI_ERROR: error, ..ended.status });
        if let (Err(fault), None) = (ended.outcome, &wrong) {
            wrong = Some(Fault { class: MPI_ERR_IN_STATUS, ..fault.on(ended.on) });
        }
    }
    wrong.map_or(Ok(()), Err)
}

fn clear(to: Out<MPI_Status>, count: usize) {
    for index in 0..count {
        to.at(index).offer(EMPTY);
    }
}

/// `MPI_Wait`.
pub fn wait(request: Out<MPI_Request>, status: Out<MPI_Status>) -> Outcome {
    match complete(1, request, Of::All)? {
        Some(mut ended) if ended.len() == 1 => tell_one(ended.remove(0), status),
        _ => {
            status.offer(EMPTY);
            Ok(())
        }
    }
}

/// `MPI_Test`.
pub fn test(request: Out<MPI_Request>, flag: Out<c_int>, status: Out<MPI_Status>) -> Outcome {
    let ended = complete(1, request, Of::AllIfThere)?;
    flag.set(ended.as_ref().is_none_or(|ended| !ended.is_empty()).into())?;
    match ended {
        None => {
            status.offer(EMPTY);
            Ok(())
        }
        Some(mut ended) if ended.len() == 1 => tell_one(ended.remove(0), status),
        Some(_) => Ok(()),
    }
}

/// `MPI_Waitall`.
pub fn waitall(count: Number, requests: Out<MPI_Request>, statuses: Out<MPI_Status>) -> Outcome {
    let count = count.count()?;
    let ended = complete(count, requests, Of::All)?;
    clear(statuses, count);
    tell_all(ended.unwrap_or_default(), statuses, |_, ended| ended.place)
}

/// `MPI_Testall`.
pub fn testall(
    count: Number,
    requests: Out<MPI_Request>,
    flag: Out<c_int>,
    statuses: Out<MPI_Status>,
) -> Outcome {
    let count = count.count()?;
    let ended = complete(count, requests, Of::AllIfThere)?;
    let all = ended.as_ref().is_none_or(|ended| !ended.is_empty());
    flag.set(all.into())?;
    if all {
        clear(statuses, count);
        return tell_all(ended.unwrap_or_default(), statuses, |_, ended| ended.place);
    }
    Ok(())
}

fn any(count: Number, requests: Out<MPI_Request>, of: Of) -> Outcome<(bool, Option<Ended>)> {
    match complete(count.count()?, requests, of)? {
        None => Ok((true, None)),
        Some(mut ended) => match ended.len() {
            0 => Ok((false, None)),
            _ => Ok((true, Some(ended.remove(0)))),
        },
    }
}

/// `MPI_Waitany`.
pub fn waitany(
    count: Number,
    requests: Out<MPI_Request>,
    index: Out<c_int>,
    status: Out<MPI_Status>,
) -> Outcome {
    testany_as(any(count, requests, Of::Any)?.1, index, status)
}

/// `MPI_Testany`.
pub fn testany(
    count: Number,
    requests: Out<MPI_Request>,
    index: Out<c_int>,
    flag: Out<c_int>,
    status: Out<MPI_Status>,
) -> Outcome {
    let (done, ended) = any(count, requests, Of::AnyIfThere)?;
    flag.set(done.into())?;
    testany_as(ended, index, status)
}

fn testany_as(ended: Option<Ended>, index: Out<c_int>, status: Out<MPI_Status>) -> Outcome {
    index.set(ended.as_ref().map_or(MPI_UNDEFINED, |ended| ended.place as c_int))?;
    match ended {
        Some(ended) => tell_one(ended, status),
        None => {
            status.offer(EMPTY);
            Ok(())
        }
    }
}

fn some(
    count: Number,
    requests: Out<MPI_Request>,
    out_count: OutNumber,
    places: OutNumbers,
    statuses: Out<MPI_Status>,
    of: Of,
) -> Outcome {
    match complete(count.count()?, requests, of)? {
        None => out_count.set(MPI_UNDEFINED.into()),
        Some(ended) => {
            out_count.set(ended.len() as i64)?;
            places.set(ended.iter().map(|ended| ended.place as i64))?;
            tell_all(ended, statuses, |index, _| index)
        }
    }
}

/// `MPI_Waitsome`.
pub fn waitsome(
    count: Number,
    requests: Out<MPI_Request>,
    out_count: OutNumber,
    places: OutNumbers,
    statuses: Out<MPI_Status>,
) -> Outcome {
    some(count, requests, out_count, places, statuses, Of::Some)
}

/// `MPI_Testsome`.
pub fn testsome(
    count: Number,
    requests: Out<MPI_Request>,
    out_count: OutNumber,
    places: OutNumbers,
    statuses: Out<MPI_Status>,
) -> Outcome {
    some(count, requests, out_count, places, statuses, Of::SomeIfThere)
}

/// `MPI_Request_free`: what has begun goes on, and nobody is told.
pub fn request_free(request: Out<MPI_Request>) -> Outcome {
    let freed = request.get()?;
    let freed = within(|objects| objects.requests.remove(freed))?;
    if let Progress::Active(number) = freed.progress {
        link::ask(Call::Forget(number))?;
    }
    request.set(MPI_REQUEST_NULL)
}

/// `MPI_Request_get_status`: the request stays.
pub fn request_get_status(request: MPI_Request, flag: Out<c_int>, status: Out<MPI_Status>) -> Outcome {
    if request == MPI_REQUEST_NULL {
        status.offer(EMPTY);
        return flag.set(1);
    }
    let found = within(|objects| objects.requests.get(request).cloned())?;
    let progress = match found.progress {
        Progress::Active(number) => match link::ask(Call::HasEnded(number))? {
            Answer::Flag(false) => return flag.set(0),
            Answer::Flag(true) => {
                let mut ends = ends(vec![number], Of::All)?;
                let end = ends.pop().map_or_else(nobody, |(_, end)| end);
                let over = Progress::Over(end);
                let stays = over.clone();
                within(|objects| objects.requests.get_mut(request).map(|request| request.progress = stays))?;
                over
            }
            answer => return Err(link::other(answer)),
        },
        other => other,
    };
    flag.set(1)?;
    status.offer(match &progress {
        Progress::Over(end) if found.receives => self::status(end),
        _ => EMPTY,
    });
    Ok(())
}

/// `MPI_Cancel`: receives can be given up, sends go on (MPI 5.0, section 3.8.4).
pub fn cancel(request: Out<MPI_Request>) -> Outcome {
    let found = request.get()?;
    let found = within(|objects| objects.requests.get(found).cloned())?;
    if let (Progress::Active(number), true) = (found.progress, found.receives) {
        link::ask(Call::Cancel(number))?;
    }
    Ok(())
}

/// `MPI_Test_cancelled`.
pub fn test_cancelled(status: List<MPI_Status>, flag: Out<c_int>) -> Outcome {
    flag.set(status.list(1)?[0].MPI_internal[2])
}

fn change(status: Out<MPI_Status>, change: impl FnOnce(&mut MPI_Status)) -> Outcome {
    let mut value = status.get()?;
    change(&mut value);
    status.set(value)
}

/// `MPI_Status_set_cancelled`.
pub fn status_set_cancelled(status: Out<MPI_Status>, flag: c_int) -> Outcome {
    change(status, |status| status.MPI_internal[2] = (flag != 0).into())
}

/// `MPI_Status_get_source`.
pub fn status_get_source(status: List<MPI_Status>, source: Out<c_int>) -> Outcome {
    source.set(status.list(1)?[0].MPI_SOURCE)
}

/// `MPI_Status_get_tag`.
pub fn status_get_tag(status: List<MPI_Status>, tag: Out<c_int>) -> Outcome {
    tag.set(status.list(1)?[0].MPI_TAG)
}

/// `MPI_Status_get_error`.
pub fn status_get_error(status: List<MPI_Status>, error: Out<c_int>) -> Outcome {
    error.set(status.list(1)?[0].MPI_ERROR)
}

/// `MPI_Status_set_source`.
pub fn status_set_source(status: Out<MPI_Status>, source: c_int) -> Outcome {
    change(status, |status| status.MPI_SOURCE = source)
}

/// `MPI_Status_set_tag`.
pub fn status_set_tag(status: Out<MPI_Status>, tag: c_int) -> Outcome {
    change(status, |status| status.MPI_TAG = tag)
}

/// `MPI_Status_set_error`.
pub fn status_set_error(status: Out<MPI_Status>, error: c_int) -> Outcome {
    change(status, |status| status.MPI_ERROR = error)
}
