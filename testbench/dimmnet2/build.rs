//! Verilates the blocks of DIMMnet-2 and, with the feature `faults`, some with a fault that lockstep or an assertion
//! finds.

use verilate::Testbench;

fn main() {
    let blocks = Testbench::new("dimmnet2").without("core_logic").without("clid_to_lid");
    if std::env::var_os("CARGO_FEATURE_FAULTS").is_none() {
        return blocks.build();
    }
    blocks
        // The last line of every packet is missing.
        .fault(
            "counter_starts_at_lines",
            "botf",
            "botf",
            "transfer_counter_d = lines + 7'd1;",
            "transfer_counter_d = lines;",
        )
        // A process uses the group of the other one.
        .fault(
            "pgid_of_the_other_process",
            "botf",
            "botf",
            "assign pgid = wid_q ? pins_i.pgid1 : pins_i.pgid0;",
            "assign pgid = wid_q ? pins_i.pgid0 : pins_i.pgid1;",
        )
        // The host may see the new lower half with the old upper half.
        .fault(
            "lower_half_first",
            "status_write_unit",
            "status_write_unit",
            "  assign pins_o.llcm_address = {wid_q, slot, state_q == status_write_unit_pkg::Write1};
  assign pins_o.llcm_wdata = (state_q == status_write_unit_pkg::Write1) ? upper_q : lower_q;",
            "  assign pins_o.llcm_address = {wid_q, slot, state_q == status_write_unit_pkg::Write2};
  assign pins_o.llcm_wdata = (state_q == status_write_unit_pkg::Write2) ? upper_q : lower_q;",
        )
        // Data is written past the end of the region; the fault is one level below the block.
        .fault(
            "region_ends_8_bytes_late",
            "write_unit",
            "read_control",
            "assign to_end = 12'd0 - offset_q[11:0];",
            "assign to_end = 12'd8 - offset_q[11:0];",
        )
        // The row closes before the write recovery time is over.
        .fault(
            "recovery_one_cycle_short",
            "sodimm",
            "sodimm",
            "end else if (recovery_q == 2'd0) begin",
            "end else if (recovery_q <= 2'd1) begin",
        )
        // An assertion finds each of the following ones, which has its name.
        .fault(
            "configuration_register_mtu_is_one_of_five",
            "configuration_register",
            "configuration_register",
            "default: mtu = 13'd2048;",
            "default: mtu = 13'd4096;",
        )
        .fault(
            "user_register_request_waits_until_it_is_taken",
            "user_register",
            "user_register",
            "if (pins_i.request_taken) request_waiting_d = 1'b0;",
            "if (pins_i.request_taken || pins_i.vl_done) request_waiting_d = 1'b0;",
        )
        .fault(
            "sodimm_interface_two_words_are_taken_at_once",
            "sodimm_interface",
            "sodimm_interface",
            "assign late = pins_i.data_next0 && pins_i.data_next1 &&",
            "assign late = !pins_i.data_next0 && pins_i.data_next1 &&",
        )
        .build();
}
