//! Figures as SVG and PNG.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use lab::{Figure, Point};
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::output;

/// Writes figures as SVG and PNG into the folder `figures` below this one, each as `<prefix>_<id>`.
pub fn write(folder: &Path, prefix: &str, figures: &[Figure]) -> anyhow::Result<()> {
    let folder = folder.join("figures");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    for figure in figures {
        let (svg, name) = (svg(figure)?, format!("{prefix}_{}", figure.id));
        output::write(&folder.join(format!("{name}.svg")), svg.as_bytes())?;
        output::write(&folder.join(format!("{name}.png")), &png(&svg)?)?;
    }
    Ok(())
}

const WIDTH: u32 = 800;
const HEIGHT: u32 = 500;

/// Told apart on paper and by those who do not see red and green as different (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 86, 86),
    RGBColor(230, 159, 0),
];

/// As SVG. A published peak is a dashed line at its height, a published point a circle, in the colour of the curve.
pub fn svg(figure: &Figure) -> anyhow::Result<String> {
    let mut svg = String::new();
    draw(figure, &mut svg).map_err(|error| anyhow!("figure {}: {error}", figure.id))?;
    Ok(svg)
}

fn draw<'a>(figure: &Figure, svg: &'a mut String) -> Result<(), Box<dyn std::error::Error + 'a>> {
    let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
    area.fill(&WHITE)?;
    let points = || figure.series.iter().flat_map(|series| &series.points);
    let right = points().map(|&(x, _)| x).fold(0.0, f64::max);
    let left = points().map(|&(x, _)| x).fold(right, f64::min);
    let values = points().map(|&(_, y)| y).chain(figure.published.iter().map(|point| point.y));
    let top = 1.1 * values.fold(0.0, f64::max);
    let mut builder = ChartBuilder::on(&area);
    builder
        .caption(format!("Figure {}: {}", figure.id, figure.title), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60);
    if figure.logarithmic {
        let chart = builder.build_cartesian_2d((left..right).log_scale(), 0.0..top)?;
        fill(figure, chart, left, right)?;
    } else {
        let chart = builder.build_cartesian_2d(0.0..right, 0.0..top)?;
        fill(figure, chart, 0.0, right)?;
    }
    area.present()?;
    Ok(())
}

/// Draws axes, curves and published values.
fn fill<'a, X>(
    figure: &Figure,
    mut chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, RangedCoordf64>>,
    left: f64,
    right: f64,
) -> Result<(), Box<dyn std::error::Error + 'a>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let [x, y] = figure.axes;
    chart
        .configure_mesh()
        .x_desc(x)
        .y_desc(y)
        .light_line_style(WHITE)
        .label_style(("sans-serif", 14))
        .draw()?;
    for (series, colour) in figure.series.iter().zip(COLOURS.iter().cycle()) {
        chart
            .draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?
            .label(&series.name)
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    }
    for &Point { series, x, y } in &figure.published {
        let colour = COLOURS[series % COLOURS.len()];
        match x {
            Some(x) => {
                chart.draw_series([Circle::new((x, y), 5, colour.filled())])?;
            }
            None => {
                let ends = [(left, y), (right, y)];
                chart.draw_series(DashedLineSeries::new(ends, 6, 6, colour.into()))?;
            }
        }
    }
    chart
        .configure_series_labels()
        .position(if figure.logarithmic {
            SeriesLabelPosition::UpperLeft
        } else {
            SeriesLabelPosition::LowerRight
        })
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()?;
    Ok(())
}

/// An SVG as PNG, with a font of our own, so that it is the same on every machine.
pub fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    use resvg::{tiny_skia, usvg};
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let family = fonts.faces().next().and_then(|face| face.families.first()).map(|(name, _)| name.clone());
    fonts.set_sans_serif_family(family.context("the font has no name")?);
    let tree = usvg::Tree::from_str(svg, &options)?;
    let mut pixels = tiny_skia::Pixmap::new(WIDTH, HEIGHT).context("no room for the pixels")?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

#[cfg(test)]
mod tests {
    use lab::Series;

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
    fn svg_holds_title_axes_and_legend_and_png_is_drawn() {
        let svg = super::svg(&figure()).unwrap();
        for text in ["Figure 6.3: A test", "bytes", "us", "one", "two"] {
            assert!(svg.contains(text), "{text}");
        }
        let png = png(&svg).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        // A page without text would be smaller: the font is there.
        let blank = Figure { title: "", axes: ["", ""], ..figure() };
        let blank = super::png(&super::svg(&blank).unwrap()).unwrap();
        assert!(png.len() > blank.len() + 500);
    }
}
