//! Every block has a twin, and model and RTL have the same clocks.

#[test]
fn every_module_has_a_twin_and_is_verilated() {
    let not_alone = &[];
    testbench::twins::check("cenju3", testbench_cenju3::blocks(), not_alone);
}

#[test]
fn clocks_of_the_table_are_the_clock_ports_of_the_rtl() {
    assert!(testbench_cenju3::clocks().eq(cenju3::clocks::CLOCKS.map(|clock| clock.port)));
}
