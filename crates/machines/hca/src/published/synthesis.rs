//! Authors of the adapter's parts. No hardware cost was published.

use machine_api::{Module, Synthesis};

/// State machines of the adapter in the hardware cost.
pub const SYNTHESIS: Synthesis = Synthesis {
    about: "What Yosys makes of the RTL for Virtex-II Pro, the FPGA family of DIMMnet-2, so that devices can be\n\
            compared. Nothing is published to set beside it. Each module is synthesized on its own.",
    modules: MODULES,
};

const fn block(name: &'static str, module: &'static [(&'static str, u64)], remark: &'static str) -> Module {
    Module { name, modules: module, published: None, published_mhz: &[], remark }
}

const MODULES: &[Module] = &[
    block("Host port", &[("host_port", 1)], "Registers and doorbells."),
    block("Events", &[("events", 1)], ""),
    block("Scheduler", &[("scheduler", 1)], ""),
    block("Commands", &[("command", 1)], ""),
    block("Key check", &[("key_check", 2)], "In both engines; their modules hold it."),
    block("Send engine", &[("send_engine", 1)], "With the requester's rules."),
    block("Receive engine", &[("receive_engine", 1)], "With the responder's rules."),
    block("Completion", &[("completion", 1)], ""),
    block("Host DMA", &[("host_dma", 1)], ""),
    block("Retry timer", &[("retry_timer", 1)], ""),
    block("Link, transmit", &[("link_transmit", 1)], "With its ICRC."),
    block("Link, receive", &[("link_receive", 1)], "With its ICRC."),
    block(
        "ALL",
        &[
            ("host_port", 1),
            ("events", 1),
            ("scheduler", 1),
            ("command", 1),
            ("send_engine", 1),
            ("receive_engine", 1),
            ("completion", 1),
            ("host_dma", 1),
            ("retry_timer", 1),
            ("link_transmit", 1),
            ("link_receive", 1),
        ],
        "The blocks one by one, without the memories of contexts and packets between them.",
    ),
];
