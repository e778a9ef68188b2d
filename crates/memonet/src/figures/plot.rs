//! Figures as SVG and CSV.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use machine_api::{Band, Figure, Point, Series};
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::product::Product;

/// Creates the subfolders of figures and pages.
pub fn make(folder: &Path) -> anyhow::Result<()> {
    for made in ["figures", "fidelity"].map(|name| folder.join(name)) {
        fs::create_dir_all(&made).with_context(|| format!("making {}", made.display()))?;
    }
    Ok(())
}

/// Adds figures to a product as SVG and CSV in the subfolder `figures`, each as `<prefix>_<id>`.
pub fn add(product: &mut Product, prefix: &str, figures: &[Figure]) -> anyhow::Result<()> {
    for figure in figures {
        let file = |ending| format!("figures/{prefix}_{}.{ending}", figure.id);
        product.add(file("svg"), svg(figure)?);
        product.add(file("csv"), String::from_utf8(csv(figure)?)?);
    }
    Ok(())
}

/// Points as a table: measured points, then published points with the band of the measurements, if any.
/// Published levels have no x.
fn csv(figure: &Figure) -> anyhow::Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["curve", "from", figure.axes[0], figure.axes[1]])?;
    for Series { name, points } in &figure.series {
        for (x, y) in points {
            table.write_record([name, "ours", &x.to_string(), &y.to_string()])?;
        }
    }
    for Point { series, x, y, band } in &figure.published {
        let x = x.map_or(String::new(), |x| x.to_string());
        let values = [
            Some(("published", *y)),
            band.map(|band| ("ours at least", band.least)),
            band.map(|band| ("ours at most", band.most)),
        ];
        for (from, value) in values.into_iter().flatten() {
            table.write_record([&figure.series[*series].name, from, &x, &value.to_string()])?;
        }
    }
    Ok(table.into_inner()?)
}

const WIDTH: u32 = 800;
/// Height without the legend, which is below the diagram, and height of a legend line.
const HEIGHT: u32 = 500;
const LINE: u32 = 22;
/// Columns of the legend, and the width of one.
const COLUMNS: usize = 2;
const COLUMN: i32 = 370;

/// Colours that are distinct in print and for colour-blind readers (Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 86, 86),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Draws a figure. A published level, usually a peak, is a dashed line, a published point a circle, in the
/// colour of the curve.
pub fn svg(figure: &Figure) -> anyhow::Result<String> {
    let mut svg = String::new();
    draw(figure, &mut svg).map_err(|error| anyhow!("figure {}: {error}", figure.id))?;
    Ok(svg)
}

fn draw<'a>(figure: &Figure, svg: &'a mut String) -> Result<(), Box<dyn std::error::Error + 'a>> {
    let legend = legend(figure);
    let height = HEIGHT + LINE * legend.len().div_ceil(COLUMNS) as u32 + 12;
    let area = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let (area, below) = area.split_vertically(HEIGHT);
    for (n, (name, mark)) in legend.iter().enumerate() {
        let at = (60 + COLUMN * (n % COLUMNS) as i32, (LINE * (n / COLUMNS) as u32) as i32 + 12);
        explain(&below, at, name, *mark)?;
    }
    let points = || figure.series.iter().flat_map(|series| &series.points);
    let right = points().map(|&(x, _)| x).fold(0.0, f64::max);
    let left = points().map(|&(x, _)| x).fold(right, f64::min);
    let published =
        figure.published.iter().map(|point| point.band.map_or(point.y, |band| band.most.max(point.y)));
    let values = points().map(|&(_, y)| y).chain(published);
    let top = 1.1 * values.fold(0.0, f64::max);
    let mut builder = ChartBuilder::on(&area);
    builder
        .caption(caption(figure), ("sans-serif", 20))
        .margin(12)
        // Half of the last label extends beyond the axis.
        .margin_right(30)
        .x_label_area_size(40)
        .y_label_area_size(60);
    if figure.is_vertically_logarithmic {
        let bottom = points().map(|&(_, y)| y).fold(top, f64::min) / 1.1;
        let axes = ((left..right).log_scale().base(2.0), (bottom..top).log_scale());
        fill(figure, builder.build_cartesian_2d(axes.0, axes.1)?, [left, right])?;
    } else if figure.logarithmic {
        let chart = builder.build_cartesian_2d((left..right).log_scale().base(2.0), 0.0..top)?;
        fill(figure, chart, [left, right])?;
    } else {
        let chart = builder.build_cartesian_2d(0.0..right, 0.0..top)?;
        fill(figure, chart, [0.0, right])?;
    }
    area.present()?;
    Ok(())
}

/// Caption, with the number of a published figure.
fn caption(figure: &Figure) -> String {
    match figure.id.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("Figure {}: {}", figure.id, figure.title),
        false => figure.title.to_owned(),
    }
}

/// Draws axes, curves and published values.
fn fill<'a, X, Y>(
    figure: &Figure,
    mut chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, Y>>,
    [left, right]: [f64; 2],
) -> Result<(), Box<dyn std::error::Error + 'a>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let [x, y] = figure.axes;
    chart
        .configure_mesh()
        .x_desc(x)
        .y_desc(y)
        .light_line_style(WHITE)
        .label_style(("sans-serif", 14))
        .x_labels(18)
        .x_label_formatter(&|x| tick(*x))
        .y_label_formatter(&|y| tick(*y))
        .draw()?;
    for (series, colour) in figure.series.iter().zip(COLOURS.iter().cycle()) {
        chart.draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?;
        // Circles mark the measured points; the lines between them are interpolated.
        chart.draw_series(series.points.iter().map(|&point| Circle::new(point, 2, colour.filled())))?;
    }
    for &Point { series, x, y, band } in &figure.published {
        let colour = COLOURS[series % COLOURS.len()];
        match (x, band) {
            (Some(x), Some(Band { least, most })) => {
                chart.draw_series([PathElement::new(
                    [(x, least), (x, most)],
                    colour.mix(STRONG).stroke_width(5),
                )])?;
            }
            (None, Some(Band { least, most })) => {
                chart.draw_series([Rectangle::new(
                    [(left, least), (right, most)],
                    colour.mix(WEAK).filled(),
                )])?;
            }
            (_, None) => {}
        }
        match x {
            Some(x) => {
                chart.draw_series([Circle::new((x, y), 5, colour.stroke_width(2))])?;
            }
            None => {
                let ends = [(left, y), (right, y)];
                chart.draw_series(DashedLineSeries::new(ends, 6, 6, colour.into()))?;
            }
        }
    }
    Ok(())
}

/// Opacity of the bands of points, and of levels, which curves cross.
const STRONG: f64 = 0.45;
const WEAK: f64 = 0.12;

/// Legend symbol.
#[derive(Clone, Copy)]
enum Mark {
    Curve(RGBColor),
    Peak,
    Value,
    Band,
}

/// Entries of the legend: each curve, then the symbols of published levels, published values and bands.
fn legend(figure: &Figure) -> Vec<(&str, Mark)> {
    let curves = figure.series.iter().zip(COLOURS.iter().cycle());
    let mut legend: Vec<_> =
        curves.map(|(series, colour)| (series.name.as_str(), Mark::Curve(*colour))).collect();
    let any = |point: bool| figure.published.iter().any(|published| published.x.is_some() == point);
    legend.extend(any(false).then_some(("published level", Mark::Peak)));
    legend.extend(any(true).then_some(("published value", Mark::Value)));
    let bands = figure.published.iter().any(|point| point.band.is_some());
    legend.extend(bands.then_some(("ours, with all programs that the text allows", Mark::Band)));
    legend
}

/// Draws an entry of the legend.
fn explain<'a>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    (x, y): (i32, i32),
    name: &str,
    mark: Mark,
) -> Result<(), Box<dyn std::error::Error + 'a>> {
    let grey = RGBColor(90, 90, 90);
    match mark {
        Mark::Curve(colour) => {
            area.draw(&PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(2)))?;
            area.draw(&Circle::new((x + 12, y), 2, colour.filled()))?;
        }
        Mark::Peak => {
            for dash in [0, 9, 18] {
                area.draw(&PathElement::new([(x + dash, y), (x + dash + 6, y)], grey))?;
            }
        }
        Mark::Band => area.draw(&Rectangle::new([(x, y - 5), (x + 24, y + 5)], grey.mix(STRONG).filled()))?,
        Mark::Value => area.draw(&Circle::new((x + 12, y), 5, grey.stroke_width(2)))?,
    }
    let font = ("sans-serif", 14).into_font().into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw(&Text::new(name.to_string(), (x + 34, y), font))?;
    Ok(())
}

/// Formats a number of an axis; multiples of 1024 in K, of 1024 x 1024 in M.
fn tick(value: f64) -> String {
    const KB: f64 = 1024.0;
    match value {
        _ if value >= KB * KB && value % (KB * KB) == 0.0 => format!("{} M", value / (KB * KB)),
        _ if value >= KB && value % KB == 0.0 => format!("{} K", value / KB),
        _ => format!("{}", (value * 1e6).round() / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> Figure {
        let series =
            ["one", "two"].map(|name| Series { name: name.into(), points: vec![(0.0, 1.0), (8.0, 2.0)] });
        let mut figure = Figure::new("6.3", "A test", ["bytes", "us"], series.to_vec());
        figure.level(1, 1.5);
        figure.point(0, 4.0, 1.2);
        figure
    }

    #[test]
    fn svg_contains_title_axes_and_legend() {
        let svg = super::svg(&figure()).unwrap();
        for text in ["Figure 6.3: A test", "bytes", "us", "one", "two", "published level", "published value"]
        {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn bands_are_in_diagram_legend_and_table() {
        let mut figure = figure();
        figure.published[1].band = Some(Band { least: 1.125, most: 1.75 });
        assert!(super::svg(&figure).unwrap().contains("ours, with all programs"));
        let table = String::from_utf8(csv(&figure).unwrap()).unwrap();
        assert!(table.ends_with("one,published,4,1.2\none,ours at least,4,1.125\none,ours at most,4,1.75\n"));
    }

    #[test]
    fn ticks_are_short_and_exact() {
        for (value, text) in [
            (0.0, "0"),
            (0.5, "0.5"),
            (200.0, "200"),
            (1024.0, "1 K"),
            (1_048_576.0, "1 M"),
            (1500.0, "1500"),
        ] {
            assert_eq!(tick(value), text);
        }
    }

    #[test]
    fn table_contains_measured_and_published_points() {
        let table = String::from_utf8(csv(&figure()).unwrap()).unwrap();
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines[..2], ["curve,from,bytes,us", "one,ours,0,1"]);
        assert_eq!(lines[5..], ["two,published,,1.5", "one,published,4,1.2"]);
    }
}
