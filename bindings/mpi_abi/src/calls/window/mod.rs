//! Windows (MPI 5.0, chapter 12): the simulator moves the data and reads and writes the memory of the ranks.

pub mod access;
pub mod attribute;
pub mod create;
pub mod error;
pub mod synchronize;

use crate::arguments::{Memory, Out, OutNumber, OutText, Text};
use crate::calls::info;
use crate::fault::{Fault, Outcome};
use crate::objects::{Window, within};
use crate::types::*;

/// Reads the state of a window; an error if the handle is invalid.
fn read<T>(win: MPI_Win, does: impl FnOnce(&Window) -> T) -> Outcome<T> {
    within(|objects| objects.windows.get(win).map(does))
}

/// Changes the state of a window; an error if the handle is invalid.
fn change<T>(win: MPI_Win, does: impl FnOnce(&mut Window) -> T) -> Outcome<T> {
    within(|objects| objects.windows.get_mut(win).map(does))
}

/// `MPI_Win_get_group`.
pub fn get_group(win: MPI_Win, group: Out<MPI_Group>) -> Outcome {
    let processes = read(win, |window| window.processes.clone())?;
    group.set(within(|objects| Ok(objects.groups.add(processes)))?)
}

/// `MPI_Win_set_name`.
pub fn set_name(win: MPI_Win, name: Text) -> Outcome {
    let name = name.get()?;
    change(win, |window| window.name = name)
}

/// `MPI_Win_get_name`.
pub fn get_name(win: MPI_Win, name: OutText, length: Out<c_int>) -> Outcome {
    let own = read(win, |window| window.name.clone())?;
    length.set(name.set(&own, MPI_MAX_OBJECT_NAME as usize)? as c_int)
}

/// Hints of the standard with their initial values (MPI 5.0, section 12.2.1).
const HINTS: [(&str, &str); 6] = [
    ("no_locks", "false"),
    ("accumulate_ordering", "rar,raw,war,waw"),
    ("accumulate_ops", "same_op_no_op"),
    ("same_size", "false"),
    ("same_disp_unit", "false"),
    ("alloc_shared_noncontig", "false"),
];

/// `MPI_Win_set_info`: hints have no effect.
pub fn set_info(win: MPI_Win, info: MPI_Info) -> Outcome {
    read(win, |_| ())?;
    let new = info::entries(info).map_err(|fault| fault.on(win))?;
    change(win, |window| info::merge(&mut window.hints, new))
}

/// `MPI_Win_get_info`: hints of the standard, with the values that the program gave them.
pub fn get_info(win: MPI_Win, info: Out<MPI_Info>) -> Outcome {
    let given = read(win, |window| window.hints.clone())?;
    let value = |(key, initial): (&str, &str)| {
        let given = given.iter().find(|(other, _)| other == key);
        (key.to_owned(), given.map_or_else(|| initial.to_owned(), |(_, value)| value.clone()))
    };
    info::info_of(info, HINTS.map(value).to_vec())
}

/// `MPI_Win_shared_query`: ranks share no memory.
pub fn shared_query(
    win: MPI_Win,
    rank: c_int,
    size: Out<MPI_Aint>,
    unit: OutNumber,
    base: Memory,
) -> Outcome {
    let (own, ranks, values, memory) =
        read(win, |window| (window.rank, window.processes.len(), *window.values, window.base))?;
    let query = || {
        if values.flavor == MPI_WIN_FLAVOR_DYNAMIC {
            return Err(Fault::new(MPI_ERR_RMA_FLAVOR, "a dynamic window has no memory of its own"));
        }
        // `MPI_PROC_NULL` stands for the lowest rank with memory.
        let is_own = rank == MPI_PROC_NULL && ranks == 1 || usize::try_from(rank) == Ok(own);
        if rank != MPI_PROC_NULL && usize::try_from(rank).map_or(true, |rank| rank >= ranks) {
            return Err(Fault::new(MPI_ERR_RANK, format!("there is no rank {rank} among {ranks}")));
        }
        size.set(if is_own { values.size } else { 0 })?;
        unit.set(values.unit.into())?;
        base.set_word(if is_own { memory.address() } else { 0 })
    };
    query().map_err(|fault: Fault| fault.on(win))
}
