//! Latencies of calls: node 1 calls, node 0 has the data, and all other nodes wait at a barrier.

use std::time::Duration;

use crate::{Dsm, Error, Shared};

/// Measured calls, each on data of its own. Node 1 measures; node 0 owns all data and is its home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    /// Barrier that all other nodes have reached.
    Barrier,
    /// Uncontended lock.
    Lock,
    /// Read miss of this many bytes.
    Read(usize),
    /// Write miss of this many bytes: ownership and data are transferred.
    Write(usize),
    /// Write with a valid copy: only ownership is transferred.
    Upgrade(usize),
}

/// Measured calls with their names.
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

/// Lock whose home is node 0.
const LOCK: usize = 0;

/// Program of a node. Returns the measurements at node 1, nothing at others.
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
            // Node 1 calls last.
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

/// The paper's measurement (section 4.2). In each round node 0 writes a variable of which all others have
/// copies, then they read it. Returns the write times at node 0, which are invalidations, and the read times
/// at the others, which are updates. Before each measured call the node waits until the others have reached
/// the next barrier. The first round is not included.
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

/// Delay before a measured call, longer than any other node needs to reach its barrier.
const LATE: Duration = Duration::from_millis(5);
