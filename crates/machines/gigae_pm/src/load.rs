//! The load of the card in lockstep and benchmarks.

use gigae_pm::pins::{In, Out};
use gigae_pm::traffic::Traffic;
use hdl::Edges;
use machine_api::{Load, Loaded};

use crate::GigaePm;

impl Loaded for GigaePm {
    type Traffic = Traffic;

    const RESETS: &'static [(&'static str, &'static str)] = gigae_pm::RESETS;
    const TRAFFIC: &'static str = "a host and, over a bad cable, another card with its host";

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
            Load::new("busy", "random traffic with a host and another card", busy),
            Load::idle(In::default()),
        ]
    }

    fn idle_pins(pins: &In) -> In {
        let mut idle = *pins;
        idle.host = Default::default();
        idle.bus = Default::default();
        idle.network = Default::default();
        idle
    }
}
