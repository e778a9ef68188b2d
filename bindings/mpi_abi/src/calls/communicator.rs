//! Communicators: the simulator creates them and reports their processes.

use processes::mpi::call::{Answer, Call};

use super::{attribute, group, info};
use crate::arguments::{Out, OutText, Text};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, communicator, intracommunicator, within};
use crate::types::*;

/// `MPI_Comm_rank`.
pub fn comm_rank(on: MPI_Comm, rank: Out<c_int>) -> Outcome {
    rank.set(communicator(on)?.rank as c_int)
}

/// `MPI_Comm_size`.
pub fn comm_size(on: MPI_Comm, size: Out<c_int>) -> Outcome {
    size.set(communicator(on)?.size() as c_int)
}

/// `MPI_Comm_group`.
pub fn comm_group(on: MPI_Comm, of: Out<MPI_Group>) -> Outcome {
    group::of(on, of)
}

/// `MPI_Comm_compare`.
pub fn comm_compare(first: MPI_Comm, second: MPI_Comm, result: Out<c_int>) -> Outcome {
    let (one, other) = (communicator(first)?, communicator(second)?);
    let alike = [
        group::compare(&one.processes, &other.processes),
        match (&one.remote, &other.remote) {
            (None, None) => MPI_IDENT,
            (Some(one), Some(other)) => group::compare(one, other),
            _ => MPI_UNEQUAL,
        },
    ];
    let worst = [MPI_UNEQUAL, MPI_SIMILAR].into_iter().find(|worst| alike.contains(worst));
    result.set(worst.unwrap_or(if first == second { MPI_IDENT } else { MPI_CONGRUENT }))
}

/// `MPI_Comm_split`.
pub fn comm_split(on: MPI_Comm, colour: c_int, key: c_int, new: Out<MPI_Comm>) -> Outcome {
    let old = communicator(on)?;
    let colour = match colour {
        MPI_UNDEFINED => None,
        colour => Some(u32::try_from(colour).map_err(|_| {
            Fault::new(MPI_ERR_ARG, format!("{colour} is no colour: it is below zero")).on(on)
        })?),
    };
    let made = ask(on, Call::Split { communicator: old.number, color: colour, key })?;
    set(new, made)
}

/// `MPI_Comm_create`.
pub fn comm_create(on: MPI_Comm, of: MPI_Group, new: Out<MPI_Comm>) -> Outcome {
    let (old, processes) = (communicator(on)?, group::processes(of)?);
    contained(&old, &processes).map_err(|fault| fault.on(on))?;
    let made = ask(on, Call::Create { communicator: old.number, processes })?;
    set(new, made)
}

/// `MPI_Comm_create_group`.
pub fn comm_create_group(on: MPI_Comm, of: MPI_Group, tag: c_int, new: Out<MPI_Comm>) -> Outcome {
    let (old, processes) = (intracommunicator(on)?, group::processes(of)?);
    contained(&old, &processes).map_err(|fault| fault.on(on))?;
    if !processes.contains(&old.own()) {
        return new.set(MPI_COMM_NULL);
    }
    let tag = u32::try_from(tag).map_err(|_| Fault::new(MPI_ERR_TAG, format!("{tag} is no tag")).on(on))?;
    let made = ask(on, Call::CreateGroup { communicator: old.number, processes, tag })?;
    set(new, made)
}

fn contained(old: &Communicator, processes: &[u32]) -> Outcome {
    match processes.iter().all(|process| old.processes.contains(process)) {
        true => Ok(()),
        false => Err(Fault::new(MPI_ERR_GROUP, "the group has processes that the communicator has not")),
    }
}

/// `MPI_Comm_free`. The simulator frees the communicator when no request uses it any more.
pub fn comm_free(on: Out<MPI_Comm>) -> Outcome {
    let freed = on.get()?;
    communicator(freed)?;
    attribute::forget_all(freed)?;
    let unused = within(|objects| {
        objects.partitioned.retain(|(on, ..), _| *on != freed);
        objects.communicators.free(freed)
    })?;
    if let Some(communicator) = unused {
        link::ask(Call::FreeCommunicator(communicator.number))?;
    }
    on.set(MPI_COMM_NULL)
}

/// `MPI_Comm_set_name`.
pub fn comm_set_name(on: MPI_Comm, name: Text) -> Outcome {
    let name = name.get()?;
    within(|objects| {
        objects.communicators.get_mut(on)?.name = name;
        Ok(())
    })
}

/// `MPI_Comm_get_name`. The null handle has its own name as well (MPI 5.0, section 7.8).
pub fn comm_get_name(on: MPI_Comm, name: OutText, length: Out<c_int>) -> Outcome {
    let own = match on {
        MPI_COMM_NULL => "MPI_COMM_NULL".to_owned(),
        on => communicator(on)?.name,
    };
    length.set(name.set(&own, MPI_MAX_OBJECT_NAME as usize)? as c_int)
}

/// Hints that the standard defines for communicators (MPI 5.0, section 7.4.4). They are kept, and change nothing.
const HINTS: [&str; 4] = [
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
];

/// Hints for communicators in an info object.
pub(super) fn hints(info: MPI_Info) -> Outcome<Vec<(String, String)>> {
    let mut entries = info::entries(info)?;
    entries
        .retain(|(key, value)| HINTS.contains(&key.as_str()) && ["true", "false"].contains(&value.as_str()));
    Ok(entries)
}

/// `MPI_Comm_set_info`.
pub fn comm_set_info(on: MPI_Comm, info: MPI_Info) -> Outcome {
    let given = hints(info).map_err(|fault| fault.on(on))?;
    within(|objects| {
        info::merge(&mut objects.communicators.get_mut(on)?.hints, given);
        Ok(())
    })
}

/// `MPI_Comm_get_info`.
pub fn comm_get_info(on: MPI_Comm, info: Out<MPI_Info>) -> Outcome {
    info::info_of(info, communicator(on)?.hints)
}

/// Requests a communicator from the simulator. It inherits the error handler of the old one.
pub(super) fn ask(on: MPI_Comm, call: Call) -> Outcome<Option<Communicator>> {
    let old = communicator(on)?;
    match link::ask(call).map_err(|fault| fault.on(on))? {
        Answer::Communicator(None) => Ok(None),
        Answer::Communicator(Some(world)) => {
            let made = Communicator::new(world, old.own(), old.handler)?;
            Ok(Some(Communicator { session: old.session, ..made }))
        }
        answer => Err(link::other(answer)),
    }
}

/// A communicator of the same processes without topology, attributes and hints.
pub(super) fn duplicate(on: MPI_Comm) -> Outcome<Communicator> {
    let number = communicator(on)?.number;
    ask(on, Call::Duplicate(number))?
        .ok_or_else(|| Fault::new(MPI_ERR_INTERN, "there is no duplicate").on(on))
}

pub(super) fn add(communicator: Communicator) -> Outcome<MPI_Comm> {
    within(|objects| Ok(objects.communicators.add(communicator)))
}

/// Returns a new communicator to the program, or `MPI_COMM_NULL`.
pub(super) fn set(new: Out<MPI_Comm>, made: Option<Communicator>) -> Outcome {
    new.set(match made {
        Some(made) => add(made)?,
        None => MPI_COMM_NULL,
    })
}
