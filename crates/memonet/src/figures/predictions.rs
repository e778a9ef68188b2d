//! Predictions that were committed before the measurement, compared with the measurement.

use std::fmt;
use std::path::Path;

use anyhow::{Context, bail};
use cluster::Duration;
use cluster::host::HostCosts;
use machine_api::{Conditions, fit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::paper::Reproducible;
use super::product::Product;
use super::{Args, CountingNics};
use crate::document::Head;

/// Maximum length of a file of predictions in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// A file of predictions; see docs/fidelity/predictions.toml.
#[derive(Deserialize)]
struct File {
    prediction: Vec<FileEntry>,
}

/// A prediction in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEntry {
    row: String,
    #[serde(default)]
    under: String,
    value: f64,
    class: String,
    by: String,
    commit: Option<String>,
}

/// Compares the predictions of a file with measurements (`--foretold`).
pub fn run<M: Reproducible>(args: &Args, nics: &CountingNics<'_, M>, file: &Path) -> anyhow::Result<Product> {
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
        rows.push(Prediction {
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
        bail!("{} has no prediction for a row of {}", file.display(), M::TITLE);
    }
    let report = Report { head: M::head("figures_foretold", args.nic), rows };
    let mut product = Product::new(&report, true)?;
    product.add(format!("fidelity/{}_predicted.md", M::PAPER), report.page(M::PAPER, file));
    Ok(product)
}

/// Parses conditions: alternative choices separated by commas, then after a semicolon costs in ns. Returns
/// `None` if this build does not implement one of the choices.
fn conditions<M: Reproducible>(under: &str) -> anyhow::Result<Option<Conditions<M::Costs>>> {
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
        let (cost, ns) = cost.with_context(|| format!("`{word}` is not a cost such as `bus_line 60 ns`"))?;
        *cost = Duration::from_ns(ns);
    }
    Ok(Some(conditions))
}

/// A prediction and its measurement.
#[derive(JsonSchema, Serialize)]
struct Prediction {
    /// Id of the row.
    id: &'static str,
    /// Unit of the three numbers.
    unit: &'static str,
    /// Published value.
    published: f64,
    /// Predicted value.
    foretold: f64,
    /// Measured value under these conditions; `null` if this build does not implement them.
    measured: Option<f64>,
    /// Class of the prediction: whether the published value was known when it was made.
    class: String,
    /// Conditions that differ from the product's.
    under: String,
    /// Method of the prediction.
    by: String,
    /// Commit that contains the prediction before its measurement.
    commit: Option<String>,
}

/// Predictions of a file and their measurements.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Predictions for rows of this publication, in the order of the file.
    rows: Vec<Prediction>,
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
            let Prediction { id, unit, published, foretold, class, under, by, .. } = row;
            let under = if under.is_empty() { "as shipped" } else { under };
            let [ours, off] = row.ours();
            page += &format!(
                "| {id} | {under} | {published:.3} | {foretold:.3} | {ours} | {unit} | {off} | {class} | {by} |\n"
            );
        }
        page
    }
}

impl Prediction {
    /// The measured value, and the error of the prediction in percent.
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
            let Prediction { id, unit, published, foretold, under, .. } = row;
            let [ours, off] = row.ours();
            writeln!(f, "  {id:6}{published:>10.3}{foretold:>10.3}{ours:>10} {unit:8}{off:>8}  {under}")?;
        }
        let built = self.rows.iter().filter(|row| row.measured.is_some()).count();
        write!(f, "{} foretold, {built} measured", self.rows.len())
    }
}
