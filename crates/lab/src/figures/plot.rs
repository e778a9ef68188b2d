//! Figures as SVG and PNG.

use anyhow::{Context, anyhow};
use plotters::prelude::*;
use serde::Serialize;

/// A curve, or points.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// As the legend calls it.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// The highest value.
    pub fn peak(&self) -> f64 {
        self.points.iter().map(|&(_, y)| y).fold(0.0, f64::max)
    }

    /// The value at `x`, where there is a point.
    pub fn at(&self, x: f64) -> Option<f64> {
        self.points.iter().find(|point| point.0 == x).map(|point| point.1)
    }
}

/// What is plotted.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Number in the thesis.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The axes, with units.
    pub axes: [&'static str; 2],
    /// Ours.
    pub series: Vec<Series>,
    /// Values that the thesis names, each with the series of ours that it belongs to.
    pub published: Vec<(usize, f64)>,
}

const WIDTH: u32 = 800;
const HEIGHT: u32 = 500;

/// Told apart on paper and by those who do not see red and green as different (Okabe and Ito).
const COLOURS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 86, 86),
];

impl Figure {
    /// As SVG. A published value is a dashed line at its height, in the colour of the curve it belongs to.
    pub fn svg(&self) -> anyhow::Result<String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| anyhow!("figure {}: {error}", self.id))?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
        area.fill(&WHITE)?;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let right = points().map(|&(x, _)| x).fold(0.0, f64::max);
        let values = points().map(|&(_, y)| y).chain(self.published.iter().map(|&(_, y)| y));
        let top = 1.1 * values.fold(0.0, f64::max);
        let mut chart = ChartBuilder::on(&area)
            .caption(format!("Figure {}: {}", self.id, self.title), ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..right, 0.0..top)?;
        let [x, y] = self.axes;
        chart
            .configure_mesh()
            .x_desc(x)
            .y_desc(y)
            .light_line_style(WHITE)
            .label_style(("sans-serif", 14))
            .draw()?;
        for (series, colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?
                .label(&series.name)
                .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
        }
        for &(series, value) in &self.published {
            let colour = COLOURS[series % COLOURS.len()];
            chart.draw_series(DashedLineSeries::new([(0.0, value), (right, value)], 6, 6, colour.into()))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .label_font(("sans-serif", 14))
            .draw()?;
        area.present()?;
        Ok(())
    }
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
    use super::*;

    fn figure() -> Figure {
        let series =
            ["one", "two"].map(|name| Series { name: name.into(), points: vec![(0.0, 1.0), (8.0, 2.0)] });
        let axes = ["bytes", "us"];
        Figure { id: "6.3", title: "A test", axes, series: series.to_vec(), published: vec![(1, 1.5)] }
    }

    #[test]
    fn svg_holds_title_axes_and_legend_and_png_is_drawn() {
        let svg = figure().svg().unwrap();
        for text in ["Figure 6.3: A test", "bytes", "us", "one", "two"] {
            assert!(svg.contains(text), "{text}");
        }
        let png = png(&svg).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        // A page without text would be smaller: the font is there.
        let blank = super::png(&Figure { title: "", axes: ["", ""], ..figure() }.svg().unwrap()).unwrap();
        assert!(png.len() > blank.len() + 500);
    }

    #[test]
    fn series_tells_its_peak_and_its_values() {
        let series = &figure().series[0];
        assert_eq!((series.peak(), series.at(8.0), series.at(3.0)), (2.0, Some(2.0), None));
    }
}
