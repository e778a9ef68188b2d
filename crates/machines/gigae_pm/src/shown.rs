//! The signals of the card that a waveform shows first.

use waveform::Pick;

/// The states that a message passes, in their order; then the ports by which it leaves and arrives, the rule that is
/// applied, and its end.
pub const SHOWN: &[Pick] = &[
    Pick {
        title: "States",
        signals: &[
            ("firmware.dispatcher", &["state"]),
            ("firmware.send_message", &["state"]),
            ("pci_dma", &["state"]),
            ("firmware.apply_rule", &["state"]),
            ("firmware.send_buffer", &["state"]),
            ("transmit_dma", &["state"]),
            ("mac.mac_transmit", &["state"]),
            ("mac.mac_receive", &["state"]),
            ("receive_dma", &["state"]),
            ("firmware.receive_frame", &["state"]),
            ("firmware.timer_scan", &["state"]),
        ],
    },
    Pick { title: "Host port", signals: &[("", &["pins_i.host.", "pins_o.host."])] },
    Pick { title: "PCI bus", signals: &[("", &["pins_i.bus.", "pins_o.bus."])] },
    Pick { title: "GMII", signals: &[("", &["pins_i.network.", "pins_o.network."])] },
    Pick {
        title: "Rule",
        signals: &[
            ("firmware.apply_rule", &["request.", "control.", "kind", "number", "accepted", "deliver"]),
            ("firmware.timer_scan", &["now"]),
        ],
    },
    Pick {
        title: "Frames",
        signals: &[
            ("transmit_dma", &["frame.", "pins_o.word.", "pins_o.word_enable"]),
            ("receive_dma", &["waiting", "count", "length"]),
        ],
    },
    Pick {
        title: "Delivery",
        signals: &[("firmware.receive_frame", &["node", "size", "held", "delivered", "pins_o.memory."])],
    },
];
