//! A steady stream in both directions of a connection: each end keeps messages outstanding at all times.
//!
//! All packets but acknowledgements are full, so the bus and the link are busy most of the time.

use hdl::{Edges, Model, Nic};

use super::connection::Connection;
use super::host::Host;
use super::wire::{Faults, Wire};
use crate::pins::{In, Out};
use crate::{Hca, clocks};

/// Queue pair at each end.
const PAIRS: [u8; 2] = [2, 41];
/// Bytes of a message: four packets of 2,048.
const MESSAGE: u32 = 8_192;
/// Outstanding messages at each end, and receive buffers posted ahead of them.
const AHEAD: u16 = 4;
/// Cycles between two polls of a completion queue.
const LOOK: u64 = 50;

/// Source of pins for an adapter that sends and receives all the time.
#[derive(Clone, Debug)]
pub struct Streams {
    hosts: [Host; 2],
    programs: [Connection; 2],
    wires: [Wire; 2],
    partner: Model<Hca>,
    pins: In,
    cycle: u64,
    /// Messages received whole, at each end.
    pub received: [u64; 2],
}

impl Default for Streams {
    fn default() -> Self {
        Self::new()
    }
}

impl Streams {
    /// A stream before its first message.
    pub fn new() -> Self {
        let mut hosts = [0, 1].map(Host::new);
        let programs = [0, 1].map(|i: usize| {
            let mut attributes = Connection::attributes(2 - i as u16, PAIRS[1 - i].into());
            (attributes.mtu, attributes.timeout) = (4, 10);
            Connection::new(&mut hosts[i], i as u16 + 1, PAIRS[i], attributes)
        });
        Self {
            hosts,
            programs,
            wires: [2, 3].map(|wire| Wire::new(wire, Faults::default())),
            partner: Model::new(Hca::default()),
            pins: In::default(),
            cycle: 0,
            received: [0; 2],
        }
    }

    /// Pins for the next edge of an adapter that has put out `out`.
    pub fn pins(&mut self, _edges: Edges, out: &Out) -> &In {
        if self.cycle.is_multiple_of(LOOK) {
            (0..2).for_each(|i| self.look(i));
        }
        self.cycle += 1;

        let outs = [*out, *self.partner.outputs()];
        let mut pins = [In::default(); 2];
        for i in [0, 1] {
            (pins[i].host, pins[i].bus) = self.hosts[i].pins(&outs[i]);
            pins[i].link = self.wires[1 - i].carry(&outs[1 - i].link, true, &outs[i].link);
            pins[i].link.transmit_ready = true;
        }
        self.partner.edge(clocks::CORE, &pins[1]).expect("a model does not fail");
        self.pins = pins[0];
        &self.pins
    }

    /// Polls for CQEs, and keeps messages and buffers posted.
    fn look(&mut self, end: usize) {
        let (host, program) = (&mut self.hosts[end], &mut self.programs[end]);
        self.wires[end].sent.clear();
        (0..2).for_each(|_| program.poll(host));
        assert_eq!(program.errors, [], "a stream has no errors");
        self.received[end] += program.received.len() as u64;
        program.received.clear();
        while program.posted.wrapping_sub(self.received[end] as u16) < AHEAD {
            program.post(host);
        }
        while program.waiting() < AHEAD {
            let wqe = program.request(MESSAGE);
            program.send_request(host, &wqe);
        }
    }
}
