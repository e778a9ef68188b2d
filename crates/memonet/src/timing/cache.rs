//! Cache of placements, so that an interrupted run can be resumed.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::output;

/// A folder of nextpnr's reports, each named by the digest of its inputs.
pub struct PlacementCache {
    folder: PathBuf,
}

impl PlacementCache {
    /// Opens the cache in the router's folder; creates it if necessary.
    pub fn below(folder: &Path) -> anyhow::Result<Self> {
        let folder = folder.join("kept");
        fs::create_dir_all(&folder)?;
        Ok(PlacementCache { folder })
    }

    /// Path of the report for these inputs.
    pub fn file(&self, rests_on: &[&str]) -> PathBuf {
        let mut digest = Sha256::new();
        for part in rests_on {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        self.folder.join(output::hex(&digest.finalize())).with_extension("json")
    }
}

/// The cached report; `None` if it is missing or damaged.
pub fn report(file: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// Removes source positions from a netlist: comments that move lines do not change the hardware.
pub fn without_places(netlist: &str) -> String {
    let tells_place = |line: &&str| line.trim_start().starts_with("\"src\":");
    netlist.lines().filter(|line| !tells_place(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_cached_by_all_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let cache = PlacementCache::below(folder.path()).unwrap();
        let file = cache.file(&["netlist", "seed 1"]);
        assert_eq!(report(&file), None);
        fs::write(&file, "{\"fmax\": 1}").unwrap();
        assert_eq!(report(&cache.file(&["netlist", "seed 1"])).unwrap()["fmax"], 1);
        for other in [["netlist", "seed 2"], ["netlists", "eed 1"], ["netlistseed 1", ""]] {
            assert_ne!(cache.file(&other), file);
        }
        fs::write(&file, "{\"fm").unwrap();
        assert_eq!(report(&file), None);
    }

    #[test]
    fn source_positions_are_removed_from_netlists() {
        let netlist = |line| format!("{{\n  \"bits\": [ 1 ],\n  \"src\": \"a.sv:{line}\"\n}}");
        assert_eq!(without_places(&netlist(1)), without_places(&netlist(2)));
        assert!(without_places(&netlist(1)).contains("\"bits\": [ 1 ]"));
    }
}
