//! Every block has a twin, and model and RTL have the same clocks.

#[test]
fn every_module_has_a_twin_and_is_verilated() {
    let not_alone = &[
        ("icrc", "a step of a polynomial, compared inside the link side"),
        ("lowest_bit", "a choice among bits, compared inside the receive engine"),
        ("mtu_bytes", "a table, compared inside the engines"),
    ];
    testbench::twins::check("hca", testbench_hca::blocks(), not_alone);
}

#[test]
fn clocks_of_the_table_are_the_clock_ports_of_the_rtl() {
    assert!(testbench_hca::clocks().eq(hca::clocks::CLOCKS.map(|clock| clock.port)));
}
