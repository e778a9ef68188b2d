//! Digests of the Rust files that declare tables, so that a tool can tell whether a generated package is current.

use std::path::Path;

use sha2::{Digest, Sha256};

/// The file `rtl/<device>/generated/tables.sha256` for the packages of a device: path below `root` and contents.
///
/// `sources` are paths below `root`. The contents are lines of `sha256sum`. `memonet prove --block` compares them with
/// the sources and refuses a package that is older than its table.
pub fn table_digests(root: &Path, device: &str, sources: &[&str]) -> std::io::Result<(String, String)> {
    let mut text = String::new();
    for source in sources {
        let digest = Sha256::digest(std::fs::read(root.join(source))?);
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("{hex}  {source}\n");
    }
    Ok((format!("rtl/{device}/generated/tables.sha256"), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_lines_of_sha256sum() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("block.rs"), "abc").unwrap();
        let (path, text) = table_digests(folder.path(), "block", &["block.rs"]).unwrap();
        assert_eq!(path, "rtl/block/generated/tables.sha256");
        // FIPS 180-2, appendix B.1.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(text, format!("{digest}  block.rs\n"));
        assert!(table_digests(folder.path(), "block", &["other.rs"]).is_err());
    }
}
