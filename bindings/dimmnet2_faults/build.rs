//! Verilates blocks of DIMMnet-2, each with one line changed, which lockstep or an assertion finds.

use verilate::block;

fn main() {
    verilate::device(
        "dimmnet2",
        &[
            // The last line of every packet is missing.
            block("counter_starts_at_lines", "window_controller/botf").with_fault(
                "botf",
                "transfer_counter_d = lines + 7'd1;",
                "transfer_counter_d = lines;",
            ),
            // A process speaks for the group of the other one.
            block("pgid_of_the_other_process", "window_controller/botf").with_fault(
                "botf",
                "assign pgid = wid_q ? pins_i.pgid1 : pins_i.pgid0;",
                "assign pgid = wid_q ? pins_i.pgid0 : pins_i.pgid1;",
            ),
            // The host may see the new lower half beside the old upper half.
            block("lower_half_first", "status_write_unit").with_fault(
                "status_write_unit",
                "  assign pins_o.llcm_address = {wid_q, slot, state_q == status_write_unit_pkg::Write1};
  assign pins_o.llcm_wdata = (state_q == status_write_unit_pkg::Write1) ? upper_q : lower_q;",
                "  assign pins_o.llcm_address = {wid_q, slot, state_q == status_write_unit_pkg::Write2};
  assign pins_o.llcm_wdata = (state_q == status_write_unit_pkg::Write2) ? upper_q : lower_q;",
            ),
            // Data is written past the end of the region; two levels of blocks, so that the report has a path.
            block("region_ends_8_bytes_late", "write_unit/write_unit").with_fault(
                "read_control",
                "assign to_end = 12'd0 - offset_q[11:0];",
                "assign to_end = 12'd8 - offset_q[11:0];",
            ),
            // The row closes before the write recovery time is over.
            block("recovery_one_cycle_short", "sodimm_interface/sodimm").with_fault(
                "sodimm",
                "end else if (recovery_q == 2'd0) begin",
                "end else if (recovery_q <= 2'd1) begin",
            ),
            // What follows is found by an assertion, of which it has the name.
            block("configuration_register_mtu_is_one_of_five", "window_controller/configuration_register")
                .with_fault("configuration_register", "default: mtu = 13'd2048;", "default: mtu = 13'd4096;"),
            block("user_register_request_waits_until_it_is_taken", "host_interface/user_register")
                .with_fault(
                    "user_register",
                    "if (pins_i.request_taken) request_waiting_d = 1'b0;",
                    "if (pins_i.request_taken || pins_i.vl_done) request_waiting_d = 1'b0;",
                ),
            block("sodimm_interface_two_words_are_taken_at_once", "sodimm_interface/sodimm_interface")
                .with_fault(
                    "sodimm_interface",
                    "assign late = pins_i.data_next0 && pins_i.data_next1 &&",
                    "assign late = !pins_i.data_next0 && pins_i.data_next1 &&",
                ),
        ],
    );
}
