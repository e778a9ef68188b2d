//! Every block exists twice, and model and RTL agree on the clocks.

#[test]
fn every_module_has_a_twin_and_is_verilated() {
    let not_alone = &[
        ("crc32", "a step of a polynomial, compared inside the MAC"),
        ("header_word", "wires, compared inside the blocks that use them"),
    ];
    testbench::twins::check("gigae_pm", testbench_gigae_pm::blocks(), not_alone);
}

#[test]
fn clocks_of_the_table_are_the_clock_ports_of_the_rtl() {
    assert!(testbench_gigae_pm::clocks().eq(gigae_pm::clocks::CLOCKS.map(|clock| clock.port)));
}
