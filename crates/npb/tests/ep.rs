use npb::Processor;
use npb::ep::{self, Report, S};

use crate::{PROCESSOR, run};

fn reports(ranks: usize, class: ep::Class, processor: Processor) -> Vec<Report> {
    let (ends, ..) = run(ranks, move |world| async move { ep::run(&world, &class, processor).await });
    ends.into_iter().map(Result::unwrap).collect()
}

/// A class of few pairs, for tests of what does not depend on their sums.
const FEW: ep::Class = ep::Class { pairs_log: 12, ..S };

#[test]
fn sums_and_rings_of_class_s_are_the_published_ones() {
    let reports = reports(4, S, Processor::INSTANT);
    for report in &reports {
        assert!(report.right, "{report:?}");
        assert_eq!(report.rings, [6_140_517, 5_865_300, 1_100_361, 68_546, 1_648, 17, 0, 0, 0, 0]);
        assert_eq!(report.traffic.partners, 0);
    }
}

#[test]
fn rings_do_not_depend_on_the_number_of_ranks() {
    let one = reports(1, FEW, Processor::INSTANT)[0].rings;
    for ranks in [2, 3, 7] {
        assert!(reports(ranks, FEW, Processor::INSTANT).iter().all(|report| report.rings == one));
    }
}

#[test]
fn wrong_sum_is_detected() {
    assert!(reports(1, FEW, Processor::INSTANT).iter().all(|report| !report.right));
}

#[test]
fn four_processors_are_almost_four_times_as_fast() {
    let [one, four] =
        [1, 4].map(|ranks| reports(ranks, ep::Class { pairs_log: 18, ..S }, PROCESSOR)[0].time.ps() as f64);
    assert!(one / four > 3.9 && one / four <= 4.05, "{one} {four}");
}
