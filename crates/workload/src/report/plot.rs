//! Runs as SVG: latency over load, and distribution of latencies.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::{Report, Run};

const WIDTH: u32 = 700;
const HEIGHT: u32 = 480;

/// Colours distinguishable on paper and for colour-blind readers (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 86, 86),
    RGBColor(230, 159, 0),
];

/// A curve of a plot.
struct Curve {
    /// Name in the legend; `None` leaves it out.
    name: Option<String>,
    colour: RGBAColor,
    dashed: bool,
    points: Vec<(f64, f64)>,
}

/// Curves in one frame.
struct Panel<'a> {
    title: &'a str,
    axes: [&'a str; 2],
    curves: Vec<Curve>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

impl Report {
    /// Writes [`svg`](Report::svg) to a file.
    pub fn write_svg(&self, path: &Path) -> io::Result<()> {
        files::write_whole(path, self.svg()?.as_bytes())
    }

    /// Distribution of latencies as SVG, next to latency over load if there are several loads.
    pub fn svg(&self) -> io::Result<String> {
        let loads = self.latency_over_load();
        let panels = if loads.curves.iter().any(|curve| curve.points.len() > 1) { 2 } else { 1 };
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (WIDTH * panels, HEIGHT)).into_drawing_area();
            let draw = || {
                area.fill(&WHITE)?;
                let area = area.titled(&self.heading.to_string(), ("sans-serif", 16))?;
                let areas = area.split_evenly((1, panels as usize));
                let [rest @ .., last] = areas.as_slice() else { return Ok(()) };
                if let [first] = rest {
                    loads.over_load(first)?;
                }
                self.distributions().over_time(last)?;
                area.present()
            };
            draw().map_err(|error| io::Error::other(format!("drawing: {error}")))?;
        }
        Ok(svg)
    }

    /// Runs of each size in increasing load, with a colour.
    fn sizes(&self) -> impl Iterator<Item = (Vec<&Run>, RGBColor)> {
        let mut sizes: BTreeMap<Option<u64>, Vec<&Run>> = BTreeMap::new();
        for run in &self.runs {
            sizes.entry(run.point.bytes).or_default().push(run);
        }
        for runs in sizes.values_mut() {
            runs.sort_by(|a, b| a.load().total_cmp(&b.load()));
        }
        sizes.into_values().zip(COLOURS.into_iter().cycle())
    }

    /// Mean and p99 latency of each size over load.
    fn latency_over_load(&self) -> Panel<'static> {
        let mut curves = Vec::new();
        for (runs, colour) in self.sizes().filter(|(runs, _)| runs[0].point.load.is_some()) {
            let points =
                |value: fn(&Run) -> u64| runs.iter().map(|run| (run.load(), us(value(run)))).collect();
            let mean = points(|run| run.rows[0].latency.mean_ps);
            let p99 = points(|run| run.rows[0].latency.p99_ps);
            for (name, dashed, points) in [("mean", false, mean), ("p99", true, p99)] {
                let name =
                    [runs[0].size(), Some(name.into())].into_iter().flatten().collect::<Vec<_>>().join(", ");
                curves.push(Curve { name: Some(name), colour: colour.into(), dashed, points });
            }
        }
        Panel { title: "Latency over load", axes: ["offered load, part of a link", "latency [us]"], curves }
    }

    /// Cumulative distribution of latencies of each run: pale for low loads, dark for high ones.
    fn distributions(&self) -> Panel<'static> {
        let mut curves = Vec::new();
        for (runs, colour) in self.sizes() {
            for (place, run) in (1..).zip(&runs) {
                let colour = colour.mix(0.25 + 0.75 * f64::from(place) / runs.len() as f64);
                let points = run.distribution.iter().map(|(ps, part)| (us(*ps), *part)).collect();
                curves.push(Curve { name: None, colour, dashed: false, points });
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
        Panel { title: "Distribution of latencies", axes: ["latency [us]", "part of the messages"], curves }
    }
}

impl Run {
    fn load(&self) -> f64 {
        self.point.load.unwrap_or_default()
    }

    fn size(&self) -> Option<String> {
        self.point.bytes.map(|bytes| format!("{bytes} bytes"))
    }
}

/// Microseconds for a logarithmic axis, which has no 0.
fn us(ps: u64) -> f64 {
    ps.max(1) as f64 / 1e6
}

/// Limits of a logarithmic axis for these values.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) =
        values.fold((f64::MAX, f64::MIN_POSITIVE), |(a, b), value| (a.min(value), b.max(value)));
    (least.min(most) / 1.2, most * 1.2)
}

impl Panel<'_> {
    /// Draws the panel with load on the x axis and logarithmic times on the y axis.
    fn over_load<'b>(&self, area: &Area<'b>) -> Drawn<'b> {
        let right = self.points().map(|(load, _)| load).fold(0.0, f64::max) * 1.05;
        let (low, high) = ends(self.points().map(|(_, time)| time));
        let mut chart = builder(area, self.title).build_cartesian_2d(0.0..right, (low..high).log_scale())?;
        chart.configure_mesh().x_desc(self.axes[0]).y_desc(self.axes[1]).light_line_style(WHITE).draw()?;
        for curve in &self.curves {
            curve.draw(&mut chart)?;
            let dots = curve.points.iter().map(|point| Circle::new(*point, 3, curve.colour.filled()));
            chart.draw_series(dots)?;
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    }

    /// Draws the panel with logarithmic times on the x axis.
    fn over_time<'b>(&self, area: &Area<'b>) -> Drawn<'b> {
        let (left, right) = ends(self.points().map(|(time, _)| time));
        let mut chart = builder(area, self.title).build_cartesian_2d((left..right).log_scale(), 0.0..1.0)?;
        chart.configure_mesh().x_desc(self.axes[0]).y_desc(self.axes[1]).light_line_style(WHITE).draw()?;
        for curve in &self.curves {
            curve.draw(&mut chart)?;
        }
        legend(&mut chart, SeriesLabelPosition::LowerRight)
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.curves.iter().flat_map(|curve| curve.points.iter().copied())
    }
}

type Chart<'b, X, Y> = ChartContext<'b, SVGBackend<'b>, Cartesian2d<X, Y>>;

impl Curve {
    fn draw<'b, X, Y>(&self, chart: &mut Chart<'b, X, Y>) -> Drawn<'b>
    where
        X: Ranged<ValueType = f64>,
        Y: Ranged<ValueType = f64>,
    {
        let (style, points) = (self.colour.stroke_width(2), self.points.iter().copied());
        let label = if self.dashed {
            chart.draw_series(DashedLineSeries::new(points, 6, 4, style))?
        } else {
            chart.draw_series(LineSeries::new(points, style))?
        };
        // A dashed curve has a dashed line in the legend.
        let gap = if self.dashed { 4 } else { 0 };
        let Some(name) = &self.name else { return Ok(()) };
        label.label(name).legend(move |(x, y)| {
            let half = |from, to| PathElement::new([(x + from, y), (x + to, y)], style);
            EmptyElement::at((0, 0)) + half(0, 10 - gap) + half(10, 20)
        });
        Ok(())
    }
}

/// A chart with room for its axes.
fn builder<'a, 'b>(area: &'a Area<'b>, title: &str) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.caption(title, ("sans-serif", 16)).margin(12).x_label_area_size(40).y_label_area_size(60);
    builder
}

fn legend<'b, X, Y>(chart: &mut Chart<'b, X, Y>, position: SeriesLabelPosition) -> Drawn<'b>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()
}
