//! A small world for each rule that is left out, and worlds in which nothing may go wrong with the library's rules.

use mpi::LockKind::{Exclusive, Shared};

use super::Windows;
use super::defect::Defect;
use super::program::Op::{self, *};
use super::world::World;
use super::wrong::Wrong;
use crate::core::{self, Clean};

/// A rule that is left out.
pub type Hazard = core::Hazard<Windows>;

/// The hazards that a world shows.
pub(super) fn all() -> Vec<Hazard> {
    [locks(), epochs(), deaths(), carriers()].into_iter().flatten().collect()
}

fn world<const N: usize>(defect: Defect, programs: [&[Op]; N]) -> World {
    World { defect: Some(defect), ..World::of(programs) }
}

/// Rank 2 may die.
fn dying(defect: Defect, programs: [&[Op]; 3]) -> World {
    World { dies: Some(2), ..world(defect, programs) }
}

const LOCK_2: &[Op] = &[Lock(2, Exclusive), Unlock(2)];
const LOCK_0: &[Op] = &[Lock(0, Exclusive), Unlock(0)];
const UPDATE_OF_0: &[Op] = &[Lock(0, Exclusive), Put(0), Unlock(0)];
const UPDATE: &[Op] = &[Lock(1, Exclusive), Put(1), Unlock(1)];

/// Locks at their target, and unlocks at their origin.
fn locks() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "W1",
            "A target grants a lock that another rank holds.",
            "locks are granted in the order of arrival, an exclusive one alone",
            Wrong::Exclusion,
            world(Defect::GrantsAll, [LOCK_2, LOCK_2, &[]]),
        ),
        Hazard::new(
            "W2",
            "A lock ends, and its target does not grant the next one.",
            "the end of a lock grants those behind it",
            Wrong::Standstill,
            world(Defect::GrantsNone, [LOCK_2, &[Lock(2, Shared), Unlock(2)], &[]]),
        ),
        Hazard::new(
            "W3",
            "An unlock overtakes a long put, whose data comes after its envelope.",
            "a target carries out no message before the earlier ones of its origin",
            Wrong::Outside,
            world(Defect::Overtakes, [&[Lock(1, Shared), LongPut(1), Unlock(1)], &[]]),
        ),
        Hazard::new(
            "W4",
            "An unlock returns before its target has carried out the accesses.",
            "an unlock waits for its answer",
            Wrong::Missing,
            world(Defect::UnlocksUnanswered, [UPDATE, &[]]),
        ),
        Hazard::new(
            "W5",
            "A remote write lands after its lock has ended.",
            "an unlock leaves when all remote writes are acknowledged",
            Wrong::Outside,
            world(Defect::UnlocksOverWrites, [&[Lock(1, Exclusive), Write(1), Unlock(1)], &[]]),
        ),
    ]
}

/// Epochs of fence, and of post, start, complete and wait.
fn epochs() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "W6",
            "A remote write lands after the exposure epoch has ended.",
            "a complete leaves when all remote writes are acknowledged",
            Wrong::Missing,
            world(Defect::CompletesOverWrites, [&[Start(&[1]), Write(1), Complete], &[Post(&[0]), Wait]]),
        ),
        Hazard::new(
            "W7",
            "An origin accesses memory that its target has not exposed yet.",
            "a start waits for the post of each target",
            Wrong::Outside,
            world(Defect::StartsUnposted, [&[Start(&[1]), Put(1), Complete], &[Post(&[0]), Wait]]),
        ),
        Hazard::new(
            "W8",
            "The end of one exposure epoch ends the next one too.",
            "an exposure epoch uses up the messages that end it",
            Wrong::Missing,
            world(
                Defect::KeepsCompletes,
                [
                    &[Start(&[1]), Complete, Start(&[1]), Put(1), Complete],
                    &[Post(&[0]), Wait, Post(&[0]), Wait],
                ],
            ),
        ),
        Hazard::new(
            "W9",
            "All ranks have come to a fence, and a put is still in flight.",
            "a fence flushes each target before its barrier",
            Wrong::Missing,
            world(Defect::FencesUnflushed, [&[Fence, Put(1), Fence], &[Fence, Fence]]),
        ),
    ]
}

/// Ranks that die.
fn deaths() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "W10",
            "A rank dies with a lock, and those that wait for it wait for ever.",
            "a target ends the locks of a rank that its network declares dead",
            Wrong::Standstill,
            dying(Defect::KeepsDeadLocks, [&[], UPDATE_OF_0, LOCK_0]),
        ),
        Hazard::new(
            "W11",
            "A lock of all ranks fails at a dead one, and keeps those that others have granted.",
            "a lock of several ranks that fails ends all of them",
            Wrong::Standstill,
            dying(Defect::KeepsPartialLocks, [LOCK_0, &[LockAll, UnlockAll], &[]]),
        ),
        Hazard::new(
            "W12",
            "The grant of a lock that was given up is taken for the next one's.",
            "a lock is given up when the target has answered",
            Wrong::Exclusion,
            dying(
                Defect::WithdrawsUnanswered,
                [
                    &[Lock(0, Exclusive), Unlock(0), Lock(0, Exclusive), Unlock(0)],
                    &[LockAll, UnlockAll, Lock(0, Exclusive), Unlock(0)],
                    &[],
                ],
            ),
        ),
        Hazard::new(
            "W13",
            "An unlock of all ranks stops at a dead one, and the others stay locked.",
            "an unlock goes on with the other targets",
            Wrong::Standstill,
            dying(Defect::UnlocksUntilDead, [LOCK_0, &[LockAll, Write(2), UnlockAll], &[]]),
        ),
    ]
}

/// Guarantees of carriers.
fn carriers() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "W14",
            "A carrier delivers an unlock before the put that was sent first.",
            "a carrier delivers the messages of a pair of ranks in order",
            Wrong::Outside,
            world(Defect::Reorders, [UPDATE, &[]]),
        ),
        Hazard::new(
            "W15",
            "A carrier delivers a request for a lock twice; the second lock is never unlocked.",
            "a carrier delivers a message once",
            Wrong::Standstill,
            world(Defect::Repeats, [&[Lock(1, Exclusive), Unlock(1)], &[]]),
        ),
    ]
}

/// Worlds with the rules of the library.
pub(super) fn clean() -> Vec<Clean<World>> {
    let clean = |name, description, world| Clean { name, description, world };
    let dying = |programs| World { dies: Some(2), ..World::of(programs) };
    vec![
        clean(
            "locks",
            "Three ranks lock one target, shared and exclusive, with puts, a long put, a get and a flush.",
            World::of([
                &[Lock(2, Exclusive), LongPut(2), Flush(2), Put(2), Unlock(2)],
                &[Lock(2, Shared), Put(2), Get(2), Unlock(2)],
                &[Lock(2, Exclusive), Unlock(2)],
            ]),
        ),
        clean(
            "lock_all",
            "Two ranks lock all, write and put, and a third one locks one of them alone.",
            World::of([
                &[LockAll, Write(1), UnlockAll],
                &[LockAll, Put(0), UnlockAll],
                &[Lock(1, Exclusive), Unlock(1)],
            ]),
        ),
        clean(
            "pscw",
            "A target exposes its memory to two origins, twice to one of them.",
            World::of([
                &[Start(&[2]), LongPut(2), Complete, Start(&[2]), Put(2), Complete],
                &[Start(&[2]), Write(2), Get(2), Complete],
                &[Post(&[0, 1]), Wait, Post(&[0]), Wait],
            ]),
        ),
        clean(
            "fence",
            "Three ranks put and get in an epoch of fences.",
            World::of([
                &[Fence, LongPut(1), Fence],
                &[Fence, Write(2), Fence],
                &[Fence, Put(0), Get(1), Fence],
            ]),
        ),
        clean(
            "death",
            "A rank dies at any time, with locks or as a target; the others lock and unlock on.",
            dying([&[LockAll, Put(1), UnlockAll, Lock(0, Exclusive), Unlock(0)], UPDATE_OF_0, UPDATE_OF_0]),
        ),
    ]
}
