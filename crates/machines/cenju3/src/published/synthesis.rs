//! Authors of the NIF's parts. No hardware cost was published: the NIF was an FPGA (paper, section 6.4).

use machine_api::{Module, Synthesis};

/// State machines of the NIF in the hardware cost.
pub const SYNTHESIS: Synthesis = Synthesis {
    about: "What Yosys makes of the RTL for Virtex-II Pro, the FPGA family of DIMMnet-2, so that devices can be\n\
            compared. Nothing is published to set beside it. Each module is synthesized on its own.",
    modules: MODULES,
};

const fn block(name: &'static str, module: &'static [(&'static str, u64)], remark: &'static str) -> Module {
    Module { name, modules: module, published: None, published_mhz: &[], remark }
}

const MODULES: &[Module] = &[
    block("Registers", &[("register_file", 1)], ""),
    block("Send queue", &[("send_queue", 1)], "There are two."),
    block("Mask", &[("mask", 1)], "Of the new ROM."),
    block("Send DMA", &[("send_dma", 1)], ""),
    block("Link, transmit", &[("link_transmit", 1)], ""),
    block("Link, receive", &[("link_receive", 1)], ""),
    block("Receive ring", &[("receive_ring", 1)], "There are three."),
    block("Arbiter", &[("arbiter", 1)], ""),
    block("Memory port", &[("memory_port", 1)], "Without a clock."),
    block("Interrupt", &[("interrupt", 1)], ""),
    block(
        "ALL",
        &[
            ("register_file", 1),
            ("send_queue", 2),
            ("mask", 1),
            ("send_dma", 1),
            ("link_transmit", 1),
            ("link_receive", 1),
            ("receive_ring", 3),
            ("arbiter", 1),
            ("memory_port", 1),
            ("interrupt", 1),
        ],
        "The blocks one by one, without the FIFOs between them.",
    ),
];
