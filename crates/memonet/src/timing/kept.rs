//! Placements that were made before, so that a long run can be cut off and begun again.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::output;

/// A folder of nextpnr's reports, each under the digest of all that it rests on.
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// Below the router's folder, which is made if need be.
    pub fn below(folder: &Path) -> anyhow::Result<Self> {
        let folder = folder.join("kept");
        fs::create_dir_all(&folder)?;
        Ok(Kept { folder })
    }

    /// Where the report of such a placement is kept.
    pub fn file(&self, rests_on: &[&str]) -> PathBuf {
        let mut digest = Sha256::new();
        for part in rests_on {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        self.folder.join(output::hex(&digest.finalize())).with_extension("json")
    }
}

/// The report that is kept there; none if there is none that can be read.
pub fn report(file: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// A netlist without the places of the sources: a comment that moves lines changes no hardware.
pub fn without_places(netlist: &str) -> String {
    let tells_place = |line: &&str| line.trim_start().starts_with("\"src\":");
    netlist.lines().filter(|line| !tells_place(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_is_found_again_by_all_that_it_rests_on_and_a_broken_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::below(folder.path()).unwrap();
        let file = kept.file(&["netlist", "seed 1"]);
        assert_eq!(report(&file), None);
        fs::write(&file, "{\"fmax\": 1}").unwrap();
        assert_eq!(report(&kept.file(&["netlist", "seed 1"])).unwrap()["fmax"], 1);
        for other in [["netlist", "seed 2"], ["netlists", "eed 1"], ["netlistseed 1", ""]] {
            assert_ne!(kept.file(&other), file);
        }
        fs::write(&file, "{\"fm").unwrap();
        assert_eq!(report(&file), None);
    }

    #[test]
    fn netlist_is_the_same_wherever_its_sources_stand() {
        let netlist = |line| format!("{{\n  \"bits\": [ 1 ],\n  \"src\": \"a.sv:{line}\"\n}}");
        assert_eq!(without_places(&netlist(1)), without_places(&netlist(2)));
        assert!(without_places(&netlist(1)).contains("\"bits\": [ 1 ]"));
    }
}
