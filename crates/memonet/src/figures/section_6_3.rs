//! Section 6.3: RVS from SO-DIMM to SO-DIMM and on to main memory, figures 6.11 and 6.12.

use dimmnet2_machine::programs::measure::ready;
use dimmnet2_machine::programs::measure::sodimm::{Kept, Load, Push};

use super::Section;
use super::measure::{BYTES, Curve, MB, rates, times, two};
use super::plot::{Figure, Series};
use super::published::Row;
use crate::nic::Kind;

/// Message sizes of figures 6.11, 6.12 and 7.5: powers of two from 8 bytes to 1 MB.
pub fn sizes() -> Vec<usize> {
    (3..=20).map(|n| 1 << n).collect()
}

/// 1 MB, the largest message.
pub const LARGEST: f64 = 1_048_576.0;

/// The three curves of a reception.
pub fn receptions(push: Push) -> [Curve<Load>; 3] {
    let curve = |name: &str, kept| Curve::new(name, move |bytes| Load { bytes, push, kept });
    [
        curve("SO-DIMM to SO-DIMM", Kept::SoDimm),
        curve("SO-DIMM to host", Kept::MainMemory),
        curve("SO-DIMM to host, always the same 64 bytes", Kept::Fixed),
    ]
}

/// Times of messages that are received and answered.
pub fn exchanged(nic: Kind, push: Push) -> anyhow::Result<Vec<Series>> {
    times(&sizes(), &receptions(push), |&load| {
        two(nic, move |host| load.exchange(host, true), move |host| load.exchange(host, false))
    })
}

/// Measures the section, or the figures among it that are asked for.
pub fn section(nic: Kind, asked: &dyn Fn(&str) -> bool) -> anyhow::Result<Section> {
    let mut section = Section::default();
    if asked("6.11") {
        let curve =
            |name: &str| [Curve::new(name, |bytes| Load { bytes, push: Push::Push, kept: Kept::SoDimm })];
        let one = times(&sizes(), &curve("one way"), |&load| {
            two(
                nic,
                move |host| load.send(host),
                async |host| {
                    ready(host).await;
                    Default::default()
                },
            )
        })?;
        let both = times(&sizes(), &curve("both ways"), |&load| {
            two(nic, move |host| load.send(host), move |host| load.send(host))
        })?;
        figure_6_11(&mut section, &one[0], &both[0]);
    }
    if asked("6.12") {
        figure_6_12(&mut section, &exchanged(nic, Push::Push)?);
    }
    Ok(section)
}

fn figure_6_11(section: &mut Section, one_time: &Series, both_time: &Series) {
    let one = rates(std::slice::from_ref(one_time), 1.0).remove(0);
    let both = rates(std::slice::from_ref(both_time), 2.0).remove(0);
    let ratio = both.peak() / one.peak();
    section.shape("C-08", ratio > 1.0 && ratio < 1.6, "both ways well below twice one way");
    let least = |series: &Series| series.points.iter().map(|point| point.1).fold(f64::MAX, f64::min);
    section.rows.extend([
        Row::new("D-01", one.peak()),
        Row::new("D-02", one.peak() / 8.0),
        Row::new("D-03", half_of_peak(&one)),
        Row::new("D-04", both.peak()),
        Row::new("D-05", least(one_time)),
        Row::new("D-06", least(both_time)),
    ]);
    section.shape("C-12", half_of_peak(&one) < 1000.0, "half of the peak is reached at some hundred bytes");
    let mut figure = Figure::new("6.11", "SO-DIMM to SO-DIMM", [BYTES, MB], vec![one, both]).logarithmic();
    figure.level(0, Row::new("D-01", 0.0).published);
    figure.level(1, Row::new("D-04", 0.0).published);
    figure.point(0, 564.0, Row::new("D-01", 0.0).published / 2.0);
    section.figures.push(figure);
}

fn figure_6_12(section: &mut Section, times: &[Series]) {
    let rates = rates(times, 1.0);
    let [stay, host, fixed] = &rates[..] else { unreachable!("three curves were asked for") };
    let at = |series: &Series, bytes| series.at(bytes).expect("it is among the sizes");
    section.rows.extend([
        Row::new("D-07", stay.peak()),
        Row::new("D-08", host.peak()),
        Row::new("D-09", at(host, LARGEST)),
        Row::new("D-10", fixed.peak()),
        Row::new("M-05p", at(&times[0], 8.0)),
        Row::new("M-09p", at(&times[1], 8.0)),
    ]);
    section.drops("C-09", host, fixed);
    let mut figure =
        Figure::new("6.12", "SO-DIMM to SO-DIMM, with reception", [BYTES, MB], rates).logarithmic();
    for (curve, id) in ["D-07", "D-08", "D-10"].into_iter().enumerate() {
        figure.level(curve, Row::new(id, 0.0).published);
    }
    figure.point(1, LARGEST, Row::new("D-09", 0.0).published);
    section.figures.push(figure);
}

impl Section {
    /// The shape of a copy to main memory: slower when it leaves the caches, and only then.
    fn drops(&mut self, id: &'static str, host: &Series, fixed: &Series) {
        let largest = |series: &Series| series.at(LARGEST).expect("1 MB is among the sizes");
        let drops = largest(host) < 0.85 * host.peak() && largest(fixed) > 0.95 * fixed.peak();
        self.shape(id, drops, "a copy to main memory falls for large messages, one into 64 bytes does not");
    }
}

/// Where a curve passes half of its peak, between two points on the logarithmic axis.
fn half_of_peak(series: &Series) -> f64 {
    let half = series.peak() / 2.0;
    let pair = series.points.windows(2).find(|pair| pair[0].1 < half && half <= pair[1].1);
    let pair = pair.expect("a curve rises to its peak");
    let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
    (x0.ln() + (x1.ln() - x0.ln()) * (half - y0) / (y1 - y0)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_peak_lies_where_the_curve_passes_it() {
        let points = vec![(256.0, 10.0), (1024.0, 30.0), (4096.0, 40.0)];
        let series = Series { name: String::new(), points };
        assert!((half_of_peak(&series) - 512.0).abs() < 1e-9);
    }
}
