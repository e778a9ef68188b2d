//! `memonet figures --one-sided`: puts and sends of MPI over size and of vectors, on each machine, in virtual time.

mod vectors;

use std::fmt;
use std::fmt::Write as _;

use clap::ValueEnum;
use cluster::Cluster;
use cluster::host::LibraryCost;
use machine_api::{CarrierChoice, Figure, LIBRARY_COST, Nics, Series, Transfer, axis, time_transfers};
use schemars::JsonSchema;
use serde::Serialize;

use self::vectors::Vector;
use super::plot;
use super::product::Product;
use crate::document::Head;
use crate::library_cost;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{Kind, Maker};

/// Bytes of a message.
const SIZES: [usize; 14] =
    [8, 16, 32, 64, 128, 256, 512, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10];
/// Messages in flight for a bandwidth.
const COUNT: usize = 8;
/// Rows of the page: the other sizes are in the tables of the figures.
const SHOWN: [usize; 5] = [8, 128, 1 << 10, 8 << 10, 64 << 10];
/// Name of the page, below `docs/figures`.
const PAGE: &str = "figures/mpi_one_sided.md";

/// Puts and sends on each machine.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    library: library_cost::Chosen,
    /// Messages in flight for a bandwidth.
    messages: usize,
    /// Machines and sizes.
    rows: Vec<Row>,
    /// Machines and vectors.
    vectors: Vec<Vector>,
}

/// Times of one size on one machine.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// Machine of the two hosts.
    machine: Name,
    /// Carrier of the messages.
    carrier: &'static str,
    /// Bytes of a message.
    bytes: usize,
    #[serde(flatten)]
    times: Times,
    /// The same with `--library-cost looks`.
    looks: Times,
}

/// Times and bandwidths of both operations.
#[derive(Clone, Copy, JsonSchema, Serialize)]
struct Times {
    /// From a put to the end of its flush.
    put_us: f64,
    /// From a send until its answer without data is received.
    send_us: f64,
    /// Data of several puts with one flush, by time.
    put_megabytes_per_second: f64,
    /// Data of several sends with one answer, by time.
    send_megabytes_per_second: f64,
}

/// Measures all machines of the build.
pub fn measure(nic: Kind) -> anyhow::Result<Product> {
    let machines = Name::value_variants();
    let progress = machine_api::progress("figures", machines.len() as u64, "machines");
    let (mut rows, mut vectors) = (Vec::new(), Vec::new());
    for &name in machines {
        progress.set_message(format!("figures, {}", name.title()));
        rows.extend(with_machine!(name, M => measure_on::<M>(nic))?);
        vectors.extend(with_machine!(name, M => vectors::measure_on::<M>(nic))?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let mut head = Head::new("figures_one_sided");
    head.nic = Some(nic);
    let library = library_cost::Chosen::of(Some(LibraryCost::Counted), true);
    let report = Report { head, library, messages: COUNT, rows, vectors };
    let mut product = Product::new(&report, true)?;
    plot::add(&mut product, "mpi_one_sided", &report.figures())?;
    product.add(PAGE.to_owned(), report.page());
    Ok(product)
}

/// Times over the carrier that the machine uses by default.
fn measure_on<M: Built>(nic: Kind) -> anyhow::Result<Vec<Row>> {
    let transfers: Vec<_> =
        SIZES.iter().flat_map(|size| [1, COUNT].map(|count| Transfer::contiguous(*size, count))).collect();
    let with = |cost| -> anyhow::Result<Vec<Times>> {
        let times = time::<M>(nic, &settings::<M>(cost), &transfers)?;
        let sizes = SIZES.iter().zip(times.as_chunks::<2>().0);
        Ok(sizes.map(|(&bytes, [one, several])| Times::new(bytes, *one, *several)).collect())
    };
    let (counted, looks) = (with(LibraryCost::Counted)?, with(LibraryCost::Looks)?);
    let rows = SIZES.iter().zip(counted).zip(looks).map(|((&bytes, times), looks)| Row {
        machine: M::WHICH,
        carrier: M::CARRIERS[0].name,
        bytes,
        times,
        looks,
    });
    Ok(rows.collect())
}

impl Times {
    /// Times in us of a put and of a send, alone and `COUNT` together.
    fn new(bytes: usize, one: [f64; 2], several: [f64; 2]) -> Self {
        let [put, send] = several.map(|us| (bytes * COUNT) as f64 / us);
        Times {
            put_us: one[0],
            send_us: one[1],
            put_megabytes_per_second: put,
            send_megabytes_per_second: send,
        }
    }
}

/// Settings of a machine whose library has this cost.
fn settings<M: Built>(cost: LibraryCost) -> M::Settings {
    let mut settings = M::Settings::default();
    let variant = M::VARIANTS.iter().find(|variant| variant.name == LIBRARY_COST);
    let chosen = variant.and_then(|variant| variant.choose(&mut settings, cost.name()));
    chosen.expect("the library of MPI has a cost on every machine");
    settings
}

/// Times of a put and of a send of each transfer, in microseconds, over the carrier that the machine uses by default.
fn time<M: Built>(
    nic: Kind,
    settings: &M::Settings,
    transfers: &[Transfer],
) -> anyhow::Result<Vec<[f64; 2]>> {
    let boards = Maker::<M>::new(nic, 1, "memonet figures --one-sided").open(2)?;
    let mut cluster = Cluster::with_switch(boards, settings);
    let times = time_transfers(&mut cluster, CarrierChoice::over(&M::CARRIERS[0]), transfers)?;
    Ok(times.into_iter().map(|pair| pair.map(|time| time.ps() as f64 / 1e6)).collect())
}

/// Title of a machine, without an article.
fn title(machine: Name) -> &'static str {
    machine.title().trim_start_matches("the ")
}

/// Curves of points with their machine and way, in the order of their first points.
fn curves(points: impl Iterator<Item = (Name, &'static str, (f64, f64))>) -> Vec<Series> {
    let mut curves: Vec<Series> = Vec::new();
    for (machine, way, point) in points {
        let name = format!("{}, {way}", title(machine));
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Series { name, points: vec![point] }),
        }
    }
    curves
}

impl Report {
    fn figures(&self) -> [Figure; 3] {
        let latency = "Puts with a flush, and sends with an answer";
        let bandwidth = "Eight puts with a flush, and eight sends with an answer";
        [
            self.figure("latency", latency, axis::TIME, |times| [times.put_us, times.send_us]),
            self.figure("bandwidth", bandwidth, axis::THROUGHPUT, |times| {
                [times.put_megabytes_per_second, times.send_megabytes_per_second]
            }),
            vectors::figure(&self.vectors),
        ]
    }

    /// A figure with a curve of puts and one of sends for each machine.
    fn figure(
        &self,
        id: &'static str,
        title: &'static str,
        quantity: &'static str,
        values: impl Fn(&Times) -> [f64; 2],
    ) -> Figure {
        let points = self.rows.iter().flat_map(|row| {
            let operations = ["put", "send"].into_iter().zip(values(&row.times));
            operations.map(|(operation, value)| (row.machine, operation, (row.bytes as f64, value)))
        });
        Figure::new(id, title, [axis::MESSAGE, quantity], curves(points)).logarithmic_both()
    }

    /// The page with both figures and a table.
    fn page(&self) -> String {
        let mut page = String::from(
            "<!-- Generated by `memonet figures --one-sided --output docs`. -->\n\n\
             # One-sided and two-sided MPI\n\n\
             This page is for those who choose between `MPI_Put` and `MPI_Send`. After it you know the time and\n\
             the bandwidth of both on each machine, in virtual time. No publication has these values: all are\n\
             of class `ours`.\n\n\
             At the end of either transfer the origin knows that the data is at the other host: by\n\
             `MPI_Win_flush` after a put, and by an answer without data after a send. Bandwidths are those of\n\
             eight messages with one flush, or with one answer.\n\n\
             Each machine runs the same library of MPI, whose steps take the time of their instructions\n\
             (`--library-cost counted`, [how](../mpi.md#what-the-library-itself-costs)). The columns `looks` have\n\
             the numbers without most of that time (`--library-cost looks`, on Cenju-3 the fitted time of the\n\
             library in the paper); figures are of `counted`.\n\n\
             ![Time of a transfer](mpi_one_sided_latency.svg)\n\n\
             ![Bandwidth](mpi_one_sided_bandwidth.svg)\n\n\
             | Machine, carrier | Bytes | Put, us | `looks` | Send, us | `looks` | Put, MB/s | `looks` | Send, MB/s | `looks` | Class |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for row in self.rows.iter().filter(|row| SHOWN.contains(&row.bytes)) {
            let Row { machine, carrier, bytes, times, looks } = row;
            let _ = write!(page, "| {}, `{carrier}` | {bytes}", title(*machine));
            for (counted, looks) in [(times.put_us, looks.put_us), (times.send_us, looks.send_us)] {
                let _ = write!(page, " | {counted:.2} | {looks:.2}");
            }
            for (counted, looks) in [
                (times.put_megabytes_per_second, looks.put_megabytes_per_second),
                (times.send_megabytes_per_second, looks.send_megabytes_per_second),
            ] {
                let _ = write!(page, " | {counted:.1} | {looks:.1}");
            }
            page.push_str(" | ours |\n");
        }
        page.push_str(
            "\nAll sizes are in two tables: [times](mpi_one_sided_latency.csv) and\n\
             [bandwidths](mpi_one_sided_bandwidth.csv). `memonet figures --one-sided --output docs` makes\n\
             page, figures and tables again.\n",
        );
        page.push_str(&vectors::page(&self.vectors));
        page
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "--library-cost counted; --json has looks, too")?;
        write!(
            f,
            "{:22}{:>7}{:>12}{:>12}{:>12}{:>12}",
            "machine, carrier", "bytes", "put us", "send us", "put MB/s", "send MB/s"
        )?;
        for row in &self.rows {
            let name = format!("{}, {}", row.machine.folder(), row.carrier);
            write!(
                f,
                "\n{name:22}{:>7}{:>12.3}{:>12.3}{:>12.2}{:>12.2}",
                row.bytes,
                row.times.put_us,
                row.times.send_us,
                row.times.put_megabytes_per_second,
                row.times.send_megabytes_per_second
            )?;
        }
        vectors::print(f, &self.vectors)
    }
}
