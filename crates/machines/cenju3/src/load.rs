//! The load of the NIF in lockstep and benchmarks.

use cenju3::pins::{In, Out};
use cenju3::traffic::Traffic;
use hdl::Edges;
use machine_api::{Load, Loaded};

use crate::Cenju3;

impl Loaded for Cenju3 {
    type Traffic = Traffic;

    const RESETS: &'static [(&'static str, &'static str)] = cenju3::RESETS;
    const TRAFFIC: &'static str = "a processor element with its memory and, over a cable, another one";

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
            Load::new("busy", "random traffic with a processor element and another one", busy),
            Load::idle(In::default()),
        ]
    }

    fn idle_pins(pins: &In) -> In {
        In { new_rom: pins.new_rom, ..In::default() }
    }
}
