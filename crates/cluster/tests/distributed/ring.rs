//! Hosts that send numbers around a ring, with injected failures.

use std::error::Error;
use std::process;

use cluster::{AnyNic, Cluster, Duration, SwitchPort, Topology};
use hdl::{Clock, Edges, Nic, NicError, Quiet, Signal};

use crate::relay::{Host, In, Out, Ring, card};
use crate::{Failure, Place};

/// Two switches with half of the nodes each, and a cable between them at the last port of both.
pub fn two_switches(nodes: usize) -> Topology {
    let half = nodes / 2;
    let place = |node| SwitchPort { switch: node / half, port: node % half };
    let cable = [SwitchPort { switch: 0, port: half }, SwitchPort { switch: 1, port: half }];
    let places: Vec<_> = (0..nodes).map(place).collect();
    Topology::of_switches(2, &places, &[cable], |switch, node| {
        if place(node).switch == switch { place(node).port } else { half }
    })
    .expect("every port has one cable")
}

/// Each tenth node sends numbers around; node 0 sends more than the others. Returns all numbers that came back.
pub fn run(place: &mut Place, topology: &Topology) -> Result<Option<String>, Box<dyn Error>> {
    let (failure, middle) = (place.failure, topology.nodes() / 2);
    let nic = |node| -> Result<Box<AnyNic<Ring>>, NicError> {
        match failure {
            Failure::NoDevice if node == middle => Err("there is no card".into()),
            Failure::DeviceStops if node == middle => Ok(Box::new(WornCard { card: card(), edges: 500 })),
            _ => Ok(card()),
        }
    };
    let begin = |part: &mut Cluster<Ring>| {
        if part.here().contains(&middle) {
            part.spawn(middle, "failure", move |host| inject(host, failure));
        }
        let senders = part.here().filter(|node| node % 10 == 0);
        let count = |node: usize| if node == 0 { 40 } else { 3 };
        senders
            .map(|node| part.spawn(node, "sender", move |host| rounds(host, count(node))))
            .collect::<Vec<_>>()
    };
    place.run::<Ring, _, _>(topology, nic, begin, |_, outputs| {
        outputs.iter().flat_map(|output| output.take().expect("it is done")).collect()
    })
}

/// Sends a number around and waits for it, `rounds` times; the numbers and the times of their return.
async fn rounds(host: Host, rounds: usize) -> Vec<(u16, u64)> {
    host.cpu.compute(Duration::from_ns(50)).await;
    host.send(0);
    let mut back = Vec::new();
    while back.len() < rounds {
        back.push((host.receive().await, host.cpu.now().ps()));
    }
    back
}

/// Injects a failure 5 us after the start.
async fn inject(host: Host, failure: Failure) {
    host.cpu.compute(Duration::from_us(5)).await;
    match failure {
        Failure::Exits(code) => process::exit(code),
        Failure::Killed => {
            let me = process::id().to_string();
            process::Command::new("kill").args(["-9", &me]).status().expect("there is a kill");
        }
        Failure::Panics => panic!("on purpose"),
        Failure::Stalls => std::future::pending().await,
        _ => {}
    }
}

/// A card that stops after `edges` clock edges.
struct WornCard {
    card: Box<AnyNic<Ring>>,
    edges: u64,
}

impl Nic for WornCard {
    type In = In;
    type Out = Out;

    fn clocks(&self) -> &'static [Clock] {
        self.card.clocks()
    }

    fn outputs(&self) -> &Out {
        self.card.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &In) -> Result<(), NicError> {
        self.edges = self.edges.checked_sub(1).ok_or("the card is worn out")?;
        self.card.edge(edges, pins)
    }

    fn quiescent(&self) -> Quiet {
        Quiet::Busy
    }

    fn signals(&self) -> &[Signal] {
        self.card.signals()
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.card.sample(words);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.card.memories(words);
    }
}
