//! Shapes of figures 5 to 7 of the paper on Fagus, as its text states them; the drawings are lost.
//!
//! Curves are those of verbs, then of UDP/IP.

use machine_api::{Series, bend, published_shapes};

/// Whether a curve is below another one at each number of nodes from `first` on.
fn is_below(lower: &Series, upper: &Series, first: f64) -> bool {
    let mut points = lower.points.iter().filter(|point| point.0 >= first).peekable();
    points.peek().is_some() && points.all(|point| upper.at(point.0) > Some(point.1))
}

/// Whether every point is above the one before.
fn grows(series: &Series) -> bool {
    series.points.len() > 1 && series.points.is_sorted_by(|one, next| one.1 < next.1)
}

/// Whether a node more adds what each node had, within 5 %.
fn is_in_proportion(series: &Series, few: f64, many: f64) -> bool {
    let quotient = series.at(many).zip(series.at(few)).map_or(0.0, |(many, few)| many / few);
    (quotient / (many / few) - 1.0).abs() < 0.05
}

published_shapes! {
    INVALIDATION = "figure 5", "invalidation by verbs takes less than by UDP/IP with any number of nodes",
        sketch: &[&[(2.0, 100.0), (4.0, 200.0)], &[(2.0, 200.0), (4.0, 300.0)]],
        bend: |curves| curves.swap(0, 1),
        holds: |curves| is_below(&curves[0], &curves[1], 2.0);
    // The paper sends to each node alone: broadcast and multicast were forbidden (section 4).
    EACH_NODE = "figure 5", "invalidation takes longer with more nodes",
        sketch: &[&[(2.0, 100.0), (3.0, 150.0)], &[(2.0, 200.0), (3.0, 250.0)]],
        bend: |curves| bend::flatten(&mut curves[0]),
        holds: |curves| curves.iter().all(grows);
    UPDATE = "figure 6", "the slowest reader's update by verbs takes less than by UDP/IP",
        sketch: &[&[(2.0, 100.0), (4.0, 150.0)], &[(2.0, 200.0), (4.0, 250.0)]],
        bend: |curves| curves.swap(0, 1),
        holds: |curves| is_below(&curves[0], &curves[1], 2.0);
    TWO_NODES = "figure 7", "two nodes are slower than one, over verbs and over UDP/IP",
        sketch: &[&[(1.0, 110.0), (2.0, 90.0)], &[(1.0, 110.0), (2.0, 80.0)]],
        bend: |curves| bend::rise(&mut curves[0]),
        holds: |curves| curves.iter().all(|curve| curve.at(2.0) < curve.at(1.0));
    PROPORTION = "figure 7", "from three nodes on the speed grows in proportion",
        sketch: &[&[(3.0, 300.0), (4.0, 400.0)], &[(3.0, 285.0), (4.0, 380.0)]],
        bend: |curves| bend::flatten(&mut curves[0]),
        holds: |curves| curves.iter().all(|curve| is_in_proportion(curve, 3.0, 4.0));
    ABOVE_KERNEL = "figure 7", "with three and with four nodes verbs are faster than UDP/IP",
        sketch: &[&[(3.0, 320.0), (4.0, 420.0)], &[(3.0, 300.0), (4.0, 400.0)]],
        bend: |curves| curves.swap(0, 1),
        holds: |curves| is_below(&curves[1], &curves[0], 3.0);
}
