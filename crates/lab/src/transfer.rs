//! `memonet run --input`: any file from host 0 to host 1.

use std::fmt;
use std::path::Path;

use anyhow::Context;
use cluster::programs::Board as HostBoard;
use cluster::programs::stream::{Receiver, Sender};
use cluster::{AnyNic, Cluster, Duration, Host};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::nic::Kind;
use crate::output::us;
use crate::run::{PROCESS, boards, check, peer};

/// Virtual time that a byte may take at most, before the run is given up: a thousand times what it takes.
const LIMIT_PER_BYTE: Duration = Duration::from_us(3);
/// And what the shortest stream may take.
const LIMIT: Duration = Duration::from_us(10_000);

/// A file that went from host to host.
#[derive(Serialize)]
pub struct Report {
    input: String,
    nic: Kind,
    bytes: usize,
    sha256_sent: String,
    sha256_received: String,
    same: bool,
    divergences: u32,
    simulated_us: String,
    megabytes_per_second: f64,
    fingerprint: String,
}

impl Report {
    /// Whether what came is what went.
    pub fn same(&self) -> bool {
        self.same
    }
}

/// Carries a file from host 0 to host 1 in BOTFs over four windows.
pub fn carry(input: &Path, nic: Kind, seed: u64) -> anyhow::Result<Report> {
    let bytes = std::fs::read(input).with_context(|| format!("cannot read {}", input.display()))?;
    let command = format!("memonet run --input {} --nic lockstep", input.display());
    let devices =
        boards(nic, seed, &command)?.into_iter().map(|board| Box::new(board) as Box<AnyNic>).collect();
    let mut cluster = Cluster::with_switch(devices);
    let (count, sha256_sent) = (bytes.len(), sha256(&bytes));
    let sending = cluster.spawn(0, "send", move |host| send(host, bytes));
    let receiving = cluster.spawn(1, "receive", receive);
    let limit = LIMIT + Duration::from_ps(LIMIT_PER_BYTE.ps() * count as u64);
    let end = cluster.run(limit)?;
    check(&cluster)?;
    sending.take().expect("the program is done")?;
    let received = receiving.take().expect("the program is done")?;
    let sha256_received = sha256(&received);
    Ok(Report {
        input: input.display().to_string(),
        nic,
        bytes: count,
        same: sha256_sent == sha256_received,
        sha256_sent,
        sha256_received,
        divergences: 0,
        simulated_us: us(end.ps()),
        megabytes_per_second: count as f64 / (end.ps() as f64 / 1e6),
        fingerprint: cluster.fingerprint()?.to_string(),
    })
}

async fn send(host: Host, bytes: Vec<u8>) -> anyhow::Result<()> {
    let mut board = HostBoard::initialise(host, PROCESS).await;
    let mut sender = Sender::open(&board, peer(1)).await;
    Ok(sender.send(&mut board, &bytes).await?)
}

async fn receive(host: Host) -> anyhow::Result<Vec<u8>> {
    let mut board = HostBoard::initialise(host, PROCESS).await;
    let mut receiver = Receiver::open(&mut board, peer(0)).await?;
    Ok(receiver.receive(&mut board).await?)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} bytes from host 0 to host 1, nic {}", self.input, self.bytes, self.nic.name())?;
        writeln!(f, "  sent      sha256 {}", self.sha256_sent)?;
        writeln!(f, "  received  sha256 {}", self.sha256_received)?;
        writeln!(f, "  {} us of virtual time, {:.1} MByte/s", self.simulated_us, self.megabytes_per_second)?;
        if self.nic == Kind::Lockstep {
            writeln!(f, "{} divergences", self.divergences)?;
        }
        writeln!(f, "fingerprint {}", self.fingerprint)?;
        write!(f, "{}", if self.same { "the same file" } else { "NOT the same file" })
    }
}
