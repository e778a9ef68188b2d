//! The load of the adapter in lockstep and benchmarks.

use hca::pins::{In, Out};
use hca::traffic::{Streams, Traffic};
use hdl::Edges;
use machine_api::{Load, Loaded};

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
        let (mut streams, mut traffic) = (Streams::new(), Self::traffic(1));
        vec![
            Load::new(
                "busy",
                "messages of 8 KB over a reliable connection, both ways, one behind the other without a pause",
                move |edges, out: &Out| *streams.pins(edges, out),
            ),
            Load::new(
                "random",
                "random traffic with a host and another adapter, in spells of 160,000 cycles",
                move |edges, out: &Out| *traffic.pins(edges, out),
            ),
            Load::idle(In::default()),
        ]
    }

    fn idle_pins(_pins: &In) -> In {
        In::default()
    }
}
