//! Random programs on two boards: the final state must match the oracle.

use dimmnet2::Dimmnet2;
use dimmnet2_machine::AnyNic;
use dimmnet2_semantics::{Plan, program, run};
use hdl::Model;
use proptest::prelude::*;

pub fn model() -> Box<AnyNic> {
    Box::new(Model::new(Dimmnet2::default()))
}

/// Number of cases: `PROPTEST_CASES`, or a few seconds' worth.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").map_or(64, |cases| cases.parse().expect("PROPTEST_CASES is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 5000, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn random_programs_match_the_oracle(program in program(24)) {
        let result = run(&Plan::new(&program), [model(), model()]);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}
