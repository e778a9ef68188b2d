//! Shapes of figures 2 and 3, as the paper draws or states them.

use std::ops::RangeInclusive;

use machine_api::{Series, bend, published_shapes};

/// Bytes of the longest message of PM.
const LONGEST: f64 = 1468.0;
/// Bytes at which the paper compares both firmwares, and those of all curves of TCP/IP.
const SHORT: RangeInclusive<f64> = 4.0..=256.0;
const LONG: RangeInclusive<f64> = 512.0..=1280.0;
const ALL: RangeInclusive<f64> = 4.0..=1280.0;

fn rises(series: &Series) -> bool {
    series.points.windows(2).all(|pair| pair[0].1 < pair[1].1)
}

/// Whether the first curve is above the second one at all its sizes in a range, of which there is at least one.
fn is_above(above: &Series, below: &Series, sizes: &RangeInclusive<f64>) -> bool {
    let mut inside = below.points.iter().filter(|point| sizes.contains(&point.0)).peekable();
    inside.peek().is_some() && inside.all(|point| above.at(point.0) > Some(point.1))
}

published_shapes! {
    RISES = "figure 2", "bandwidth rises with the size up to the longest message",
        sketch: &[&[(4.0, 1.0), (512.0, 40.0), (1468.0, 56.7)]],
        bend: |curves| bend::reverse(&mut curves[0]),
        holds: |curves| rises(&curves[0]) && curves[0].at(LONGEST) == Some(curves[0].peak());
    SWITCH = "figure 2", "the switch, which stores and forwards, takes nothing from the bandwidth of 1,468 B",
        sketch: &[&[(1468.0, 56.7)], &[(1468.0, 56.7)]],
        bend: |curves| bend::scale(&mut curves[0], 0.95),
        holds: |curves| {
            let both = curves[0].at(LONGEST).zip(curves[1].at(LONGEST));
            both.is_some_and(|(switched, direct)| (switched / direct - 1.0).abs() < 0.01)
        };
    ROUND_TRIP = "figure 3", "the round trip grows with the size",
        sketch: &[&[(4.0, 48.3), (1468.0, 150.0)], &[(4.0, 58.3), (1468.0, 180.0)]],
        bend: |curves| bend::flatten(&mut curves[1]),
        holds: |curves| curves.iter().all(rises);
    SHORT_TCP = "figure 2", "for 4 to 256 bytes TCP/IP is better over the firmware of GigaE PM",
        sketch: &[&[(4.0, 0.5), (256.0, 12.0)], &[(4.0, 0.4), (256.0, 10.0)]],
        bend: |curves| curves.swap(0, 1),
        holds: |curves| is_above(&curves[0], &curves[1], &SHORT);
    LONG_TCP = "figure 2", "for 512 to 1,280 bytes TCP/IP is better over the Essential firmware",
        sketch: &[&[(512.0, 18.0), (1280.0, 26.0)], &[(512.0, 20.0), (1280.0, 33.0)]],
        bend: |curves| curves.swap(0, 1),
        holds: |curves| is_above(&curves[1], &curves[0], &LONG);
    ABOVE_TCP = "figure 2", "PM is above TCP/IP at every size",
        sketch: &[&[(4.0, 1.0), (1280.0, 55.0)], &[(4.0, 0.5), (1280.0, 26.0)], &[(4.0, 0.4), (1280.0, 33.0)]],
        bend: |curves| curves.swap(0, 1),
        holds: |curves| curves[1..].iter().all(|tcp| is_above(&curves[0], tcp, &ALL));
    DELAYED = "figure 3", "over the Essential firmware a round trip of TCP/IP takes about 400 us at any size",
        sketch: &[&[(4.0, 414.0), (1280.0, 410.0)]],
        bend: |curves| bend::ramp(&mut curves[0]),
        holds: |curves| {
            let least = curves[0].points.iter().map(|point| point.1).fold(f64::MAX, f64::min);
            curves[0].peak() / least < 1.05 && least > 350.0 && curves[0].peak() < 450.0
        };
}
