//! Two boards, a switch, and the measuring programs on them.

use cluster::Duration;
use machine_api::{Conditions, Nics, Request, Series, jobs};

use super::choices;
use crate::host::cost::Costs;
use crate::programs::measure::Start;
use crate::{Cluster, Dimmnet2, Host, Settings};

/// 1 MB, the largest message.
pub const LARGEST: f64 = 1_048_576.0;

/// Source of boards.
pub type Source<'a> = &'a (dyn Nics<Dimmnet2> + Sync);

/// Boards, and the conditions under which they are measured.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    pub nics: Source<'a>,
    pub conditions: &'a Conditions<Costs>,
    pub request: Request<'a>,
}

/// Limit of a measurement; none takes a tenth of it.
const LIMIT: Duration = Duration::from_us(200_000);

impl Bench<'_> {
    /// Settings of the clusters.
    pub fn settings(&self) -> Settings {
        Settings { costs: self.conditions.costs, ..Settings::default() }
    }

    /// Start of the programs.
    pub fn start(&self) -> Start {
        let Conditions { practice, apart, .. } = *self.conditions;
        Start { habits: choices::habits(practice), read_options: choices::read_options(practice), apart }
    }

    /// The sizes of curves, or only those that rows need.
    pub fn sizes(&self, all: Vec<usize>, rows: &[usize]) -> Vec<usize> {
        if self.request.brief { rows.to_vec() } else { all }
    }

    /// Two nodes behind a switch.
    pub fn switched(&self) -> anyhow::Result<Cluster> {
        Ok(Cluster::with_switch(self.nics.open(2)?, &self.settings()))
    }

    /// Two nodes at the ends of one cable.
    pub fn back_to_back(&self) -> anyhow::Result<Cluster> {
        Ok(Cluster::back_to_back(machine_api::two(self.nics)?, &self.settings()))
    }

    /// Runs a program on each of two nodes and returns the result of the first.
    pub fn run<F, G, T>(
        &self,
        mut cluster: Cluster,
        first: impl FnOnce(Host, Start) -> F,
        second: impl FnOnce(Host, Start) -> G,
    ) -> anyhow::Result<T>
    where
        F: Future<Output = T> + 'static,
        G: Future<Output = T> + 'static,
        T: 'static,
    {
        let start = self.start();
        cluster.spawn(1, "second", |host| second(host, start));
        let result = cluster.spawn(0, "first", |host| first(host, start));
        let ran = cluster.run(LIMIT);
        machine_api::check(&mut cluster, ran)?;
        Ok(result.take().expect("the program is done"))
    }
}

/// A curve to be measured: its name, and the load for a number of bytes.
pub struct Curve<L> {
    pub name: String,
    pub load: Box<dyn Fn(usize) -> L>,
}

impl<L> Curve<L> {
    pub fn new(name: impl Into<String>, load: impl Fn(usize) -> L + 'static) -> Self {
        Curve { name: name.into(), load: Box::new(load) }
    }
}

/// Measures curves: time in us by bytes.
pub fn times<L: Sync>(
    sizes: &[usize],
    curves: &[Curve<L>],
    time: impl Fn(&L) -> anyhow::Result<Duration> + Sync,
) -> anyhow::Result<Vec<Series>> {
    let loads: Vec<L> =
        curves.iter().flat_map(|curve| sizes.iter().map(|&bytes| (curve.load)(bytes))).collect();
    let times = jobs::run(&loads, &|| (), time)?;
    let us: Vec<_> = times.into_iter().map(|time| time.ps() as f64 / 1e6).collect();
    Ok(curves
        .iter()
        .zip(us.chunks(sizes.len()))
        .map(|(curve, us)| Series {
            name: curve.name.clone(),
            points: sizes.iter().map(|&bytes| bytes as f64).zip(us.iter().copied()).collect(),
        })
        .collect())
}

/// Throughput in MByte/s; `ways` is 2 if both nodes send.
pub fn rates(times: &[Series], ways: f64) -> Vec<Series> {
    let rate = |series: &Series| Series {
        name: series.name.clone(),
        points: series.points.iter().map(|&(bytes, us)| (bytes, ways * bytes / us)).collect(),
    };
    times.iter().map(rate).collect()
}

pub use machine_api::axis::{MESSAGE as BYTES, THROUGHPUT as MB, TIME as US};

/// Size at which a curve passes half of its peak, between two points on the logarithmic axis.
pub fn half_of_peak(series: &Series) -> f64 {
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
