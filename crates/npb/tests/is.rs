use npb::Processor;
use npb::is::{self, Report, S, Test};

use crate::{PROCESSOR, run};

fn reports(ranks: usize, class: is::Class, processor: Processor) -> Vec<Report> {
    let (ends, ..) = run(ranks, move |world| async move { is::run(&world, &class, processor).await });
    ends.into_iter().map(Result::unwrap).collect()
}

#[test]
fn ranks_of_class_s_are_the_published_ones_on_1_to_8_processes() {
    for ranks in [1, 2, 3, 4, 8] {
        for report in reports(ranks, S, Processor::INSTANT) {
            assert!(report.right(), "{ranks}: {report:?}");
            assert_eq!(report.ranks_right, 50);
        }
    }
}

#[test]
fn ranks_of_class_w_are_the_published_ones() {
    assert!(reports(4, is::W, Processor::INSTANT).iter().all(Report::right));
}

#[test]
fn wrong_rank_is_detected() {
    let mut class = S;
    class.tests[3] = Test { rank: class.tests[3].rank + 1, ..class.tests[3] };
    for report in reports(2, class, Processor::INSTANT) {
        assert!(report.sorted && !report.right());
        assert_eq!(report.ranks_right, 40);
    }
}

#[test]
fn keys_are_read_in_three_passes_and_written_in_one() {
    for ranks in [1, 4] {
        let words: u64 = reports(ranks, S, Processor::INSTANT).iter().map(|report| report.work.words).sum();
        assert_eq!(words, 10 * (1 << 16) * (3 + 2));
    }
}

#[test]
fn four_processors_are_faster_than_one_and_not_four_times() {
    let [one, four] = [1, 4].map(|ranks| reports(ranks, S, PROCESSOR)[0].time.ps() as f64);
    assert!(one > four && one < 4.0 * four, "{one} {four}");
}
