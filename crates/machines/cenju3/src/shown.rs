//! The signals of the NIF that a waveform shows first.

use waveform::Pick;

/// The states that a message passes, in their order; then the ports by which it leaves and arrives.
pub const SHOWN: &[Pick] = &[
    Pick {
        title: "States",
        signals: &[
            ("send_queue_0", &["state"]),
            ("send_queue_1", &["state"]),
            ("mask", &["state"]),
            ("send_dma", &["state"]),
            ("link_transmit", &["state"]),
            ("link_receive", &["state"]),
            ("receive_ring_0", &["state"]),
            ("receive_ring_1", &["state"]),
            ("receive_ring_2", &["state"]),
        ],
    },
    Pick { title: "Host port", signals: &[("", &["pins_i.host.", "pins_o.host."])] },
    Pick { title: "Local memory", signals: &[("", &["pins_i.memory.", "pins_o.memory."])] },
    Pick {
        title: "Network",
        signals: &[(
            "",
            &["pins_i.receive_valid", "pins_i.receive.", "pins_o.transmit_valid", "pins_o.transmit."],
        )],
    },
];
