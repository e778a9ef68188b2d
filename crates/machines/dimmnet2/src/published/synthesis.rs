//! Authors of the modules, and the hardware cost of the board.

use machine_api::{Module, Synthesis};

/// Hardware cost of the board.
pub const SYNTHESIS: Synthesis = Synthesis {
    about: "What Yosys makes of the RTL for the card's FPGA family, Virtex-II Pro, beside the published synthesis\n\
            (thesis table 5.2). Each module is synthesized on its own, as in the thesis.",
    modules: MODULES,
};

/// Thesis table 5.2.
const MODULES: &[Module] = &[
    Module {
        name: "Write Window",
        modules: &[("write_window", 1)],
        published: Some((13, 4)),
        published_mhz: &[],
        remark: "The gates of four write enables are all its logic; the thesis does not say what the 13 slices hold.",
    },
    Module {
        name: "Prefetch Window",
        modules: &[("prefetch_window", 1)],
        published: Some((2, 4)),
        published_mhz: &[],
        remark: "The gates that make write enables of 32 bits out of those of bytes are counted here.",
    },
    Module {
        name: "LLCM",
        modules: &[("llcm", 1)],
        published: Some((196, 32)),
        published_mhz: &[382.19],
        remark: "",
    },
    Module {
        name: "LH Buffer",
        modules: &[("lh_buffer", 1)],
        published: Some((305, 8)),
        published_mhz: &[306.227],
        remark: "Which entry is next and how full the buffer is, is counted here; entries are put together in the Receive Controller. 8 KB fill 4 block RAMs, the card spent 2 per bank and process.",
    },
    Module {
        name: "Register",
        modules: &[("user_register", 2), ("system_register", 1), ("configuration_distribution", 1)],
        published: Some((869, 0)),
        published_mhz: &[291.424],
        remark: "Two pages of 64-bit command registers and six counters each, with a reader that chooses among all; the estimate packs perfectly.",
    },
    Module {
        name: "Window Controller",
        modules: &[("window_controller", 1)],
        published: Some((2481, 12)),
        published_mhz: &[139.228],
        remark: "Complete: IPUSH and LHS leave through the RVS module, where the card had a sixth one; the estimate packs perfectly.",
    },
    Module {
        name: "Receive Controller",
        modules: &[("receive_controller", 1)],
        published: Some((756, 0)),
        published_mhz: &[175.18],
        remark: "",
    },
    Module {
        name: "Prefetch Unit",
        modules: &[("prefetch_unit", 1)],
        published: Some((2234, 8)),
        published_mhz: &[112.771],
        remark: "Complete. A buffer of 1024 lines for packets takes 4 block RAMs, two lists of 128 lines 2 each, the parked half of a copy (decision 0022) 4, which the card may have kept elsewhere.",
    },
    Module {
        name: "Write Unit",
        modules: &[("write_unit", 1)],
        published: Some((3331, 0)),
        published_mhz: &[98.184],
        remark: "Complete; the thesis does not say what fills its unit, the largest and the only one that misses 100 MHz.",
    },
    Module {
        name: "Status Write Unit",
        modules: &[("status_write_unit", 1)],
        published: Some((341, 0)),
        published_mhz: &[195.09],
        remark: "Complete, with one ring per process; the estimate packs perfectly.",
    },
    Module {
        name: "AMT Address Table",
        modules: &[("amt_address_table", 1)],
        published: Some((57, 6)),
        published_mhz: &[306.654],
        remark: "8192 entries of 12 bits fill 6 block RAMs; the card's logic around them is not described.",
    },
    Module {
        name: "SWIF",
        modules: &[("swif", 1)],
        published: None,
        published_mhz: &[],
        remark: "Not in the table; made by another university.",
    },
    Module {
        name: "SO-DIMM interface",
        modules: &[("sodimm_interface", 1)],
        published: None,
        published_mhz: &[],
        remark: "Not in the table.",
    },
    Module {
        name: "ALL",
        modules: &[("dimmnet2", 1)],
        published: Some((17761, 150)),
        published_mhz: &[100.12, 125.597],
        remark: "The published design also holds what the rows above miss, the host's DDR and the SO-DIMMs' physical interfaces, and SWIF with its retransmission.",
    },
];
