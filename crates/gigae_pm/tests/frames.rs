use gigae_pm::fuzz;
use proptest::prelude::*;

/// What `fuzz::noise` takes for a frame of its own must not be one by chance.
fn any_bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(prop_oneof![3 => 0..8u8, 2 => any::<u8>()], 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn frames_of_any_content_end_where_their_bytes_say(input in any_bytes(2_000)) {
        fuzz::frames(&input);
    }

    #[test]
    fn noise_on_the_cable_ends_in_rest(input in any_bytes(3_000)) {
        fuzz::noise(&input);
    }
}
