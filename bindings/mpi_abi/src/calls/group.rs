//! Groups: lists of processes by their numbers in the run. All functions of this module are local.

use crate::arguments::{List, Number, Out, OutNumbers};
use crate::fault::{Fault, Outcome};
use crate::objects::{communicator, within};
use crate::types::*;

pub(super) fn processes(group: MPI_Group) -> Outcome<Vec<u32>> {
    within(|objects| objects.groups.get(group).cloned())
}

/// Returns a group of these processes to the program.
pub(super) fn make(group: Out<MPI_Group>, processes: Vec<u32>) -> Outcome {
    let handle = match processes.is_empty() {
        true => MPI_GROUP_EMPTY,
        false => within(|objects| Ok(objects.groups.add(processes)))?,
    };
    group.set(handle)
}

/// `MPI_Comm_group`.
pub fn of(on: MPI_Comm, group: Out<MPI_Group>) -> Outcome {
    make(group, communicator(on)?.processes)
}

/// `MPI_Group_size`.
pub fn group_size(group: MPI_Group, size: Out<c_int>) -> Outcome {
    size.set(processes(group)?.len() as c_int)
}

/// `MPI_Group_rank`.
pub fn group_rank(group: MPI_Group, rank: Out<c_int>) -> Outcome {
    let own = communicator(MPI_COMM_SELF)?.own();
    let found = processes(group)?.iter().position(|process| *process == own);
    rank.set(found.map_or(MPI_UNDEFINED, |rank| rank as c_int))
}

/// `MPI_Group_free`.
pub fn group_free(group: Out<MPI_Group>) -> Outcome {
    let freed = group.get()?;
    if freed != MPI_GROUP_EMPTY {
        within(|objects| objects.groups.free(freed))?;
    }
    group.set(MPI_GROUP_NULL)
}

/// `MPI_Group_compare`.
pub fn group_compare(first: MPI_Group, second: MPI_Group, result: Out<c_int>) -> Outcome {
    result.set(compare(&processes(first)?, &processes(second)?))
}

pub(super) fn compare(first: &[u32], second: &[u32]) -> c_int {
    let sorted = |list: &[u32]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    match first == second {
        true => MPI_IDENT,
        false if sorted(first) == sorted(second) => MPI_SIMILAR,
        false => MPI_UNEQUAL,
    }
}

/// `MPI_Group_incl`.
pub fn group_incl(group: MPI_Group, count: Number, ranks: List<c_int>, new: Out<MPI_Group>) -> Outcome {
    let processes = processes(group)?;
    let ranks = ranks.list(count.count()?)?;
    let chosen = picked(&processes, &ranks)?;
    make(new, chosen)
}

/// `MPI_Group_excl`.
pub fn group_excl(group: MPI_Group, count: Number, ranks: List<c_int>, new: Out<MPI_Group>) -> Outcome {
    let processes = processes(group)?;
    let ranks = ranks.list(count.count()?)?;
    let out = picked(&processes, &ranks)?;
    make(new, processes.into_iter().filter(|process| !out.contains(process)).collect())
}

/// `MPI_Group_range_incl`.
pub fn group_range_incl(
    group: MPI_Group,
    count: Number,
    ranges: Out<[c_int; 3]>,
    new: Out<MPI_Group>,
) -> Outcome {
    let processes = processes(group)?;
    let chosen = picked(&processes, &spread(&ranges.list(count.count()?)?, processes.len())?)?;
    make(new, chosen)
}

/// `MPI_Group_range_excl`.
pub fn group_range_excl(
    group: MPI_Group,
    count: Number,
    ranges: Out<[c_int; 3]>,
    new: Out<MPI_Group>,
) -> Outcome {
    let processes = processes(group)?;
    let out = picked(&processes, &spread(&ranges.list(count.count()?)?, processes.len())?)?;
    make(new, processes.into_iter().filter(|process| !out.contains(process)).collect())
}

/// `MPI_Group_union`.
pub fn group_union(first: MPI_Group, second: MPI_Group, new: Out<MPI_Group>) -> Outcome {
    let mut all = processes(first)?;
    for process in processes(second)? {
        if !all.contains(&process) {
            all.push(process);
        }
    }
    make(new, all)
}

/// `MPI_Group_intersection`.
pub fn group_intersection(first: MPI_Group, second: MPI_Group, new: Out<MPI_Group>) -> Outcome {
    let others = processes(second)?;
    make(new, processes(first)?.into_iter().filter(|process| others.contains(process)).collect())
}

/// `MPI_Group_difference`.
pub fn group_difference(first: MPI_Group, second: MPI_Group, new: Out<MPI_Group>) -> Outcome {
    let others = processes(second)?;
    make(new, processes(first)?.into_iter().filter(|process| !others.contains(process)).collect())
}

/// `MPI_Group_translate_ranks`.
pub fn group_translate_ranks(
    first: MPI_Group,
    count: Number,
    ranks: List<c_int>,
    second: MPI_Group,
    translated: OutNumbers,
) -> Outcome {
    let (from, to) = (processes(first)?, processes(second)?);
    let translate = |rank: c_int| -> Outcome<i64> {
        if rank == MPI_PROC_NULL {
            return Ok(MPI_PROC_NULL.into());
        }
        let process = picked(&from, &[rank])?[0];
        let found = to.iter().position(|other| *other == process);
        Ok(found.map_or(MPI_UNDEFINED.into(), |rank| rank as i64))
    };
    let ranks = ranks.list(count.count()?)?;
    translated.set(ranks.into_iter().map(translate).collect::<Outcome<Vec<_>>>()?)
}

/// Processes of these ranks, each of which must be valid and unique.
fn picked(processes: &[u32], ranks: &[c_int]) -> Outcome<Vec<u32>> {
    let mut chosen = Vec::with_capacity(ranks.len());
    for &rank in ranks {
        let process = usize::try_from(rank).ok().and_then(|rank| processes.get(rank));
        let process = process.ok_or_else(|| {
            Fault::new(MPI_ERR_RANK, format!("there is no rank {rank} among {}", processes.len()))
        })?;
        if chosen.contains(process) {
            return Err(Fault::new(MPI_ERR_RANK, format!("rank {rank} is named twice")));
        }
        chosen.push(*process);
    }
    Ok(chosen)
}

/// Ranks of ranges: first, last and stride.
fn spread(ranges: &[[c_int; 3]], size: usize) -> Outcome<Vec<c_int>> {
    let mut ranks = Vec::new();
    for &[first, last, step] in ranges {
        if step == 0 {
            return Err(Fault::new(MPI_ERR_ARG, "a range has a step of 0"));
        }
        let mut at = i64::from(first);
        while if step > 0 { at <= last.into() } else { at >= last.into() } {
            ranks.push(at as c_int);
            if ranks.len() > size {
                return Err(Fault::new(MPI_ERR_RANK, "ranges name more ranks than there are"));
            }
            at += i64::from(step);
        }
    }
    Ok(ranks)
}
