//! Axes of plots and their ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// Kind of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Logarithmic, with ticks at 1, 2 and 5 times the powers of ten.
    Logarithmic,
    /// Linear from 0 to 1.
    Fraction,
}

/// Ends and ticks of an axis, as places of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub from: f64,
    pub to: f64,
    pub ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (begin, end): (i32, i32)) -> i32 {
        let part = (value - self.from) / (self.to - self.from);
        begin + (part * f64::from(end - begin)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.from..self.to
    }
}

/// Ratio of an end of a logarithmic axis to the nearest value.
const BEYOND: f64 = 1.2;
/// Largest number of decades in which all ticks have room, and in which there is room for more.
const DECADES: f64 = 3.0;
const NARROW: f64 = 0.8;

impl Scale {
    /// Coordinate at which an axis draws a value: its logarithm to base 10, or the value.
    pub fn place(self, value: f64) -> f64 {
        match self {
            Scale::Logarithmic => value.log10(),
            Scale::Fraction => value,
        }
    }

    /// Label at a place.
    pub fn label(self, place: f64) -> String {
        match self {
            // Three digits remove what the logarithm has rounded.
            Scale::Logarithmic => {
                let digits: f64 = format!("{:.2e}", 10f64.powf(place)).parse().unwrap_or_default();
                digits.to_string()
            }
            Scale::Fraction => format!("{:.1}", place),
        }
    }

    /// Range and ticks that contain all values: ticks at 1, 2 and 5 times powers of ten where they have room, and
    /// more on narrow axes.
    pub fn axis(self, values: impl Iterator<Item = f64>) -> Axis {
        if self == Scale::Fraction {
            return Axis { from: 0.0, to: 1.0, ticks: (0..=5).map(|fifth| f64::from(fifth) / 5.0).collect() };
        }
        let (least, most) =
            values.fold((f64::MAX, f64::MIN_POSITIVE), |(a, b), value| (a.min(value), b.max(value)));
        let (from, to) = ((least.min(most) / BEYOND).log10(), (most * BEYOND).log10());
        let steps: &[f64] = match to - from {
            ..=NARROW => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
            ..=DECADES => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let decades = from.floor() as i32..=to.ceil() as i32;
        let tick = |decade: i32| steps.iter().map(move |step| f64::from(decade) + step.log10());
        let ticks: Vec<_> = decades.flat_map(tick).filter(|tick| (from..=to).contains(tick)).collect();
        Axis { from, to, ticks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: [f64; 2]) -> Vec<String> {
        let axis = Scale::Logarithmic.axis(values.into_iter());
        axis.ticks.into_iter().map(|tick| Scale::Logarithmic.label(tick)).collect()
    }

    #[test]
    fn narrow_axes_have_several_ticks_and_wide_ones_decades() {
        assert_eq!(labels([1.0, 4.0]), ["1", "1.5", "2", "3", "4"]);
        assert_eq!(labels([0.002, 0.03]), ["0.002", "0.005", "0.01", "0.02"]);
        assert_eq!(labels([1.5, 700.0]), ["2", "5", "10", "20", "50", "100", "200", "500"][..].to_vec());
        assert_eq!(labels([0.0001, 9.0]), ["0.0001", "0.001", "0.01", "0.1", "1", "10"]);
    }

    #[test]
    fn fractions_go_from_0_to_1() {
        let axis = Scale::Fraction.axis([0.3].into_iter());
        assert_eq!((axis.from, axis.to, axis.ticks.len()), (0.0, 1.0, 6));
        assert_eq!(Scale::Fraction.label(0.2), "0.2");
    }
}
