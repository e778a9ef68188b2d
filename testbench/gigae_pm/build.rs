//! Verilates the blocks of GigaE PM and, with the feature `faults`, rules with a fault that an assertion finds.

use verilate::Testbench;

fn main() {
    let blocks = Testbench::new("gigae_pm");
    if std::env::var_os("CARGO_FEATURE_FAULTS").is_none() {
        return blocks.build();
    }
    blocks
        .fault(
            "receiver_delivered_is_acknowledged",
            "receiver",
            "receiver",
            "          deliver = 1'b1;\n          reply = frame_pkg::Ack;",
            "          deliver = 1'b1;\n          reply = frame_pkg::Lose;",
        )
        .fault(
            "receiver_other_session_does_nothing",
            "receiver",
            "receiver",
            "          deliver = 1'b0;\n        end else if (old) begin",
            "          deliver = 1'b0;\n          d.owed = 1'b1;\n        end else if (old) begin",
        )
        .fault(
            "sender_dead_send_nothing",
            "sender",
            "sender",
            "applies = outstanding && due && !q.dead &&",
            "applies = outstanding && due &&",
        )
        .fault(
            "sender_sent_is_not_beyond_the_highest",
            "sender",
            "sender",
            "to_k ? precedes(q.highest, k) :",
            "to_k ? 1'b0 :",
        )
        .build();
}
