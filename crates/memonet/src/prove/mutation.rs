//! Mutations: changes of the RTL.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::yosys::Sources;

/// A change of the RTL: an injected fault, or a shorter constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    pub file: String,
    pub from: String,
    pub to: String,
}

/// Parses `FILE | FROM | TO`; `\|` is an escaped bar.
pub fn mutation(line: &str) -> anyhow::Result<Mutation> {
    let line = line.replace("\\|", "\0");
    let parts: Vec<_> = line.split(" | ").map(|part| part.replace('\0', "|").trim().to_string()).collect();
    match &parts[..] {
        [file, from, to] => Ok(Mutation { file: file.clone(), from: from.clone(), to: to.clone() }),
        _ => bail!("a mutation is FILE | FROM | TO"),
    }
}

/// Replaces a file of the mutant by a mutated copy.
pub fn mutate(
    sources: &Sources,
    mutant: &mut Sources,
    mutation: &Mutation,
    work: &Path,
    name: &str,
) -> anyhow::Result<()> {
    let original = sources.root.join(&mutation.file);
    let packages = sources.packages.iter().zip(&mut mutant.packages);
    let mut files = packages.chain(sources.modules.iter().zip(&mut mutant.modules));
    let (_, file) = files
        .find(|(path, _)| **path == original)
        .with_context(|| format!("{} is not read", mutation.file))?;
    let text = fs::read_to_string(&*file).with_context(|| format!("reading {}", file.display()))?;
    let found = text.matches(&mutation.from).count();
    ensure!(found == 1, "`{}` is {found} times in {}, not once", mutation.from, mutation.file);
    *file = work.join(format!("{name}.sv"));
    fs::write(file, text.replace(&mutation.from, &mutation.to))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutation_line_has_three_parts_and_escaped_bars() {
        let parsed = mutation("rtl/a.sv | x \\|\\| y | 1'b1").unwrap();
        assert_eq!((&*parsed.file, &*parsed.from, &*parsed.to), ("rtl/a.sv", "x || y", "1'b1"));
        assert!(mutation("rtl/a.sv | x").is_err());
    }
}
