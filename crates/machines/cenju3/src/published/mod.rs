//! The published results of the paper on MPI/DE, measured again: its rows, and figures 1, 2, 3, 7 and 8.

mod collectives;
mod curves;
mod page;
mod replacement;
mod shapes;
mod synthesis;
mod table;
mod thread;

use cenju3::memory_map::{MEMORY_BYTES, WINDOW_BITS, WORD_CYCLES};
use cluster::Machine;
use cluster::host::Computer;
use machine_api::{
    Choice, Conditions, Evaluated, Figure, Findings, Fitted, Nics, Publication, Request, Row, Series,
    Synthesis, Synthesized, Wait, axis,
};

use crate::cache::{CACHE_BYTES, LINE_BYTES};
use crate::clocks::{CLOCKS, CORE};
use crate::cost::Costs;
use crate::settings::Nif;
use crate::settings::PROTOCOL_SWITCH;
use crate::{Cenju3, Settings};
use curves::{Curves, LONGEST, Variant};

/// The paper on MPI/DE.
const PAPER: Publication = Publication {
    rows: table::TABLE,
    figures: &["1", "2", "3", "7", "8"],
    causes: page::CAUSES,
    calibrations: &[("latency", &["M1", "M3", "M7"])],
    history: &[],
    begin: page::BEGIN,
    story: page::STORY,
    drawn: "Circles and dashed lines are published values, in the colour of the curve they belong to. Each figure is there as SVG and CSV.",
    clusters: 144,
};

/// A published number with our measurement.
fn row(id: &str, measured: f64) -> Row {
    PAPER.row(id, measured)
}

/// Variants whose latency of 8 bytes is published.
const LATENCIES: [(&str, Variant); 5] = [
    ("M1", Variant::Event),
    ("M3", Variant::Interrupt),
    ("M4", Variant::Poll),
    ("M5", Variant::New),
    ("M7", Variant::NewPoll),
];
/// Bytes of the messages whose latencies are printed.
const SHORT: usize = 8;

/// The row of a latency of 8 bytes with these settings.
pub(crate) fn latency_row(settings: &Settings, us: f64) -> Option<Row> {
    let way = |settings: &Settings| -> (Nif, Wait) { (settings.nif, settings.wait) };
    let same = |(_, variant): &&(&str, Variant)| way(&variant.settings(settings.costs)) == way(settings);
    LATENCIES.iter().find(same).map(|(id, _)| row(id, us))
}

impl Synthesized for Cenju3 {
    const SYNTHESIS: Synthesis = synthesis::SYNTHESIS;
}

impl Evaluated for Cenju3 {
    type Costs = Costs;

    const PUBLICATION: Publication = PAPER;
    const COMPUTER: Computer = machine_api::VR4400_75;
    const CHOICES: &'static [Choice] = &[];

    fn set_costs(settings: &mut Settings, costs: Costs) {
        settings.costs = costs;
    }

    fn measure(
        nics: &(dyn Nics<Self> + Sync),
        conditions: &Conditions<Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings> {
        let mut all = Findings { rows: sizes(), ..Findings::default() };
        all.rows.extend(cited());
        if ["1", "3", "7", "8"].iter().any(|figure| request.wants(figure)) {
            ping_pong(&Curves::measure(nics, conditions.costs, request.brief)?, &mut all);
        }
        if request.wants("section 6.2.3") {
            all.rows.push(row("M14", thread::times(nics, conditions.costs)?));
        }
        let replacement = replacement::times(nics, conditions.costs)?;
        all.rows.push(row("M15", replacement));
        let point = Series { name: String::new(), points: vec![(8192.0, replacement)] };
        all.shape(&shapes::REPLACEMENT, &[&point]);
        if request.wants("2") && !request.brief {
            all.add(collectives::measure(nics, conditions.costs)?);
        }
        Ok(all)
    }

    fn fitted() -> Vec<Fitted> {
        Vec::new()
    }
}

/// Rows about sizes of the machine and of the programs.
fn sizes() -> Vec<Row> {
    let clock = CLOCKS.domain(CORE).period.ps() as f64;
    vec![
        row("M10", LONGEST as f64),
        row("M11", PROTOCOL_SWITCH as f64),
        // The period is a whole number of picoseconds, so the clock is 75 MHz within some millionths.
        row("M16", (8e6 / (clock * f64::from(WORD_CYCLES))).round()),
        row("M17", Cenju3::MOST_NODES as f64),
        row("M18", f64::from(MEMORY_BYTES >> 20)),
        row("M18c", (1e6 / clock).round()),
        row("M19", f64::from(CACHE_BYTES >> 20)),
        row("M19l", f64::from(LINE_BYTES / 4)),
        row("M20", f64::from((1_u32 << WINDOW_BITS) >> 10)),
        row("M21", collectives::WORDS as f64),
        row("M21s", collectives::PART as f64),
    ]
}

/// Numbers of other machines, as the paper prints them.
fn cited() -> impl Iterator<Item = Row> {
    PAPER
        .rows
        .iter()
        .filter(|published| published.class == machine_api::Class::Cited)
        .map(|cited| row(cited.id, cited.value))
}

fn ping_pong(curves: &Curves, all: &mut Findings) {
    use Variant::{Event, Interrupt, New, NewPoll, NoCopy, Poll};
    let times = |above, below| curves.throughput(above, LONGEST) / curves.throughput(below, LONGEST);
    all.rows.extend(LATENCIES.map(|(id, variant)| row(id, curves.time(variant, SHORT))));
    all.rows.extend([
        row("M2", curves.throughputs(&[Event])[0].peak()),
        row("M6", curves.time(Event, SHORT) - curves.time(New, SHORT)),
        row("M8", curves.throughput(Event, LONGEST)),
        row("M9", curves.throughput(NoCopy, LONGEST)),
        row("M12", times(Interrupt, Poll)),
        row("M13", times(New, Event)),
    ]);
    all.shape(&shapes::PEAK, &[&curves.throughputs(&[Event])[0]]);
    let throughput = [axis::MESSAGE, axis::THROUGHPUT];
    let latency = [axis::MESSAGE, axis::TIME];
    let mut first =
        Figure::new("1", "Throughput of MPI/DE", throughput, curves.throughputs(&[Event])).logarithmic();
    first.point(0, LONGEST as f64, 17.0);
    first.level(0, 19.0);
    let mut third = Figure::new(
        "3",
        "Throughput with copies and without",
        throughput,
        curves.throughputs(&[Event, NoCopy]),
    )
    .logarithmic();
    third.point(0, LONGEST as f64, 17.0);
    third.point(1, LONGEST as f64, 35.0);
    let waits = [Interrupt, Event, Poll];
    let mut seventh =
        Figure::new("7", "Latency by the way to wait, old ROM", latency, curves.latencies(&waits))
            .logarithmic_both();
    for (at, us) in [140.0, 90.0, 60.0].into_iter().enumerate() {
        seventh.point(at, SHORT as f64, us);
    }
    let mut eighth = Figure::new(
        "8",
        "Latency with the old ROM and the new",
        latency,
        curves.latencies(&[Event, New, NewPoll]),
    )
    .logarithmic_both();
    for (at, us) in [90.0, 70.0, 40.0].into_iter().enumerate() {
        eighth.point(at, SHORT as f64, us);
    }
    all.figures.extend([first, third, seventh, eighth]);
}
