//! Collective calls on files: the ranks exchange words over the file's own communicator.

use processes::mpi::call::{Answer, Call, Collective};

use crate::calls::error_code;
use crate::calls::point_to_point::progress;
use crate::fault::{Fault, Outcome};
use crate::function;
use crate::link;
use crate::objects::{OpenFile, Progress};
use crate::types::*;

/// Words of a record, of which the first identifies the function. Records of all functions have one length, so
/// that ranks in different functions find that out and no rank waits.
const RECORD: usize = 5;

/// Exchanges words: those of all ranks, in the order of ranks. Ranks in different functions are a fault of all.
pub(super) fn exchange(communicator: u32, words: &[i64]) -> Outcome<Vec<Vec<i64>>> {
    let mut record = [0; RECORD];
    let own = function_word();
    record[0] = own;
    record[1..][..words.len()].copy_from_slice(words);
    let bytes: Vec<u8> = record.iter().flat_map(|word| word.to_le_bytes()).collect();
    let all = run(communicator, Collective::Allgather { bytes: bytes.into(), lengths: None })?;
    let word = |bytes: &[u8]| i64::from_le_bytes(bytes.try_into().unwrap_or_default());
    let records = all.chunks(RECORD * 8).map(|record| record.chunks(8).map(word).collect::<Vec<_>>());
    let others = records.enumerate().map(|(rank, record)| match record.get(1..=words.len()) {
        Some(words) if record[0] == own => Ok(words.to_vec()),
        _ => {
            let why = format!("rank {rank} of the file is in another collective call");
            Err(Fault::new(MPI_ERR_NOT_SAME, why))
        }
    });
    others.collect()
}

/// Waits for all ranks of a file.
pub(super) fn synchronize(file: &OpenFile) -> Outcome {
    exchange(file.communicator, &[]).map(|_| ())
}

fn run(communicator: u32, operation: Collective) -> Outcome<Vec<u8>> {
    let answer = link::ask(Call::Collective { communicator, operation, nonblocking: false })?;
    let Progress::Over(end) = progress(answer)? else {
        return Err(Fault::new(MPI_ERR_INTERN, "a collective call that ends at once has not ended"));
    };
    end.error.as_ref().map_or(Ok(end.bytes.into_vec()), |error| Err(Fault::from_failure(error)))
}

/// Identifies the function that the program has called: a hash of its name (FNV-1a).
fn function_word() -> i64 {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    function::name().trim_end_matches("_c").bytes().fold(0xcbf2_9ce4_8422_2325, hash) as i64
}

/// Error class as a word for other ranks; 0 for success.
pub(super) fn class_word<T>(outcome: &Outcome<T>) -> i64 {
    outcome.as_ref().map_or_else(|fault| fault.class.into(), |_| 0)
}

/// Result of a call that all ranks make together: the fault of this rank, or one that names the first rank that
/// failed. The first word of each rank is its error class.
pub(super) fn joint<T>(own: Outcome<T>, all: &[Vec<i64>]) -> Outcome<T> {
    let own = own?;
    match all.iter().position(|words| words[0] != 0) {
        Some(rank) => {
            let class = all[rank][0] as c_int;
            let why = format!("the call failed in rank {rank} of the file: {}", error_code::text(class));
            Err(Fault::new(class, why))
        }
        None => Ok(own),
    }
}

/// Refuses arguments that are not the same in all ranks.
pub(super) fn same<'a>(rank: usize, all: impl IntoIterator<Item = &'a [i64]>) -> Outcome {
    let all: Vec<_> = all.into_iter().collect();
    let Some(other) = all.iter().position(|words| *words != all[0]) else { return Ok(()) };
    let other = if all[rank] == all[0] { other } else { 0 };
    let why = format!("the arguments have to be the same in all ranks, and rank {other} gives others");
    Err(Fault::new(MPI_ERR_NOT_SAME, why))
}

/// Runs `does` in rank 0 after all ranks have called the function with the same arguments, given as words.
/// `own` is the check of this rank. The call succeeds in all ranks or fails in all.
pub(super) fn in_first(
    file: &OpenFile,
    own: Outcome,
    words: &[i64],
    does: impl FnOnce() -> Outcome,
) -> Outcome {
    let record = [&[class_word(&own)], words].concat();
    let all = exchange(file.communicator, &record)?;
    joint(own, &all)?;
    same(file.rank, all.iter().map(|record| &record[1..]))?;
    let done = if file.rank == 0 { does() } else { Ok(()) };
    let all = exchange(file.communicator, &[class_word(&done)])?;
    joint(done, &all)
}

/// Lets other ranks run, so that a rank that waits for changes of a file sees them.
pub(super) fn let_others_run(file: &OpenFile) -> Outcome {
    if file.processes.len() == 1 {
        return Ok(());
    }
    let look = Call::Probe {
        communicator: file.communicator,
        source: None,
        tag: None,
        blocking: false,
        matched: false,
    };
    match link::ask(look)? {
        Answer::Probed(_) => Ok(()),
        answer => Err(link::other(answer)),
    }
}
