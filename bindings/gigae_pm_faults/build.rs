//! Verilates the rules of GigaE PM, each time with one line changed: one for each named assertion, by the name of its module and its own.

use verilate::block;

fn main() {
    verilate::device(
        "gigae_pm",
        &[
            block("receiver_delivered_is_acknowledged", "protocol/receiver").with_fault(
                "receiver",
                "          deliver = 1'b1;\n          reply = frame_pkg::Ack;",
                "          deliver = 1'b1;\n          reply = frame_pkg::Lose;",
            ),
            block("receiver_other_session_does_nothing", "protocol/receiver").with_fault(
                "receiver",
                "          deliver = 1'b0;\n        end else if (old) begin",
                "          deliver = 1'b0;\n          d.owed = 1'b1;\n        end else if (old) begin",
            ),
            block("sender_dead_send_nothing", "protocol/sender").with_fault(
                "sender",
                "applies = outstanding && due && !q.dead &&",
                "applies = outstanding && due &&",
            ),
            block("sender_sent_is_not_beyond_the_highest", "protocol/sender").with_fault(
                "sender",
                "to_k ? precedes(q.highest, k) :",
                "to_k ? 1'b0 :",
            ),
        ],
    );
}
