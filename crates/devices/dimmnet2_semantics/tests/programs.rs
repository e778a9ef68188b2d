//! Random programs on two boards: everything that they leave behind is what the oracle says.

use dimmnet2::Dimmnet2;
use dimmnet2_machine::AnyNic;
use dimmnet2_semantics::{Plan, program, run};
use hdl::Model;
use proptest::prelude::*;

pub fn model() -> Box<AnyNic> {
    Box::new(Model::new(Dimmnet2::default()))
}

/// As many cases as `PROPTEST_CASES` says, or a few seconds' worth.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").map_or(64, |cases| cases.parse().expect("PROPTEST_CASES is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 5000, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn random_programs_leave_what_the_oracle_says(program in program(24)) {
        let result = run(&Plan::new(&program), [model(), model()]);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}
