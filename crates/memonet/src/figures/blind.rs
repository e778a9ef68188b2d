//! Predictions for configurations that were never measured (`memonet figures --predict FILE`).
//!
//! A file names a command and a value in its report. A published value can be added later; the prediction itself
//! never changes (decision 0088).

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::process::{self, Stdio};

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use cluster::host::Computer;
use machine_api::{Band, Class, computer_of, counted, line_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Spanned;

use super::paper::{Paper, with_paper};
use super::product::Product;
use super::{Args, Host, check, plot};
use crate::document::Head;
use crate::output::Outcome;
use crate::shell_words::command_line;
use crate::{Command, usage};

/// Maximum length of a file of predictions in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// A file of predictions; see docs/fidelity/blind.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    prediction: Vec<Spanned<Entry>>,
}

/// A prediction in the file. Values that are checked keep their places for error messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<String>,
    description: String,
    command: Spanned<Vec<String>>,
    path: String,
    #[serde(default = "one")]
    factor: Spanned<f64>,
    value: Spanned<f64>,
    unit: String,
    band: Spanned<[f64; 2]>,
    published: Option<Spanned<PublishedValue>>,
}

/// The factor of a value that the report has in the unit of the prediction.
fn one() -> Spanned<f64> {
    Spanned::new(0..0, 1.0)
}

/// A published value that was found after the prediction.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct PublishedValue {
    /// The value, in the unit of the prediction.
    value: f64,
    /// Unit of the value.
    unit: String,
    /// Publication, with page, table or figure.
    source: String,
}

/// A checked prediction and the computer that its command simulates.
struct Checked {
    entry: Entry,
    computer: Computer,
    /// The command has `--host`.
    takes_host: bool,
    /// Line of the entry in the file.
    line: usize,
}

/// Runs `memonet figures --predict`.
pub fn run(args: &Args, file: &Path) -> anyhow::Result<Outcome> {
    let wrong = |reason: String| usage::invalid("--predict <FILE>", file.display(), reason);
    let text = files::read(file, LONGEST_FILE).map_err(|error| wrong(error.to_string()))?;
    let mut predictions = checked(&text).map_err(wrong)?;
    let host = args.host.as_deref().map(|name| {
        computer_of(name).map_err(|error| usage::invalid("--host <NAME>", name, error.to_string()))
    });
    let host = host.transpose()?;
    let all = predictions.len();
    if let Some((host, name)) = host.as_ref().zip(args.host.as_ref()) {
        predictions.retain(|prediction| prediction.takes_host);
        for prediction in &mut predictions {
            prediction.move_to(name, host);
        }
        if predictions.is_empty() {
            return Err(wrong("no command of the file has --host".to_string()));
        }
    }
    if let Some(folder) = &args.output {
        plot::make(folder, false)?;
    }
    let report = Report {
        head: Head::new("figures_predict"),
        left_out: all - predictions.len(),
        rows: measured(predictions, host.is_some())?,
        host: host.as_ref().map(Host::of),
    };
    let mut product = Product::new(&report, true)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    product.add(format!("fidelity/{stem}_predictions.md"), report.page(file));
    product.deliver(args.output.as_deref(), args.json)
}

/// The predictions of a file, or the line and the reason of the first mistake.
fn checked(text: &str) -> Result<Vec<Checked>, String> {
    let File { prediction } = toml::from_str(text).map_err(|error| error.to_string())?;
    let at =
        |span: Range<usize>, reason: String| Err(format!("line {}: {reason}", line_of(text, span.start)));
    let mut predictions: Vec<Checked> = Vec::new();
    for entry in prediction {
        let line = line_of(text, entry.span().start);
        let entry = entry.into_inner();
        let id = entry.id.get_ref();
        if id.is_empty() || predictions.iter().any(|other| other.entry.id.get_ref() == id) {
            return at(entry.id.span(), format!("`{id}` is empty or the id of an earlier prediction"));
        }
        if !entry.factor.get_ref().is_normal() {
            return at(entry.factor.span(), "the factor is a finite number other than 0".to_string());
        }
        if let Err(reason) = band(*entry.value.get_ref(), *entry.band.get_ref()) {
            return at(entry.band.span(), reason);
        }
        if let Some(published) = &entry.published {
            let PublishedValue { value, unit, source } = published.get_ref();
            if *unit != entry.unit {
                let reason = format!("the published value is in {unit}, the prediction in {}", entry.unit);
                return at(published.span(), reason);
            }
            if !value.is_finite() || *value == 0.0 || source.is_empty() {
                let reason = "a published value is a finite number other than 0 and has a source".to_string();
                return at(published.span(), reason);
            }
        }
        match simulates(entry.command.get_ref()) {
            Ok((computer, takes_host)) => predictions.push(Checked { entry, computer, takes_host, line }),
            Err(reason) => {
                let command = command_line(entry.command.get_ref());
                return at(entry.command.span(), format!("`memonet {command}`: {reason}"));
            }
        }
    }
    if predictions.is_empty() { Err("there is no prediction".to_string()) } else { Ok(predictions) }
}

/// Checks that a band is a range of positive width around the predicted value.
fn band(value: f64, [least, most]: [f64; 2]) -> Result<(), String> {
    // Comparisons with a value that is not a number are false.
    let possible = least.is_finite() && most.is_finite() && least < most && (least..=most).contains(&value);
    let reason =
        || format!("the band {least} to {most} is impossible; it begins below and ends above {value}");
    possible.then_some(()).ok_or_else(reason)
}

/// The computer that a command simulates, and whether the command has `--host`; otherwise the reason why this
/// build does not have the command.
fn simulates(arguments: &[String]) -> Result<(Computer, bool), String> {
    let words = ["memonet"].into_iter().chain(arguments.iter().map(String::as_str)).chain(["--json"]);
    let first_line = |error: String| error.lines().next().unwrap_or_default().replace("error: ", "");
    match crate::parsed(words).map_err(|error| first_line(error.to_string()))? {
        Command::Figures(args) if args.predict.is_some() || args.one_sided || args.output.is_some() => {
            Err("a prediction cannot have --predict, --one-sided or --output".to_string())
        }
        Command::Figures(args) => {
            let computer =
                with_paper!(args.paper, M => check::<M>(&args).and_then(|()| super::computer::<M>(&args)));
            computer.map(|computer| (computer, true)).map_err(|error| first_line(error.to_string()))
        }
        Command::Run(args) => Ok((Paper::Of(args.machine).computer(), false)),
        Command::Cluster(args) => Ok((Paper::Of(args.machine).computer(), false)),
        Command::Explain(args) => Ok((Paper::Of(args.machine).computer(), false)),
        Command::Fagus(args) => Ok((Paper::Of(args.machine).computer(), false)),
        Command::Suci(_) => Ok((Paper::Suci.computer(), false)),
        _ => Err("predictions come from figures, run, cluster, explain, fagus or suci".to_string()),
    }
}

impl Checked {
    /// Simulates another computer.
    fn move_to(&mut self, name: &str, computer: &Computer) {
        let mut words = std::mem::take(self.entry.command.get_mut()).into_iter();
        let mut moved = Vec::new();
        while let Some(word) = words.next() {
            if word == "--host" {
                words.next();
            } else if !word.starts_with("--host=") {
                moved.push(word);
            }
        }
        moved.extend(["--host".to_string(), name.to_string()]);
        *self.entry.command.get_mut() = moved;
        self.computer = computer.clone();
    }
}

/// A clock of the computer lies outside the range of the computers with published measurements.
fn is_beyond_measured(computer: &Computer) -> bool {
    let measured: Vec<_> = Paper::value_variants().iter().map(|paper| paper.computer().clocks()).collect();
    computer.clocks().iter().enumerate().any(|(place, (_, mhz))| {
        let Band { least, most } = Band::of(measured.iter().map(|clocks| clocks[place].1));
        !(least..=most).contains(mhz)
    })
}

/// Runs each command once and takes the values from its report.
fn measured(predictions: Vec<Checked>, moved: bool) -> anyhow::Result<Vec<Prediction>> {
    let progress = machine_api::progress("figures --predict", predictions.len() as u64, "predictions");
    let mut reports: BTreeMap<Vec<String>, Value> = BTreeMap::new();
    let mut rows = Vec::new();
    for Checked { entry, computer, line, .. } in predictions {
        let Entry { id, description, command, path, factor, value, unit, band, published } = entry;
        let (id, command, factor) = (id.into_inner(), command.into_inner(), factor.into_inner());
        progress.set_message(id.clone());
        let spelled = format!("memonet {}", command_line(&command));
        if !reports.contains_key(&command) {
            let report = report(&command).with_context(|| format!("line {line}: `{spelled}`"))?;
            reports.insert(command.clone(), report);
        }
        let now = found(&reports[&command], &path).and_then(Value::as_f64).map(|value| factor * value);
        let now =
            now.with_context(|| format!("line {line}: no number at {path} in the report of `{spelled}`"))?;
        let class = if is_beyond_measured(&computer) { Class::Extrapolated } else { Class::Predicted };
        let (predicted, [least, most]) = (value.into_inner(), band.into_inner());
        let published = published.map(Spanned::into_inner);
        let foretold = (!moved).then(|| Foretold {
            predicted,
            band: Band { least, most },
            in_band: (least..=most).contains(&now),
            error_percent: published
                .as_ref()
                .map(|published| 100.0 * (predicted - published.value) / published.value),
            published,
        });
        rows.push(Prediction { id, description, command: spelled, path, factor, unit, now, foretold, class });
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// The JSON report of a command of this program.
fn report(arguments: &[String]) -> anyhow::Result<Value> {
    let program = std::env::current_exe().context("looking for this program")?;
    let mut command = process::Command::new(program);
    command.args(arguments).arg("--json").stdin(Stdio::null());
    let output = command.output()?;
    let report: Value = serde_json::from_slice(&output.stdout).context("it printed no JSON")?;
    let error = report.get("error").and_then(Value::as_str).unwrap_or("it failed");
    ensure!(output.status.success(), "{error}");
    if report.get("error").is_some_and(Value::is_string) {
        bail!("{error}");
    }
    Ok(report)
}

/// The value at a path such as `/rows/id=E1/measured`: a JSON pointer (RFC 6901), in which `key=value` selects
/// the first element of an array whose `key` has this value.
fn found<'a>(report: &'a Value, path: &str) -> Option<&'a Value> {
    path.strip_prefix('/')?.split('/').try_fold(report, |value, word| match (value, word.split_once('=')) {
        (Value::Array(elements), Some((key, wanted))) => {
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            elements.iter().find(|element| text(&element[key]) == wanted)
        }
        (Value::Array(elements), None) => elements.get(word.parse::<usize>().ok()?),
        _ => value.get(word),
    })
}

/// A prediction and the value of this build.
#[derive(JsonSchema, Serialize)]
struct Prediction {
    /// Id of the prediction.
    id: String,
    /// Predicted quantity.
    description: String,
    /// Command that prints the value with `--json`.
    command: String,
    /// Path of the value in its report.
    path: String,
    /// Factor from the report's unit to `unit`.
    factor: f64,
    /// Unit of all values.
    unit: String,
    /// Value that this build computes.
    now: f64,
    /// The committed prediction; `null` with `--host`, because it is for another computer.
    foretold: Option<Foretold>,
    /// `predicted`, or `extrapolated` if a clock of the computer lies outside the range of the computers with
    /// published measurements.
    class: Class,
}

/// A committed prediction.
#[derive(JsonSchema, Serialize)]
struct Foretold {
    /// Predicted value.
    predicted: f64,
    /// Range in which the prediction expects the published value.
    band: Band,
    /// The value of this build lies in the band.
    in_band: bool,
    /// Published value, if one was found later.
    published: Option<PublishedValue>,
    /// Deviation of the predicted value from the published one.
    error_percent: Option<f64>,
}

/// Predictions of a file and the values of this build.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Computer of `--host`; `null` if each command has its own.
    host: Option<Host>,
    /// Predictions in the order of the file.
    rows: Vec<Prediction>,
    /// Predictions without a value, because their commands have no `--host`.
    left_out: usize,
}

/// Headings of the table: ids, quantities and units apart.
const HEADS: [&str; 5] = ["Today", "Predicted", "Band", "Published", "Error"];

impl Prediction {
    /// Cells under [`HEADS`].
    fn cells(&self) -> [String; 5] {
        let now = format!("{:.3}", self.now);
        let Some(Foretold { predicted, band: Band { least, most }, in_band, published, error_percent }) =
            &self.foretold
        else {
            return [now, String::new(), String::new(), String::new(), String::new()];
        };
        let left = if *in_band { "" } else { ", left" };
        [
            now,
            format!("{predicted:.3}"),
            format!("{least} to {most}{left}"),
            published
                .as_ref()
                .map_or_else(|| "none".to_string(), |published| format!("{:.3}", published.value)),
            error_percent.map_or_else(String::new, |error| format!("{error:+.1} %")),
        ]
    }
}

impl Report {
    /// Number of predictions, and how good those with a published value are.
    fn summary(&self) -> String {
        let mut errors: Vec<f64> =
            self.rows.iter().filter_map(|row| row.foretold.as_ref()?.error_percent.map(f64::abs)).collect();
        errors.sort_by(f64::total_cmp);
        let errors = match errors.last() {
            None => "no published value is known".to_string(),
            Some(worst) => format!(
                "{}: median error {:.1} %, worst {worst:.1} %",
                counted(errors.len(), "published value"),
                errors[errors.len() / 2]
            ),
        };
        let extrapolated = self.rows.iter().filter(|row| row.class == Class::Extrapolated).count();
        let left = match self.left_out {
            0 => String::new(),
            count => {
                format!("; {} left out, because their commands have no --host", counted(count, "prediction"))
            }
        };
        format!(
            "{}, {extrapolated} of them extrapolated; {errors}{left}",
            counted(self.rows.len(), "prediction")
        )
    }

    fn page(&self, file: &Path) -> String {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let host = self.host.as_ref().map_or(String::new(), |host| format!(" --host {}", host.name));
        let mut page = format!(
            "# Blind predictions\n\n\
             This page is for those who have measured one of these configurations, or know a publication that did:\n\
             it says what the models predict for it. Nobody here has measured these configurations or fitted a constant to\n\
             them. The predictions are in [{name}]({name}), which was committed alone before any later change of the\n\
             models; a test asks the history (decision [0088](../decisions/0088-blind-predictions.md)). Written by:\n\n\
             ```\nmemonet figures --predict docs/fidelity/{name}{host} --output docs\n```\n\n\
             `Today` is the value of this build, `Band` the range in which the prediction expects the published value;\n\
             `left` marks a value of today outside it, because a model has changed since.\n\
             An extrapolated row has a clock outside the range of the computers with published measurements. A\n\
             published value is one more line of the entry, `published = {{ value = 61.0, unit = \"us\", source = \"...\" }}`;\n\
             the page then has the error of the prediction. All values are of `--library-cost looks`, the default,\n\
             with which costs are fitted.\n\n{}.\n\n\
             | Id | Predicted quantity | Unit | {} | Class |\n|---|---|---|{}---|\n",
            self.summary(),
            HEADS.join(" | "),
            "---|".repeat(HEADS.len())
        );
        for row in &self.rows {
            let Prediction { id, description, unit, class, .. } = row;
            page += &format!(
                "| {id} | {description} | {unit} | {} | {} |\n",
                row.cells().join(" | "),
                class.name()
            );
        }
        page += "\n## Commands\n\nEach value is at this path of the JSON report, times this factor. No command\nnames another `--library-cost` than the default, `looks`.\n\n| Id | Command | Path | Factor |\n|---|---|---|---|\n";
        for Prediction { id, command, path, factor, .. } in &self.rows {
            page += &format!("| {id} | `{command}` | `{path}` | {factor} |\n");
        }
        let known =
            self.rows.iter().filter_map(|row| Some((row, row.foretold.as_ref()?.published.as_ref()?)));
        let sources: String =
            known.map(|(row, published)| format!("- {}: {}\n", row.id, published.source)).collect();
        if !sources.is_empty() {
            page += &format!("\n## Sources of published values\n\n{sources}");
        }
        page
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(host) = &self.host {
            writeln!(f, "hosts: {host}")?;
        }
        let line = |[now, predicted, band, published, error]: [&str; 5]| {
            format!("{now:>10}{predicted:>11}  {band:20}{published:>10}{error:>9}")
        };
        writeln!(f, "  {:9}{:75}{:9}{}  class", "id", "predicted quantity", "unit", line(HEADS))?;
        for row in &self.rows {
            let Prediction { id, description, unit, class, .. } = row;
            let cells = row.cells();
            let cells = line(cells.each_ref().map(String::as_str));
            writeln!(f, "  {id:9}{description:75}{unit:9}{cells}  {}", class.name())?;
        }
        write!(f, "{}", self.summary())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"
[[prediction]]
id = "P-01"
description = "round trip of 4 B"
command = ["figures", "--paper", "gigae_pm", "--only", "section 5.2", "--host", "pentium-150"]
path = "/rows/id=E1/measured"
value = 60.0
unit = "us"
band = [55.0, 65.0]
"#;

    fn refused(from: &str, to: &str) -> String {
        assert!(ENTRY.contains(from));
        checked(&ENTRY.replace(from, to)).err().expect("it is refused")
    }

    #[test]
    fn mistakes_are_refused_with_line_and_reason() {
        assert_eq!(checked(ENTRY).unwrap().len(), 1);
        for (from, to, line, reason) in [
            ("\"figures\", \"--paper\"", "\"figure\", \"--paper\"", 5, "unrecognized subcommand 'figure'"),
            ("\"--only\"", "\"--alone\"", 5, "unexpected argument '--alone'"),
            ("section 5.2", "section 9.9", 5, "no published value belongs to it"),
            ("pentium-150", "cray", 5, "there is no computer cray"),
            (
                "\"--paper\", \"gigae_pm\", \"--only\", \"section 5.2\"",
                "\"--predict\", \"x.toml\"",
                5,
                "cannot have --predict",
            ),
            (
                "[\"figures\", \"--paper\", \"gigae_pm\", \"--only\", \"section 5.2\", \"--host\", \"pentium-150\"]",
                "[\"doctor\"]",
                5,
                "predictions come from",
            ),
            ("[55.0, 65.0]", "[65.0, 55.0]", 9, "impossible"),
            ("[55.0, 65.0]", "[61.0, 65.0]", 9, "impossible"),
            ("[55.0, 65.0]", "[60.0, 60.0]", 9, "impossible"),
            ("[55.0, 65.0]", "[55.0, inf]", 9, "impossible"),
            ("value = 60.0", "value = nan", 9, "impossible"),
            ("value = 60.0", "value = 60.0\nfactor = 0.0", 8, "factor"),
            ("id = \"P-01\"", "id = \"\"", 3, "empty"),
            ("unit = \"us\"", "unit = \"us\"\nunits = \"us\"", 9, "unknown field `units`"),
        ] {
            let error = refused(from, to);
            assert!(
                error.contains(reason) && error.contains(&format!("line {line}")),
                "{from} -> {to}: {error}"
            );
        }
        let twice = checked(&format!("{ENTRY}{ENTRY}")).err().unwrap();
        assert!(twice.contains("line 12") && twice.contains("earlier"), "{twice}");
        assert!(checked("prediction = []").is_err());
    }

    #[test]
    fn published_value_has_the_unit_of_the_prediction_and_a_source() {
        let published = |value: &str, unit: &str, source: &str| {
            checked(&format!(
                "{ENTRY}published = {{ value = {value}, unit = \"{unit}\", source = \"{source}\" }}\n"
            ))
        };
        assert!(published("61.0", "us", "a paper, table 1").is_ok());
        let error = published("0.061", "ms", "a paper, table 1").err().unwrap();
        assert!(error.contains("line 10") && error.contains("in ms, the prediction in us"), "{error}");
        assert!(published("61.0", "us", "").err().unwrap().contains("source"));
        assert!(published("nan", "us", "a paper").err().unwrap().contains("finite"));
    }

    #[test]
    fn path_selects_by_key_index_or_value() {
        let report = serde_json::json!({"rows": [{"id": "E1", "measured": 1.5}, {"id": "E2", "size": 8, "measured": 2.5}]});
        assert_eq!(found(&report, "/rows/id=E2/measured"), Some(&2.5.into()));
        assert_eq!(found(&report, "/rows/size=8/measured"), Some(&2.5.into()));
        assert_eq!(found(&report, "/rows/0/measured"), Some(&1.5.into()));
        for path in ["/rows/id=E3/measured", "/rows/2/measured", "/columns", "rows", "/rows/id=E1/error"] {
            assert_eq!(found(&report, path), None, "{path}");
        }
    }

    #[test]
    fn computers_beyond_the_measured_ones_are_extrapolated() {
        let beyond = |name: &str| is_beyond_measured(&computer_of(name).unwrap());
        assert!(beyond("pentium-150"), "its bus is slower than that of any measured computer");
        assert!(beyond("pentium3-500-pci66"), "all measured computers have PCI of 33 MHz");
        assert!(!beyond("pentium3-500") && !beyond("pentium2-400") && !beyond("pentium4-2600"));
    }

    #[test]
    fn another_host_replaces_that_of_the_command() {
        let mut prediction = checked(ENTRY).unwrap().remove(0);
        assert!(prediction.takes_host);
        prediction.move_to("pentium3-500", &computer_of("pentium3-500").unwrap());
        let command = prediction.entry.command.get_ref();
        assert_eq!(command[3..], ["--only", "section 5.2", "--host", "pentium3-500"]);
        assert_eq!(prediction.computer.processor_mhz, 500.0);
    }

    fn prediction(published: Option<f64>, class: Class) -> Prediction {
        let [id, description, command, path, unit] =
            ["P", "time", "memonet run", "/a", "us"].map(String::from);
        let published =
            published.map(|value| PublishedValue { value, unit: "us".into(), source: "a paper".into() });
        let foretold = Foretold {
            predicted: 60.0,
            band: Band { least: 55.0, most: 65.0 },
            in_band: true,
            error_percent: published.as_ref().map(|published| 100.0 * (60.0 / published.value - 1.0)),
            published,
        };
        Prediction {
            id,
            description,
            command,
            path,
            factor: 1.0,
            unit,
            now: 60.0,
            foretold: Some(foretold),
            class,
        }
    }

    #[test]
    fn summary_says_how_good_predictions_were() {
        let report = |rows| Report { head: Head::new("figures_predict"), host: None, rows, left_out: 0 };
        let unknown = report(vec![prediction(None, Class::Predicted)]).summary();
        assert_eq!(unknown, "1 prediction, 0 of them extrapolated; no published value is known");
        let known =
            report(vec![prediction(Some(50.0), Class::Predicted), prediction(None, Class::Extrapolated)]);
        assert_eq!(
            known.summary(),
            "2 predictions, 1 of them extrapolated; 1 published value: median error 20.0 %, worst 20.0 %"
        );
        assert!(known.page(Path::new("blind.toml")).contains("- P: a paper"));
    }
}
