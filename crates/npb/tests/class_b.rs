//! Class B on 16 ranks, as in table 2.1 of DIMMnet-2's thesis: results, and calls by their bytes.

use npb::{Error, Processor, Traffic, cg, is, mg};

use crate::run;

/// Calls of the rank with most of them; all ranks have the right result.
fn busiest(ends: Vec<Result<(bool, Traffic), Error>>) -> [u64; 4] {
    let ends: Vec<_> = ends.into_iter().map(Result::unwrap).collect();
    assert!(ends.iter().all(|(right, _)| *right));
    ends.iter().map(|(_, traffic)| traffic.calls).max_by_key(|calls| calls.iter().sum::<u64>()).unwrap()
}

#[test]
#[ignore = "slow; make slow"]
fn cg_of_class_b_is_right() {
    let (ends, ..) = run(16, |world| async move {
        let report = cg::run(&world, &cg::B, Processor::INSTANT).await?;
        Ok((report.right, report.traffic))
    });
    assert_eq!(busiest(ends), [15_901, 0, 11_700, 0]);
}

#[test]
#[ignore = "slow; make slow"]
fn is_of_class_b_is_right() {
    let (ends, ..) = run(16, |world| async move {
        let report = is::run(&world, &is::B, Processor::INSTANT).await?;
        Ok((report.right(), report.traffic))
    });
    assert_eq!(busiest(ends), [15, 10, 0, 10]);
}

#[test]
#[ignore = "slow; make slow"]
fn mg_of_class_b_is_right() {
    let (ends, ..) = run(16, |world| async move {
        let report = mg::run(&world, &mg::B, Processor::INSTANT).await?;
        Ok((report.right, report.traffic))
    });
    assert_eq!(busiest(ends), [1_724, 480, 3_624, 0]);
}
