//! All collective calls, compared with naive loops over the data of all ranks.

use std::rc::Rc;

use super::{Wrong, bytes};
use crate::collective::Collective;
use crate::communicator::Communicator;
use crate::datatype::Kind;
use crate::operation::Operation;
use crate::predefined::Predefined;
use crate::topology::{Cartesian, dims_create};

/// Common multiple of the element sizes of all operations used here, in bytes.
pub(super) const UNIT: usize = 24;

/// Makes all collective calls with `units` units of 24 bytes a rank, one after another and then all at once.
pub async fn collectives(world: &Communicator, units: usize) -> Result<(), Wrong> {
    let rank = world.rank();
    let calls = calls(rank, world.size(), units * UNIT);
    for (what, call, expected) in &calls {
        let result = world.call(call.clone()).await;
        same(rank, what, result, expected)?;
    }
    let mut requests = Vec::with_capacity(calls.len());
    for (what, call, _) in &calls {
        let begun = world.begin(call.clone()).await;
        requests.push(begun.map_err(|error| Wrong::Call { rank, what: what.clone(), error })?);
    }
    for (request, (what, _, expected)) in requests.iter().zip(&calls).rev() {
        let result = request.wait().await.map(|end| end.bytes);
        same(rank, &format!("{what} that did not block"), result, expected)?;
    }
    world.finalize().await.map_err(|error| Wrong::Call { rank, what: "finalize".to_string(), error })
}

pub(super) fn same(
    rank: usize,
    what: &str,
    result: Result<Vec<u8>, crate::Error>,
    expected: &[u8],
) -> Result<(), Wrong> {
    let what = what.to_string();
    match result {
        Err(error) => Err(Wrong::Call { rank, what, error }),
        Ok(result) if result == expected => Ok(()),
        Ok(_) => Err(Wrong::Result { rank, what }),
    }
}

/// A call, its name and its result at this rank.
pub(super) type Expected = (String, Collective, Vec<u8>);

/// Each call with its name and the expected result at this rank.
fn calls(rank: usize, size: usize, count: usize) -> Vec<Expected> {
    let data = Data::new(rank, size, count);
    let mut calls = data.without_root();
    for root in [0, size / 2, size - 1] {
        calls.extend(data.with_root(root));
    }
    for operation in operations() {
        calls.extend(data.reductions(operation));
    }
    calls
}

/// Arguments of the calls at this rank, which follow from the data of all ranks.
struct Data {
    rank: usize,
    size: usize,
    /// Length of each rank's data in bytes.
    count: usize,
    /// Data of each rank.
    all: Vec<Vec<u8>>,
    /// Data of each rank in different lengths, some of them 0.
    unlike: Vec<Vec<u8>>,
}

impl Data {
    fn new(rank: usize, size: usize, count: usize) -> Data {
        let all = (0..size).map(|rank| bytes(rank, 0, count)).collect();
        let unlike = (0..size).map(|rank| bytes(rank, 1, length(count, rank, 0))).collect();
        Data { rank, size, count, all, unlike }
    }

    fn own(&self) -> Vec<u8> {
        self.all[self.rank].clone()
    }

    /// Lengths of the data in different lengths, by rank, in bytes.
    fn lengths(&self) -> Vec<usize> {
        self.unlike.iter().map(Vec::len).collect()
    }

    fn without_root(&self) -> Vec<Expected> {
        let &Data { rank, size, count, .. } = self;
        let length = |from: usize, to: usize| length(count, from, to);
        let part = |from: usize, to: usize| bytes(from, 2 + to, length(from, to));
        let equal = |from: usize, to: usize| bytes(from, 2 + to, count);
        vec![
            ("barrier".to_string(), Collective::Barrier, Vec::new()),
            ("allgather".to_string(), Collective::Allgather { bytes: self.own() }, self.all.concat()),
            (
                "allgatherv".to_string(),
                Collective::Allgatherv { bytes: self.unlike[rank].clone(), counts: self.lengths() },
                self.unlike.concat(),
            ),
            (
                "alltoall".to_string(),
                Collective::Alltoall { bytes: (0..size).flat_map(|to| equal(rank, to)).collect() },
                (0..size).flat_map(|from| equal(from, rank)).collect(),
            ),
            (
                "alltoallv".to_string(),
                Collective::Alltoallv {
                    bytes: (0..size).flat_map(|to| part(rank, to)).collect(),
                    sends: (0..size).map(|to| length(rank, to)).collect(),
                    receives: (0..size).map(|from| length(from, rank)).collect(),
                },
                (0..size).flat_map(|from| part(from, rank)).collect(),
            ),
        ]
    }

    fn with_root(&self, root: usize) -> [Expected; 5] {
        let &Data { rank, count, .. } = self;
        let at_root = |bytes: Vec<u8>| if rank == root { bytes } else { Vec::new() };
        let broadcast = if rank == root { self.own() } else { vec![0; count] };
        let unlike = self.unlike[rank].clone();
        [
            (
                format!("broadcast from {root}"),
                Collective::Broadcast { bytes: broadcast, root: root.into() },
                self.all[root].clone(),
            ),
            (
                format!("gather at {root}"),
                Collective::Gather { bytes: self.own(), root: root.into() },
                at_root(self.all.concat()),
            ),
            (
                format!("gatherv at {root}"),
                Collective::Gatherv { bytes: unlike.clone(), counts: self.lengths(), root: root.into() },
                at_root(self.unlike.concat()),
            ),
            (
                format!("scatter from {root}"),
                Collective::Scatter { bytes: at_root(self.all.concat()), count, root: root.into() },
                self.own(),
            ),
            (
                format!("scatterv from {root}"),
                Collective::Scatterv {
                    bytes: at_root(self.unlike.concat()),
                    counts: self.lengths(),
                    count: unlike.len(),
                    root: root.into(),
                },
                unlike,
            ),
        ]
    }

    fn reductions(&self, (name, operation, naive): (&str, Operation, Naive)) -> Vec<Expected> {
        let &Data { rank, size, count, .. } = self;
        let bytes = self.own();
        let upto = |last: usize| fold(naive, &self.all[..last]);
        let result = upto(size);
        let counts: Vec<_> = (0..size)
            .map(|rank| UNIT * (count / UNIT / size + usize::from(rank < count / UNIT % size)))
            .collect();
        let before: usize = counts[..rank].iter().sum();
        let share = result[before..][..counts[rank]].to_vec();
        let reduce = |root: usize| {
            (
                format!("reduce ({name}) at {root}"),
                Collective::Reduce { bytes: bytes.clone(), operation: operation.clone(), root: root.into() },
                if rank == root { result.clone() } else { Vec::new() },
            )
        };
        vec![
            reduce(0),
            reduce(size - 1),
            (
                format!("allreduce ({name})"),
                Collective::Allreduce { bytes: bytes.clone(), operation: operation.clone() },
                result.clone(),
            ),
            (
                format!("reduce-scatter ({name})"),
                Collective::ReduceScatter { bytes: bytes.clone(), counts, operation: operation.clone() },
                share,
            ),
            (
                format!("scan ({name})"),
                Collective::Scan { bytes: bytes.clone(), operation: operation.clone() },
                upto(rank + 1),
            ),
            (
                format!("exscan ({name})"),
                Collective::Exscan { bytes: bytes.clone(), operation: operation.clone() },
                if rank == 0 { Vec::new() } else { upto(rank) },
            ),
        ]
    }
}

/// Bytes of the part of rank `from` for rank `to`: 0 to 6 times about a quarter of `count`.
pub(super) fn length(count: usize, from: usize, to: usize) -> usize {
    (5 * from + 3 * to) % 7 * UNIT * count.div_ceil(4 * UNIT)
}

/// Reference implementation of an operation.
pub(super) type Naive = fn(&[u8], &[u8]) -> Vec<u8>;

pub(super) fn operations() -> [(&'static str, Operation, Naive); 3] {
    let product = |lower: Vec<u8>, higher: Vec<u8>| -> std::pin::Pin<Box<dyn Future<Output = _>>> {
        Box::pin(async move { Ok(matrices(&lower, &higher)) })
    };
    let matrix = Operation::User { commutative: false, element: 4, function: Rc::new(product) };
    [
        ("sum", Operation::Predefined(Predefined::Sum, Kind::Int32), sums),
        ("largest with its place", Operation::Predefined(Predefined::MaxLocation, Kind::TwoInt), largest),
        ("product of matrices", matrix, matrices),
    ]
}

pub(super) fn fold(naive: Naive, operands: &[Vec<u8>]) -> Vec<u8> {
    operands.iter().cloned().reduce(|lower, higher| naive(&lower, &higher)).unwrap_or_default()
}

fn sums(lower: &[u8], higher: &[u8]) -> Vec<u8> {
    let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let pairs = lower.as_chunks().0.iter().zip(higher.as_chunks().0);
    pairs.flat_map(|(lower, higher)| word(lower).wrapping_add(word(higher)).to_le_bytes()).collect()
}

fn largest(lower: &[u8], higher: &[u8]) -> Vec<u8> {
    let key = |pair: &[u8; 8]| {
        let word = |at: usize| i32::from_le_bytes([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]]);
        (word(0), std::cmp::Reverse(word(4)))
    };
    let pairs = lower.as_chunks::<8>().0.iter().zip(higher.as_chunks::<8>().0);
    pairs.flat_map(|(lower, higher)| if key(lower) > key(higher) { *lower } else { *higher }).collect()
}

/// Product of 2x2 matrices of bytes: associative, but not commutative.
fn matrices(lower: &[u8], higher: &[u8]) -> Vec<u8> {
    let pairs = lower.as_chunks::<4>().0.iter().zip(higher.as_chunks::<4>().0);
    let entry = |a: u8, b: u8, c: u8, d: u8| a.wrapping_mul(b).wrapping_add(c.wrapping_mul(d));
    pairs
        .flat_map(|([a, b, c, d], [e, f, g, h])| {
            [entry(*a, *e, *b, *g), entry(*a, *f, *b, *h), entry(*c, *e, *d, *g), entry(*c, *f, *d, *h)]
        })
        .collect()
}

/// Derives communicators and adds up ranks in each; messages of one communicator must not reach another.
pub async fn splits(world: &Communicator) -> Result<(), Wrong> {
    let (rank, size) = (world.rank(), world.size());
    let failed = |what: &str| {
        let what = what.to_string();
        move |error| Wrong::Call { rank, what, error }
    };
    let sum = async |part: &Communicator, expected: usize, what: &str| {
        let operand = (rank as u64).to_le_bytes().to_vec();
        let result = part.allreduce(operand, Operation::Predefined(Predefined::Sum, Kind::Uint64)).await;
        same(rank, what, result, &(expected as u64).to_le_bytes())
    };
    let twin = world.duplicate().await.map_err(failed("duplicate"))?;
    sum(&twin, (0..size).sum(), "sum over a duplicate").await?;
    let third = world.split(Some(rank as u32 % 3), -(rank as i64)).await.map_err(failed("split"))?;
    let third = third.ok_or(Wrong::Result { rank, what: "split".to_string() })?;
    sum(&third, (0..size).filter(|other| other % 3 == rank % 3).sum(), "sum over a part").await?;
    let last = (size - 1 - rank % 3) / 3;
    if third.rank() != last - rank / 3 {
        return Err(Wrong::Result { rank, what: "rank by a falling key".to_string() });
    }
    let odd: Vec<_> = (0..size).filter(|other| other % 2 == 1).collect();
    let group = world.group().include(&odd).map_err(failed("group"))?;
    let of_group = match rank % 2 {
        1 => world.create_group(&group, 7).await.map_err(failed("create from a group"))?,
        _ => None,
    };
    if let Some(of_group) = &of_group {
        sum(of_group, odd.iter().sum(), "sum over a group").await?;
    }
    let sides = dims_create(size, &[0, 0]).map_err(failed("dims_create"))?;
    let grid = Cartesian::new(sides.clone(), vec![true; 2]).map_err(failed("grid"))?;
    let grid = world.create_cartesian(grid).await.map_err(failed("create a grid"))?;
    let grid = grid.ok_or(Wrong::Result { rank, what: "grid".to_string() })?;
    let row = grid.cartesian_part(&[false, true]).await.map_err(failed("row of a grid"))?;
    let first = rank / sides[1] * sides[1];
    sum(&row, (first..first + sides[1]).sum(), "sum over a row").await?;
    for part in [twin, third, grid, row].into_iter().chain(of_group) {
        part.free();
    }
    world.finalize().await.map_err(failed("finalize"))
}
