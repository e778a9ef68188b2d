//! Figures as SVG and CSV.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use machine_api::{Band, Figure, Point, Series};
use plots::{COLOURS, Colour, Curve, Mark, Panel, Plot, Scale};

use super::product::Product;

/// Creates the subfolders of figures and, unless a single figure is measured, of pages.
pub fn make(folder: &Path, is_single: bool) -> anyhow::Result<()> {
    let subfolders = if is_single { &["figures"][..] } else { &["figures", "fidelity"] };
    for made in subfolders.iter().map(|name| folder.join(name)) {
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

/// Draws a figure. A published level, usually a peak, is a dashed line, a published point a circle, in the
/// colour of the curve.
pub fn svg(figure: &Figure) -> anyhow::Result<String> {
    let plot = Plot { title: None, panels: vec![panel(figure)] };
    plot.svg().map_err(|error| anyhow!("figure {}: {error}", figure.id))
}

fn panel(figure: &Figure) -> Panel {
    let curves = figure.series.iter().zip(COLOURS.into_iter().cycle());
    let curve = |(Series { name, points }, colour): (&Series, Colour)| Curve {
        name: Some(name.clone()),
        colour,
        opacity: 1.0,
        dashed: false,
        dots: true,
        points: points.clone(),
    };
    Panel {
        title: caption(figure),
        axes: figure.axes.map(Into::into),
        scales: scales(figure),
        curves: curves.map(curve).collect(),
        marks: figure.published.iter().flat_map(marks).collect(),
    }
}

/// Kinds of the axes. A horizontal axis whose label has no unit counts something.
fn scales(figure: &Figure) -> [Scale; 2] {
    let across = match figure.axes[0].contains('[') {
        _ if figure.logarithmic => Scale::Binary,
        true => Scale::Linear,
        false => Scale::Count,
    };
    let up = if figure.is_vertically_logarithmic { Scale::Logarithmic } else { Scale::Linear };
    [across, up]
}

/// A published value, with the band of our measurements, if any.
fn marks(&Point { series, x, y, band }: &Point) -> impl Iterator<Item = Mark> {
    let colour = COLOURS[series % COLOURS.len()];
    let band = band.map(|Band { least, most }| Mark::Band { x, least, most, colour });
    let published = match x {
        Some(x) => Mark::Value { x, y, colour },
        None => Mark::Level { y, colour },
    };
    band.into_iter().chain([published])
}

/// Caption, with the number of a published figure.
fn caption(figure: &Figure) -> String {
    match figure.id.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("Figure {}: {}", figure.id, figure.title),
        false => figure.title.to_owned(),
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
    fn table_contains_measured_and_published_points() {
        let table = String::from_utf8(csv(&figure()).unwrap()).unwrap();
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines[..2], ["curve,from,bytes,us", "one,ours,0,1"]);
        assert_eq!(lines[5..], ["two,published,,1.5", "one,published,4,1.2"]);
    }
}
