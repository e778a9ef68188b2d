//! Curves, and what was published of them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::published::Band;

/// A curve, or points.
#[derive(Clone, Debug, JsonSchema, Serialize)]
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
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Figure {
    /// Number in the publication.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The axes, with units.
    pub axes: [&'static str; 2],
    /// Ours.
    pub series: Vec<Series>,
    /// Values that it names.
    pub published: Vec<Point>,
    /// The horizontal axis is logarithmic.
    pub logarithmic: bool,
}

/// A published value.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Point {
    /// The series of ours that it belongs to.
    pub series: usize,
    /// Where it was measured, if it tells.
    pub x: Option<f64>,
    /// The value.
    pub y: f64,
    /// What ours is there under all conditions that the text allows, if that was measured.
    pub band: Option<Band>,
}

impl Figure {
    /// A figure with nothing published yet.
    pub fn new(id: &'static str, title: &'static str, axes: [&'static str; 2], series: Vec<Series>) -> Self {
        Figure { id, title, axes, series, published: Vec::new(), logarithmic: false }
    }

    /// The same with a logarithmic horizontal axis.
    pub fn logarithmic(self) -> Self {
        Figure { logarithmic: true, ..self }
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
    fn series_tells_its_peak_and_its_values() {
        let series = Series { name: "one".into(), points: vec![(0.0, 1.0), (8.0, 2.0)] };
        assert_eq!((series.peak(), series.at(8.0), series.at(3.0)), (2.0, Some(2.0), None));
    }
}
