//! The load of the board in lockstep and benchmarks.

use dimmnet2::pins::{In, NetworkIn, Out};
use dimmnet2::traffic::{BackToBack, Mixed, Traffic};
use hdl::Edges;
use machine_api::{Load, Loaded};

use crate::Dimmnet2;

impl Loaded for Dimmnet2 {
    type Traffic = Traffic;

    const RESETS: &'static [(&'static str, &'static str)] = dimmnet2::RESETS;
    const TRAFFIC: &'static str =
        "commands and packets, sensible and malformed; what the board sends comes back to it";

    fn traffic(seed: u64) -> Traffic {
        Traffic::new(seed)
    }

    fn next_pins<'a>(traffic: &'a mut Traffic, edges: Edges, out: &Out) -> &'a In {
        traffic.pins(edges, out)
    }

    fn loads() -> Vec<Load<Self>> {
        let (mut back_to_back, mut mixed) = (BackToBack::new(), Mixed::new());
        let network = NetworkIn { tx_ready: true, ..Default::default() };
        vec![
            Load::new(
                "busy",
                "BOTFs of 512 bytes back to back, looped back, so that the board sends and receives all the time",
                move |edges, out| *back_to_back.pins(edges, out),
            ),
            Load::new(
                "mixed",
                "BOTF, VS, RVS, VL, RVL and messages into a ring by turns, looped back",
                move |edges, out| *mixed.pins(edges, out),
            ),
            Load::idle(In { network, ..Default::default() }),
        ]
    }

    fn idle_pins(pins: &In) -> In {
        let mut idle = *pins;
        idle.host = Default::default();
        idle.network.rx_valid = false;
        idle
    }
}
