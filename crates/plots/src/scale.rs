//! Axes and their ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// Kind of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Logarithmic, with ticks at 1, 2 and 5 times the powers of ten.
    Logarithmic,
    /// Logarithmic, with ticks at powers of two: sizes in bytes.
    Binary,
    /// Linear from 0.
    Linear,
    /// Linear, with ticks at whole numbers: nodes.
    Count,
    /// Linear from 0 to 1.
    Fraction,
}

/// Ends and ticks of an axis, as places of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
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
/// Most ticks of an axis of another kind.
const TICKS: f64 = 12.0;
/// Part of a linear axis above the highest value.
const ABOVE: f64 = 0.1;

impl Scale {
    /// Coordinate at which an axis draws a value: its logarithm, or the value.
    pub(crate) fn place(self, value: f64) -> f64 {
        match self {
            Scale::Logarithmic => value.log10(),
            Scale::Binary => value.log2(),
            Scale::Linear | Scale::Count | Scale::Fraction => value,
        }
    }

    /// Label at a place.
    pub(crate) fn label(self, place: f64) -> String {
        match self {
            // Three digits remove what the logarithm has rounded.
            Scale::Logarithmic => {
                let digits: f64 = format!("{:.2e}", 10f64.powf(place)).parse().unwrap_or_default();
                digits.to_string()
            }
            Scale::Binary => size(place.exp2()),
            Scale::Linear | Scale::Count => ((place * 1e6).round() / 1e6).to_string(),
            Scale::Fraction => format!("{place:.1}"),
        }
    }

    /// Range and ticks that contain all values.
    pub(crate) fn axis(self, values: impl Iterator<Item = f64>) -> Axis {
        let (least, most) =
            values.fold((f64::MAX, f64::MIN_POSITIVE), |(a, b), value| (a.min(value), b.max(value)));
        let least = least.min(most);
        match self {
            Scale::Logarithmic => decades((least / BEYOND).log10(), (most * BEYOND).log10()),
            Scale::Binary => whole(least.max(f64::MIN_POSITIVE).log2(), most.log2()),
            Scale::Linear => linear(most * (1.0 + ABOVE)),
            Scale::Count => whole(least, most),
            Scale::Fraction => {
                Axis { from: 0.0, to: 1.0, ticks: (0..=5).map(|fifth| f64::from(fifth) / 5.0).collect() }
            }
        }
    }
}

/// Ticks at 1, 2 and 5 times powers of ten where they have room, and more on narrow axes.
fn decades(from: f64, to: f64) -> Axis {
    let steps: &[f64] = match to - from {
        ..=NARROW => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
        ..=DECADES => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let decades = from.floor() as i32..=to.ceil() as i32;
    let tick = |decade: i32| steps.iter().map(move |step| f64::from(decade) + step.log10());
    let ticks = decades.flat_map(tick).filter(|tick| (from..=to).contains(tick)).collect();
    Axis { from, to, ticks }
}

/// Ticks at 1, 2 or 5 times a power of ten.
fn linear(to: f64) -> Axis {
    let power = 10f64.powf((to / TICKS).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| to / step <= TICKS).unwrap_or(to);
    Axis { from: 0.0, to, ticks: multiples(step, 0.0, to) }
}

/// Ticks at whole numbers, and at fewer of them on long axes.
fn whole(from: f64, to: f64) -> Axis {
    let (from, to) = if from < to { (from, to) } else { (from - 1.0, to + 1.0) };
    let step = ((to - from) / TICKS).ceil().max(1.0);
    Axis { from, to, ticks: multiples(step, from, to) }
}

/// Multiples of a step within a range.
fn multiples(step: f64, from: f64, to: f64) -> Vec<f64> {
    // A rounded end belongs to the range.
    let nearly = step * 1e-9;
    let (first, last) = (((from - nearly) / step).ceil() as i64, ((to + nearly) / step).floor() as i64);
    (first..=last).map(|number| number as f64 * step).collect()
}

/// A size; multiples of 1024 in K, of 1024 x 1024 in M.
fn size(value: f64) -> String {
    const K: f64 = 1024.0;
    let value = (value * 1e6).round() / 1e6;
    match value {
        _ if value >= K * K && value % (K * K) == 0.0 => format!("{} M", value / (K * K)),
        _ if value >= K && value % K == 0.0 => format!("{} K", value / K),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: [f64; 2]) -> Vec<String> {
        scale.axis(values.into_iter()).ticks.into_iter().map(|tick| scale.label(tick)).collect()
    }

    #[test]
    fn narrow_axes_have_several_ticks_and_wide_ones_decades() {
        let labels = |values| labels(Scale::Logarithmic, values);
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

    #[test]
    fn sizes_are_powers_of_two() {
        assert_eq!(labels(Scale::Binary, [4.0, 64.0]), ["4", "8", "16", "32", "64"]);
        assert_eq!(
            labels(Scale::Binary, [1.0, 1_048_576.0])[5..],
            ["1 K", "4 K", "16 K", "64 K", "256 K", "1 M"]
        );
        assert_eq!(labels(Scale::Binary, [8.0, 8.0]), ["4", "8", "16"]);
    }

    #[test]
    fn linear_axes_begin_at_0_and_counts_are_whole() {
        assert_eq!(
            labels(Scale::Linear, [3.0, 10.0]),
            ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]
        );
        assert_eq!(labels(Scale::Linear, [3.0, 520.0]).last().unwrap(), "550");
        assert_eq!(labels(Scale::Count, [2.0, 4.0]), ["2", "3", "4"]);
        assert_eq!(labels(Scale::Count, [1.0, 64.0])[..3], ["6", "12", "18"]);
    }
}
