//! The signals of the adapter that a waveform shows first.

use waveform::Pick;

/// The states of commands, and those that a message passes, in their order; then the ports by which it leaves and
/// arrives.
pub const SHOWN: &[Pick] = &[
    Pick {
        title: "States",
        signals: &[
            ("command", &["state"]),
            ("scheduler", &["state"]),
            ("scheduler.search", &["state"]),
            ("send_engine", &["state"]),
            ("host_dma", &["state"]),
            ("link_transmit", &["state"]),
            ("link_receive", &["state"]),
            ("receive_engine", &["state"]),
            ("completion", &["state"]),
        ],
    },
    Pick { title: "Host port", signals: &[("", &["pins_i.host.", "pins_o.host."])] },
    Pick { title: "Bus", signals: &[("", &["pins_i.bus.", "pins_o.bus."])] },
    Pick { title: "Link", signals: &[("", &["pins_i.link.", "pins_o.link."])] },
];
