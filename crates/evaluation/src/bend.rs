//! Changes of a curve that a published shape has to refuse.

use crate::Series;

/// Gives every point the peak value: the curve neither rises nor falls.
pub fn flatten(series: &mut Series) {
    let peak = series.peak();
    each(series, |_, _| peak);
}

/// Replaces each value by the largest one so far: the curve never falls.
pub fn rise(series: &mut Series) {
    let mut most = 0.0_f64;
    each(series, |_, y| {
        most = most.max(y);
        most
    });
}

/// Makes the values proportional to x, up to the peak.
pub fn ramp(series: &mut Series) {
    let (last, peak) = (series.points.last().map_or(1.0, |point| point.0), series.peak());
    each(series, |x, _| peak * x / last);
}

/// Makes the values proportional to the logarithm of x, up to the peak.
pub fn bow(series: &mut Series) {
    let (last, peak) = (series.points.last().map_or(2.0, |point| point.0), series.peak());
    each(series, |x, _| peak * x.ln() / last.ln());
}

/// Multiplies all values by a factor.
pub fn scale(series: &mut Series, factor: f64) {
    each(series, |_, y| factor * y);
}

/// Reverses the order of the values; the positions on the horizontal axis stay.
pub fn reverse(series: &mut Series) {
    let mut values: Vec<f64> = series.points.iter().map(|point| point.1).collect();
    each(series, |_, y| values.pop().unwrap_or(y));
}

fn each(series: &mut Series, mut value: impl FnMut(f64, f64) -> f64) {
    for point in &mut series.points {
        point.1 = value(point.0, point.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bent(bend: fn(&mut Series)) -> Vec<f64> {
        let mut series = Series { name: String::new(), points: vec![(1.0, 2.0), (4.0, 8.0), (16.0, 6.0)] };
        bend(&mut series);
        series.points.into_iter().map(|point| point.1).collect()
    }

    #[test]
    fn bends_change_values_as_they_say() {
        assert_eq!(bent(flatten), [8.0, 8.0, 8.0]);
        assert_eq!(bent(rise), [2.0, 8.0, 8.0]);
        assert_eq!(bent(ramp), [0.5, 2.0, 8.0]);
        assert_eq!(bent(bow), [0.0, 4.0, 8.0]);
        assert_eq!(bent(|series| scale(series, 0.5)), [1.0, 4.0, 3.0]);
        assert_eq!(bent(reverse), [6.0, 8.0, 2.0]);
    }
}
