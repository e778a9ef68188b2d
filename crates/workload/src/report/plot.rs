//! Runs as SVG: latency over load, and distribution of latencies.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::scale::Scale;
use super::{KneeOfSize, Report, Run, Statistics};

const WIDTH: u32 = 700;
/// Height without the legend, which is below the diagrams, and height of a line of it.
const HEIGHT: u32 = 480;
const LINE: u32 = 22;
/// Columns of a legend, and the width of one.
const COLUMNS: usize = 2;
const COLUMN: i32 = 310;

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
    scales: [Scale; 2],
    curves: Vec<Curve>,
    /// Places of vertical lines, the saturation points.
    marks: Vec<(f64, RGBColor)>,
    /// Whether measured points have dots.
    dots: bool,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

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
        let lines = panels.iter().map(Panel::legend_lines).max().unwrap_or_default();
        let height = HEIGHT + LINE * lines as u32 + 12;
        let mut svg = String::new();
        {
            let size = (WIDTH * panels.len() as u32, height);
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let draw = || {
                area.fill(&WHITE)?;
                let area = area.titled(&self.heading.to_string(), ("sans-serif", 16))?;
                for (area, panel) in area.split_evenly((1, panels.len())).iter().zip(&panels) {
                    panel.draw(area)?;
                }
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

    /// Mean and p99 latency of each size over load: from creation where that was measured.
    fn latency_over_load(&self) -> Panel<'static> {
        let mut curves = Vec::new();
        for (runs, colour) in self.sizes().filter(|(runs, _)| runs[0].point.is_pattern()) {
            let points =
                |value: fn(&Run) -> u64| runs.iter().map(|run| (run.load(), us(value(run)))).collect();
            let mean = points(|run| run.latency().mean_ps);
            let p99 = points(|run| run.latency().p99_ps);
            for (name, dashed, points) in [("mean", false, mean), ("p99", true, p99)] {
                let name =
                    [runs[0].size(), Some(name.into())].into_iter().flatten().collect::<Vec<_>>().join(", ");
                curves.push(Curve { name: Some(name), colour: colour.into(), dashed, points });
            }
        }
        let (title, axes) = match self.first_head() {
            "window" => ("Round trip over window", [WINDOW, "round trip from creation [us]"]),
            _ => ("Latency over load", ["offered load [fraction of a link]", "latency from creation [us]"]),
        };
        Panel {
            title,
            axes,
            scales: [Scale::Logarithmic; 2],
            curves,
            marks: self.marks(|knee| knee.knee.load),
            dots: true,
        }
    }

    /// Accepted load of each size over the window.
    fn accepted_over_window(&self) -> Panel<'static> {
        let curves = self.sizes().map(|(runs, colour)| {
            let accepted = |run: &&Run| Some((run.load(), run.measurement.as_ref()?.accepted.link_share));
            let points = runs.iter().filter_map(accepted).filter(|(_, accepted)| *accepted > 0.0).collect();
            Curve { name: runs[0].size(), colour: colour.into(), dashed: false, points }
        });
        Panel {
            title: "Accepted load over window",
            axes: [WINDOW, "accepted load [fraction of a link]"],
            scales: [Scale::Logarithmic; 2],
            curves: curves.collect(),
            marks: Vec::new(),
            dots: true,
        }
    }

    /// Accepted over offered load of each size, and the line on which they are equal.
    fn accepted_over_offered(&self) -> Panel<'static> {
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
            curves.push(Curve { name: runs[0].size(), colour: colour.into(), dashed: false, points });
        }
        let line = vec![(least, least), (most.max(least), most.max(least))];
        let name = Some("accepted = offered".into());
        curves.push(Curve { name, colour: BLACK.mix(0.5), dashed: true, points: line });
        Panel {
            title: "Accepted over offered load",
            axes: ["offered load, measured [fraction of a link]", "accepted load [fraction of a link]"],
            scales: [Scale::Logarithmic; 2],
            curves,
            marks: self.marks(|knee| self.offered_at(knee)),
            dots: true,
        }
    }

    /// Load that was offered, as measured, in the run at a saturation point.
    fn offered_at(&self, knee: &KneeOfSize) -> Option<f64> {
        let is_knee = |run: &&Run| run.point.bytes == Some(knee.bytes) && run.point.load == knee.knee.load;
        Some(self.runs.iter().find(is_knee)?.measurement.as_ref()?.offered.link_share)
    }

    /// Saturation points in the colours of their sizes, each at a place of the axis.
    fn marks(&self, place: impl Fn(&KneeOfSize) -> Option<f64>) -> Vec<(f64, RGBColor)> {
        let colours = COLOURS.into_iter().cycle();
        let mut knees = self.knees.clone();
        knees.sort_by_key(|knee| knee.bytes);
        knees.iter().zip(colours).filter_map(|(knee, colour)| Some((place(knee)?, colour))).collect()
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
        Panel {
            title: "Distribution of latencies",
            axes: ["latency from injection [us]", "fraction of the messages"],
            scales: [Scale::Logarithmic, Scale::Fraction],
            curves,
            marks: Vec::new(),
            dots: false,
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

impl Panel<'_> {
    /// Draws the panel; its legend is below the diagram.
    fn draw<'b>(&self, area: &Area<'b>) -> Drawn<'b> {
        let (above, below) = area.split_vertically(HEIGHT - 30);
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let [x, y] = self.scales;
        let (x_axis, y_axis) = (x.axis(points().map(|point| point.0)), y.axis(points().map(|point| point.1)));
        let ends = [y_axis.from, y_axis.to];
        let mut chart = ChartBuilder::on(&above)
            .caption(self.title, ("sans-serif", 16))
            .margin(12)
            // Half of the last label extends beyond the axis.
            .margin_right(30)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(x_axis, y_axis)?;
        chart
            .configure_mesh()
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .x_label_formatter(&|at| x.label(*at))
            .y_label_formatter(&|at| y.label(*at))
            .light_line_style(WHITE)
            .label_style(("sans-serif", 14))
            .draw()?;
        for &(at, colour) in &self.marks {
            let ends = ends.map(|end| (x.place(at), end));
            chart.draw_series(DashedLineSeries::new(ends, 2, 3, colour.into()))?;
        }
        for curve in &self.curves {
            let points = || curve.points.iter().map(|point| (x.place(point.0), y.place(point.1)));
            let style = curve.colour.stroke_width(2);
            match curve.dashed {
                true => chart.draw_series(DashedLineSeries::new(points(), 6, 4, style))?,
                false => chart.draw_series(LineSeries::new(points(), style))?,
            };
            if self.dots {
                chart.draw_series(points().map(|point| Circle::new(point, 3, curve.colour.filled())))?;
            }
        }
        for (number, (name, style, pattern)) in self.legend().into_iter().enumerate() {
            let at =
                (70 + COLUMN * (number % COLUMNS) as i32, (LINE as usize * (number / COLUMNS)) as i32 + 12);
            for from in (0..24).step_by(pattern.1) {
                let to = (from + pattern.0).min(24);
                below
                    .draw(&PathElement::new([(at.0 + from as i32, at.1), (at.0 + to as i32, at.1)], style))?;
            }
            let font = ("sans-serif", 14).into_font().into_text_style(&below);
            let font = font.pos(Pos::new(HPos::Left, VPos::Center));
            below.draw(&Text::new(name, (at.0 + 34, at.1), font))?;
        }
        Ok(())
    }

    /// Name, style, and length and distance of dashes of each entry of the legend.
    fn legend(&self) -> Vec<(String, ShapeStyle, (usize, usize))> {
        let entry = |curve: &Curve| {
            let dashes = if curve.dashed { (6, 10) } else { (24, 24) };
            Some((curve.name.clone()?, curve.colour.stroke_width(2), dashes))
        };
        let knee = || ("knee".to_owned(), BLACK.stroke_width(1), (2, 5));
        let knee = (!self.marks.is_empty()).then(knee);
        self.curves.iter().filter_map(entry).chain(knee).collect()
    }

    fn legend_lines(&self) -> usize {
        self.legend().len().div_ceil(COLUMNS)
    }
}
