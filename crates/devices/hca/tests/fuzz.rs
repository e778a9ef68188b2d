use hca::fuzz;
use proptest::prelude::*;

fn any_bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(prop_oneof![1 => 0..8u8, 2 => any::<u8>()], 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn packets_of_any_content_do_no_harm(input in any_bytes(400)) {
        fuzz::packets(&input);
    }

    #[test]
    fn words_on_the_cable_that_are_no_packets_do_no_harm(input in any_bytes(3_000)) {
        fuzz::noise(&input);
    }

    #[test]
    fn requests_of_any_content_do_no_harm(input in any_bytes(600)) {
        fuzz::requests(&input);
    }
}
