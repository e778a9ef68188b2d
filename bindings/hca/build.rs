//! Verilates the channel adapter; a block is added by one line.

use verilate::block;

fn main() {
    verilate::device(
        "hca",
        &[
            block("hca", "hca"),
            block("host_port", "host_port").with_class("hca_host_port"),
            block("events", "events"),
            block("scheduler", "scheduler"),
            block("command", "command"),
            block("key_check", "key_check"),
            block("requester", "protocol/requester"),
            block("responder", "protocol/responder"),
            block("retry_timer", "retry_timer"),
            block("send_engine", "send_engine"),
            block("receive_engine", "receive_engine"),
            block("completion", "completion"),
            block("host_dma", "host_dma"),
            block("link_transmit", "link/link_transmit").with_class("hca_link_transmit"),
            block("link_receive", "link/link_receive").with_class("hca_link_receive"),
        ],
    );
}
