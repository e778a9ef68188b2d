use npb::mg::{self, Class, Report, S};
use npb::{Error, Processor};

use crate::run;

fn reports(ranks: usize, class: Class) -> Vec<Report> {
    let (ends, ..) =
        run(ranks, move |world| async move { mg::run(&world, &class, Processor::INSTANT).await });
    ends.into_iter().map(Result::unwrap).collect()
}

#[test]
fn norm_of_class_s_is_the_published_one_on_1_to_64_ranks() {
    for ranks in [1, 2, 4, 8, 16, 32, 64] {
        let reports = reports(ranks, S);
        assert!(reports.iter().all(|report| report.right), "{ranks}: {:?}", reports[0]);
    }
}

#[test]
fn a_changed_smoother_fails_the_verification() {
    let smoother = [-3.0 / 8.0, 1.0 / 32.0, -1.0 / 65.0, 0.0];
    assert!(reports(2, Class { smoother, ..S }).iter().all(|report| !report.right));
}

#[test]
fn of_64_ranks_most_have_6_partners_and_some_have_9() {
    // Thesis of DIMMnet-2, section 7.1.4.
    let partners: Vec<_> = reports(64, S).iter().map(|report| report.traffic.partners).collect();
    let count = |wanted: usize| partners.iter().filter(|partners| **partners == wanted).count();
    assert_eq!((count(6), count(9)), (56, 8));
}

#[test]
fn a_receive_counts_with_the_bytes_of_its_buffer() {
    // The largest face has 18 by 18 numbers: all 348 receives are of 2 to 16 KB, and of as many sends the 84 of the
    // finest level. Four collective calls are small.
    for report in reports(8, S) {
        assert_eq!(report.traffic.calls, [268, 432, 0, 0]);
    }
}

#[test]
fn six_ranks_are_refused() {
    let (ends, ..) = run(6, |world| async move { mg::run(&world, &S, Processor::INSTANT).await });
    assert_eq!(ends, vec![Err(Error::Ranks("MG", 6)); 6]);
}
