use std::path::Path;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{KINDS, fails, json, memonet, path, prints, repository};

/// Random bytes.
fn noise(length: usize) -> Vec<u8> {
    let mut random = hdl::Stimulus::new(length as u64);
    (0..length).map(|_| random.word() as u8).collect()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Transfers a file, checks its digests and returns the fingerprint.
fn carry(machine: &str, file: &Path, kind: &str) -> String {
    let bytes = std::fs::read(file).unwrap();
    let report = json(&["run", "--machine", machine, "--input", path(file), "--nic", kind]);
    assert_eq!(report["same"], true);
    assert_eq!(report["bytes"], bytes.len());
    assert_eq!(report["sha256_sent"], sha256(&bytes));
    assert_eq!(report["sha256_received"], sha256(&bytes));
    let compared = if kind == "lockstep" { 0.into() } else { serde_json::Value::Null };
    assert_eq!(report["divergences"], compared);
    report["fingerprint"].as_str().unwrap().to_string()
}

#[test]
fn files_arrive_unchanged_with_every_implementation() {
    let folder = TempDir::new().unwrap();
    let mut files = vec![repository("README.md")];
    for length in [0, 1, 495, 496, 497, 4 * 496, 20_000] {
        files.push(folder.path().join(length.to_string()));
        std::fs::write(files.last().unwrap(), noise(length)).unwrap();
    }
    for file in files {
        for machine in ["dimmnet2", "gigae_pm"] {
            let fingerprints: Vec<_> = KINDS.iter().map(|kind| carry(machine, &file, kind)).collect();
            assert!(
                fingerprints.iter().all(|one| *one == fingerprints[0]),
                "{machine}, {}: {fingerprints:?}",
                file.display()
            );
        }
    }
}

#[test]
#[ignore = "slow; make slow"]
fn megabyte_arrives_the_same_in_lockstep() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a file with spaces");
    std::fs::write(&file, noise(1 << 20)).unwrap();
    assert_eq!(carry("dimmnet2", &file, "model"), carry("dimmnet2", &file, "lockstep"));
}

#[test]
fn text_report_ends_with_the_same_file() {
    let text = prints(&["run", "--input", path(&repository("README.md")), "--nic", "model"]);
    assert!(text.ends_with("the same file\n"), "{text}");
}

#[test]
fn unreadable_files_are_named_with_the_reason() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("missing");
    let (missing, folder) = (path(&missing), path(folder.path()));
    let is_folder = format!("{folder} is a folder, not a file");
    for (file, says) in [
        (missing, "No such file or directory"),
        (folder, is_folder.as_str()),
        #[cfg(target_os = "linux")]
        ("/dev/zero", "/dev/zero is not a regular file"),
        // This file opens, but reading it fails for every user.
        #[cfg(target_os = "linux")]
        ("/proc/self/mem", "cannot read /proc/self/mem: "),
    ] {
        let text = fails(&["run", "--input", file], 1);
        assert!(text.starts_with("memonet: ") && text.contains(says), "{text}");
        assert!(text.contains(file), "{text}");
    }
}

#[test]
fn failures_are_reported_as_json() {
    let output = memonet(&["run", "--input", "/no/such/file", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["error"], "cannot read /no/such/file: No such file or directory (os error 2)");
}
