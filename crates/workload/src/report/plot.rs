//! Runs as SVG: latency over load, and distribution of latencies.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use plots::{COLOURS, Colour, Curve, GREY, Mark, Panel, Plot, Scale};

use super::{KneeOfSize, Report, Run, Statistics};

impl Report {
    /// Writes [`svg`](Report::svg) to a file.
    pub fn write_svg(&self, path: &Path) -> io::Result<()> {
        files::write_whole(path, self.svg()?.as_bytes())
    }

    /// Distribution of latencies as SVG, next to latency over load if there are several loads. With saturation
    /// points accepted over offered load is in the place of the distribution.
    pub fn svg(&self) -> io::Result<String> {
        let loads = self.latency_over_load();
        let several = loads.curves.iter().any(|curve| curve.points.len() > 1);
        let second = match (self.knees.is_empty(), self.first_head()) {
            (false, _) => self.accepted_over_offered(),
            (true, "window") if several => self.accepted_over_window(),
            _ => self.distributions(),
        };
        let panels: Vec<Panel> = several.then_some(loads).into_iter().chain([second]).collect();
        let plot = Plot { title: Some(self.heading.to_string()), panels };
        plot.svg().map_err(io::Error::other)
    }

    /// Runs of each size in increasing load, with a colour.
    fn sizes(&self) -> impl Iterator<Item = (Vec<&Run>, Colour)> {
        let mut sizes: BTreeMap<Option<u64>, Vec<&Run>> = BTreeMap::new();
        for run in &self.runs {
            sizes.entry(run.point.bytes).or_default().push(run);
        }
        for runs in sizes.values_mut() {
            runs.sort_by(|a, b| a.load().total_cmp(&b.load()));
        }
        sizes.into_values().zip(COLOURS.into_iter().cycle())
    }

    /// Mean and p99 latency of each size over load: from creation where that was measured.
    fn latency_over_load(&self) -> Panel {
        let mut curves = Vec::new();
        for (runs, colour) in self.sizes().filter(|(runs, _)| runs[0].point.is_pattern()) {
            let points =
                |value: fn(&Run) -> u64| runs.iter().map(|run| (run.load(), us(value(run)))).collect();
            let mean = points(|run| run.latency().mean_ps);
            let p99 = points(|run| run.latency().p99_ps);
            for (name, dashed, points) in [("mean", false, mean), ("p99", true, p99)] {
                let name =
                    [runs[0].size(), Some(name.into())].into_iter().flatten().collect::<Vec<_>>().join(", ");
                curves.push(Curve { dashed, ..curve(Some(name), colour, points) });
            }
        }
        let (title, axes) = match self.first_head() {
            "window" => ("Round trip over window", [WINDOW, "round trip from creation [us]"]),
            _ => ("Latency over load", ["offered load [fraction of a link]", "latency from creation [us]"]),
        };
        Panel {
            title: title.into(),
            axes: axes.map(Into::into),
            scales: [Scale::Logarithmic; 2],
            curves,
            marks: self.marks(|knee| knee.knee.load),
        }
    }

    /// Accepted load of each size over the window.
    fn accepted_over_window(&self) -> Panel {
        let curves = self.sizes().map(|(runs, colour)| {
            let accepted = |run: &&Run| Some((run.load(), run.measurement.as_ref()?.accepted.link_share));
            let points = runs.iter().filter_map(accepted).filter(|(_, accepted)| *accepted > 0.0).collect();
            curve(runs[0].size(), colour, points)
        });
        Panel {
            title: "Accepted load over window".into(),
            axes: [WINDOW, "accepted load [fraction of a link]"].map(Into::into),
            scales: [Scale::Logarithmic; 2],
            curves: curves.collect(),
            marks: Vec::new(),
        }
    }

    /// Accepted over offered load of each size, and the line on which they are equal.
    fn accepted_over_offered(&self) -> Panel {
        let mut curves = Vec::new();
        let (mut least, mut most) = (1.0f64, 0.0f64);
        for (runs, colour) in self.sizes() {
            let measured = runs.iter().filter_map(|run| run.measurement.as_ref());
            // A logarithmic axis has no 0.
            let points: Vec<_> = measured
                .map(|measurement| (measurement.offered.link_share, measurement.accepted.link_share))
                .filter(|(offered, accepted)| *offered > 0.0 && *accepted > 0.0)
                .collect();
            least = points.iter().fold(least, |least, point| least.min(point.0));
            most = points.iter().fold(most, |most, point| most.max(point.1));
            curves.push(curve(runs[0].size(), colour, points));
        }
        let line = vec![(least, least), (most.max(least), most.max(least))];
        let name = Some("accepted = offered".into());
        curves.push(Curve { dashed: true, dots: false, ..curve(name, GREY, line) });
        Panel {
            title: "Accepted over offered load".into(),
            axes: ["offered load, measured [fraction of a link]", "accepted load [fraction of a link]"]
                .map(Into::into),
            scales: [Scale::Logarithmic; 2],
            curves,
            marks: self.marks(|knee| self.offered_at(knee)),
        }
    }

    /// Load that was offered, as measured, in the run at a saturation point.
    fn offered_at(&self, knee: &KneeOfSize) -> Option<f64> {
        let is_knee = |run: &&Run| run.point.bytes == Some(knee.bytes) && run.point.load == knee.knee.load;
        Some(self.runs.iter().find(is_knee)?.measurement.as_ref()?.offered.link_share)
    }

    /// Saturation points in the colours of their sizes, each at a place of the axis.
    fn marks(&self, place: impl Fn(&KneeOfSize) -> Option<f64>) -> Vec<Mark> {
        let colours = COLOURS.into_iter().cycle();
        let mut knees = self.knees.clone();
        knees.sort_by_key(|knee| knee.bytes);
        let mark = |(knee, colour)| Some(Mark::Knee { x: place(knee)?, colour });
        knees.iter().zip(colours).filter_map(mark).collect()
    }

    /// Cumulative distribution of latencies of each run: pale for low loads, dark for high ones.
    fn distributions(&self) -> Panel {
        let mut curves = Vec::new();
        for (runs, colour) in self.sizes() {
            for (place, run) in (1..).zip(&runs) {
                let opacity = 0.25 + 0.75 * f64::from(place) / runs.len() as f64;
                let points = run.distribution.iter().map(|(ps, part)| (us(*ps), *part)).collect();
                curves.push(Curve { opacity, dots: false, ..curve(None, colour, points) });
            }
            let (lowest, highest) = (runs[0].point.load, runs[runs.len() - 1].point.load);
            let load = lowest.zip(highest).map(|(lowest, highest)| match lowest == highest {
                true => format!("load {lowest}"),
                false => format!("load {lowest} (pale) to {highest}"),
            });
            let name = [runs[0].size(), load].into_iter().flatten().collect::<Vec<_>>().join(", ");
            if let Some(last) = curves.last_mut().filter(|_| !name.is_empty()) {
                last.name = Some(name);
            }
        }
        Panel {
            title: "Distribution of latencies".into(),
            axes: ["latency from injection [us]", "fraction of the messages"].map(Into::into),
            scales: [Scale::Logarithmic, Scale::Fraction],
            curves,
            marks: Vec::new(),
        }
    }
}

/// Name of the axis of windows.
const WINDOW: &str = "messages of a sender without answer";

impl Run {
    /// Load or window.
    fn load(&self) -> f64 {
        self.point.load.or(self.point.window.map(|window| window as f64)).unwrap_or_default()
    }

    /// Latency from creation if it was measured, otherwise that from injection.
    fn latency(&self) -> &Statistics {
        self.measurement.as_ref().map_or(&self.rows[0].latency, |measurement| &measurement.from_creation)
    }

    fn size(&self) -> Option<String> {
        self.point.bytes.map(|bytes| format!("{bytes} bytes"))
    }
}

/// Microseconds for a logarithmic axis, which has no 0.
fn us(ps: u64) -> f64 {
    ps.max(1) as f64 / 1e6
}

/// A measured curve.
fn curve(name: Option<String>, colour: Colour, points: Vec<(f64, f64)>) -> Curve {
    Curve { name, colour, opacity: 1.0, dashed: false, dots: true, points }
}
