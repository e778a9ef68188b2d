use gigae_pm::fuzz;
use proptest::prelude::*;

/// Arbitrary bytes that do not form a frame of `fuzz::noise` by chance.
fn any_bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(prop_oneof![3 => 0..8u8, 2 => any::<u8>()], 0..most)
}

#[test]
fn forged_go_for_messages_that_were_never_sent_finds_no_buffers() {
    // libFuzzer's: GO(8), then GO(4), so that S1 looks for messages 4 to 7.
    let mut input = [0x4d; 126];
    input[..3].copy_from_slice(&[0x0a, 0x5c, 0xbd]);
    input[91] = 0x6f;
    fuzz::frames(&input);
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
