//! Verilates the NIF of Cenju-3; a block is added by one line.

use verilate::block;

fn main() {
    verilate::device(
        "cenju3",
        &[
            block("cenju3", "cenju3"),
            block("register_file", "register_file"),
            block("send_queue", "send_queue"),
            block("mask", "mask"),
            block("send_dma", "send_dma"),
            block("link_transmit", "link_transmit"),
            block("link_receive", "link_receive"),
            block("receive_ring", "receive_ring"),
            block("arbiter", "arbiter"),
            block("memory_port", "memory_port"),
            block("interrupt", "interrupt"),
        ],
    );
}
