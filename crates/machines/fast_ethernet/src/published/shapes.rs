//! Shapes of figures 6 to 9, as the paper draws or states them.

use machine_api::{Series, bend, published_shapes};

/// The longest of the sizes of row S-3.
pub const SHORT: f64 = 1_024.0;

/// Part of its peak below which a curve falls visibly.
const FALLEN: f64 = 0.98;

/// The size of a curve's peak.
pub fn highest(series: &Series) -> f64 {
    series.points.iter().fold((0.0, 0.0), |best, point| if point.1 > best.1 { *point } else { best }).0
}

/// Whether a curve falls visibly beyond its peak.
fn falls(series: &Series) -> bool {
    let beyond = series.points.iter().filter(|point| point.0 > highest(series));
    beyond.map(|point| point.1).fold(f64::MAX, f64::min) < FALLEN * series.peak()
}

/// Whether a quotient is the published one within 15 %.
fn is_about(quotient: f64, published: f64) -> bool {
    (quotient / published - 1.0).abs() < 0.15
}

published_shapes! {
    PING_PONG_FALLS = "figure 6", "Suci's throughput falls beyond its peak",
        sketch: &[&[(1024.0, 4.0), (65536.0, 10.0), (524288.0, 9.0)]],
        bend: |curves| bend::rise(&mut curves[0]),
        holds: |curves| falls(&curves[0]);
    LEVEL = "figure 7", "Suci's level is above MPICH's by a third, 10 to 7.5 MB/s",
        sketch: &[&[(1024.0, 8.0), (65536.0, 10.0)], &[(1024.0, 7.0), (65536.0, 7.5)]],
        bend: |curves| curves[1] = curves[0].clone(),
        holds: |curves| is_about(curves[0].peak() / curves[1].peak(), 10.0 / 7.5);
    // The burst, then the ping-pong.
    BURST_FALLS = "figure 7", "Suci falls beyond about the size at which it falls in the ping-pong",
        sketch: &[
            &[(32768.0, 9.0), (65536.0, 10.0), (524288.0, 9.0)],
            &[(32768.0, 8.0), (65536.0, 10.0), (524288.0, 9.0)],
        ],
        bend: |curves| bend::rise(&mut curves[1]),
        holds: |curves| {
            let quotient = highest(&curves[0]) / highest(&curves[1]);
            curves.iter().all(falls) && (0.5..=2.0).contains(&quotient)
        };
    SLOWER = "figure 8", "up to 1 KB Suci rises more slowly than MPICH",
        sketch: &[&[(4.0, 0.001), (1024.0, 0.15)], &[(4.0, 0.002), (1024.0, 0.2)]],
        bend: |curves| curves.swap(0, 1),
        holds: |curves| {
            let mut short = curves[0].points.iter().filter(|point| point.0 <= SHORT);
            short.all(|point| curves[1].at(point.0) > Some(point.1))
        };
    BROADCAST_FALLS = "figure 9", "with 5 and with 40 nodes Suci falls beyond its peak",
        sketch: &[
            &[(4096.0, 4.0), (16384.0, 5.0), (524288.0, 4.0)],
            &[(4096.0, 4.0), (16384.0, 5.0), (524288.0, 3.0)],
        ],
        bend: |curves| bend::rise(&mut curves[1]),
        holds: |curves| curves.iter().all(falls);
    MORE_NODES = "figure 9", "more nodes make MPICH slower",
        sketch: &[&[(524288.0, 0.5)], &[(524288.0, 0.8)]],
        bend: |curves| curves[0] = curves[1].clone(),
        holds: |curves| curves[0].peak() < FALLEN * curves[1].peak();
    // The paper prints both levels for 5 nodes; their quotient is 6.3.
    ABOVE_MPICH = "figure 9", "with 5 nodes Suci's peak is several times MPICH's, 5 to 0.8 MB/s",
        sketch: &[&[(16384.0, 5.0)], &[(16384.0, 0.8)]],
        bend: |curves| curves[1] = curves[0].clone(),
        holds: |curves| curves[0].peak() > 3.0 * curves[1].peak();
}
