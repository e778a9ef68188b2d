//! Dynamic processes: ports, published names, and processes that ranks start (MPI 5.0, chapter 11).

use processes::mpi::call::{Answer, Call, Connection, SpawnedProgram};

use super::communicator::{ask, comm_free, set};
use super::{completion, info};
use crate::arguments::{List, Out, OutText, Text};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, Objects, check_rank, communicator, intracommunicator, within};
use crate::types::*;

/// `MPI_Comm_get_parent`: null for processes of `mpirun`, and when the program has freed the communicator.
pub fn comm_get_parent(parent: Out<MPI_Comm>) -> Outcome {
    let live =
        |objects: &mut Objects| objects.parent.filter(|parent| objects.communicators.get(*parent).is_ok());
    parent.set(within(|objects| Ok(live(objects)))?.unwrap_or(MPI_COMM_NULL))
}

/// Asks for a name of a port.
fn port(call: Call, name: OutText) -> Outcome {
    match link::ask(call)? {
        Answer::Name(port) => name.set(&port, MPI_MAX_PORT_NAME as usize).map(|_| ()),
        answer => Err(link::other(answer)),
    }
}

/// `MPI_Open_port`: hints are ignored.
pub fn open_port(_info: MPI_Info, name: OutText) -> Outcome {
    within(|_| Ok(()))?;
    port(Call::OpenPort, name)
}

/// `MPI_Close_port`.
pub fn close_port(name: Text) -> Outcome {
    within(|_| Ok(()))?;
    link::ask(Call::ClosePort(name.get()?)).map(|_| ())
}

/// `MPI_Publish_name`.
pub fn publish_name(service: Text, _info: MPI_Info, port: Text) -> Outcome {
    within(|_| Ok(()))?;
    link::ask(Call::PublishName { service: service.get()?, port: port.get()? }).map(|_| ())
}

/// `MPI_Unpublish_name`. The port may be any: the name is unique.
pub fn unpublish_name(service: Text, _info: MPI_Info, _port: Text) -> Outcome {
    within(|_| Ok(()))?;
    link::ask(Call::UnpublishName(service.get()?)).map(|_| ())
}

/// `MPI_Lookup_name`.
pub fn lookup_name(service: Text, _info: MPI_Info, name: OutText) -> Outcome {
    within(|_| Ok(()))?;
    port(Call::LookUpName(service.get()?), name)
}

/// The communicator of a call with a root, the root, and whether it is this rank.
fn rooted(on: MPI_Comm, root: c_int) -> Outcome<(Communicator, u32, bool)> {
    let own = intracommunicator(on)?;
    let root = check_rank(root, own.size(), MPI_ERR_ROOT).map_err(|fault| fault.on(on))?;
    let is_root = root as usize == own.rank;
    Ok((own, root, is_root))
}

/// The port is significant at the root alone.
fn connection(port: Text, root: c_int, on: MPI_Comm) -> Outcome<Connection> {
    let (own, root, is_root) = rooted(on, root)?;
    let port = is_root.then(|| port.get()).transpose().map_err(|fault| fault.on(on))?;
    Ok(Connection { communicator: own.number, root, port })
}

/// `MPI_Comm_accept`.
pub fn comm_accept(port: Text, _info: MPI_Info, root: c_int, on: MPI_Comm, new: Out<MPI_Comm>) -> Outcome {
    set(new, ask(on, Call::Accept(connection(port, root, on)?))?)
}

/// `MPI_Comm_connect`.
pub fn comm_connect(port: Text, _info: MPI_Info, root: c_int, on: MPI_Comm, new: Out<MPI_Comm>) -> Outcome {
    set(new, ask(on, Call::Connect(connection(port, root, on)?))?)
}

/// `MPI_Comm_disconnect`: waits for the pending calls of this rank, then frees the communicator.
pub fn comm_disconnect(on: Out<MPI_Comm>) -> Outcome {
    let freed = on.get()?;
    communicator(freed)?;
    completion::settle(freed)?;
    comm_free(on)
}

/// A program with its arguments, which end with a null pointer.
fn words(command: Text, arguments: Out<*mut c_char>) -> Outcome<Vec<String>> {
    let mut words = vec![command.get()?];
    if arguments.is_null() {
        return Ok(words);
    }
    for index in 0.. {
        let argument = arguments.at(index).get()?;
        if argument.is_null() {
            break;
        }
        words.push(Text::from(argument.cast_const()).get()?);
    }
    Ok(words)
}

/// A program of which processes are to be started.
pub fn program(words: Vec<String>, processes: c_int, hints: MPI_Info) -> Outcome<SpawnedProgram> {
    let processes = u32::try_from(processes).map_err(|_| {
        Fault::new(MPI_ERR_ARG, format!("{processes} processes are to be started: below zero"))
    })?;
    let words = words.into_iter().map(|word| word.into_bytes().into()).collect();
    let hint = |key| Ok(info::value(hints, key)?.map(|value| value.into_bytes().into()));
    Ok(SpawnedProgram { words, processes, path: hint("path")?, folder: hint("wdir")? })
}

/// Starts programs that the root gives. Each new process has an error code.
pub fn start(
    root: c_int,
    on: MPI_Comm,
    programs: impl FnOnce() -> Outcome<Vec<SpawnedProgram>>,
    new: Out<MPI_Comm>,
    codes: Out<c_int>,
) -> Outcome {
    let (own, root, is_root) = rooted(on, root)?;
    let programs = is_root.then(programs).transpose().map_err(|fault| fault.on(on))?;
    let asked = programs.iter().flatten().map(|program| program.processes as usize).sum();
    let made = ask(on, Call::Spawn { communicator: own.number, root, programs });
    // Without new processes only the root knows how many were asked for.
    let (count, code) = match &made {
        Ok(made) => (made.as_ref().map_or(0, |made| made.peers().len()), MPI_SUCCESS),
        Err(fault) => (asked, fault.class),
    };
    if !codes.is_null() {
        (0..count).for_each(|process| codes.at(process).offer(code));
    }
    set(new, made?)
}

/// `MPI_Comm_spawn`. Of the hints `path` and `wdir` are used.
#[allow(clippy::too_many_arguments)]
pub fn comm_spawn(
    command: Text,
    arguments: Out<*mut c_char>,
    processes: c_int,
    hints: MPI_Info,
    root: c_int,
    on: MPI_Comm,
    new: Out<MPI_Comm>,
    codes: Out<c_int>,
) -> Outcome {
    let programs = || Ok(vec![program(words(command, arguments)?, processes, hints)?]);
    start(root, on, programs, new, codes)
}

/// `MPI_Comm_spawn_multiple`. Of the hints `path` and `wdir` are used.
#[allow(clippy::too_many_arguments)]
pub fn comm_spawn_multiple(
    count: c_int,
    commands: List<*mut c_char>,
    arguments: Out<*mut *mut c_char>,
    processes: List<c_int>,
    hints: List<MPI_Info>,
    root: c_int,
    on: MPI_Comm,
    new: Out<MPI_Comm>,
    codes: Out<c_int>,
) -> Outcome {
    let programs = || {
        let count = usize::try_from(count).ok().filter(|count| *count > 0);
        let count = count.ok_or_else(|| Fault::new(MPI_ERR_ARG, "no program is to be started"))?;
        let (commands, processes, hints) =
            (commands.list(count)?, processes.list(count)?, hints.list(count)?);
        let one = |at: usize| {
            let own = match arguments.is_null() {
                true => std::ptr::null_mut(),
                false => arguments.at(at).get()?,
            };
            let command = Text::from(commands[at].cast_const());
            program(words(command, Out::from(own))?, processes[at], hints[at])
        };
        (0..count).map(one).collect()
    };
    start(root, on, programs, new, codes)
}
