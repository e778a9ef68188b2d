//! The rows of a device's table: whose work is whose, and what the card cost.

use crate::device::Name;

/// A row of the table: a module of the publication, or of ours.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The blocks of ours that do its work, each as often as it is there.
    pub modules: &'static [(&'static str, u64)],
    /// Slices and block RAMs, where they are published.
    pub published: Option<(u64, u64)>,
    /// Why ours differs.
    pub remark: &'static str,
}

/// Thesis table 5.2.
const DIMMNET2: &[Row] = &[
    Row {
        name: "Write Window",
        modules: &[("write_window", 1)],
        published: Some((13, 4)),
        remark: "The gates of four write enables are all its logic; the thesis does not say what the 13 slices hold.",
    },
    Row {
        name: "Prefetch Window",
        modules: &[("prefetch_window", 1)],
        published: Some((2, 4)),
        remark: "The gates that make write enables of 32 bits out of those of bytes are counted here.",
    },
    Row { name: "LLCM", modules: &[("llcm", 1)], published: Some((196, 32)), remark: "" },
    Row {
        name: "LH Buffer",
        modules: &[("lh_buffer", 1)],
        published: Some((305, 8)),
        remark: "Which entry is next and how full the buffer is, is counted here; entries are put together in the Receive Controller. 8 KB fill 4 block RAMs, the card spent 2 per bank and process.",
    },
    Row {
        name: "Register",
        modules: &[("user_register", 2), ("system_register", 1), ("configuration_distribution", 1)],
        published: Some((869, 0)),
        remark: "Two pages of 64-bit command registers and six counters each, with a reader that chooses among all; the estimate packs perfectly.",
    },
    Row {
        name: "Window Controller",
        modules: &[("window_controller", 1)],
        published: Some((2481, 12)),
        remark: "Complete: IPUSH and LHS leave through the RVS module, where the card had a sixth one; the estimate packs perfectly.",
    },
    Row {
        name: "Receive Controller",
        modules: &[("receive_controller", 1)],
        published: Some((756, 0)),
        remark: "",
    },
    Row {
        name: "Prefetch Unit",
        modules: &[("prefetch_unit", 1)],
        published: Some((2234, 8)),
        remark: "Complete. A buffer of 1024 lines for packets takes 4 block RAMs, two lists of 128 lines 2 each, the parked half of a copy (decision 0022) 4, which the card may have kept elsewhere.",
    },
    Row {
        name: "Write Unit",
        modules: &[("write_unit", 1)],
        published: Some((3331, 0)),
        remark: "Complete; the thesis does not say what fills its unit, the largest and the only one that misses 100 MHz.",
    },
    Row {
        name: "Status Write Unit",
        modules: &[("status_write_unit", 1)],
        published: Some((341, 0)),
        remark: "Complete, with one ring per process; the estimate packs perfectly.",
    },
    Row {
        name: "AMT Address Table",
        modules: &[("amt_address_table", 1)],
        published: Some((57, 6)),
        remark: "8192 entries of 12 bits fill 6 block RAMs; the card's logic around them is not described.",
    },
    Row {
        name: "SWIF",
        modules: &[("swif", 1)],
        published: None,
        remark: "Not in the table; made by another university.",
    },
    Row {
        name: "SO-DIMM interface",
        modules: &[("sodimm_interface", 1)],
        published: None,
        remark: "Not in the table.",
    },
    Row {
        name: "ALL",
        modules: &[("dimmnet2", 1)],
        published: Some((17761, 150)),
        remark: "The published design also holds what the rows above miss, the host's DDR and the SO-DIMMs' physical interfaces, and SWIF with its retransmission.",
    },
];

/// A block of the card that has no published counterpart.
const fn block(name: &'static str, module: &'static [(&'static str, u64)], remark: &'static str) -> Row {
    Row { name, modules: module, published: None, remark }
}

/// The card was a processor with its firmware and chips that are bought; nothing is published of their size.
const GIGAE_PM: &[Row] = &[
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

/// The rows of a device.
pub fn of(device: Name) -> &'static [Row] {
    match device {
        Name::Dimmnet2 => DIMMNET2,
        Name::GigaePm => GIGAE_PM,
    }
}
