//! Verilates the card of GigaE PM; a block is added by one line.

use verilate::block;

fn main() {
    verilate::device(
        "gigae_pm",
        &[
            block("gigae_pm", "gigae_pm"),
            block("host_port", "host_port"),
            block("pci_dma", "pci_dma"),
            block("receive_dma", "network_dma/receive_dma"),
            block("transmit_dma", "network_dma/transmit_dma"),
            block("mac", "mac/mac"),
            block("mac_transmit", "mac/mac_transmit"),
            block("mac_receive", "mac/mac_receive"),
            block("sender", "protocol/sender"),
            block("receiver", "protocol/receiver"),
            block("firmware", "firmware/firmware"),
            block("dispatcher", "firmware/dispatcher"),
            block("receive_frame", "firmware/receive_frame"),
            block("send_message", "firmware/send_message"),
            block("timer_scan", "firmware/timer_scan"),
            block("apply_rule", "firmware/apply_rule"),
            block("send_buffer", "firmware/send_buffer"),
        ],
    );
}
