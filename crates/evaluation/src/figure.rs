//! Measured curves with published values.

use schemars::JsonSchema;
use serde::Serialize;

use crate::published::Band;

/// Labels of axes that figures share: a quantity and its unit.
pub mod axis {
    /// Size of a message.
    pub const MESSAGE: &str = "message [bytes]";
    /// Time of an operation.
    pub const TIME: &str = "time [us]";
    /// Data over time.
    pub const THROUGHPUT: &str = "throughput [MB/s]";
}

/// A curve, or separate points.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points in increasing x.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// Largest y value.
    pub fn peak(&self) -> f64 {
        self.points.iter().map(|&(_, y)| y).fold(0.0, f64::max)
    }

    /// Value at `x`, if the series has this point.
    pub fn at(&self, x: f64) -> Option<f64> {
        self.points.iter().find(|point| point.0 == x).map(|point| point.1)
    }
}

/// A figure to plot.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Figure {
    /// Number in the publication.
    pub id: &'static str,
    /// Caption of the figure.
    pub title: &'static str,
    /// Labels of both axes: a quantity and its unit, as in [`axis`]; a number of things has no unit.
    pub axes: [&'static str; 2],
    /// Our curves.
    pub series: Vec<Series>,
    /// Published values.
    pub published: Vec<Point>,
    /// Whether the horizontal axis is logarithmic.
    pub logarithmic: bool,
    /// Whether the vertical axis is logarithmic.
    #[serde(skip)]
    pub is_vertically_logarithmic: bool,
}

/// A published value in a figure.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Point {
    /// Index of our series to compare with.
    pub series: usize,
    /// Position on the horizontal axis; `null` if the publication does not state it.
    pub x: Option<f64>,
    /// Published value.
    pub y: f64,
    /// Range of our value under all conditions that the text allows, if it was measured.
    pub band: Option<Band>,
}

impl Figure {
    /// A figure without published values.
    pub fn new(id: &'static str, title: &'static str, axes: [&'static str; 2], series: Vec<Series>) -> Self {
        Figure {
            id,
            title,
            axes,
            series,
            published: Vec::new(),
            logarithmic: false,
            is_vertically_logarithmic: false,
        }
    }

    /// The same with a logarithmic horizontal axis.
    pub fn logarithmic(self) -> Self {
        Figure { logarithmic: true, ..self }
    }

    /// The same with two logarithmic axes.
    pub fn logarithmic_both(self) -> Self {
        Figure { logarithmic: true, is_vertically_logarithmic: true, ..self }
    }

    /// Adds the published peak of a series.
    pub fn level(&mut self, series: usize, y: f64) {
        self.published.push(Point { series, x: None, y, band: None });
    }

    /// Adds a published point of a series.
    pub fn point(&mut self, series: usize, x: f64, y: f64) {
        self.published.push(Point { series, x: Some(x), y, band: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_returns_its_peak_and_its_values() {
        let series = Series { name: "one".into(), points: vec![(0.0, 1.0), (8.0, 2.0)] };
        assert_eq!((series.peak(), series.at(8.0), series.at(3.0)), (2.0, Some(2.0), None));
    }
}
