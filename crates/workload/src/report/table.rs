//! Runs as CSV.

use std::io;
use std::path::Path;

use files::WholeFile;

use super::{Deliveries, Point, Report};
use crate::measuring::Measurement;
use crate::schedule::Schedule;

/// A CSV file that appears when it is complete.
struct Table(csv::Writer<WholeFile>);

impl Table {
    fn create(path: &Path, heads: &[&str]) -> io::Result<Table> {
        let mut writer = csv::Writer::from_writer(WholeFile::create(path)?);
        writer.write_record(heads)?;
        Ok(Table(writer))
    }

    fn row(&mut self, cells: impl IntoIterator<Item = String>) -> io::Result<()> {
        Ok(self.0.write_record(cells)?)
    }

    fn finish(self) -> io::Result<()> {
        self.0.into_inner().map_err(|error| error.into_error())?.finish()
    }
}

const RUN_HEADS: [&str; 35] = [
    "load",
    "window",
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
    "seed",
    "warm_up_us",
    "measure_us",
    "drain_us",
    "offered_link_share",
    "offered_bytes_per_second",
    "accepted_link_share",
    "accepted_bytes_per_second",
    "saturated",
    "from_creation_mean_us",
    "from_creation_p99_us",
    "from_injection_mean_us",
    "from_injection_p99_us",
];

impl Report {
    /// Writes a row for each load or window and size. Both are empty for a workload file, `bytes` for rows of several
    /// sizes. Undelivered messages are counted in that row, or in the only one.
    pub fn write_csv(&self, path: &Path) -> io::Result<()> {
        let mut table = Table::create(path, &RUN_HEADS)?;
        for run in &self.runs {
            let busiest = run.utilisation.iter().map(|used| used.fraction).reduce(f64::max);
            for (index, row) in run.rows.iter().enumerate() {
                let (latency, late, throughput) = (&row.latency, &row.late, &row.throughput);
                // The measurement is of messages of all sizes.
                let measured = measured(run.measurement.as_ref().filter(|_| index == 0));
                table.row(
                    [
                        optional(run.point.load),
                        optional(run.point.window),
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
                    ]
                    .into_iter()
                    .chain(measured),
                )?;
            }
        }
        table.finish()
    }
}

/// Cells of a measurement; empty without one.
fn measured(measurement: Option<&Measurement>) -> [String; 13] {
    let Some(measurement) = measurement else { return Default::default() };
    let Measurement { seed, phases, offered, accepted, saturated, .. } = measurement;
    let (created, injected) = (&measurement.from_creation, &measurement.from_injection);
    [
        seed.to_string(),
        us(phases.warm_up_ps),
        us(phases.measure_ps),
        us(phases.drain_ps),
        format!("{:.9}", offered.link_share),
        format!("{:.0}", offered.bytes_per_second),
        format!("{:.9}", accepted.link_share),
        format!("{:.0}", accepted.bytes_per_second),
        saturated.to_string(),
        us(created.mean_ps),
        us(created.p99_ps),
        us(injected.mean_ps),
        us(injected.p99_ps),
    ]
}

const MESSAGE_HEADS: [&str; 13] = [
    "load",
    "window",
    "seed",
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

    /// Adds the messages of a run with a seed.
    pub fn add(
        &mut self,
        point: Point,
        seed: u64,
        schedule: &Schedule,
        deliveries: &Deliveries,
    ) -> io::Result<()> {
        for delivery in &deliveries.delivered {
            let message = &schedule.messages()[delivery.message as usize];
            self.0.row([
                optional(point.load),
                optional(point.window),
                seed.to_string(),
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
