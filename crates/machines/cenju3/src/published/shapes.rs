//! Shapes of the paper's figures, as it draws or states them.

use machine_api::{Series, bend, published_shapes};

/// Change of a curve between two numbers of processes.
fn step(series: &Series, few: f64, many: f64) -> f64 {
    series.at(many).unwrap_or_default() - series.at(few).unwrap_or_default()
}

/// The step from 4 to 8 equals the step from 2 to 4 within half of it.
fn is_logarithmic(series: &Series) -> bool {
    let (first, second) = (step(series, 2.0, 4.0), step(series, 4.0, 8.0));
    first > 0.0 && (0.5..=1.5).contains(&(second / first))
}

published_shapes! {
    PEAK = "figure 1", "throughput is highest at 200 to 400 KB, and lower at 800 KB by 5 % at least",
        sketch: &[&[(100e3, 18.5), (200e3, 19.0), (400e3, 19.0), (800e3, 17.0)]],
        bend: |curves| bend::rise(&mut curves[0]),
        holds: |curves| {
            let peak = curves[0].peak();
            let highest = curves[0].points.iter().find(|point| point.1 == peak).map_or(0.0, |point| point.0);
            (200e3..=400e3).contains(&highest) && curves[0].at(800e3) < Some(0.95 * peak)
        };
    BARRIER = "figure 2", "the barrier grows as the logarithm of the processes",
        sketch: &[&[(2.0, 100.0), (4.0, 200.0), (8.0, 300.0), (14.0, 380.0)]],
        bend: |curves| bend::ramp(&mut curves[0]),
        holds: |curves| is_logarithmic(&curves[0]);
    BROADCAST = "figure 2", "the broadcast grows as the logarithm of the processes",
        sketch: &[&[(2.0, 400.0), (4.0, 800.0), (8.0, 1200.0), (14.0, 1500.0)]],
        bend: |curves| bend::ramp(&mut curves[0]),
        holds: |curves| is_logarithmic(&curves[0]);
    SCATTER = "figure 2", "the scatter grows in proportion",
        sketch: &[&[(2.0, 200.0), (8.0, 800.0), (14.0, 1400.0)]],
        bend: |curves| bend::bow(&mut curves[0]),
        holds: |curves| {
            let (few, many) = (step(&curves[0], 2.0, 8.0), step(&curves[0], 8.0, 14.0));
            few > 0.0 && (0.9..=1.1).contains(&(many / few))
        };
    // One point: lines of the cache that are replaced at user level, divided by those of the kernel call.
    REPLACEMENT = "section 6.3", "8 KB leave the cache sooner at user level than by the kernel call",
        sketch: &[&[(8192.0, 2.0)]],
        bend: |curves| {
            let peak = curves[0].peak();
            bend::scale(&mut curves[0], 1.0 / peak);
        },
        holds: |curves| curves[0].peak() > 1.0;
}
