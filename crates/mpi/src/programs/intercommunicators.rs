//! Intercommunicators: all their calls, compared with naive loops over the data of all ranks.

use super::collectives::{Expected, UNIT, fold, length, operations, same};
use super::{Wrong, bytes};
use crate::collective::{Collective, Peer, Root};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::group::Comparison;
use crate::matching::{Source, Tag};
use crate::request::wait_all;

/// Makes an intercommunicator of the first `first` ranks and the others, makes all calls on it with `units`
/// units of 24 bytes a rank, and derives communicators from it.
pub async fn intercommunicators(world: &Communicator, first: usize, units: usize) -> Result<(), Wrong> {
    let between = halves(world, first).await.map_err(failed(world, "create an intercommunicator"))?;
    let sides = Sides::new(&between, world.rank() < first);
    let sizes = if sides.is_first { (first, world.size() - first) } else { (world.size() - first, first) };
    right(world, (between.size(), between.peers().size()) == sizes, "sizes of the groups")?;
    messages(&between).await.map_err(failed(world, "messages"))?;
    collectives(&between, &sides, units * UNIT).await?;
    derived(world, &between, &sides).await?;
    merged(world, &between, &sides).await?;
    between.free();
    world.finalize().await.map_err(failed(world, "finalize"))
}

fn failed(world: &Communicator, what: &str) -> impl Fn(Error) -> Wrong {
    let (rank, what) = (world.rank(), what.to_string());
    move |error| Wrong::Call { rank, what: what.clone(), error }
}

fn right(world: &Communicator, is_right: bool, what: &str) -> Result<(), Wrong> {
    match is_right {
        true => Ok(()),
        false => Err(Wrong::Result { rank: world.rank(), what: what.to_string() }),
    }
}

/// The intercommunicator of the first `first` ranks and the others. The last rank of each half leads it.
async fn halves(world: &Communicator, first: usize) -> Result<Communicator, Error> {
    let is_first = world.rank() < first;
    let half = world.split(Some(is_first.into()), 0).await?.ok_or(Error::NoRank)?;
    let leader = half.size() - 1;
    let other = if is_first { world.size() - 1 } else { first - 1 };
    let peer = (half.rank() == leader).then(|| Peer { communicator: world.clone(), rank: other });
    half.create_intercommunicator(leader, peer, 7).await
}

/// The two groups, as this process sees them.
struct Sides {
    is_first: bool,
    rank: usize,
    local: usize,
    remote: usize,
}

impl Sides {
    fn new(between: &Communicator, is_first: bool) -> Self {
        let (rank, local, remote) = (between.rank(), between.size(), between.peers().size());
        Sides { is_first, rank, local, remote }
    }

    /// Number that names a rank of one of the groups in data.
    fn name(&self, is_local: bool, rank: usize) -> usize {
        rank + if is_local == self.is_first { 0 } else { 1000 }
    }

    /// Data of a rank of one of the groups.
    fn data(&self, is_local: bool, rank: usize, count: usize) -> Vec<u8> {
        bytes(self.name(is_local, rank), 0, count)
    }

    /// Length and data of the part of one rank for a rank of the other group.
    fn part(&self, is_local: bool, from: usize, to: usize, count: usize) -> Vec<u8> {
        bytes(self.name(is_local, from), 2 + to, length(count, from, to))
    }

    fn remote_data(&self, count: usize) -> Vec<u8> {
        (0..self.remote).flat_map(|rank| self.data(false, rank, count)).collect()
    }
}

/// Every rank sends to every rank of the other group, and receives from any.
async fn messages(between: &Communicator) -> Result<(), Error> {
    let remote = between.peers().size();
    let mut sends = Vec::with_capacity(remote);
    for to in 0..remote {
        let data = bytes(between.rank(), to, 10 * to);
        sends.push(between.isend(crate::Mode::Standard, to, 3, data).await?);
    }
    let mut seen = vec![false; remote];
    for _ in 0..remote {
        let found = between.probe(Source::Any, Tag::Is(3)).await?;
        let message = between.receive(Source::Rank(found.source), Tag::Is(3), found.bytes).await?;
        if message.bytes != bytes(found.source, between.rank(), 10 * between.rank()) || seen[found.source] {
            return Err(Error::Argument("a message of another rank came"));
        }
        seen[found.source] = true;
    }
    wait_all(&sends).await.into_iter().try_for_each(|end| end.map(|_| ()))
}

/// All collective calls, one after another and then all at once.
async fn collectives(between: &Communicator, sides: &Sides, count: usize) -> Result<(), Wrong> {
    let rank = between.rank();
    let mut calls = without_root(sides, count);
    for (first_has_root, root) in [(true, 0), (false, 0), (true, usize::MAX), (false, usize::MAX)] {
        calls.extend(with_root(sides, count, first_has_root == sides.is_first, root));
    }
    for (what, call, expected) in &calls {
        same(rank, what, between.call(call.clone()).await, expected)?;
    }
    let mut requests = Vec::with_capacity(calls.len());
    for (what, call, _) in &calls {
        requests.push(between.begin(call.clone()).await.map_err(failed(between, what))?);
    }
    for (request, (what, _, expected)) in requests.iter().zip(&calls).rev() {
        let result = request.wait().await.map(|end| end.bytes);
        same(rank, &format!("{what} that did not block"), result, expected)?;
    }
    Ok(())
}

fn without_root(sides: &Sides, count: usize) -> Vec<Expected> {
    let &Sides { rank, local, remote, .. } = sides;
    let own = sides.data(true, rank, count);
    let all = sides.remote_data(count);
    let unlike = |is_local: bool, rank: usize| sides.part(is_local, rank, 0, count);
    let equal = |is_local: bool, from: usize, to: usize| bytes(sides.name(is_local, from), 2 + to, count);
    let mut calls = vec![
        ("barrier between groups".to_string(), Collective::Barrier, Vec::new()),
        ("allgather between groups".to_string(), Collective::Allgather { bytes: own.clone() }, all),
        (
            "allgatherv between groups".to_string(),
            Collective::Allgatherv {
                bytes: unlike(true, rank),
                counts: (0..remote).map(|from| unlike(false, from).len()).collect(),
            },
            (0..remote).flat_map(|from| unlike(false, from)).collect(),
        ),
        (
            "alltoall between groups".to_string(),
            Collective::Alltoall { bytes: (0..remote).flat_map(|to| equal(true, rank, to)).collect() },
            (0..remote).flat_map(|from| equal(false, from, rank)).collect(),
        ),
        (
            "alltoallv between groups".to_string(),
            Collective::Alltoallv {
                bytes: (0..remote).flat_map(|to| sides.part(true, rank, to, count)).collect(),
                sends: (0..remote).map(|to| sides.part(true, rank, to, count).len()).collect(),
                receives: (0..remote).map(|from| sides.part(false, from, rank, count).len()).collect(),
            },
            (0..remote).flat_map(|from| sides.part(false, from, rank, count)).collect(),
        ),
    ];
    for (name, operation, naive) in operations() {
        let operands: Vec<_> = (0..remote).map(|rank| sides.data(false, rank, count)).collect();
        let result = fold(naive, &operands);
        // The last ranks of the local group get the parts.
        let counts: Vec<_> = (0..local).map(|rank| if rank + 1 == local { count } else { 0 }).collect();
        calls.push((
            format!("allreduce ({name}) between groups"),
            Collective::Allreduce { bytes: own.clone(), operation: operation.clone() },
            result.clone(),
        ));
        calls.push((
            format!("reduce-scatter ({name}) between groups"),
            Collective::ReduceScatter { bytes: own.clone(), counts, operation },
            if rank + 1 == local { result } else { Vec::new() },
        ));
    }
    calls
}

/// Calls whose root is a rank of the local or of the remote group, at most the last one.
fn with_root(sides: &Sides, count: usize, is_here: bool, root: usize) -> Vec<Expected> {
    let &Sides { rank, local, remote, .. } = sides;
    let root = root.min(if is_here { local } else { remote } - 1);
    let role = match (is_here, rank == root) {
        (true, true) => Root::Here,
        (true, false) => Root::Elsewhere,
        (false, _) => Root::Rank(root),
    };
    let at_root = |bytes: Vec<u8>| if role == Root::Here { bytes } else { Vec::new() };
    let unlike = |is_local: bool, rank: usize| sides.part(is_local, rank, 0, count);
    let counts: Vec<_> = (0..remote).map(|from| unlike(false, from).len()).collect();
    // Part of a rank that the root has.
    let share = |is_local: bool, rank: usize, count: usize| bytes(sides.name(is_local, rank), 5, count);
    let own = sides.data(true, rank, count);
    let mut calls = vec![
        (
            format!("broadcast from {root} to the other group"),
            Collective::Broadcast { bytes: if is_here { own.clone() } else { vec![0; count] }, root: role },
            if is_here { at_root(own.clone()) } else { sides.data(false, root, count) },
        ),
        (
            format!("gather at {root} of the other group"),
            Collective::Gather { bytes: own.clone(), root: role },
            at_root(sides.remote_data(count)),
        ),
        (
            format!("gatherv at {root} of the other group"),
            Collective::Gatherv { bytes: unlike(true, rank), counts: counts.clone(), root: role },
            at_root((0..remote).flat_map(|from| unlike(false, from)).collect()),
        ),
        (
            format!("scatter from {root} to the other group"),
            Collective::Scatter {
                bytes: at_root((0..remote).flat_map(|to| share(false, to, count)).collect()),
                count,
                root: role,
            },
            if is_here { Vec::new() } else { share(true, rank, count) },
        ),
        (
            format!("scatterv from {root} to the other group"),
            Collective::Scatterv {
                bytes: at_root((0..remote).flat_map(|to| share(false, to, counts[to])).collect()),
                counts: counts.clone(),
                count: unlike(true, rank).len(),
                root: role,
            },
            if is_here { Vec::new() } else { share(true, rank, unlike(true, rank).len()) },
        ),
    ];
    for (name, operation, naive) in operations() {
        let operands: Vec<_> = (0..remote).map(|rank| sides.data(false, rank, count)).collect();
        calls.push((
            format!("reduce ({name}) at {root} of the other group"),
            Collective::Reduce { bytes: own.clone(), operation, root: role },
            at_root(fold(naive, &operands)),
        ));
    }
    calls
}

/// Duplicates, parts and subgroups of an intercommunicator.
async fn derived(world: &Communicator, between: &Communicator, sides: &Sides) -> Result<(), Wrong> {
    let checked = async |between: &Communicator, what: &str| {
        let sides = Sides::new(between, sides.is_first);
        messages(between).await.map_err(failed(world, what))?;
        let counted =
            between.call(Collective::Allgather { bytes: vec![0] }).await.map(|all| vec![all.len() as u8]);
        same(world.rank(), what, counted, &[sides.remote as u8])
    };
    // Two duplicates and one of the world are made at the same time.
    let (first, one) = between.begin_duplicate().await.map_err(failed(world, "begin a duplicate"))?;
    let (second, other) = world.begin_duplicate().await.map_err(failed(world, "begin a duplicate"))?;
    let third = between.duplicate().await.map_err(failed(world, "duplicate"))?;
    wait_all(&[second, first])
        .await
        .into_iter()
        .try_for_each(|end| end.map(|_| ()))
        .map_err(failed(world, "wait"))?;
    let (Some(one), Some(other)) = (one.get().cloned(), other.get().cloned()) else {
        return right(world, false, "duplicate that did not block");
    };
    let numbers = [between, &one, &other, &third].map(Communicator::number);
    right(world, (0..4).all(|at| !numbers[..at].contains(&numbers[at])), "numbers of duplicates")?;
    right(world, one.compare(between) == Comparison::Congruent, "compare")?;
    right(world, one.compare(&other) == Comparison::Unequal, "compare with a group of all")?;
    checked(&one, "duplicate that did not block").await?;
    checked(&third, "duplicate").await?;
    let color = |rank: usize| Some(rank as u32 % 3);
    let part = between.split(color(sides.rank), 0).await.map_err(failed(world, "split"))?;
    let members = |size: usize| (0..size).filter(|rank| color(*rank) == color(sides.rank)).count();
    let sizes = part.as_ref().map(|part| (part.size(), part.peers().size()));
    let expected = (members(sides.local), members(sides.remote));
    right(world, sizes == (expected.1 > 0).then_some(expected), "sizes of parts")?;
    if let Some(part) = &part {
        checked(part, "part").await?;
    }
    let last = between.group().include(&[sides.local - 1]).map_err(failed(world, "group"))?;
    let lasts = between.create(&last).await.map_err(failed(world, "create"))?;
    right(world, lasts.is_some() == (sides.rank + 1 == sides.local), "members of a part")?;
    if let Some(lasts) = &lasts {
        checked(lasts, "communicator of the last ranks").await?;
    }
    for made in [one, other, third].into_iter().chain(part).chain(lasts) {
        made.free();
    }
    Ok(())
}

async fn merged(world: &Communicator, between: &Communicator, sides: &Sides) -> Result<(), Wrong> {
    for (first_high, second_high) in [(false, true), (true, false), (true, true), (false, false)] {
        let high = if sides.is_first { first_high } else { second_high };
        let merged = between.merge(high).await.map_err(failed(world, "merge"))?;
        let expected = match (first_high && !second_high, sides.is_first) {
            (false, _) => world.rank(),
            (true, true) => sides.remote + sides.rank,
            (true, false) => sides.rank,
        };
        right(world, (merged.rank(), merged.size()) == (expected, world.size()), "merge")?;
        merged.barrier().await.map_err(failed(world, "barrier of a merge"))?;
        merged.free();
    }
    Ok(())
}
