use gigae_pm_machine::measure::{period, round_trips, stream};
use gigae_pm_machine::{Cluster, Settings};

use super::{cable, switched};

fn close(ours: f64, published: f64) {
    let error = 100.0 * (ours / published - 1.0);
    assert!(error.abs() < 2.0, "{ours}, the paper measured {published}: {error:+.1} %");
}

fn round_trip(mut cluster: Cluster) -> f64 {
    period(&round_trips(&mut cluster, 4, 120).expect("both programs end"))
}

#[test]
fn round_trip_of_4_bytes_is_the_published_one() {
    let direct = round_trip(cable(&Settings::default()));
    let switched = round_trip(switched(2, &Settings::default()));
    close(direct, 48.3);
    close(switched, 58.3);
    close((switched - direct) / 2.0, 5.0);
}

#[test]
fn bandwidth_of_1468_bytes_is_the_published_one() {
    for mut cluster in [cable(&Settings::default()), switched(2, &Settings::default())] {
        close(1468.0 / period(&stream(&mut cluster, 1468, 220).expect("both programs end")), 56.7);
    }
}

#[test]
fn same_run_has_the_same_fingerprint_and_another_one_has_not() {
    let fingerprint = |size| {
        let mut cluster = switched(2, &Settings::default());
        round_trips(&mut cluster, size, 3).expect("both programs end");
        cluster.fingerprint().unwrap()
    };
    assert_eq!(fingerprint(40), fingerprint(40));
    assert_ne!(fingerprint(40), fingerprint(41));
}
