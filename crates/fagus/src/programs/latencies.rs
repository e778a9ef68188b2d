//! What calls take: one node asks, another one has what is asked for, and all others wait at a barrier.

use std::time::Duration;

use crate::{Dsm, Error, Shared};

/// Calls that are measured, each on data of its own; node 1 measures, node 0 has all data and the order of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    /// A barrier that all others are at.
    Barrier,
    /// A lock that nobody has.
    Lock,
    /// A read that misses, of so many bytes.
    Read(usize),
    /// A write that misses: ownership comes, and so many bytes.
    Write(usize),
    /// A write by who has a valid copy: ownership alone comes.
    Upgrade(usize),
}

/// What is measured, with what it is called.
const CALLS: [(&str, Call); 10] = [
    ("barrier", Call::Barrier),
    ("lock", Call::Lock),
    ("read miss, 4 B", Call::Read(4)),
    ("read miss, 1 KiB", Call::Read(1 << 10)),
    ("read miss, 16 KiB", Call::Read(16 << 10)),
    ("read miss, 64 KiB", Call::Read(64 << 10)),
    ("write miss, 4 B", Call::Write(4)),
    ("write miss, 64 KiB", Call::Write(64 << 10)),
    ("write of a copy, 4 B", Call::Upgrade(4)),
    ("write of a copy, 64 KiB", Call::Upgrade(64 << 10)),
];

/// A number of a lock whose home is node 0.
const LOCK: usize = 0;

/// The program of a node; what node 1 has measured, and nothing on others.
pub async fn program(dsm: &Dsm) -> Result<Vec<(&'static str, Duration)>, Error> {
    if dsm.nodes() < 2 {
        return Err(Error::NoSuch { what: "node", number: 1, count: dsm.nodes() });
    }
    let asks = dsm.node() == 1;
    let mut times = Vec::new();
    for (name, call) in CALLS {
        let bytes = match call {
            Call::Read(bytes) | Call::Write(bytes) | Call::Upgrade(bytes) => bytes,
            Call::Barrier | Call::Lock => 1,
        };
        let data: Shared<[u8]> = dsm.shared_whole(name, bytes).await?;
        if asks && matches!(call, Call::Upgrade(_)) {
            drop(data.read(0..bytes).await?);
        }
        dsm.barrier().await?;
        if asks {
            // Others come first.
            dsm.compute(LATE).await?;
            let begin = dsm.now();
            match call {
                Call::Barrier => dsm.barrier().await?,
                Call::Lock => drop(dsm.lock(LOCK).await?),
                Call::Read(_) => drop(data.read(0..bytes).await?),
                Call::Write(_) | Call::Upgrade(_) => drop(data.write(0..bytes).await?),
            }
            times.push((name, dsm.now() - begin));
        }
        if !(asks && call == Call::Barrier) {
            dsm.barrier().await?;
        }
    }
    Ok(times)
}

/// The paper's measurement (section 4.2): node 0 writes a variable of which all others have a copy, then they read it, each round. On node 0 how long the write
/// took, which is the invalidation; on others how long the read took, the update. Whoever does that rests before it, and the others are at
/// the next barrier by then. The first round is not among them.
pub async fn server_and_clients(dsm: &Dsm, rounds: usize) -> Result<Vec<Duration>, Error> {
    let variable: Shared<[u32]> = dsm.shared_whole("variable", 1).await?;
    let mut times = Vec::new();
    for _ in 0..=rounds {
        if dsm.node() == 0 {
            dsm.compute(LATE).await?;
            let begin = dsm.now();
            variable.write(0..1).await?[0] += 1;
            times.push(dsm.now() - begin);
        }
        dsm.barrier().await?;
        if dsm.node() != 0 {
            dsm.compute(LATE).await?;
            let begin = dsm.now();
            drop(variable.read(0..1).await?);
            times.push(dsm.now() - begin);
        }
        dsm.barrier().await?;
    }
    Ok(times.split_off(1))
}

/// How much later than the others the node asks: longer than any of them takes from a barrier to the next.
const LATE: Duration = Duration::from_millis(5);
