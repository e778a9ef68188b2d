//! `memonet run --input`: transfer of a file from host 0 to host 1.

use std::fmt;
use std::path::Path;

use anyhow::Context;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::document::Head;
use crate::machines::Built;
use crate::nic::{Kind, Maker};
use crate::output;
use crate::shell_words::{quoted, text};

/// Report of a file transfer.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Path of the file.
    input: String,
    /// Bytes of the file.
    bytes: usize,
    /// SHA-256 of the file that was sent.
    sha256_sent: String,
    /// SHA-256 of the file that was received.
    sha256_received: String,
    /// Both files are the same.
    same: bool,
    /// Megabytes (10^6 bytes) per second of virtual time.
    megabytes_per_second: f64,
}

impl Report {
    /// The received file equals the sent file.
    pub fn same(&self) -> bool {
        self.same
    }
}

/// Transfers a file from host 0 to host 1.
pub fn carry<M: Built>(input: &Path, nic: Kind) -> anyhow::Result<Report> {
    let bytes = read(input)?;
    let command = format!("memonet run --machine {} --input {} --nic lockstep", M::NAME, quoted(input));
    let (count, sha256_sent) = (bytes.len(), sha256(&bytes));
    let progress = machine_api::progress("carry", count as u64, "bytes");
    let carried = M::carry(bytes, &Maker::new(nic, 0, command), &|bytes| progress.set_position(bytes));
    progress.finish_and_clear();
    let carried = carried?;
    let sha256_received = sha256(&carried.bytes);
    Ok(Report {
        head: Head::of_run::<M>("run_input", nic).until::<M>(carried.end).marked(carried.fingerprint),
        input: text(input),
        bytes: count,
        same: sha256_sent == sha256_received,
        sha256_sent,
        sha256_received,
        megabytes_per_second: count as f64 / (carried.end.ps() as f64 / 1e6),
    })
}

/// Reads a file. Devices and pipes are refused because they may not end.
fn read(input: &Path) -> anyhow::Result<Vec<u8>> {
    let about = || format!("cannot read {}", input.display());
    let kind = std::fs::metadata(input).with_context(about)?;
    anyhow::ensure!(!kind.is_dir(), "{} is a folder, not a file", input.display());
    anyhow::ensure!(kind.is_file(), "{} is not a regular file", input.display());
    std::fs::read(input).with_context(about)
}

fn sha256(bytes: &[u8]) -> String {
    output::hex(&Sha256::digest(bytes))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} bytes from host 0 to host 1, nic {}",
            self.input,
            self.bytes,
            self.head.nic_name()
        )?;
        writeln!(f, "  sent      sha256 {}", self.sha256_sent)?;
        writeln!(f, "  received  sha256 {}", self.sha256_received)?;
        writeln!(
            f,
            "  {} us of virtual time, {:.1} MByte/s",
            self.head.simulated_us(),
            self.megabytes_per_second
        )?;
        if let Some(comparison) = self.head.comparison() {
            writeln!(f, "{comparison}")?;
        }
        writeln!(f, "fingerprint {}", self.head.fingerprint())?;
        write!(f, "{}", if self.same { "the same file" } else { "NOT the same file" })
    }
}
