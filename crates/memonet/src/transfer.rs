//! `memonet run --input`: any file from host 0 to host 1.

use std::fmt;
use std::path::Path;

use anyhow::Context;
use cluster::{Duration, RunError, Time};
use dimmnet2_machine::programs::Board as HostBoard;
use dimmnet2_machine::programs::botf::DATA_BYTES;
use dimmnet2_machine::programs::measure::{PROCESS, peer};
use dimmnet2_machine::programs::stream::{Receiver, Sender};
use dimmnet2_machine::{AnyNic, Cluster, Host, Settings};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::nic::Kind;
use crate::output::{self, us};
use crate::run::{boards, check};

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
pub fn carry(input: &Path, nic: Kind) -> anyhow::Result<Report> {
    let bytes = read(input)?;
    let command = format!("memonet run --input {} --nic lockstep", input.display());
    let devices =
        boards(nic, 0, &command)?.into_iter().map(|board| Box::new(board.ahead()) as Box<AnyNic>).collect();
    let mut cluster = Cluster::with_switch(devices, &Settings::default());
    let (count, sha256_sent) = (bytes.len(), sha256(&bytes));
    let sending = cluster.spawn(0, "send", move |host| send(host, bytes));
    let receiving = cluster.spawn(1, "receive", receive);
    let limit = LIMIT + Duration::from_ps(LIMIT_PER_BYTE.ps() * count as u64);
    let ran = run(&mut cluster, limit, count as u64);
    let end = check(&mut cluster, ran)?;
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

/// A file's bytes. A device or a pipe may have no end, so it has to be a file.
fn read(input: &Path) -> anyhow::Result<Vec<u8>> {
    let about = || format!("cannot read {}", input.display());
    let kind = std::fs::metadata(input).with_context(about)?;
    anyhow::ensure!(!kind.is_dir(), "{} is a folder, not a file", input.display());
    anyhow::ensure!(kind.is_file(), "{} is not a file that has an end", input.display());
    std::fs::read(input).with_context(about)
}

/// Virtual time between two looks at how far the file is.
const LOOK: Duration = Duration::from_us(100);

/// Runs until both programs are done. What has arrived is told by the Packet Counter of node 1.
fn run(cluster: &mut Cluster, limit: Duration, bytes: u64) -> Result<Time, RunError> {
    let counter = cluster.nodes()[1].nic().signals().iter().find(|signal| {
        signal.block == "core_logic.host_interface.user_register0" && signal.name == "packet_count"
    });
    let counter = counter.expect("a board has a Packet Counter").clone();
    let progress = output::progress(bytes, "bytes");
    let (end, mut sample) = (cluster.now() + limit, Vec::new());
    loop {
        match cluster.run(LOOK) {
            Err(RunError::Limit { .. }) if cluster.now() < end => {
                sample.clear();
                cluster.nodes()[1].nic().sample(&mut sample);
                progress.set_position(bytes.min(counter.words(&sample)[0] * DATA_BYTES as u64));
            }
            done => {
                progress.finish_and_clear();
                return done;
            }
        }
    }
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
