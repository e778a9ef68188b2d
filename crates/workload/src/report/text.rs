//! Runs as text.

use std::fmt;

use super::run::{Point, Run, SizeRow, Throughput, Utilisation};
use super::{Heading, Report, measured};

/// Largest number of links and switches shown for a single run.
const SHOWN: usize = 8;

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Heading { machine, nodes, per_host, topology, workload, primitive, seed } = self;
        let s = if *nodes == 1 { "" } else { "s" };
        write!(f, "{machine}, {nodes} node{s}, ")?;
        if *per_host > 1 {
            write!(f, "{per_host} on each host, ")?;
        }
        write!(f, "{topology}, {workload}, {primitive}")?;
        seed.map_or(Ok(()), |seed| write!(f, ", seed {seed}"))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.heading)?;
        let title =
            "latency in us, from the sender's first store to the look that sees it; spread over phases";
        table(f, self, title, ["mean", "median", "p99", "p99.9", "least", "worst", "phases"], |row| {
            let latency = &row.latency;
            let [mean, median, p99] = [latency.mean_ps, latency.median_ps, latency.p99_ps];
            let [p99_9, least, worst] = [latency.p99_9_ps, latency.least_ps, latency.worst_ps];
            [mean, median, p99, p99_9, least, worst, row.phases.mean_ps].map(us)
        })?;
        writeln!(f)?;
        let title = "throughput in MB/s, and how late senders began, in us";
        table(f, self, title, ["all nodes", "a node", "least", "most", "late: mean", "worst"], |row| {
            let (throughput, late) = (&row.throughput, &row.late);
            let Throughput { bytes_per_second, node_mean, node_least, node_most, .. } = *throughput;
            let [all, mean, least, most] =
                [bytes_per_second, node_mean, node_least, node_most].map(|rate| rate / 1e6);
            [all, mean, least, most, us(late.mean_ps), us(late.worst_ps)]
        })?;
        busiest(f, self)?;
        measured::write(f, self)?;
        for run in self.runs.iter().filter(|run| run.undelivered > 0) {
            let s = if run.undelivered == 1 { "" } else { "s" };
            write!(f, "\n\n{} message{s} did not arrive{}", run.undelivered, name(run))?;
        }
        Ok(())
    }
}

/// A table with a line for each row of each run.
fn table<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    report: &Report,
    title: &str,
    heads: [&str; N],
    cells: impl Fn(&SizeRow) -> [f64; N],
) -> fmt::Result {
    write!(f, "\n{:27}{title}\n{:>9} {:>6} {:>9}", "", report.first_head(), "bytes", "messages")?;
    for head in heads {
        write!(f, " {head:>10}")?;
    }
    for run in &report.runs {
        for row in &run.rows {
            which(f, &run.point, row.bytes)?;
            write!(f, " {:>9}", row.messages)?;
            for cell in cells(row) {
                write!(f, " {cell:>10.3}")?;
            }
        }
    }
    Ok(())
}

/// First columns of a line: load or window, and bytes.
pub(super) fn which(f: &mut fmt::Formatter<'_>, point: &Point, bytes: Option<u64>) -> fmt::Result {
    let bytes = bytes.map_or("all".into(), |bytes| bytes.to_string());
    write!(f, "\n{:>9} {bytes:>6}", point.text())
}

impl Report {
    /// Head of the first column of tables.
    pub(super) fn first_head(&self) -> &'static str {
        let is_closed = self.runs.iter().any(|run| run.point.window.is_some());
        if is_closed { "window" } else { "load" }
    }
}

/// Picoseconds in microseconds.
fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

/// The busiest links and switches: several of a single run, or one of each run.
fn busiest(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let runs = &report.runs;
    if runs.iter().all(|run| run.utilisation.is_empty()) {
        return Ok(());
    }
    let shown = if runs.len() == 1 { SHOWN } else { 1 };
    write!(f, "\n\n{:27}busiest links and switches, and the queues before them", "")?;
    let head = report.first_head();
    write!(f, "\n{head:>9} {:>6} {:>9} {:>10} {:>10}  name", "bytes", "used", "mean", "most")?;
    for run in runs {
        let mut busiest: Vec<&Utilisation> = run.utilisation.iter().collect();
        busiest.sort_by(|a, b| b.fraction.total_cmp(&a.fraction));
        for Utilisation { name, fraction, queue_mean, queue_most } in busiest.into_iter().take(shown) {
            which(f, &run.point, run.point.bytes)?;
            write!(f, " {:>7.1} % {queue_mean:>10.3} {queue_most:>10}  {name}", fraction * 100.0)?;
        }
    }
    Ok(())
}

/// Load or window of a run, and its size, for the end of a sentence.
pub(super) fn name(run: &Run) -> String {
    if run.point.is_pattern() { format!(" at {}", run.point) } else { String::new() }
}
