//! Runs as CSV.

use std::io;
use std::path::Path;

use files::WholeFile;

use super::{Deliveries, Point, Report};
use crate::schedule::Schedule;

/// A CSV file that appears when it is complete.
struct Table(csv::Writer<WholeFile>);

impl Table {
    fn create(path: &Path, heads: &[&str]) -> io::Result<Table> {
        let mut writer = csv::Writer::from_writer(WholeFile::create(path)?);
        writer.write_record(heads)?;
        Ok(Table(writer))
    }

    fn row<const N: usize>(&mut self, cells: [String; N]) -> io::Result<()> {
        Ok(self.0.write_record(cells)?)
    }

    fn finish(self) -> io::Result<()> {
        self.0.into_inner().map_err(|error| error.into_error())?.finish()
    }
}

const RUN_HEADS: [&str; 21] = [
    "load",
    "bytes",
    "messages",
    "undelivered",
    "mean_us",
    "median_us",
    "p99_us",
    "p99_9_us",
    "least_us",
    "worst_us",
    "phases_mean_us",
    "phases_worst_us",
    "late_mean_us",
    "late_worst_us",
    "delivered_bytes",
    "time_us",
    "bytes_per_second",
    "node_mean_bytes_per_second",
    "node_least_bytes_per_second",
    "node_most_bytes_per_second",
    "busiest_fraction",
];

impl Report {
    /// Writes a row for each load and size. `load` is empty for a workload file, `bytes` for rows of several
    /// sizes. Undelivered messages are counted in that row, or in the only one.
    pub fn write_csv(&self, path: &Path) -> io::Result<()> {
        let mut table = Table::create(path, &RUN_HEADS)?;
        for run in &self.runs {
            let busiest = run.utilisation.iter().map(|used| used.fraction).reduce(f64::max);
            for (index, row) in run.rows.iter().enumerate() {
                let (latency, late, throughput) = (&row.latency, &row.late, &row.throughput);
                table.row([
                    optional(run.point.load),
                    optional(row.bytes),
                    row.messages.to_string(),
                    if index == 0 { run.undelivered.to_string() } else { String::new() },
                    us(latency.mean_ps),
                    us(latency.median_ps),
                    us(latency.p99_ps),
                    us(latency.p99_9_ps),
                    us(latency.least_ps),
                    us(latency.worst_ps),
                    us(row.phases.mean_ps),
                    us(row.phases.worst_ps),
                    us(late.mean_ps),
                    us(late.worst_ps),
                    throughput.bytes.to_string(),
                    us(throughput.time_ps),
                    format!("{:.0}", throughput.bytes_per_second),
                    format!("{:.0}", throughput.node_mean),
                    format!("{:.0}", throughput.node_least),
                    format!("{:.0}", throughput.node_most),
                    busiest.map(|fraction| format!("{fraction:.6}")).unwrap_or_default(),
                ])?;
            }
        }
        table.finish()
    }
}

const MESSAGE_HEADS: [&str; 11] = [
    "load",
    "message",
    "from",
    "to",
    "bytes",
    "primitive",
    "due_us",
    "first_store_us",
    "look_before_us",
    "seen_us",
    "latency_us",
];

/// A CSV file with a row for each delivered message, written run by run.
pub struct MessageTable(Table);

impl MessageTable {
    /// Begins the file, which appears when it is finished.
    pub fn create(path: &Path) -> io::Result<MessageTable> {
        Table::create(path, &MESSAGE_HEADS).map(MessageTable)
    }

    /// Adds the messages of a run.
    pub fn add(&mut self, point: Point, schedule: &Schedule, deliveries: &Deliveries) -> io::Result<()> {
        for delivery in &deliveries.delivered {
            let message = &schedule.messages()[delivery.message as usize];
            self.0.row([
                optional(point.load),
                delivery.message.to_string(),
                message.from.to_string(),
                message.to.to_string(),
                message.bytes.to_string(),
                schedule.primitives()[message.primitive as usize].clone(),
                us(delivery.due.ps()),
                us(delivery.first_store.ps()),
                us(delivery.look_before.ps()),
                us(delivery.seen.ps()),
                us(delivery.latency_ps()),
            ])?;
        }
        Ok(())
    }

    /// Completes the file.
    pub fn finish(self) -> io::Result<()> {
        self.0.finish()
    }
}

fn optional(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Exact decimal number of microseconds.
fn us(ps: u64) -> String {
    format!("{}.{:06}", ps / 1_000_000, ps % 1_000_000)
}
