//! Sessions and process sets. The first session of a program that does not call `MPI_Init` starts the rank; it ends with
//! the process.
#![allow(unsafe_code)]

use super::info::entries;
use super::{buffer, environment, error, group};
use crate::arguments::{Memory, Number, Out, OutNumber, OutText, Text};
use crate::fault::{Fault, Outcome};
use crate::objects::{HandlerOwner, Objects, Session, Stage, communicator, with, within};
use crate::types::*;

/// Names of the process sets.
const SETS: [&str; 2] = ["mpi://WORLD", "mpi://SELF"];

fn check(on: MPI_Session) -> Outcome<Session> {
    within(|objects| objects.sessions.get(on).copied())
}

/// Names of thread levels, lowest first.
const LEVELS: [(&str, c_int); 4] = [
    ("MPI_THREAD_SINGLE", MPI_THREAD_SINGLE),
    ("MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED),
    ("MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED),
    ("MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE),
];

/// The thread level that a hint asks for; the highest without it.
fn level(info: MPI_Info) -> Outcome<c_int> {
    let hints = entries(info)?;
    let hint = hints.iter().find(|(key, _)| key == "thread_level");
    let level = hint.and_then(|(_, value)| LEVELS.iter().find(|(name, _)| name == value));
    Ok(level.map_or(MPI_THREAD_MULTIPLE, |(_, level)| *level))
}

/// `MPI_Session_init`. Only the hint `thread_level` has an effect.
pub fn session_init(info: MPI_Info, handler: MPI_Errhandler, new: Out<MPI_Session>) -> Outcome {
    with(|objects| error::check(objects, handler, HandlerOwner::Session))?;
    let threads = level(info)?;
    environment::begin_for_sessions(threads)?;
    new.set(within(|objects| Ok(objects.sessions.add(Session { handler, threads, buffer: None })))?)
}

/// `MPI_Session_finalize`.
pub fn session_finalize(on: Out<MPI_Session>) -> Outcome {
    let session = on.get()?;
    let (last, world_ended) = within(|objects| {
        objects.sessions.free(session)?;
        Ok((objects.sessions.is_empty(), objects.world == Stage::After))
    })?;
    on.set(MPI_SESSION_NULL)?;
    if last && world_ended { environment::end() } else { Ok(()) }
}

/// `MPI_Session_get_info`.
pub fn session_get_info(on: MPI_Session, info: Out<MPI_Info>) -> Outcome {
    let own = check(on)?.threads;
    let name = LEVELS.iter().find(|(_, level)| *level == own).map_or("", |(name, _)| *name);
    let entry = ("thread_level".to_owned(), name.to_owned());
    info.set(within(|objects| Ok(objects.infos.add(vec![entry])))?)
}

/// `MPI_Session_get_num_psets`.
pub fn session_get_num_psets(on: MPI_Session, _info: MPI_Info, count: Out<c_int>) -> Outcome {
    check(on)?;
    count.set(SETS.len() as c_int)
}

/// `MPI_Session_get_nth_pset`. The length includes the terminating zero; 0 asks for the length alone.
pub fn session_get_nth_pset(
    on: MPI_Session,
    _info: MPI_Info,
    number: c_int,
    length: Out<c_int>,
    name: OutText,
) -> Outcome {
    check(on)?;
    let found = usize::try_from(number).ok().and_then(|number| SETS.get(number));
    let wrong = || Fault::new(MPI_ERR_ARG, format!("there is no process set number {number}")).on(on);
    let found = found.ok_or_else(wrong)?;
    let room = length.get()?;
    if room > 0 {
        name.set(found, room as usize)?;
    }
    length.set(found.len() as c_int + 1)
}

/// Processes of a set; none of an unknown name.
fn processes(name: &str) -> Outcome<Option<Vec<u32>>> {
    let communicators = [MPI_COMM_WORLD, MPI_COMM_SELF];
    let found = SETS.iter().zip(communicators).find(|(set, _)| set.eq_ignore_ascii_case(name));
    found.map(|(_, own)| Ok(communicator(own)?.processes)).transpose()
}

/// `MPI_Session_get_pset_info`.
pub fn session_get_pset_info(on: MPI_Session, name: Text, info: Out<MPI_Info>) -> Outcome {
    check(on)?;
    let name = name.get()?;
    let found = processes(&name)?;
    let found =
        found.ok_or_else(|| Fault::new(MPI_ERR_ARG, format!("there is no process set `{name}`")).on(on))?;
    let entry = ("mpi_size".to_owned(), found.len().to_string());
    info.set(within(|objects| Ok(objects.infos.add(vec![entry])))?)
}

/// `MPI_Group_from_session_pset`. An unknown name gives the null group (MPI 5.0, section 7.3.2).
pub fn group_from_session_pset(on: MPI_Session, name: Text, new: Out<MPI_Group>) -> Outcome {
    check(on)?;
    match processes(&name.get()?)? {
        Some(processes) => group::make(new, processes),
        None => new.set(MPI_GROUP_NULL),
    }
}

/// `MPI_Session_create_errhandler`.
pub fn session_create_errhandler(function: Memory, handler: Out<MPI_Errhandler>) -> Outcome {
    error::create(HandlerOwner::Session, function.address(), handler)
}

/// `MPI_Session_set_errhandler`.
pub fn session_set_errhandler(on: MPI_Session, handler: MPI_Errhandler) -> Outcome {
    within(|objects| {
        error::check(objects, handler, HandlerOwner::Session).map_err(|fault| fault.on(on))?;
        objects.sessions.get_mut(on)?.handler = handler;
        Ok(())
    })
}

/// `MPI_Session_get_errhandler`.
pub fn session_get_errhandler(on: MPI_Session, handler: Out<MPI_Errhandler>) -> Outcome {
    handler.set(check(on)?.handler)
}

/// `MPI_Session_call_errhandler`.
pub fn session_call_errhandler(on: MPI_Session, code: c_int) -> Outcome {
    check(on)?;
    error::call("MPI_Session_call_errhandler", on, code);
    Ok(())
}

fn of_session(on: MPI_Session) -> impl FnOnce(&mut Objects) -> Outcome<&mut Option<(usize, usize)>> {
    move |objects| Ok(&mut objects.sessions.get_mut(on)?.buffer)
}

/// `MPI_Session_attach_buffer`.
pub fn session_attach_buffer(on: MPI_Session, memory: Memory, bytes: Number) -> Outcome {
    buffer::attach(memory, bytes, of_session(on)).map_err(|fault| fault.on(on))
}

/// `MPI_Session_detach_buffer`.
pub fn session_detach_buffer(on: MPI_Session, place: Memory, bytes: OutNumber) -> Outcome {
    buffer::detach(place, bytes, of_session(on)).map_err(|fault| fault.on(on))
}

/// `MPI_Session_flush_buffer`.
pub fn session_flush_buffer(on: MPI_Session) -> Outcome {
    check(on).map(|_| ())
}

/// `MPI_Session_iflush_buffer`.
pub fn session_iflush_buffer(on: MPI_Session, request: Out<MPI_Request>) -> Outcome {
    check(on)?;
    buffer::flushed(request, MPI_COMM_SELF)
}
