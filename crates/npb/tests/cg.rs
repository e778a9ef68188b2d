use npb::cg::{self, Report, S, TOLERANCE};
use npb::{Error, Processor};

use crate::{PROCESSOR, run};

fn reports(ranks: usize, processor: Processor) -> (Vec<Report>, u64) {
    let (ends, _, packets) = run(ranks, move |world| async move { cg::run(&world, &S, processor).await });
    (ends.into_iter().map(Result::unwrap).collect(), packets)
}

#[test]
fn zeta_of_class_s_is_the_published_one_on_1_to_8_ranks() {
    for ranks in [1, 2, 4, 8] {
        let (reports, _) = reports(ranks, Processor::INSTANT);
        for report in &reports {
            assert!((report.zeta - 8.5971775078648).abs() <= TOLERANCE, "{ranks}: {report:?}");
            assert!(report.right && report.residual < 1e-12, "{report:?}");
            assert_eq!(report.zeta, reports[0].zeta, "all ranks know the same");
        }
    }
}

#[test]
fn zeta_of_class_w_is_the_published_one() {
    let (ends, ..) = run(4, |world| async move { cg::run(&world, &cg::W, Processor::INSTANT).await });
    assert!(ends.into_iter().all(|end| end.unwrap().right));
}

#[test]
fn wrong_matrix_fails_the_verification() {
    let class = cg::Class { nonzeros: 6, ..S };
    let (ends, ..) = run(2, move |world| async move { cg::run(&world, &class, Processor::INSTANT).await });
    assert!(ends.into_iter().all(|end| !end.unwrap().right));
}

#[test]
fn matrix_is_read_once_for_each_product_on_any_ranks() {
    // Elements of the matrix; steps and one residual of each solution; solutions; words of an element.
    let words = 78_148 * 26 * 15 * 3;
    for ranks in [1, 2, 4] {
        let (reports, _) = reports(ranks, Processor::INSTANT);
        assert_eq!(reports.iter().map(|report| report.work.words).sum::<u64>(), words);
    }
}

#[test]
fn messages_are_those_of_the_decomposition_of_npb_2() {
    // On a grid of 2 by 2, each rank exchanges with its neighbour in the row: a product, two sums in each
    // step, and the sums around them. Two of the four ranks have a transpose partner other than themselves.
    let (of_row, across) = (4 * (25 * 3 + 4), 2 * (25 + 1));
    // Barrier and maximum of the time, which NPB 2 does not count: two steps of four messages each.
    let own = 2 * 2 * 4;
    let (_, packets) = reports(4, Processor::INSTANT);
    assert_eq!(packets, 15 * (of_row + across) + own);
}

#[test]
fn speedup_is_superlinear_when_only_four_caches_hold_the_matrix() {
    let time = |ranks: usize, processor: Processor| reports(ranks, processor).0[0].time.ps() as f64;
    let instant = time(4, Processor::INSTANT);
    let [one, four] = [1, 4].map(|ranks| time(ranks, PROCESSOR));
    let large = Processor { cache: usize::MAX, ..PROCESSOR };
    assert!(one > time(1, large));
    assert_eq!(four, time(4, large));
    assert!(one / (four - instant) > 4.0, "{one} {four} {instant}");
}

#[test]
fn three_ranks_are_refused() {
    let (ends, ..) = run(3, |world| async move { cg::run(&world, &S, Processor::INSTANT).await });
    assert_eq!(ends, vec![Err(Error::Ranks("CG", 3)); 3]);
}
