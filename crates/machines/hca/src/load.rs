//! What the adapter is given in lockstep and benches.

use hca::pins::{In, Out};
use hca::traffic::Traffic;
use hdl::Edges;
use lab::{Load, Loaded};

use crate::Hca;

impl Loaded for Hca {
    type Traffic = Traffic;

    const RESETS: &'static [(&'static str, &'static str)] = hca::RESETS;
    const TRAFFIC: &'static str = "a host with its memory and, over a cable, another adapter";

    fn traffic(seed: u64) -> Traffic {
        Traffic::new(seed)
    }

    fn next_pins<'a>(traffic: &'a mut Traffic, edges: Edges, out: &Out) -> &'a In {
        traffic.pins(edges, out)
    }

    fn loads() -> Vec<Load<Self>> {
        let mut traffic = Self::traffic(1);
        let busy = move |edges, out: &Out| *traffic.pins(edges, out);
        vec![
            Load::new("busy", "random traffic with a host and another adapter", busy),
            Load::idle(In::default()),
        ]
    }

    fn idle_pins(_pins: &In) -> In {
        In::default()
    }
}
