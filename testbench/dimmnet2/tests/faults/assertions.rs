//! Every named assertion of the RTL fires for some fault: an assertion that cannot fire proves
//! nothing.
//!
//! Modules with a proof have a `// Witness:` line for each assertion, which `memonet prove` tries.
//! The assertions of other modules are tested here: by register values that should never occur, in
//! the unchanged RTL, or, if no register can show the fault, by blocks with one changed line.

use cosim::Stimulus;
use dimmnet2::clocks::{CORE, NETWORK};
use dimmnet2::host_interface::{configuration_distribution, lh_buffer, system_register, user_register};
use dimmnet2::pins::{In, Out};
use dimmnet2::window_controller::{configuration_register, request_fifo};
use dimmnet2::write_unit::window_read;
use dimmnet2::{
    host_interface, prefetch_unit, receive_controller, sodimm_interface, swif, window_controller, write_unit,
};
use hdl::{Bundle, Edges};
use testbench::assertions::{self, of_folder, witnessed};

/// The assertion that stops a block with these register values.
fn flip<I: Bundle, O: Bundle>(block: &str, edges: Edges, registers: &[(&str, u64)]) -> Option<String> {
    let rtl = if block == "dimmnet2" { dimmnet2_rtl::open(block) } else { testbench_dimmnet2::open(block) };
    assertions::flip::<I, O>(rtl.expect("it is verilated"), edges, registers)
}

/// The same for the whole board.
fn board(registers: &[(&str, u64)]) -> Option<String> {
    flip::<In, Out>("dimmnet2", CORE, registers)
}

/// The assertion that stops a block with a changed line, under pins of any value.
fn changed<I: Bundle, O: Bundle>(fault: &str) -> Option<String> {
    let rtl = testbench_dimmnet2::open(fault).expect("it is verilated");
    assertions::stop::<I, O>(rtl, CORE, 10_000, |stimulus: &mut Stimulus, _| stimulus.pins())
}

/// The assertion that fires for its fault.
fn fires(assertion: &str) -> Option<String> {
    match assertion {
        "request_fifo_request_and_its_ex_together" => {
            flip::<request_fifo::In, request_fifo::Out>("request_fifo", CORE, &[("u_ex.write_pointer_q", 1)])
        }
        "configuration_register_mtu_is_one_of_five" => {
            changed::<configuration_register::In, configuration_register::Out>(assertion)
        }
        // The Acceptor takes a request that does not exist.
        "window_controller_request_is_there_when_it_is_taken" => {
            flip::<window_controller::pins::In, window_controller::pins::Out>(
                "window_controller",
                CORE,
                &[("u_request_acceptor.state_q", 1)],
            )
        }
        // A word is written to the full buffer.
        "prefetch_unit_packet_buffer_has_room" => flip::<prefetch_unit::pins::In, prefetch_unit::pins::Out>(
            "prefetch_unit",
            CORE,
            &[
                ("u_packet_buffer.write_pointer_q", 1024),
                ("u_packet_buffer.count_q", 1024),
                ("u_pu_write.to_packet_q", 1),
                ("u_pu_write.byte_enable_q", 0xff),
            ],
        ),
        // The list service waits for a word while the writer does.
        "prefetch_unit_one_taker_of_words" => flip::<prefetch_unit::pins::In, prefetch_unit::pins::Out>(
            "prefetch_unit",
            CORE,
            &[("u_pu_list.under_way_q", 1), ("u_pu_write.loaded_q", 1)],
        ),
        "window_read_room_is_not_more_than_the_rest" => {
            flip::<window_read::In, window_read::Out>("window_read", CORE, &[("room_q", 5)])
        }
        "write_unit_done_is_of_who_is_served" => flip::<write_unit::pins::In, write_unit::pins::Out>(
            "write_unit",
            CORE,
            &[("u_write_control.state_q", 4)],
        ),
        // Packet control reads a header while the packet writer stores.
        "receive_controller_one_taker_of_lines" => {
            flip::<receive_controller::pins::In, receive_controller::pins::Out>(
                "receive_controller",
                CORE,
                &[("u_packet_control.state_q", 2), ("u_packet_write.pull_q", 1)],
            )
        }
        "configuration_distribution_nothing_goes_without_a_code" => {
            flip::<configuration_distribution::In, configuration_distribution::Out>(
                "configuration_distribution",
                CORE,
                &[("configuration_q", 1)],
            )
        }
        "lh_buffer_clearing_ends" => {
            flip::<lh_buffer::In, lh_buffer::Out>("lh_buffer", CORE, &[("cleared_q", 129)])
        }
        "system_register_reset_is_not_longer" => flip::<system_register::In, system_register::Out>(
            "system_register",
            CORE,
            &[("reset_count_q", 9), ("resetting_q", 1)],
        ),
        "system_register_reset_is_what_is_counted" => {
            flip::<system_register::In, system_register::Out>("system_register", CORE, &[("resetting_q", 1)])
        }
        "user_register_request_waits_until_it_is_taken" => {
            changed::<user_register::In, user_register::Out>(assertion)
        }
        "host_interface_read_source_is_declared" => {
            flip::<host_interface::pins::In, host_interface::pins::Out>(
                "host_interface",
                CORE,
                &[("read_source_q", 7)],
            )
        }
        "sodimm_interface_two_words_are_taken_at_once" => {
            changed::<sodimm_interface::pins::In, sodimm_interface::pins::Out>(assertion)
        }
        // A line arrives from the link while the FIFO is full.
        "swif_receive_fifo_has_room" => flip::<swif::pins::In, swif::pins::Out>(
            "swif",
            NETWORK,
            &[
                ("u_decapsulation.line_enable_q", 1),
                ("u_receive_fifo.write_pointer_q", 1024),
                ("u_receive_fifo.write_gray_q", 0x600),
            ],
        ),
        "async_fifo_write_code_is_that_of_the_pointer" => {
            flip::<swif::pins::In, swif::pins::Out>("swif", CORE, &[("u_transmit_fifo.write_gray_q", 1)])
        }
        "async_fifo_read_code_is_that_of_the_pointer" => {
            flip::<swif::pins::In, swif::pins::Out>("swif", NETWORK, &[("u_transmit_fifo.read_gray_q", 1)])
        }
        // A status is written while the ring reads its pointers.
        "core_logic_llcm_has_one_master" => board(&[
            ("u_core_logic.u_status_write_unit.state_q", 1),
            ("u_core_logic.u_write_unit.u_ring.state_q", 1),
        ]),
        // The ring reads its pointers in the cycle after a status was written.
        "core_logic_llcm_is_read_after_it_is_written" => board(&[
            ("u_core_logic.u_host_interface.u_llcm.even_byte_enable_q", 1),
            ("u_core_logic.u_write_unit.u_ring.state_q", 1),
        ]),
        // Packet control reads a header while the Write Unit stores.
        "core_logic_one_taker_of_lines" => board(&[
            ("u_core_logic.u_receive_controller.u_packet_control.state_q", 2),
            ("u_core_logic.u_write_unit.u_read_control.pull_q", 1),
        ]),
        // A packet is longer than the free room.
        "dimmnet2_line_has_room" => board(&[
            ("u_core_logic.u_window_controller.u_request_executor.u_botf.state_q", 6),
            ("u_core_logic.u_window_controller.u_request_executor.u_botf.size_q", 8),
            ("u_swif.u_transmit_fifo.write_pointer_q", 1024),
            ("u_swif.u_transmit_fifo.write_gray_q", 0x600),
        ]),
        "dimmnet2_word_has_the_right" => {
            board(&[("u_core_logic.u_write_unit.u_write_control.byte_enable_q", 0xff)])
        }
        "dimmnet2_read_has_the_right" => board(&[("u_core_logic.u_prefetch_unit.u_pu_read.enable_q", 1)]),
        _ => panic!("{assertion} has no fault here"),
    }
}

#[test]
fn every_assertion_fires_for_a_fault() {
    let mut found = of_folder("rtl/dimmnet2");
    found.append(&mut of_folder("rtl/common"));
    assert!(found.len() > 40, "{} assertions", found.len());
    let proved = witnessed("dimmnet2");
    for assertion in found.difference(&proved) {
        assertion.stopped(fires(&assertion.fault()));
    }
}
