//! What was foretold of rows, beside what they are now.

use std::fmt;
use std::path::Path;

use anyhow::{Context, bail};
use cluster::Duration;
use cluster::host::HostCosts;
use lab::{Conditions, fit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::paper::Measured;
use super::{Args, Counted};
use crate::document::Head;
use crate::output::{self, Outcome};

/// A file of predictions is text of some pages.
const LONGEST_FILE: u64 = 1 << 20;

/// A file of predictions; see docs/fidelity/predictions.toml.
#[derive(Deserialize)]
struct File {
    prediction: Vec<Entry>,
}

/// One of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    row: String,
    #[serde(default)]
    under: String,
    value: f64,
    class: String,
    by: String,
    commit: Option<String>,
}

/// Runs `memonet figures --foretold`.
pub fn run<M: Measured>(args: &Args, nics: &Counted<'_, M>, file: &Path) -> anyhow::Result<Outcome> {
    let text = files::read(file, LONGEST_FILE)?;
    let File { prediction } = toml::from_str(&text).with_context(|| file.display().to_string())?;
    let mut rows = Vec::new();
    for entry in prediction {
        let Some(published) = M::PUBLICATION.rows.iter().find(|row| row.id == entry.row) else { continue };
        let measured = match conditions::<M>(&entry.under)? {
            None => None,
            Some(conditions) => {
                fit::rows::<M>(nics, &conditions, &[published.id])?.pop().map(|row| row.measured)
            }
        };
        rows.push(Foretold {
            id: published.id,
            unit: published.unit,
            published: published.value,
            foretold: entry.value,
            measured,
            class: entry.class,
            under: entry.under,
            by: entry.by,
            commit: entry.commit,
        });
    }
    if rows.is_empty() {
        bail!("{} foretells no row of {}", file.display(), M::TITLE);
    }
    let report = Report { head: M::head("figures_foretold", args.nic), rows };
    if let Some(folder) = &args.output {
        let page = report.page(M::PAPER, file);
        output::write(&folder.join(format!("fidelity/{}_predicted.md", M::PAPER)), page.as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

/// Conditions in words: choices that are taken the other way, with commas between, and behind a semicolon costs in ns. None if
/// there is something among them that this build cannot do.
fn conditions<M: Measured>(under: &str) -> anyhow::Result<Option<Conditions<M::Costs>>> {
    let (choices, costs) = under.split_once(';').unwrap_or((under, ""));
    let mut conditions = Conditions::<M::Costs>::default();
    for word in choices.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match M::CHOICES.iter().position(|choice| choice.other == word) {
            Some(place) => conditions.practice = conditions.practice.with(place),
            None => return Ok(None),
        }
    }
    for word in costs.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let cost = word.strip_suffix(" ns").and_then(|word| word.split_once(' '));
        let cost =
            cost.and_then(|(field, ns)| Some((conditions.costs.get_mut(field)?, ns.parse::<u64>().ok()?)));
        let (cost, ns) =
            cost.with_context(|| format!("`{word}` is no cost in ns, as `bus_line 60 ns` is"))?;
        *cost = Duration::from_ns(ns);
    }
    Ok(Some(conditions))
}

/// A row that was foretold.
#[derive(JsonSchema, Serialize)]
struct Foretold {
    /// The row.
    id: &'static str,
    /// Unit of all three numbers.
    unit: &'static str,
    /// The published number.
    published: f64,
    /// What was expected of ours.
    foretold: f64,
    /// Ours under these conditions; none if this build cannot do them.
    measured: Option<f64>,
    /// Whether whoever expected it had the published number in view.
    class: String,
    /// Conditions other than ours.
    under: String,
    /// How it was come by.
    by: String,
    /// The commit that holds it, not yet measured.
    commit: Option<String>,
}

/// All of them.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// What was foretold.
    rows: Vec<Foretold>,
}

impl Report {
    fn page(&self, name: &str, file: &Path) -> String {
        let mut page = format!(
            "# Predictions\n\nThis page compares predictions with measured and published values. They were committed before\n\
             measuring ([{0}]({0})). Measured by:\n\n```\nmemonet figures --paper {name} --foretold docs/fidelity/{0} --output docs\n```\n\n\
             | Id | Conditions | Published | Predicted | Ours | Unit | Error | Class | Source |\n|---|---|---|---|---|---|---|---|---|\n",
            file.file_name()
                .map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
        );
        for row in &self.rows {
            let Foretold { id, unit, published, foretold, class, under, by, .. } = row;
            let under = if under.is_empty() { "as shipped" } else { under };
            let [ours, off] = row.ours();
            page += &format!(
                "| {id} | {under} | {published:.3} | {foretold:.3} | {ours} | {unit} | {off} | {class} | {by} |\n"
            );
        }
        page
    }
}

impl Foretold {
    /// Ours, and by how much the prediction is off it.
    fn ours(&self) -> [String; 2] {
        match self.measured {
            None => ["not built".to_string(), String::new()],
            Some(measured) => {
                let off = 100.0 * (self.foretold - measured) / measured;
                [format!("{measured:.3}"), format!("{off:+.1} %")]
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {:6}{:>10}{:>10}{:>10} {:8}{:>8}  under",
            "id", "published", "foretold", "ours", "unit", "off by"
        )?;
        for row in &self.rows {
            let Foretold { id, unit, published, foretold, under, .. } = row;
            let [ours, off] = row.ours();
            writeln!(f, "  {id:6}{published:>10.3}{foretold:>10.3}{ours:>10} {unit:8}{off:>8}  {under}")?;
        }
        let built = self.rows.iter().filter(|row| row.measured.is_some()).count();
        write!(f, "{} foretold, {built} measured", self.rows.len())
    }
}
