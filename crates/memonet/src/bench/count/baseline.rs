//! Counts of an earlier version, in a file of tab-separated columns: work, instructions, function.
//!
//! The first line names the tools. Each work has a line without a function, its total, and one for each function with
//! at least a hundredth of it, so that the function that grew can be named.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::cachegrind::Counts;

/// Bytes of the longest file.
const LONGEST_FILE: u64 = 1 << 20;

/// Functions with a smaller share of the instructions are in the total only.
const LEAST_SHARE: f64 = 0.01;

/// Line of all other functions.
const OTHERS: &str = "(all others)";

/// Beginning of the first line.
const TOOLS: &str = "# ";

/// Counts that were written to a file.
pub struct Baseline {
    /// Compilers, Verilator and profile of the build that was counted.
    pub tools: String,
    counts: BTreeMap<String, Counts>,
}

impl Baseline {
    /// Fails with the number of the line that does not have the form of [`text`].
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = files::read(file, LONGEST_FILE)?;
        parse(&text).with_context(|| {
            format!("{} does not have the form that `memonet bench --count --output` writes", file.display())
        })
    }

    /// Instructions by function of a work, as [`Case::name`](super::Case::name) has it.
    pub fn counts(&self, work: &str) -> Option<&Counts> {
        self.counts.get(work)
    }

    /// Names of all works.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.counts.keys()
    }
}

fn parse(text: &str) -> anyhow::Result<Baseline> {
    let mut lines = text.lines();
    let tools = lines.next().and_then(|line| line.strip_prefix(TOOLS)).context("line 1 names no tools")?;
    let mut functions: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
    for (number, line) in (2..).zip(lines) {
        let mut columns = line.splitn(3, '\t');
        let mut column =
            || columns.next().with_context(|| format!("line {number} has less than three columns"));
        let (work, count, function) = (column()?, column()?, column()?);
        let count: f64 = count.parse().with_context(|| format!("line {number} has no number"))?;
        functions.entry(work.to_owned()).or_default().push((function.to_owned(), count));
    }
    let counts = functions.into_iter().map(|(work, functions)| (work, functions.into_iter().collect()));
    Ok(Baseline { tools: tools.to_owned(), counts: counts.collect() })
}

/// Text of a file.
pub fn text<'a>(tools: &str, works: impl IntoIterator<Item = (String, &'a Counts)>) -> String {
    let mut text = format!("{TOOLS}{tools}\n");
    for (work, counts) in works {
        let total = counts.total();
        let mut shown: Vec<_> =
            counts.functions().filter(|(_, count)| *count >= total * LEAST_SHARE).collect();
        shown.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let others = total - shown.iter().map(|(_, count)| count).sum::<f64>();
        for (function, count) in shown.into_iter().chain([(OTHERS, others)]) {
            writeln!(text, "{work}\t{count:.0}\t{function}").expect("a String takes all");
        }
    }
    text
}

/// A function whose instructions grew.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Growth {
    /// Name of the function.
    pub function: String,
    /// Additional instructions of a unit.
    pub more: f64,
    /// Its instructions in the file; 0 for a function with less than a hundredth of all.
    pub before: f64,
}

/// The function that grew most.
pub fn growth(earlier: &Counts, now: &Counts) -> Option<Growth> {
    let grown = now.functions().map(|(function, count)| {
        let before = earlier.of(function).unwrap_or_default();
        Growth { function: function.to_owned(), more: count - before, before }
    });
    grown.filter(|growth| growth.more > 0.0).max_by(|a, b| a.more.total_cmp(&b.more))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, f64)]) -> Counts {
        of.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn written_counts_are_read() {
        let written = counts(&[("a, b", 900.0), ("<c as d>::e", 96.0), ("small", 4.0)]);
        let file = text("rustc 1", [("hca rtl".to_owned(), &written)]);
        assert_eq!(
            file,
            "# rustc 1\nhca rtl\t900\ta, b\nhca rtl\t96\t<c as d>::e\nhca rtl\t4\t(all others)\n"
        );
        let read = parse(&file).unwrap();
        assert_eq!((read.tools.as_str(), read.names().count()), ("rustc 1", 1));
        let read = read.counts("hca rtl").unwrap();
        assert_eq!((read.total(), read.of("a, b"), read.of("small")), (1000.0, Some(900.0), None));
    }

    #[test]
    fn damaged_file_is_an_error_with_its_line() {
        for (text, wrong) in [
            ("", "line 1 names no tools"),
            ("# x\nhca rtl\t1", "line 2 has less than three columns"),
            ("# x\nhca rtl\t1\ta\nhca rtl\tmany\tb", "line 3 has no number"),
        ] {
            assert_eq!(parse(text).err().unwrap().to_string(), wrong);
        }
    }

    #[test]
    fn function_that_grew_most_is_named() {
        let earlier = counts(&[("edge", 100.0), ("sample", 50.0)]);
        let now = counts(&[("edge", 110.0), ("sample", 20.0), ("anew", 40.0)]);
        let growth = growth(&earlier, &now).unwrap();
        assert_eq!((growth.function.as_str(), growth.more, growth.before), ("anew", 40.0, 0.0));
        assert_eq!(super::growth(&now, &counts(&[("edge", 1.0)])), None);
    }
}
