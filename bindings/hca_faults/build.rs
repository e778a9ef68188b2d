//! Verilates blocks of the channel adapter, each with one line changed: one for each named assertion, by the name of its module and its own.

use verilate::{Block, block};

fn main() {
    let faults = [blocks(), engines(), links(), rules()].concat();
    verilate::device("hca", &faults);
}

/// The small blocks.
fn blocks() -> Vec<Block> {
    vec![
        block("host_port_bell_is_of_a_queue", "host_port").with_fault(
            "host_port",
            "if (number < queues) begin",
            "if (number < queues || number[4]) begin",
        ),
        block("host_port_command_is_of_a_row", "host_port").with_fault(
            "host_port",
            "(wdata[9:8] == 2'd3) || ",
            "",
        ),
        block("events_cause_is_not_lost", "events").with_fault(
            "events",
            "(causes_q & ~pins_i.clear) | pins_i.raise",
            "((causes_q | pins_i.raise) & ~pins_i.clear)",
        ),
        block("events_arming_is_not_lost", "events").with_fault(
            "events",
            "(armed_q & ~pins_i.completed) | pins_i.arm",
            "(armed_q | pins_i.arm) & ~pins_i.completed",
        ),
        block("scheduler_what_is_posted_is_work", "scheduler").with_fault(
            "scheduler",
            "    work_d = work_d | pins_i.posted;",
            "    if (state_q != scheduler_pkg::Send) work_d = work_d | pins_i.posted;",
        ),
        // A turn of a packet forgets a queue.
        block("scheduler_work_goes_with_its_turn_only", "scheduler").with_fault(
            "scheduler",
            "          received_d = 1'b1;",
            "          received_d = 1'b1;\n          work_d = work_q & (work_q - 16'd1);",
        ),
        block("command_bells_are_of_a_pair", "command").with_fault(
            "command",
            "context_pkg::Pair: state_d",
            "context_pkg::Pair, context_pkg::Area: state_d",
        ),
        block("command_bell_is_of_a_completion_queue", "command").with_fault(
            "command",
            "context_pkg::Completion: state_d",
            "context_pkg::Completion, context_pkg::Area: state_d",
        ),
        block("retry_timer_one_at_a_time", "retry_timer").with_fault(
            "retry_timer",
            "active_q & (16'd1 << now_q[3:0])",
            "active_q",
        ),
        block("retry_timer_nobody_else_is_due", "retry_timer").with_fault(
            "retry_timer",
            "active_q & (16'd1 << now_q[3:0])",
            "(16'd1 << now_q[3:0])",
        ),
        block("completion_nothing_is_written_into_a_broken_queue", "completion").with_fault(
            "completion",
            "!pins_i.row.broken && ",
            "",
        ),
        block("completion_lost_cqe_breaks_the_queue", "completion").with_fault(
            "completion",
            "row_d.broken = 1'b1;",
            "row_d.broken = pins_i.row.broken;",
        ),
    ]
}

/// Engines, host DMA, and all of it.
fn engines() -> Vec<Block> {
    vec![
        block("send_engine_data_of_a_read_are_an_answer", "send_engine").with_fault(
            "send_engine",
            "          responding_d = 1'b1;",
            "          responding_d = 1'b1;\n          answering_d = 1'b0;",
        ),
        block("send_engine_answer_is_of_a_connection", "send_engine").with_fault(
            "send_engine",
            "end else if (connected && responder_q.answer) begin",
            "end else if (responder_q.answer) begin",
        ),
        block("send_engine_datagram_has_no_address_at_the_peer", "send_engine").with_fault(
            "send_engine",
            "assign remote_sent = connected_q && ",
            "assign remote_sent = ",
        ),
        block("send_engine_operation_is_known_by_what_it_says", "send_engine").with_fault(
            "send_engine",
            "says_d = says;",
            "says_d = says_q;",
        ),
        block("receive_engine_read_is_not_a_write", "receive_engine").with_fault(
            "receive_engine",
            "state_d = (good_q && bytes_q != 12'd0) ? receive_engine_pkg::Copy :",
            "state_d = good_q ? receive_engine_pkg::Copy :",
        ),
        block("receive_engine_answer_takes_no_receive_wqe", "receive_engine").with_fault(
            "receive_engine",
            "state_d = receive_engine_pkg::Answer;",
            "state_d = receive_engine_pkg::Judge;",
        ),
        block("host_dma_from_the_host_only", "host_dma").with_fault(
            "host_dma",
            "state_d = to_host_q ? host_dma_pkg::Fetch : host_dma_pkg::Read;",
            "state_d = host_dma_pkg::Read;",
        ),
        block("host_dma_to_the_host_only", "host_dma").with_fault(
            "host_dma",
            "state_d = to_host_q ? host_dma_pkg::Fetch : host_dma_pkg::Read;",
            "state_d = host_dma_pkg::Fetch;",
        ),
        block("host_dma_word_that_is_written_has_bytes", "host_dma").with_fault(
            "host_dma",
            "first_q ? (8'hff << lane_q) : 8'hff",
            "first_q ? (8'hff << lane_q) : 8'h00",
        ),
        // Two engines work at a time.
        block("hca_host_dma_has_one_master", "hca").with_fault(
            "scheduler",
            "assign pins_o.receive = (state_q == scheduler_pkg::Receive);",
            "assign pins_o.receive = (state_q == scheduler_pkg::Receive) || ((state_q == scheduler_pkg::Send) && pins_i.packet);",
        ),
        block("hca_rows_have_one_writer", "hca").with_fault(
            "send_engine",
            "assign pins_o.answered = (state_q == send_engine_pkg::Store) && answering_q;",
            "assign pins_o.answered = (state_q == send_engine_pkg::Store);",
        ),
        // A transfer is reported before its last word is written.
        block("hca_headers_are_written_when_data_are_there", "hca").with_fault(
            "host_dma",
            "assign pins_o.done = (state_q == host_dma_pkg::Done);",
            "assign pins_o.done = (state_q == host_dma_pkg::Done) || (state_q == host_dma_pkg::Flush);",
        ),
    ]
}

/// The link side.
fn links() -> Vec<Block> {
    vec![
        block("link_transmit_two_slots", "link/link_transmit").with_fault(
            "link_transmit",
            "assign launched = pins_i.launch && (full_q != 2'd2);",
            "assign launched = pins_i.launch;",
        ),
        block("link_transmit_slots_take_turns", "link/link_transmit").with_fault(
            "link_transmit",
            "if (leaves) leave_d = !leave_q;",
            "if (leaves) leave_d = 1'b0;",
        ),
        block("link_receive_two_slots", "link/link_receive").with_fault(
            "link_receive",
            "assign released = pins_i.release_slot && (full_q != 2'd0);",
            "assign released = pins_i.release_slot;",
        ),
        block("link_receive_slots_take_turns", "link/link_receive").with_fault(
            "link_receive",
            "if (released) oldest_d = !oldest_q;",
            "if (released) oldest_d = 1'b0;",
        ),
        block("link_receive_packet_that_waits_is_not_written", "link/link_receive").with_fault(
            "link_receive",
            "address_d = {fill_q, index_q[8:0]};",
            "address_d = {oldest_q, index_q[8:0]};",
        ),
    ]
}

/// What has no clock.
fn rules() -> Vec<Block> {
    vec![
        block("key_check_area_holds_the_access", "key_check").with_fault(
            "key_check",
            "rights && contained && ends",
            "rights && (contained || ends) && ends",
        ),
        block("requester_what_is_done_is_not_under_way", "protocol/requester").with_fault(
            "requester",
            "      d.active = 1'b0;",
            "      d.active = q.active;",
        ),
        block("requester_taking_is_a_step_of_its_own", "protocol/requester").with_fault(
            "requester",
            "takes = 1'b1;",
            "{takes, finish} = {1'b1, pins_i.ends};",
        ),
        block("responder_breaking_is_dying", "protocol/responder").with_fault(
            "responder",
            "        reader.active = 1'b0;\n        d.dead = 1'b1;",
            "        reader.active = 1'b0;",
        ),
        block("responder_what_breaks_is_not_taken", "protocol/responder").with_fault(
            "responder",
            "          if (!ordered || !pins_i.sized) begin",
            "          if (!ordered || !pins_i.sized) begin\n            takes = 1'b1;",
        ),
    ]
}
