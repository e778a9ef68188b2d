//! Runs the fuzz target on random pins.

#[test]
fn block_returns_to_idle_for_any_pins() {
    let mut random = hdl::Stimulus::new(1);
    for _ in 0..1_000 {
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.word() as u8).collect();
        my_block::my_block::any_pins(&bytes);
    }
}
