use npb::ft::{self, Class, Report, S};
use npb::{Error, Processor};

use crate::run;

fn reports(ranks: usize, class: Class) -> Vec<Result<Report, Error>> {
    let (ends, ..) =
        run(ranks, move |world| async move { ft::run(&world, &class, Processor::INSTANT).await });
    ends
}

#[test]
fn checksums_of_class_s_are_the_published_ones_on_1_to_8_ranks() {
    for ranks in [1, 2, 8] {
        for report in reports(ranks, S) {
            let report = report.unwrap();
            assert!(report.right, "{ranks}: {report:?}");
            assert_eq!((report.checksums.len(), report.traffic.partners), (6, 0));
        }
    }
}

#[test]
fn a_field_of_other_height_fails_the_verification() {
    let reports = reports(2, Class { points: [64, 32, 64], ..S });
    assert!(reports.into_iter().all(|report| !report.unwrap().right));
}

#[test]
fn wrong_numbers_of_ranks_are_refused() {
    assert!(reports(3, S).into_iter().all(|report| report == Err(Error::Ranks("FT", 3))));
    let few = Class { points: [2, 2, 2], ..S };
    assert!(reports(4, few).into_iter().all(|report| report == Err(Error::Most("FT", 2, 4))));
}
