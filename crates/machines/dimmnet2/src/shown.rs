//! The signals of the board that a waveform shows first.

use waveform::Pick;

/// The states that a BOTF passes, in their order; then its input port, the lines of its packet, and its destination.
pub const SHOWN: &[Pick] = &[
    Pick {
        title: "States",
        signals: &[
            ("core_logic.window_controller.request_acceptor", &["state"]),
            ("core_logic.window_controller.request_executor.botf", &["state"]),
            ("core_logic.window_controller.request_executor.vs", &["state"]),
            ("swif.encapsulation", &["state"]),
            ("swif.decapsulation", &["state"]),
            ("core_logic.receive_controller.packet_control", &["state"]),
            ("core_logic.receive_controller.packet_write", &["state"]),
            ("core_logic.receive_controller.head_write", &["state"]),
            ("core_logic.write_unit.read_control", &["state"]),
            ("core_logic.write_unit.write_control", &["state"]),
            ("core_logic.write_unit.write_arbiter", &["state"]),
            ("core_logic.write_unit.stride", &["state"]),
            ("core_logic.write_unit.list_read", &["state"]),
            ("core_logic.write_unit.ring", &["state"]),
            ("sodimm_interface.arbiter", &["state"]),
            ("sodimm_interface.sodimm0", &["state"]),
            ("sodimm_interface.sodimm1", &["state"]),
            ("core_logic.status_write_unit", &["state"]),
            ("core_logic.window_controller.request_executor.vl", &["state"]),
            ("core_logic.window_controller.request_executor.rvs", &["state"]),
            ("core_logic.window_controller.request_executor.rvl", &["state"]),
            ("core_logic.prefetch_unit.pu_ctl", &["state"]),
            ("core_logic.prefetch_unit.pu_read", &["state"]),
            ("core_logic.prefetch_unit.pu_write", &["state"]),
            ("core_logic.prefetch_unit.pu_list", &["state"]),
            ("core_logic.prefetch_unit.pu_copy", &["state"]),
        ],
    },
    Pick { title: "Host port", signals: &[("", &["pins_i.host.", "pins_o.host."])] },
    Pick {
        title: "Lines",
        signals: &[
            ("core_logic.window_controller.request_executor.botf", &["transfer_counter", "pins_o.line."]),
            ("core_logic", &["pins_o.line_enable"]),
            ("swif.encapsulation", &["pins_o.tx_line.", "pins_o.tx_valid"]),
            ("", &["pins_i.network.rx_line.", "pins_i.network.rx_valid", "pins_o.network.rx_ready"]),
            ("swif", &["pins_o.line.", "pins_o.packet_available"]),
            ("core_logic", &["pins_o.packet_start", "pins_o.line_next"]),
        ],
    },
    Pick {
        title: "Request",
        signals: &[
            (
                "core_logic.host_interface",
                &["pins_o.request_enable", "pins_o.request.", "pins_o.configuration."],
            ),
            (
                "core_logic.window_controller.host_request_fifo",
                &["pins_o.empty", "pins_o.almost_full", "pins_o.full"],
            ),
            ("core_logic.window_controller.request_acceptor", &["pins_o.request_enable", "pins_o.request."]),
            (
                "core_logic.window_controller.request_executor",
                &["pins_o.ready", "pins_o.write_window_read_enable", "pins_o.write_window_address"],
            ),
        ],
    },
    Pick {
        title: "Reception",
        signals: &[
            (
                "core_logic.receive_controller.packet_control",
                &["packet_size", "otype", "pgid", "sclid", "dstoff", "pins_o.write_request.", "condition"],
            ),
            ("core_logic.receive_controller", &["pins_o.result.enable", "pins_o.packet_received"]),
            ("core_logic.write_unit", &["pins_o.write_right_request", "pins_o.word.", "pins_o.done"]),
        ],
    },
    Pick {
        title: "SO-DIMM",
        signals: &[("sodimm_interface", &["pins_o.write_right", "pins_o.memory0.", "pins_o.memory1."])],
    },
    Pick {
        title: "Status",
        signals: &[(
            "core_logic.status_write_unit",
            &[
                "pins_o.llcm_byte_enable",
                "pins_o.llcm_address",
                "pins_o.llcm_wdata",
                "pins_o.next_write_address0",
                "pins_o.next_write_address1",
                "pins_o.full",
                "pins_o.empty",
            ],
        )],
    },
];
