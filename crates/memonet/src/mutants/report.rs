//! Report of `memonet mutants`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use anyhow::{Context, ensure};
use schemars::JsonSchema;
use serde::Serialize;

use super::verdict::Verdict;
use crate::document::Head;

/// Report of `memonet mutants`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub(super) head: Head,
    /// Package whose code was mutated; `null` for a device.
    pub(super) package: Option<Package>,
    /// Mutants that were drawn and are no valid code; `null` for a device.
    pub(super) uncompiled: Option<usize>,
    /// Conditions of a device that have no mutants within, because the twins write them in different shapes;
    /// `null` for a package.
    pub(super) skipped: Option<usize>,
    /// The mutants and their verdicts.
    pub(super) rows: Vec<MutantRow>,
}

/// A package with mutants.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Package {
    /// Name of the package.
    pub name: String,
    /// Name in text.
    pub title: String,
}

/// Side on which a mutant is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Both twins.
    Both,
    /// The Rust block.
    Rust,
    /// The SystemVerilog module.
    #[serde(rename = "systemverilog")]
    SystemVerilog,
    /// The code of a package, which has no twin.
    Code,
}

/// A mutant and its verdict.
#[derive(JsonSchema, Serialize)]
pub(super) struct MutantRow {
    /// Name of the block or module.
    pub(super) block: String,
    /// Mutation operator.
    pub(super) operator: &'static str,
    /// Description of the fault.
    pub(super) fault: String,
    /// File and line of the SystemVerilog, or of the code of a package.
    pub(super) place: String,
    /// Side on which the mutant was active.
    pub(super) side: Side,
    /// Result of the tests.
    pub(super) outcome: FaultOutcome,
    /// Program that detected the mutant.
    pub(super) by: Option<String>,
    /// The first test that failed, or the abnormal end of the program.
    pub(super) test: Option<String>,
    /// Reason why the mutant is equivalent, if it is listed.
    pub(super) equivalent: Option<String>,
}

/// Result of the tests of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FaultOutcome {
    /// A test failed.
    Found,
    /// All tests passed.
    Survived,
    /// Model and RTL differ although the fault is in both: it is not the same fault, and the mutant does not
    /// count.
    NoTwin,
}

impl MutantRow {
    /// A row with this verdict, whose other fields are to be set.
    pub fn judged(verdict: Verdict) -> Self {
        let (outcome, found) = match verdict {
            Verdict::Found { by, test } => (FaultOutcome::Found, Some((by, test))),
            Verdict::Survived => (FaultOutcome::Survived, None),
            Verdict::NoTwin => (FaultOutcome::NoTwin, None),
        };
        let (by, test) = found.unzip();
        let (block, fault, place) = Default::default();
        MutantRow { block, operator: "", fault, place, side: Side::Code, outcome, by, test, equivalent: None }
    }

    fn is_found(&self) -> bool {
        self.outcome == FaultOutcome::Found
    }

    /// The mutant survived and is listed as equivalent, with a reason.
    fn is_equivalent(&self) -> bool {
        self.outcome == FaultOutcome::Survived && self.equivalent.is_some()
    }

    /// The mutant survived and is not listed as equivalent.
    fn is_survivor(&self) -> bool {
        self.outcome == FaultOutcome::Survived && self.equivalent.is_none()
    }

    fn is_twin(&self) -> bool {
        self.side == Side::Both
    }
}

/// Equivalent mutants and the reasons: lines `block: fault | reason` of
/// testbench/mutants/NAME.txt, for the device or package NAME.
pub fn equivalent_mutants(root: &Path, name: &str) -> anyhow::Result<BTreeMap<String, String>> {
    let file = root.join("testbench/mutants").join(name).with_extension("txt");
    let Ok(text) = std::fs::read_to_string(&file) else { return Ok(BTreeMap::new()) };
    let mut argued = BTreeMap::new();
    for (number, line) in
        text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let place = || format!("{}, line {}: expected `fault | reason`", file.display(), number + 1);
        let (fault, reason) = line.split_once(" | ").with_context(place)?;
        ensure!(!reason.trim().is_empty(), "{}", place());
        argued.insert(fault.to_string(), reason.to_string());
    }
    Ok(argued)
}

impl Report {
    /// Every mutant was detected or is listed as equivalent.
    pub fn all_found(&self) -> bool {
        !self.rows.iter().any(MutantRow::is_survivor)
    }

    /// Counts of a kind: tried, found, equivalent, survived.
    fn counts<'a>(&'a self, of: impl Fn(&'a MutantRow) -> bool) -> [usize; 4] {
        let rows: Vec<_> =
            self.rows.iter().filter(|row| row.outcome != FaultOutcome::NoTwin && of(row)).collect();
        let count = |what: fn(&MutantRow) -> bool| rows.iter().filter(|row| what(row)).count();
        [
            rows.len(),
            count(MutantRow::is_found),
            count(MutantRow::is_equivalent),
            count(MutantRow::is_survivor),
        ]
    }

    /// The report as a Markdown page.
    pub fn page(&self) -> String {
        let mut page = match &self.package {
            Some(package) => self.begin_of_package(package),
            None => self.begin_of_device(),
        };
        let name = if self.package.is_some() { "Module" } else { "Block" };
        page += &self.table("Operator", |row| row.operator);
        page += &self.table(name, |row| &row.block);
        page += "\n## Detected by\n\n| By | Faults |\n|---|---|\n";
        let judges: BTreeSet<_> = self.rows.iter().filter_map(|row| row.by.as_deref()).collect();
        for judge in judges {
            let count = self.rows.iter().filter(|row| row.by.as_deref() == Some(judge)).count();
            page += &format!("| {judge} | {count} |\n");
        }
        page += &self.list("Survived", MutantRow::is_survivor);
        page += &self.list("Explained as equivalent", MutantRow::is_equivalent);
        page
    }

    fn begin_of_device(&self) -> String {
        let machine = self.head.machine.unwrap_or_default();
        let (title, folder, skipped) = (machine.title(), machine.folder(), self.skipped.unwrap_or_default());
        format!(
            "# Mutants of {title}

Plausible faults are selected by a seed and injected into a block: into both twins, where lockstep cannot
detect them and tests that know the expected behaviour must, and into one twin, where lockstep must. `found`
is detected, `argued` is explained as equivalent. {skipped} conditions have no faults within, because the twins
write them in different shapes. Written by:

```
memonet mutants --machine {folder} --output docs/figures/{folder}_mutants.md
```
"
        )
    }

    fn begin_of_package(&self, Package { name, title }: &Package) -> String {
        let (uncompiled, tried) = (self.uncompiled.unwrap_or_default(), self.rows.len());
        let drawn = tried + uncompiled;
        format!(
            "# Mutants of {title}

A seed selects plausible faults of the Rust code, and the tests of the package must detect each. `found` is
detected, `argued` is explained as equivalent. {drawn} faults were drawn; {uncompiled} of them do not compile
and are not counted. Written by:

```
memonet mutants --package {name} --sample {drawn} --output docs/figures/{name}_mutants.md
```
"
        )
    }

    /// A table with counts for each value of a key, and for all mutants.
    fn table<'a>(&'a self, name: &str, key: impl Fn(&'a MutantRow) -> &'a str) -> String {
        // Code of a package has no twin, so it has one kind of mutants.
        let kinds: &[(&str, bool)] = if self.package.is_some() {
            &[("Tried", false)]
        } else {
            &[("Twin: tried", true), ("One-sided: tried", false)]
        };
        let columns: String =
            kinds.iter().map(|(tried, _)| format!(" {tried} | found | argued | survived |")).collect();
        let mut table = format!("\n| {name} |{columns}\n|---|{}\n", "---|".repeat(4 * kinds.len()));
        let mut line = |name: &str, of: &dyn Fn(&'a MutantRow) -> bool| {
            let counts = kinds.iter().map(|(_, twin)| self.counts(|row| row.is_twin() == *twin && of(row)));
            let cells: Vec<_> = counts.flatten().map(|count| count.to_string()).collect();
            table += &format!("| {name} | {} |\n", cells.join(" | "));
        };
        let values: BTreeSet<_> = self.rows.iter().map(&key).collect();
        for value in values {
            line(value, &|row| key(row) == value);
        }
        line("all", &|_| true);
        table
    }

    /// A section with the mutants of a kind; empty if there are none.
    fn list(&self, title: &str, of: impl Fn(&MutantRow) -> bool) -> String {
        let lines: String = self.rows.iter().filter(|row| of(row)).map(|row| format!("- {row}\n")).collect();
        if lines.is_empty() { lines } else { format!("\n## {title}\n\n{lines}") }
    }
}

impl fmt::Display for MutantRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Both => ", in both twins",
            Side::Rust => ", in Rust alone",
            Side::SystemVerilog => ", in SystemVerilog alone",
            Side::Code => "",
        };
        write!(f, "{}: {}{side} ({})", self.block, self.fault, self.place)?;
        match &self.equivalent {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows.iter().filter(|row| row.is_survivor()) {
            writeln!(f, "SURVIVED  {row}")?;
        }
        if let Some(uncompiled) = self.uncompiled {
            let [tried, found, argued, survived] = self.counts(|_| true);
            writeln!(f, "{tried} tried, {found} found, {argued} argued to be none, {survived} survived")?;
            return write!(f, "{uncompiled} do not compile, and do not count");
        }
        for (name, twin) in [("twin", true), ("one-sided", false)] {
            let [tried, found, argued, survived] = self.counts(|row| row.is_twin() == twin);
            writeln!(
                f,
                "{name} faults: {tried} tried, {found} found, {argued} argued to be none, {survived} survived"
            )?;
        }
        let unlike = self.rows.iter().filter(|row| row.outcome == FaultOutcome::NoTwin).count();
        writeln!(f, "{unlike} were not the same fault in both twins, and do not count")?;
        let skipped = self.skipped.unwrap_or_default();
        write!(f, "{skipped} conditions differ in shape between the twins, and have no faults within")
    }
}
