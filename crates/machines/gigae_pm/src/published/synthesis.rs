//! Authors of the card's parts. No hardware cost was published.

use machine_api::{Module, Synthesis};

/// State machines of the card in the hardware cost.
pub const SYNTHESIS: Synthesis = Synthesis {
    about: "What Yosys makes of the RTL for Virtex-II Pro, the FPGA family of DIMMnet-2, so that the two can be\n\
            compared. Nothing is published to set beside it: the card was a processor with its program and chips of\n\
            others. Each module is synthesized on its own.",
    modules: MODULES,
};

/// A block of the card that has no published counterpart.
const fn block(name: &'static str, module: &'static [(&'static str, u64)], remark: &'static str) -> Module {
    Module { name, modules: module, published: None, published_mhz: &[], remark }
}

/// The card was a processor with firmware and bought chips, of which no size is published.
const MODULES: &[Module] = &[
    block("Host port", &[("host_port", 1)], "The card as PCI target: registers and the page."),
    block("PCI DMA", &[("pci_dma", 1)], ""),
    block("Receive DMA", &[("receive_dma", 1)], ""),
    block("Transmit DMA", &[("transmit_dma", 1)], "With the header of a frame, made out of registers."),
    block("MAC", &[("mac", 1)], "Two FIFOs of 1,024 words between the clocks."),
    block("Dispatcher", &[("dispatcher", 1)], ""),
    block("Received frames", &[("receive_frame", 1)], ""),
    block("Send descriptors", &[("send_message", 1)], ""),
    block("Timer scan", &[("timer_scan", 1)], ""),
    block("Rules", &[("apply_rule", 1)], "Sender and receiver, combinational, are in it."),
    block("Sender", &[("sender", 1)], "Part of the rules."),
    block("Receiver", &[("receiver", 1)], "Part of the rules."),
    block("Send buffers", &[("send_buffer", 1)], ""),
    block("Firmware", &[("firmware", 1)], "The machines above, in the place of a processor and its program."),
    block(
        "ALL",
        &[
            ("host_port", 1),
            ("pci_dma", 1),
            ("receive_dma", 1),
            ("transmit_dma", 1),
            ("mac", 1),
            ("firmware", 1),
        ],
        "The blocks of the card one by one, without NIC memory: 1 MB, which the card had in chips of their own (paper, table 2).",
    ),
];
