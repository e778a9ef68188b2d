//! The published results of the paper on Suci, measured again: its rows, and figures 6 to 9.

mod curves;
mod incast;
mod page;
mod shapes;
mod table;

use cluster::host::Computer;
use machine_api::{
    Conditions, Evaluated, Figure, Findings, Fitted, Nics, PENTIUM_3_800, Publication, Request, Row, Series,
    axis,
};

use crate::cost::Costs;
use crate::{Cluster, FastEthernet, Settings};
use curves::{Curves, System, Which};
use shapes::{SHORT, highest};

/// Evaluation of Suci (the paper, sections 5 and 6).
const PAPER: Publication = Publication {
    rows: table::TABLE,
    figures: &["6", "7", "8", "9"],
    causes: page::CAUSES,
    calibrations: &[],
    history: &[],
    begin: page::BEGIN,
    story: page::STORY,
    drawn: "Circles and dashed lines are published values, in the colour of the curve they belong to. Each figure is there as SVG and CSV.",
    clusters: 140,
};

/// Nodes of the paper's cluster (table 2).
pub const NODES: usize = 44;
/// Nodes of the paper's largest example (section 2), and the largest window of TCP: 16 bits of its header.
const MANY: u64 = 1_000;
const TCP_WINDOW: u64 = 1 << u16::BITS;

/// Source of hosts, and their costs.
struct Bench<'a> {
    nics: &'a (dyn Nics<FastEthernet> + Sync),
    settings: Settings,
}

fn hosts(bench: &Bench<'_>, count: usize) -> anyhow::Result<Cluster> {
    Ok(Cluster::with_switch(bench.nics.open(count)?, &bench.settings))
}

fn row(id: &str, measured: f64) -> Row {
    PAPER.row(id, measured)
}

impl Evaluated for FastEthernet {
    type Costs = Costs;

    const PUBLICATION: Publication = PAPER;
    const COMPUTER: Computer = PENTIUM_3_800;
    const CHOICES: &'static [machine_api::Choice] = &[];

    fn set_costs(settings: &mut Settings, costs: Costs) {
        settings.costs = costs;
    }

    fn measure(
        nics: &(dyn Nics<Self> + Sync),
        conditions: &Conditions<Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings> {
        let bench = Bench { nics, settings: Settings { costs: conditions.costs, ..Settings::default() } };
        let curves = Curves::measure(&bench, &request)?;
        let mut all = Findings { rows: numbers(&bench)?, ..Findings::default() };
        ping_pong(&curves, &mut all);
        burst(&curves, &mut all);
        gather(&curves, &mut all);
        broadcast(&curves, &mut all);
        if request.wants(Which::Gather.figure()) && !request.brief {
            all.tables.push(incast::table(&bench)?);
        }
        Ok(all)
    }

    fn fitted() -> Vec<Fitted> {
        Vec::new()
    }
}

/// Rows about arithmetic and sizes.
fn numbers(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let buffers = TCP_WINDOW * MANY * 2;
    Ok(vec![
        row("S-14", buffers as f64 / 1_024.0 / 1_000.0),
        row("S-15", 50.0),
        row("S-16", hosts(bench, NODES)?.nodes().len() as f64),
        row("S-17", TCP_WINDOW as f64 / 1_024.0),
    ])
}

/// The largest size of a curve.
fn last(series: &Series) -> f64 {
    series.points.last().map_or(0.0, |point| point.0)
}

/// Quotients of two curves with the same sizes.
fn quotients<'a>(above: &'a Series, below: &'a Series) -> impl Iterator<Item = (f64, f64)> + 'a {
    above.points.iter().zip(&below.points).map(|(above, below)| (above.0, above.1 / below.1))
}

/// The size up to which the first curve is above the second, interpolated linearly over the logarithm of the size; the
/// last size if it always is.
fn above_up_to(above: &Series, below: &Series) -> f64 {
    let mut before = None;
    for (size, quotient) in quotients(above, below) {
        if quotient <= 1.0 {
            let (size_before, before) = before.unwrap_or((size, 1.0));
            let part: f64 = if before > quotient { (before - 1.0) / (before - quotient) } else { 0.0 };
            return size_before * (size / size_before).powf(part);
        }
        before = Some((size, quotient));
    }
    last(above)
}

/// Ratio of two curves for short messages: the geometric mean.
fn when_short(above: &Series, below: &Series) -> f64 {
    let short: Vec<f64> = quotients(above, below)
        .filter(|(size, _)| *size <= SHORT)
        .map(|(_, quotient)| quotient.ln())
        .collect();
    (short.iter().sum::<f64>() / short.len() as f64).exp()
}

/// The size after which a curve falls for the first time; `None` if it never does.
fn falls_beyond(series: &Series) -> Option<f64> {
    series.points.windows(2).find(|pair| pair[1].1 < pair[0].1).map(|pair| pair[0].0)
}

const AXES: [&str; 2] = [axis::MESSAGE, axis::THROUGHPUT];

fn ping_pong(curves: &Curves, all: &mut Findings) {
    let of = |system| curves.get(Which::PingPong, 2, system);
    let (Some(suci), Some(mpich), Some(score)) = (of(System::Suci), of(System::Mpich), of(System::Score))
    else {
        return;
    };
    all.rows.extend([
        row("S-1", last(suci)),
        row("S-2", above_up_to(suci, mpich) / 1_024.0),
        row("S-3", when_short(suci, mpich)),
        row("S-4", when_short(suci, score)),
        row("S-5", highest(suci)),
        row("S-6", suci.at(SHORT).unwrap_or_default() / mpich.at(SHORT).unwrap_or(f64::INFINITY)),
    ]);
    all.shape(&shapes::PING_PONG_FALLS, &[suci]);
    let title = "Suci, MPI over TCP and MPI over PM, ping-pong";
    all.figures.push(Figure::new("6", title, AXES, curves.of(Which::PingPong)).logarithmic());
}

fn burst(curves: &Curves, all: &mut Findings) {
    let of = |system| curves.get(Which::Burst, 2, system);
    let (Some(suci), Some(mpich), Some(score)) = (of(System::Suci), of(System::Mpich), of(System::Score))
    else {
        return;
    };
    let notch = falls_beyond(score).unwrap_or_default();
    all.rows.extend([row("S-7", mpich.peak()), row("S-8", suci.peak()), row("S-9", notch / 1_024.0)]);
    all.shape(&shapes::LEVEL, &[suci, mpich]);
    if let Some(ping_pong) = curves.get(Which::PingPong, 2, System::Suci) {
        all.shape(&shapes::BURST_FALLS, &[suci, ping_pong]);
    }
    let mut figure =
        Figure::new("7", "Suci, MPI over TCP and MPI over PM, burst", AXES, curves.of(Which::Burst))
            .logarithmic();
    figure.level(0, 10.0);
    figure.level(1, 7.5);
    all.figures.push(figure);
}

fn gather(curves: &Curves, all: &mut Findings) {
    let of = |system| curves.get(Which::Gather, 40, system);
    let (Some(suci), Some(mpich)) = (of(System::Suci), of(System::Mpich)) else { return };
    all.rows.push(row("S-10", last(suci)));
    all.shape(&shapes::SLOWER, &[suci, mpich]);
    let title = "Suci and MPI over TCP, 39 nodes to one, throughput of each";
    all.figures.push(Figure::new("8", title, AXES, curves.of(Which::Gather)).logarithmic());
}

fn broadcast(curves: &Curves, all: &mut Findings) {
    let of = |nodes, system| curves.get(Which::Broadcast, nodes, system);
    let (Some(few), Some(many)) = (of(5, System::Suci), of(40, System::Suci)) else { return };
    let (Some(few_mpich), Some(many_mpich)) = (of(5, System::Mpich), of(40, System::Mpich)) else { return };
    all.rows.extend([
        row("S-11", last(many)),
        row("S-12", many.at(16_384.0).unwrap_or_default()),
        row("S-13", few_mpich.peak() * 1e6 / 1_024.0),
    ]);
    all.shape(&shapes::BROADCAST_FALLS, &[few, many]);
    all.shape(&shapes::MORE_NODES, &[many_mpich, few_mpich]);
    all.shape(&shapes::ABOVE_MPICH, &[few, few_mpich]);
    let mut figure =
        Figure::new("9", "Suci and MPI over TCP, broadcast", AXES, curves.of(Which::Broadcast)).logarithmic();
    let place = |name: &str| figure.series.iter().position(|series| series.name == name);
    let (suci, mpich) = (place(&many.name), place(&few_mpich.name));
    if let Some(series) = suci {
        figure.point(series, 16_384.0, 5.0);
    }
    if let Some(series) = mpich {
        figure.level(series, 780.0 * 1_024.0 / 1e6);
    }
    all.figures.push(figure);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: &[(f64, f64)]) -> Series {
        Series { name: String::new(), points: values.to_vec() }
    }

    #[test]
    fn curves_cross_between_two_points() {
        let (one, other) = (series(&[(4.0, 2.0), (16.0, 1.0)]), series(&[(4.0, 1.0), (16.0, 2.0)]));
        // With 2 and 1/2, the line is at 1 after two thirds of the distance, which is 4 times 4^(2/3).
        assert!((above_up_to(&one, &other) - 4.0 * 4f64.powf(2.0 / 3.0)).abs() < 1e-9);
        assert_eq!(above_up_to(&one, &series(&[(4.0, 1.0), (16.0, 0.5)])), 16.0, "it always is");
        assert_eq!(above_up_to(&other, &one), 4.0, "it never is");
    }

    #[test]
    fn a_curve_is_told_by_its_highest_and_its_last_point() {
        assert_eq!(highest(&series(&[(4.0, 2.0), (8.0, 3.0), (16.0, 1.0)])), 8.0);
        assert_eq!(last(&series(&[(4.0, 2.0), (8.0, 3.0)])), 8.0);
    }
}
