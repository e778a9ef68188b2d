//! Every block exists twice, and model and RTL agree on the clocks.

#[test]
fn every_module_has_a_twin_and_is_verilated() {
    let not_alone = &[
        ("core_logic", "wires between its children; the whole board compares them"),
        ("clid_to_lid", "a function in Rust; lockstep of the RVS and RVL modules compares it"),
    ];
    testbench::twins::check("dimmnet2", testbench_dimmnet2::blocks(), not_alone);
}

#[test]
fn clocks_of_the_table_are_the_clock_ports_of_the_rtl() {
    assert!(testbench_dimmnet2::clocks().eq(dimmnet2::clocks::CLOCKS.map(|clock| clock.port)));
}
