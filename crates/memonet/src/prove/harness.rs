//! Harnesses: the theorems about a module, and the faults that must refute them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::mutation::{Mutation, mutation};
use super::witness::Witness;
use crate::usage;
use crate::yosys::{self, Sources};

/// Modules that all harnesses share, in testbench/formal/common.
const COMMON: [&str; 2] = ["machine.sv", "diagram.sv"];

/// A file in the device's folder of testbench/formal.
pub struct Harness {
    pub name: String,
    path: PathBuf,
    pub says: String,
    pub mutations: Vec<Mutation>,
    /// Faults that make assertions in its module's RTL fail.
    pub witnesses: Vec<Witness>,
    /// Shorter package constants for mutants whose fault would otherwise appear too late. The theorem must
    /// hold for any such constant, and is proved with them too.
    pub shorter: Vec<Mutation>,
    /// State machines whose transition tables it uses.
    pub machines: Vec<String>,
    /// Memories are mapped to registers that the harness reads.
    opens_memories: bool,
    /// Modules with parameters whose outputs are free; the harness assumes of them what their own proof shows.
    cuts: Vec<String>,
}

impl Harness {
    fn parse(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)?;
        let name = path.file_stem().and_then(OsStr::to_str).context("a harness without a name")?.to_string();
        let changes = |marked: &str| {
            text.lines()
                .filter_map(|line| line.strip_prefix(marked))
                .map(|line| mutation(line).with_context(|| format!("{}: {line}", path.display())))
                .collect::<anyhow::Result<Vec<_>>>()
        };
        let (mutations, shorter) = (changes("// Mutation: ")?, changes("// Shorter: ")?);
        ensure!(!mutations.is_empty(), "{}: no mutation, so nothing shows that it can fail", path.display());
        let witnesses = text
            .lines()
            .filter_map(|line| line.strip_prefix("// Witness: "))
            .map(|line| Witness::parse(line).with_context(|| format!("{}: {line}", path.display())))
            .collect::<anyhow::Result<_>>()?;
        let machines = text
            .split("_pkg::StateArcs")
            .map(|before| {
                before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
            })
            .map(str::to_string);
        let count = text.matches("_pkg::StateArcs").count();
        Ok(Self {
            name,
            path: path.to_path_buf(),
            says: text.lines().next().unwrap_or_default().trim_start_matches("/// ").to_string(),
            machines: machines.take(count).collect(),
            opens_memories: text.contains(".mem[0]"),
            cuts: text.lines().filter_map(|line| line.strip_prefix("// Cut: ")).map(str::to_string).collect(),
            mutations,
            witnesses,
            shorter,
        })
    }

    /// Writes the SMT problem of the harness over this RTL, with all assertions or with only one of its
    /// module's RTL.
    pub fn problem(&self, sources: &Sources, file: &Path, only: Option<&str>) -> anyhow::Result<()> {
        let mut modules = sources.modules.clone();
        modules.extend(COMMON.map(|module| sources.shared.join(module)));
        modules.push(self.path.clone());
        let memories = if self.opens_memories { "memory_map; " } else { "" };
        let cuts = self.cuts.iter().map(|module| format!("A:hdlname=\\{module}"));
        let cuts: String =
            cuts.map(|module| format!("select -assert-any {module}; cutpoint {module}; ")).collect();
        let others = match only {
            Some(name) => format!("delete t:$assert c:u_{}.{name} %d; ", self.name),
            None => String::new(),
        };
        yosys::run(&format!(
            "{}; hierarchy -check -top {}_proof; proc; {cuts}{memories}flatten; {others}opt -fast; memory_nordff; \
             async2sync; dffunmap; check -assert; write_smt2 -wires \"{}\"",
            sources.read(&modules),
            self.name,
            file.display(),
        ))?;
        Ok(())
    }
}

/// Those in the folder of the device, in the order of their names; or this one alone.
pub fn harnesses(sources: &Sources, only: Option<&str>) -> anyhow::Result<Vec<Harness>> {
    let folder = &sources.formal;
    let mut paths: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension() == Some(OsStr::new("sv")));
    if let Some(name) = only {
        paths.retain(|path| path.file_stem() == Some(OsStr::new(name)));
        if paths.is_empty() {
            let reason = format!("there is no {}", folder.join(name).with_extension("sv").display());
            return Err(usage::invalid("--only <NAME>", name, reason));
        }
    }
    paths.sort();
    paths.iter().map(|path| Harness::parse(path)).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::machines::Name;

    #[test]
    fn every_mutation_applies_once() {
        for &device in Name::value_variants() {
            let sources = Sources::find(device).unwrap();
            let harnesses = harnesses(&sources, None).unwrap();
            for mutation in
                harnesses.iter().flat_map(|harness| harness.mutations.iter().chain(&harness.shorter))
            {
                let text = fs::read_to_string(sources.root.join(&mutation.file)).unwrap();
                assert_eq!(text.matches(&mutation.from).count(), 1, "{mutation:?}");
                assert!(!text.replace(&mutation.from, &mutation.to).eq(&text));
            }
        }
    }
}
