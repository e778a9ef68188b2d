//! Verilates the blocks of the channel adapter. With the feature `faults`, it also verilates a block with a
//! fault for each assertion: the witnesses of the proofs, and faults of the whole adapter, which has no
//! proof.

use verilate::Testbench;

fn main() {
    let blocks = Testbench::new("hca")
        .with_shared_name("host_port")
        .with_shared_name("link_receive")
        .with_shared_name("link_transmit");
    if std::env::var_os("CARGO_FEATURE_FAULTS").is_none() {
        return blocks.build();
    }
    blocks
        .witnesses("../formal/hca")
        // Two engines run at a time.
        .fault(
            "hca_host_dma_has_one_master",
            "hca",
            "hca",
            "assign receive_in.start = scheduler_out.receive;",
            "assign receive_in.start = scheduler_out.receive || (scheduler_out.send && arrived_out.waiting);",
        )
        // A command starts before its turn.
        .fault(
            "hca_commands_alone_write_in_their_time",
            "hca",
            "hca",
            "assign command_in.start = scheduler_out.command;",
            "assign command_in.start = host_out.command;",
        )
        // Rows of another key, READ, queue pair and queue are read.
        .fault(
            "hca_key_is_read_ahead",
            "hca",
            "hca",
            "assign key_address = sending ? send_out.key :",
            "assign key_address = sending ? send_out.key ^ {12{send_out.key_load}} :",
        )
        .fault(
            "hca_read_is_read_ahead",
            "hca",
            "hca",
            "assign read_address = {pair, send_out.read_place};",
            "assign read_address = {pair, ~send_out.read_place};",
        )
        .fault(
            "hca_pair_is_read_ahead",
            "hca",
            "hca",
            "assign pair = sending ? scheduler_out.pair :",
            "assign pair = sending ? scheduler_out.pair ^ {7'd0, loads} :",
        )
        .fault(
            "hca_queue_is_read_ahead",
            "hca",
            "hca",
            "assign entry = sending ? send_out.entry : receive_out.entry;",
            "assign entry = (sending ? send_out.entry : receive_out.entry) ^ {$bits(entry){completion_out.load}};",
        )
        .fault(
            "hca_rows_have_one_writer",
            "hca",
            "send_engine",
            "assign pins_o.answered = (state_q == send_engine_pkg::Store) && (answering_q || draining_q);",
            "assign pins_o.answered = (state_q == send_engine_pkg::Store);",
        )
        // A transfer is reported before its last word is written.
        .fault(
            "hca_headers_are_written_when_data_are_there",
            "hca",
            "host_dma",
            "assign pins_o.done = (state_q == host_dma_pkg::Done);",
            "assign pins_o.done = (state_q == host_dma_pkg::Done) || (state_q == host_dma_pkg::Flush);",
        )
        .build();
}
