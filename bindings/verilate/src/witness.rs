//! Faults named by a device's proofs: the `// Witness:` lines of `testbench/formal/DEVICE`.

use std::fs;
use std::path::Path;

use crate::Block;

/// A block with the fault of each `// Witness: ASSERTION | FILE | RIGHT | WRONG` line below `folder`, opened
/// as `module_assertion` in lower case. `\|` stands for a bar.
pub fn faults(folder: &Path) -> Result<Vec<Block>, String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>())
        .map_err(unreadable)?;
    files.sort();
    let mut faults = Vec::new();
    for file in files {
        let top = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).map_err(unreadable)?;
        for line in text.lines().filter_map(|line| line.strip_prefix("// Witness: ")) {
            faults.push(fault(&top, line).ok_or_else(|| {
                format!("{}: a witness is ASSERTION | FILE | RIGHT | WRONG, not {line}", file.display())
            })?);
        }
    }
    Ok(faults)
}

fn fault(top: &str, line: &str) -> Option<Block> {
    let line = line.replace("\\|", "\0");
    let parts: Vec<_> =
        line.split(" | ").map(|part| part.replace('\0', "|").trim_matches(' ').to_string()).collect();
    let [assertion, file, right, wrong] = parts.try_into().ok()?;
    let module = Path::new(&file).file_stem()?.to_string_lossy().into_owned();
    Some(Block::faulty(&format!("{top}_{}", snake_case(&assertion)), top, &module, &right, &wrong))
}

/// Converts `OneOwner` to `one_owner`.
fn snake_case(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn witness_becomes_a_block_with_a_fault() {
        let block = fault("arbiter", r"OneOwner | rtl/toy/grant.sv | a \| b | ").unwrap();
        assert_eq!((block.name.as_str(), block.module.as_str()), ("arbiter_one_owner", "arbiter"));
        let fault = block.fault.unwrap();
        assert_eq!(
            (fault.module.as_str(), fault.right.as_str(), fault.wrong.as_str()),
            ("grant", "a | b", "")
        );
        assert!(super::fault("arbiter", "OneOwner | rtl/toy/grant.sv | a").is_none());
    }
}
