//! Runs of valgrind's cachegrind, and the instructions of each function in them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// Instructions by function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts(BTreeMap<String, f64>);

/// Fails with the remedy if valgrind is missing.
pub fn check() -> anyhow::Result<()> {
    let version = Command::new("valgrind").arg("--version").output();
    anyhow::ensure!(
        version.is_ok_and(|output| output.status.success()),
        "valgrind is not installed, so nothing can be counted; `ci/install count` installs it"
    );
    Ok(())
}

/// Counts a run of a program and of all processes that it starts.
pub fn count(program: &Path, arguments: &[&OsStr]) -> anyhow::Result<Counts> {
    let folder = tempfile::tempdir().context("creating a folder for the counts")?;
    let mut file = folder.path().join("counts").into_os_string();
    file.push(".%p");
    let mut option = std::ffi::OsString::from("--cachegrind-out-file=");
    option.push(file);
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--trace-children=yes", "--quiet"])
        .arg(option)
        .arg(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .context("starting valgrind")?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        bail!("{} under valgrind: {}", output.status, told.trim_end());
    }
    let mut counts = Counts::default();
    for entry in fs::read_dir(folder.path()).context("reading the counts")? {
        let text = fs::read(entry?.path()).context("reading the counts")?;
        counts.add(&String::from_utf8_lossy(&text));
    }
    anyhow::ensure!(!counts.0.is_empty(), "valgrind counted nothing");
    Ok(counts)
}

impl Counts {
    /// Instructions of all functions.
    pub fn total(&self) -> f64 {
        self.0.values().sum()
    }

    /// Instructions of each function.
    pub fn functions(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, count)| (name.as_str(), *count))
    }

    /// Instructions of a function.
    pub fn of(&self, function: &str) -> Option<f64> {
        self.0.get(function).copied()
    }

    /// The instructions that this run has and a shorter one has not, for each of `units` of work.
    pub fn beyond(&self, shorter: &Counts, units: f64) -> Counts {
        let mut counts = self.clone();
        for (function, count) in &shorter.0 {
            *counts.0.entry(function.clone()).or_default() -= count;
        }
        counts.0.values_mut().for_each(|count| *count /= units);
        counts.0.retain(|_, count| *count != 0.0);
        counts
    }

    /// Adds the file of a process: lines `fn=NAME`, each followed by lines of a line number and its instructions.
    fn add(&mut self, text: &str) {
        let mut function = String::new();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = plain(name);
            } else if line.starts_with(|first: char| first.is_ascii_digit()) {
                let count: f64 =
                    line.split(' ').nth(1).and_then(|count| count.parse().ok()).unwrap_or_default();
                *self.0.entry(function.clone()).or_default() += count;
            }
        }
    }
}

impl FromIterator<(String, f64)> for Counts {
    fn from_iter<I: IntoIterator<Item = (String, f64)>>(counts: I) -> Self {
        Counts(counts.into_iter().collect())
    }
}

/// The name of a function without the digest of Rust and without the arguments of C++.
fn plain(name: &str) -> String {
    let name = name.replace("(anonymous namespace)::", "");
    if let Some((path, digest)) = name.rsplit_once("::h")
        && digest.len() == 16
        && digest.bytes().all(|digit| digit.is_ascii_hexdigit())
    {
        return path.to_owned();
    }
    let arguments = name.strip_suffix(" const").unwrap_or(&name);
    if !arguments.ends_with(')') {
        return name;
    }
    let mut depth = 0;
    for (at, letter) in arguments.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return arguments[..at].to_owned();
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_all_processes_are_added() {
        let mut counts = Counts::default();
        counts.add("desc: x\nevents: Ir\nfl=a.rs\nfn=a::b::h0123456789abcdef\n1 10\n2 5\nfn=main\n0 1\n");
        counts.add("fl=???\nfn=a::b::hfedcba9876543210\n0 4\nsummary: 4\n");
        assert_eq!(counts.functions().collect::<Vec<_>>(), [("a::b", 19.0), ("main", 1.0)]);
        assert_eq!(counts.total(), 20.0);
    }

    #[test]
    fn difference_is_for_a_unit_of_work() {
        let of = |counts: &[(&str, f64)]| -> Counts {
            counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        let long = of(&[("edge", 900.0), ("main", 7.0), ("end", 1.0)]);
        let short = of(&[("edge", 100.0), ("main", 7.0)]);
        let each = long.beyond(&short, 4.0);
        assert_eq!(each, of(&[("edge", 200.0), ("end", 0.25)]));
        assert_eq!(each.of("main"), None);
    }

    #[test]
    fn names_lose_digests_and_arguments() {
        assert_eq!(plain("hdl::sample::sample::h0123456789abcdef"), "hdl::sample::sample");
        assert_eq!(plain("<a::B as c::D>::e"), "<a::B as c::D>::e");
        assert_eq!(plain("Vtoy___024root___eval(Vtoy___024root*)"), "Vtoy___024root___eval");
        assert_eq!(plain("v::(anonymous namespace)::f(int (*)(int)) const"), "v::f");
    }
}
