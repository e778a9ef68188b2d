//! One diagram and its legend.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::scale::Scale;
use crate::style::{COLUMN, COLUMNS, Colour, FONT, GREY, LEFT, LINE, SAMPLE, STRONG, TEXT, TITLE, WEAK};

/// A curve of a panel.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name in the legend; `None` leaves it out.
    pub name: Option<String>,
    /// Colour of the line and its dots.
    pub colour: Colour,
    /// 0 to 1.
    pub opacity: f64,
    /// Whether the line is dashed.
    pub dashed: bool,
    /// Whether points have dots: they were measured, and the line between them is interpolated.
    pub dots: bool,
    /// Points in increasing x; on a logarithmic axis, above 0.
    pub points: Vec<(f64, f64)>,
}

/// Something other than a curve in a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// A vertical line at a saturation point.
    Knee {
        /// Place on the horizontal axis.
        x: f64,
        /// Colour of the line.
        colour: Colour,
    },
    /// A horizontal line at a published value without a place.
    Level {
        /// Published value.
        y: f64,
        /// Colour of the line.
        colour: Colour,
    },
    /// A published value.
    Value {
        /// Place on the horizontal axis.
        x: f64,
        /// Published value.
        y: f64,
        /// Colour of the circle.
        colour: Colour,
    },
    /// The range of our values at a place, or everywhere.
    Band {
        /// Place on the horizontal axis; `None` is everywhere.
        x: Option<f64>,
        /// Lower end.
        least: f64,
        /// Upper end.
        most: f64,
        /// Colour of the band.
        colour: Colour,
    },
}

/// Curves and marks in one frame.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title above the diagram.
    pub title: String,
    /// Labels of the axes: a quantity and its unit, such as `latency [us]`.
    pub axes: [String; 2],
    /// Kinds of the axes.
    pub scales: [Scale; 2],
    /// Curves, the first one at the bottom.
    pub curves: Vec<Curve>,
    /// Single points and levels, drawn over the curves.
    pub marks: Vec<Mark>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<crate::scale::Axis, crate::scale::Axis>>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

impl Mark {
    /// Name in the legend.
    fn name(&self) -> &'static str {
        match self {
            Mark::Knee { .. } => "knee",
            Mark::Level { .. } => "published level",
            Mark::Value { .. } => "published value",
            Mark::Band { .. } => "ours, with all programs that the text allows",
        }
    }

    /// Ends on the axes, where it has a place there.
    fn places(&self) -> (Option<f64>, [Option<f64>; 2]) {
        match *self {
            Mark::Knee { x, .. } => (Some(x), [None; 2]),
            Mark::Level { y, .. } => (None, [Some(y), None]),
            Mark::Value { x, y, .. } => (Some(x), [Some(y), None]),
            Mark::Band { x, least, most, .. } => (x, [Some(least), Some(most)]),
        }
    }
}

impl Panel {
    /// Draws the panel; its legend is below the diagram and has `lines` lines.
    pub(crate) fn draw<'b>(&self, area: &Area<'b>, lines: usize) -> Drawn<'b> {
        let height = area.dim_in_pixel().1 - LINE * lines as u32 - 12;
        let (above, below) = area.split_vertically(height);
        self.draw_diagram(&above)?;
        self.draw_legend(&below)
    }

    fn draw_diagram<'b>(&self, area: &Area<'b>) -> Drawn<'b> {
        let [x, y] = self.scales;
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let marked = || self.marks.iter().map(Mark::places);
        let across = points().map(|point| point.0).chain(marked().filter_map(|(x, _)| x));
        let up = points().map(|point| point.1).chain(marked().flat_map(|(_, y)| y).flatten());
        let (x_axis, y_axis) = (x.axis(across), y.axis(up));
        let ends = [(x_axis.from, x_axis.to), (y_axis.from, y_axis.to)];
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, TITLE))
            .margin(12)
            // Half of the last label extends beyond the axis.
            .margin_right(30)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(x_axis, y_axis)?;
        chart
            .configure_mesh()
            .x_desc(&self.axes[0])
            .y_desc(&self.axes[1])
            .x_label_formatter(&|at| x.label(*at))
            .y_label_formatter(&|at| y.label(*at))
            .light_line_style(WHITE)
            .label_style((FONT, TEXT))
            .draw()?;
        for mark in &self.marks {
            self.draw_mark(&mut chart, mark, ends)?;
        }
        self.curves.iter().try_for_each(|curve| self.draw_curve(&mut chart, curve))
    }

    fn draw_curve<'b>(&self, chart: &mut Chart<'_, 'b>, curve: &Curve) -> Drawn<'b> {
        let [x, y] = self.scales;
        let points = || curve.points.iter().map(|point| (x.place(point.0), y.place(point.1)));
        let colour = curve.colour.mix(curve.opacity);
        let style = colour.stroke_width(2);
        match curve.dashed {
            true => chart.draw_series(DashedLineSeries::new(points(), 6, 4, style))?,
            false => chart.draw_series(LineSeries::new(points(), style))?,
        };
        if curve.dots {
            chart.draw_series(points().map(|point| Circle::new(point, 3, colour.filled())))?;
        }
        Ok(())
    }

    fn draw_mark<'b>(
        &self,
        chart: &mut Chart<'_, 'b>,
        mark: &Mark,
        [(left, right), (bottom, top)]: [(f64, f64); 2],
    ) -> Drawn<'b> {
        let across = |value: f64| self.scales[0].place(value);
        let up = |value: f64| self.scales[1].place(value);
        match *mark {
            Mark::Knee { x, colour } => {
                let line = [(across(x), bottom), (across(x), top)];
                chart.draw_series(DashedLineSeries::new(line, 2, 3, colour.into()))?;
            }
            Mark::Level { y, colour } => {
                let line = [(left, up(y)), (right, up(y))];
                chart.draw_series(DashedLineSeries::new(line, 6, 6, colour.into()))?;
            }
            Mark::Value { x, y, colour } => {
                chart.draw_series([Circle::new((across(x), up(y)), 5, colour.stroke_width(2))])?;
            }
            Mark::Band { x: Some(x), least, most, colour } => {
                let line = [(across(x), up(least)), (across(x), up(most))];
                chart.draw_series([PathElement::new(line, colour.mix(STRONG).stroke_width(5))])?;
            }
            Mark::Band { x: None, least, most, colour } => {
                let corners = [(left, up(least)), (right, up(most))];
                chart.draw_series([Rectangle::new(corners, colour.mix(WEAK).filled())])?;
            }
        }
        Ok(())
    }

    /// Height of the legend in lines of text.
    pub(crate) fn legend_lines(&self) -> usize {
        let curves = self.curves.iter().filter(|curve| curve.name.is_some()).count();
        (curves + self.named_marks().len()).div_ceil(COLUMNS)
    }

    /// A mark of each name.
    fn named_marks(&self) -> Vec<&Mark> {
        let mut marks: Vec<&Mark> = Vec::new();
        for mark in &self.marks {
            if marks.iter().all(|known| known.name() != mark.name()) {
                marks.push(mark);
            }
        }
        marks
    }

    fn draw_legend<'b>(&self, area: &Area<'b>) -> Drawn<'b> {
        let place = |number: usize| {
            (LEFT + COLUMN * (number % COLUMNS) as i32, (LINE as usize * (number / COLUMNS)) as i32 + 12)
        };
        let curves: Vec<_> =
            self.curves.iter().filter_map(|curve| Some((curve, curve.name.as_deref()?))).collect();
        for (number, (curve, name)) in curves.iter().enumerate() {
            let at = place(number);
            let style = curve.colour.mix(curve.opacity).stroke_width(2);
            sample(area, at, if curve.dashed { (6, 10) } else { (SAMPLE, SAMPLE) }, style)?;
            if curve.dots {
                area.draw(&Circle::new((at.0 + SAMPLE / 2, at.1), 3, style.filled()))?;
            }
            describe(area, at, name)?;
        }
        for (number, mark) in (curves.len()..).zip(self.named_marks()) {
            let at = place(number);
            match mark {
                Mark::Knee { .. } => sample(area, at, (2, 5), BLACK.stroke_width(1))?,
                Mark::Level { .. } => sample(area, at, (6, 9), GREY.stroke_width(1))?,
                Mark::Value { .. } => {
                    area.draw(&Circle::new((at.0 + SAMPLE / 2, at.1), 5, GREY.stroke_width(2)))?;
                }
                Mark::Band { .. } => {
                    let corners = [(at.0, at.1 - 5), (at.0 + SAMPLE, at.1 + 5)];
                    area.draw(&Rectangle::new(corners, GREY.mix(STRONG).filled()))?;
                }
            }
            describe(area, at, mark.name())?;
        }
        Ok(())
    }
}

/// Draws a line of the legend: the length of its dashes, and their distance.
fn sample<'b>(
    area: &Area<'b>,
    at: (i32, i32),
    (length, distance): (i32, i32),
    style: ShapeStyle,
) -> Drawn<'b> {
    for from in (0..SAMPLE).step_by(distance as usize) {
        let to = (from + length).min(SAMPLE);
        area.draw(&PathElement::new([(at.0 + from, at.1), (at.0 + to, at.1)], style))?;
    }
    Ok(())
}

/// Writes the text of an entry of the legend.
fn describe<'b>(area: &Area<'b>, at: (i32, i32), text: &str) -> Drawn<'b> {
    let font = (FONT, TEXT).into_font().into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw(&Text::new(text.to_string(), (at.0 + SAMPLE + 10, at.1), font))
}
