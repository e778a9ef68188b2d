use dimmnet2_semantics::fuzz;
use hdl::Stimulus;

/// Bytes of one input; most values are small, so that lengths and kinds vary.
fn bytes(seed: u64, most: u64) -> Vec<u8> {
    let mut random = Stimulus::new(seed);
    let length = random.below(most);
    let density = random.below(3);
    let mut byte = || match random.below(4) {
        0 => 0,
        _ if density == 0 => random.word() as u8 & random.word() as u8,
        _ => random.word() as u8,
    };
    (0..length).map(|_| byte()).collect()
}

fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = std::env::var("SEED").map_or(0, |seed| seed.parse().expect("SEED is a number"));
    first
        ..first
            + std::env::var("FUZZ_CASES")
                .map_or(count, |cases| cases.parse().expect("FUZZ_CASES is a number"))
}

#[test]
fn packets_of_any_content_match_the_oracle() {
    for seed in seeds(200) {
        println!("seed {seed}");
        fuzz::packets(&bytes(seed, 6000));
    }
}

#[test]
fn board_is_idle_after_noise_of_host_and_network() {
    for seed in seeds(200) {
        println!("seed {seed}");
        fuzz::noise(&bytes(seed, 4000));
    }
}
