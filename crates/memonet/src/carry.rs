//! `memonet run --input`: any file from host 0 to host 1.

use std::fmt;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::machines::{Built, Name};
use crate::nic::{Kind, Maker};
use crate::output::us;

/// A file that went from host to host.
#[derive(Serialize)]
pub struct Report {
    machine: Name,
    input: String,
    nic: Kind,
    bytes: usize,
    sha256_sent: String,
    sha256_received: String,
    same: bool,
    /// Nothing was compared if there is no number.
    divergences: Option<u32>,
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

/// Carries a file from host 0 to host 1.
pub fn carry<M: Built>(input: &Path, nic: Kind) -> anyhow::Result<Report> {
    let bytes = read(input)?;
    let command = format!("memonet run --machine {} --input {} --nic lockstep", M::NAME, input.display());
    let (count, sha256_sent) = (bytes.len(), sha256(&bytes));
    let progress = lab::progress("carry", count as u64, "bytes");
    let carried = M::carry(bytes, &Maker::new(nic, 0, command), &|bytes| progress.set_position(bytes));
    progress.finish_and_clear();
    let carried = carried?;
    let sha256_received = sha256(&carried.bytes);
    Ok(Report {
        machine: M::WHICH,
        input: input.display().to_string(),
        nic,
        bytes: count,
        same: sha256_sent == sha256_received,
        sha256_sent,
        sha256_received,
        divergences: nic.divergences(),
        simulated_us: us(carried.end.ps()),
        megabytes_per_second: count as f64 / (carried.end.ps() as f64 / 1e6),
        fingerprint: carried.fingerprint.to_string(),
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

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} bytes from host 0 to host 1, nic {}", self.input, self.bytes, self.nic.name())?;
        writeln!(f, "  sent      sha256 {}", self.sha256_sent)?;
        writeln!(f, "  received  sha256 {}", self.sha256_received)?;
        writeln!(f, "  {} us of virtual time, {:.1} MByte/s", self.simulated_us, self.megabytes_per_second)?;
        if let Some(divergences) = self.divergences {
            writeln!(f, "{divergences} divergences")?;
        }
        writeln!(f, "fingerprint {}", self.fingerprint)?;
        write!(f, "{}", if self.same { "the same file" } else { "NOT the same file" })
    }
}
