//! `memonet suci bench`: Suci compared with other message transports, on this computer.
//!
//! The measurements are in a separate program, `suci-bench`, so that its dependencies stay out of memonet.

mod svg;

use std::fmt;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::Head;
use crate::numbers;
use crate::output::{self, Outcome};

/// Compare Suci with TCP, UDP, QUIC, KCP and ENet over loopback.
///
/// All transports are measured in one run, alternately; each number is a median. Ratios are meaningful; the
/// numbers themselves depend on this computer and its load. A relay drops the same datagrams for all; TCP has
/// no losses, because it does not pass through the relay.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet suci bench
  memonet suci bench --against tcp,udp --lose 0
  memonet suci bench --against quinn,kcp,enet --lose 0,1%,5% --output docs/figures

Exit code 1 if one of them could not be measured; the table says why.")]
pub struct Args {
    /// Transports to compare with: tcp, udp, quinn, kcp, enet.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', default_value = "tcp,udp,quinn,kcp,enet",
        value_parser = ["tcp", "udp", "quinn", "kcp", "enet"])]
    against: Vec<String>,
    /// Datagram losses in percent.
    #[arg(long, value_name = "PERCENT,..", value_delimiter = ',', default_value = "0,1,5", value_parser = percent)]
    lose: Vec<f64>,
    /// Round trips of 4 bytes; a tenth of them with loss.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = numbers::within::<u32>(1..=4_294_967_295, "the number of round trips"))]
    rounds: u32,
    /// Number of repetitions.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::within::<u32>(1..=4_294_967_295, "the number of repetitions"))]
    repeat: u32,
    /// Seed of the losses.
    #[arg(long, default_value_t = 1, value_parser = numbers::within::<u64>(1..=u64::MAX, "the seed"))]
    seed: u64,
    /// Do not pin the two ends to processors 0 and 1.
    #[arg(long)]
    unpinned: bool,
    /// Folder for suci_bench.svg and suci_bench.csv.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Report of `memonet suci bench`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    measured: Measurements,
}

/// Output of `suci-bench`.
#[derive(Deserialize, JsonSchema, Serialize)]
struct Measurements {
    /// Name of the processor, from the operating system.
    processor: String,
    /// Number of processors.
    processors: usize,
    /// The two ends were pinned to processors 0 and 1.
    pinned: bool,
    /// Round trips of one measurement without loss.
    rounds: usize,
    /// Measurements of which each number is the median.
    repeat: usize,
    /// Results of each transport at each loss.
    rows: Vec<Row>,
}

/// Results of a transport at one loss.
#[derive(Deserialize, JsonSchema, Serialize)]
struct Row {
    /// Name of the transport; `suci` has a shared key, `suci-trusted` has none.
    name: String,
    /// Messages are encrypted and authenticated.
    sealed: bool,
    /// Datagrams that the relay dropped, in percent; without a relay for 0.
    lose_percent: f64,
    /// Half of the median round trip of 4 bytes.
    half_round_trip_us: Option<f64>,
    /// 99th percentile of the round trip of 4 bytes.
    round_trip_p99_us: Option<f64>,
    /// Messages of 64 bytes in one direction, per second.
    burst_64_per_second: Option<f64>,
    /// Megabytes per second in one direction, in messages of 1,024 bytes.
    burst_1024_megabytes_per_second: Option<f64>,
    /// Reason of missing numbers.
    error: Option<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measurements { processor, processors, pinned, rounds, repeat, rows } = &self.measured;
        let kept = if *pinned { "ends on two of them" } else { "ends anywhere" };
        writeln!(
            f,
            "{processor}, {processors} processors, {kept}; {rounds} round trips, median of {repeat}\n"
        )?;
        writeln!(
            f,
            "{:>5}  {:13} {:>12} {:>12} {:>14} {:>12}",
            "lost", "", "half trip us", "p99 trip us", "64 B messages/s", "1 KiB MB/s"
        )?;
        for row in rows {
            writeln!(
                f,
                "{:>4}%  {:13} {:>12} {:>12} {:>14} {:>12}",
                row.lose_percent,
                row.name,
                number(row.half_round_trip_us, 1),
                number(row.round_trip_p99_us, 1),
                number(row.burst_64_per_second, 0),
                number(row.burst_1024_megabytes_per_second, 1),
            )?;
        }
        let failed = rows.iter().filter_map(|row| Some((row, row.error.as_ref()?)));
        failed
            .map(|(row, error)| format!("\n- {} at {} %: {error}", row.name, row.lose_percent))
            .try_for_each(|line| f.write_str(&line))
    }
}

/// Parses a loss: `5` or `5%`.
fn percent(text: &str) -> Result<f64, String> {
    let loss = text.trim_end_matches('%').parse().ok().filter(|loss| (0.0..=50.0).contains(loss));
    loss.ok_or_else(|| "a loss is 0 to 50 percent".to_string())
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.digits$}"))
}

/// The program `suci-bench`: in the folder of this program, or built from the sources of this build.
fn program() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("finding this program")?;
    let installed = own.with_file_name("suci-bench");
    if installed.is_file() {
        return Ok(installed);
    }
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suci/bench/Cargo.toml");
    // Only Cargo's own folder may be written, never the folder of an installation.
    let target = own.ancestors().nth(2).filter(|folder| folder.join(CARGO_FILE).is_file());
    match target {
        Some(target) if manifest.is_file() => build(&manifest, &target.join("suci-bench")),
        _ => {
            let folder = own.parent().unwrap_or(Path::new("/"));
            let root = folder.parent().unwrap_or(Path::new("/"));
            bail!(
                "suci bench needs the program suci-bench in {}, and it is not there; in the sources of Memonet, type \
                 `cargo install --locked --path crates/suci/bench --root {}`",
                folder.display(),
                root.display()
            )
        }
    }
}

/// A file that Cargo writes into its target folder.
const CARGO_FILE: &str = ".rustc_info.json";

/// Builds `suci-bench` in a target folder; Cargo shows its progress.
fn build(manifest: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let program = target.join("release/suci-bench");
    if !program.is_file() {
        output::aside("memonet suci bench: building suci-bench, which takes minutes");
    }
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked", "--manifest-path"]).arg(manifest);
    cargo.arg("--target-dir").arg(target).stdout(Stdio::null());
    let built = if std::io::stderr().is_terminal() {
        cargo.status().context("starting cargo, which builds suci-bench")?.success()
    } else {
        let output = cargo.output().context("starting cargo, which builds suci-bench")?;
        if !output.status.success() {
            output::aside(String::from_utf8_lossy(&output.stderr).trim());
        }
        output.status.success()
    };
    anyhow::ensure!(built, "cargo could not build suci-bench; its messages are above");
    Ok(program)
}

/// Runs `suci-bench` and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(folder) = &args.output {
        output::check_folder(&folder.join("suci_bench.svg"))?;
    }
    let mut command = Command::new(program()?);
    let lose: Vec<_> = args.lose.iter().map(f64::to_string).collect();
    command.args(["--against", &args.against.join(","), "--lose", &lose.join(",")]);
    command.args(["--rounds", &args.rounds.to_string(), "--repeat", &args.repeat.to_string()]);
    command.args(["--seed", &args.seed.to_string()]).args(args.unpinned.then_some("--unpinned"));
    let activity = machine_api::activity("suci bench, measuring");
    let output = command.stderr(Stdio::piped()).output().context("starting suci-bench")?;
    drop(activity);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("suci-bench: {}", said.trim().lines().last().unwrap_or("failed without a message"));
    }
    let measured: Measurements =
        serde_json::from_slice(&output.stdout).context("reading what suci-bench printed")?;
    let report = Report { head: Head::new("suci_bench").seeded(args.seed), measured };
    if let Some(folder) = &args.output {
        output::write(&folder.join("suci_bench.csv"), csv(&report.measured.rows).as_bytes())?;
        output::write(&folder.join("suci_bench.svg"), svg::svg(&report.measured).as_bytes())?;
    }
    output::print(&report, args.json)?;
    let reliable = |row: &&Row| row.name != "udp";
    Ok(Outcome::from(report.measured.rows.iter().filter(reliable).all(|row| row.error.is_none())))
}

fn csv(rows: &[Row]) -> String {
    let head = "name,sealed,lose_percent,half_round_trip_us,round_trip_p99_us,burst_64_per_second,burst_1024_megabytes_per_second\n";
    let value = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let line = |row: &Row| {
        let numbers = [
            row.half_round_trip_us,
            row.round_trip_p99_us,
            row.burst_64_per_second,
            row.burst_1024_megabytes_per_second,
        ];
        format!("{},{},{},{}\n", row.name, row.sealed, row.lose_percent, numbers.map(value).join(","))
    };
    head.to_owned() + &rows.iter().map(line).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_measurements_are_gaps_in_table_csv_and_svg() {
        let text = r#"{"processor":"p","processors":2,"pinned":true,"rounds":1,"repeat":1,"rows":[
            {"name":"suci","sealed":true,"lose_percent":0.0,"half_round_trip_us":8.0,"round_trip_p99_us":20.0,
             "burst_64_per_second":1000000.0,"burst_1024_megabytes_per_second":250.5,"error":null},
            {"name":"udp","sealed":false,"lose_percent":0.0,"half_round_trip_us":7.0,"round_trip_p99_us":15.0,
             "burst_64_per_second":null,"burst_1024_megabytes_per_second":null,"error":"it does not carry what is lost"}]}"#;
        let measured: Measurements = serde_json::from_str(text).unwrap();
        assert_eq!(csv(&measured.rows).lines().last(), Some("udp,false,0,7,15,,"));
        let picture = svg::svg(&measured);
        assert_eq!(picture.matches("class=\"bar\"").count(), 6);
        let report = Report { head: Head::new("suci_bench"), measured }.to_string();
        assert!(report.contains("1000000") && report.contains("- udp at 0 %: it does not carry"), "{report}");
    }
}
