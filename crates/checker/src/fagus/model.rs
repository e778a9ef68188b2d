//! How one state leads to the next.

use std::collections::VecDeque;

use ::fagus::protocol::object::{Home, Input, Message, Output, Replica};
use ::fagus::protocol::{barrier, lock};
use stateright::Model;

use super::world::{Action, Body, Node, Op, Packet, Phase, State, Transfer, World};

impl World {
    fn home_of(&self, object: usize) -> u16 {
        self.home.unwrap_or((object % self.programs.len()) as u16)
    }

    fn home_of_lock(&self) -> u16 {
        self.home.unwrap_or(0)
    }

    /// Sends a message; one to the node itself arrives at once.
    fn send(&self, state: &mut State, packet: Packet) {
        let mut here = VecDeque::from([packet]);
        while let Some(packet) = here.pop_front() {
            if packet.from == packet.to {
                here.extend(self.hear(state, packet));
            } else if self.network.reorders {
                // Sorted, because states that differ in this order alone are the same.
                let at = state.channel.partition_point(|other| *other <= packet);
                state.channel.insert(at, packet);
            } else {
                let pair = (packet.from, packet.to);
                let at = state.channel.partition_point(|other| (other.from, other.to) <= pair);
                state.channel.insert(at, packet);
            }
        }
    }

    /// Takes a message, and returns the messages that follow.
    fn hear(&self, state: &mut State, packet: Packet) -> Vec<Packet> {
        let Packet { from, to, body } = packet;
        let node = &mut state.nodes[usize::from(to)];
        match body {
            Body::Region(object, data) => {
                node.regions[object].1 = data;
                Vec::new()
            }
            Body::Fetch(object, request) => {
                let (version, data) = node.regions[object];
                let body = Body::Object(object, Message::Data { request, version, data });
                vec![Packet { from: to, to: from, body }]
            }
            Body::Object(object, message) => {
                let outputs = if message.is_to_home() {
                    node.homes[object]
                        .as_mut()
                        .map_or_else(Vec::new, |home| home.step(&self.rules, from, &message))
                } else {
                    node.replicas[object].step(&self.rules, Input::Message(from, message))
                };
                self.follow(state, to, object, outputs)
            }
            Body::Lock(message) if message.is_to_home() => {
                let given = state.lock.step(from, message);
                given
                    .map(|(node, message)| Packet { from: to, to: node, body: Body::Lock(message) })
                    .into_iter()
                    .collect()
            }
            Body::Lock(message) => {
                if node.holder.step(message) {
                    (node.done, node.phase) = (node.done + 1, Phase::Ready);
                }
                Vec::new()
            }
            Body::Barrier(message) if message.is_to_home() => {
                let Some(passed) = state.barrier.step(from, message) else { return Vec::new() };
                let others = 0..self.programs.len() as u16;
                others.map(|node| Packet { from: to, to: node, body: Body::Barrier(passed) }).collect()
            }
            Body::Barrier(message) => {
                if node.arrival.step(message).is_some() {
                    (node.done, node.phase) = (node.done + 1, Phase::Ready);
                    let round = node.arrival.round();
                    state.early |= state.nodes.iter().any(|other| other.arrival.round() < round);
                }
                Vec::new()
            }
        }
    }

    /// Sends the messages of an object, and gives its program its guards.
    fn follow(&self, state: &mut State, at: u16, object: usize, outputs: Vec<Output<u8>>) -> Vec<Packet> {
        let mut packets = Vec::new();
        let owner = state.nodes.iter().position(|node| node.replicas[object].is_owner());
        let node = &mut state.nodes[usize::from(at)];
        for output in outputs {
            match output {
                Output::Send(_, Message::Read { request }) if self.transfer == Transfer::Fetch => {
                    let to = owner.map_or(self.home_of(object), |owner| owner as u16);
                    packets.push(Packet { from: at, to, body: Body::Fetch(object, request) });
                }
                Output::Send(to, message) => {
                    let has_data =
                        matches!(message, Message::Data { .. } | Message::Grant { data: Some(_), .. });
                    if has_data && self.by_regions() {
                        let body = Body::Region(object, node.regions[object].1);
                        packets.push(Packet { from: at, to, body });
                    }
                    packets.push(Packet { from: at, to, body: Body::Object(object, message) })
                }
                Output::Readable => {
                    let data = self.data(node, object);
                    node.seen.push(data);
                    node.phase = Phase::Holds;
                }
                Output::Writable => {
                    state.lost |= self.data(node, object) != state.written[object];
                    node.phase = Phase::Holds;
                }
            }
        }
        packets
    }

    /// Data go from region to region by RDMA, and a message follows them.
    fn by_regions(&self) -> bool {
        matches!(self.transfer, Transfer::Behind | Transfer::Beside)
    }

    /// The data that a guard shows. Data that peers fetch are put into the region.
    fn data(&self, node: &mut Node, object: usize) -> u8 {
        let replica = &node.replicas[object];
        match replica.data() {
            Some(data) if self.transfer == Transfer::Message => *data,
            Some(data) if self.transfer == Transfer::Fetch => {
                node.regions[object] = (replica.version(), *data);
                *data
            }
            _ => node.regions[object].1,
        }
    }

    fn object(&self, state: &mut State, at: usize, object: usize, input: Input<u8>) {
        let outputs = state.nodes[at].replicas[object].step(&self.rules, input);
        for packet in self.follow(state, at as u16, object, outputs) {
            self.send(state, packet);
        }
    }

    fn begin(&self, state: &mut State, at: usize) {
        let node = &mut state.nodes[at];
        let from = at as u16;
        node.phase = Phase::Waits;
        match self.programs[at][node.done] {
            Op::Read(object) => self.object(state, at, object, Input::Read),
            Op::Write(object) => self.object(state, at, object, Input::Write),
            Op::Push(object, to) => {
                (node.done, node.phase) = (node.done + 1, Phase::Ready);
                self.object(state, at, object, Input::Push(to));
            }
            Op::Lock => {
                let body = Body::Lock(node.holder.acquire());
                self.send(state, Packet { from, to: self.home_of_lock(), body });
            }
            Op::Unlock => {
                let body = Body::Lock(node.holder.release());
                (node.done, node.phase) = (node.done + 1, Phase::Ready);
                self.send(state, Packet { from, to: self.home_of_lock(), body });
            }
            Op::Barrier => {
                let body = Body::Barrier(node.arrival.arrive(0));
                self.send(state, Packet { from, to: 0, body });
            }
        }
    }

    fn end(&self, state: &mut State, at: usize) {
        let node = &mut state.nodes[at];
        let op = self.programs[at][node.done];
        (node.done, node.phase) = (node.done + 1, Phase::Ready);
        match op {
            Op::Write(object) => {
                let written = self.data(node, object) + 1;
                if self.transfer != Transfer::Message {
                    node.regions[object].1 = written;
                }
                state.written[object] += 1;
                self.object(state, at, object, Input::EndWrite(written));
            }
            Op::Read(object) => self.object(state, at, object, Input::EndRead),
            _ => {}
        }
    }

    /// Whether a node reads a message now.
    fn takes(&self, node: &Node, body: &Body) -> bool {
        node.replicas.iter().enumerate().all(|(number, replica)| match body {
            // The adapter serves RDMA without the library.
            Body::Region(..) | Body::Fetch(..) => true,
            Body::Object(object, message) if *object == number => replica.takes(&self.rules, message),
            // Anything but an acknowledgement of this object.
            _ => replica.takes(&self.rules, &Message::Read { request: 0 }),
        })
    }
}

impl Model for World {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let nodes = self.programs.len();
        let replica = |me, object| match self.cached {
            true => Replica::cached(me, self.home_of(object), 0, nodes),
            false => Replica::new(me, self.home_of(object), 0),
        };
        let node = |me: u16| Node {
            replicas: (0..self.objects).map(|object| replica(me, object)).collect(),
            regions: vec![(1, 0); self.objects],
            homes: (0..self.objects)
                .map(|object| (self.home_of(object) == me).then(|| Home::new(me, nodes)))
                .collect(),
            holder: lock::Holder::default(),
            arrival: barrier::Arrival::default(),
            done: 0,
            phase: Phase::Ready,
            seen: Vec::new(),
        };
        vec![State {
            nodes: (0..nodes as u16).map(node).collect(),
            lock: lock::Home::new(nodes),
            barrier: barrier::Home::new(nodes),
            channel: Vec::new(),
            repeats: self.network.repeats,
            written: vec![0; self.objects],
            lost: false,
            early: false,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (at, node) in state.nodes.iter().enumerate() {
            match node.phase {
                Phase::Ready if node.done < self.programs[at].len() => actions.push(Action::Begin(at)),
                Phase::Holds => actions.push(Action::End(at)),
                _ => {}
            }
        }
        for (at, packet) in state.channel.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &state.channel[before]);
            // RDMA WRITEs and messages on separate connections do not wait for each other.
            let way = |packet: &Packet| {
                let region = self.transfer == Transfer::Beside && matches!(packet.body, Body::Region(..));
                (packet.from, packet.to, region)
            };
            let same = |other: &Packet| way(other) == way(packet);
            // One of equal messages is enough; without reordering only the first of a pair arrives.
            let skip = match self.network.reorders {
                true => before == Some(packet),
                false => state.channel[..at].iter().any(same),
            };
            if skip || !self.takes(&state.nodes[usize::from(packet.to)], &packet.body) {
                continue;
            }
            actions.push(Action::Arrive { at, again: false });
            let grant = matches!(&packet.body, Body::Object(_, Message::Grant { .. }));
            if state.repeats > 0 && (grant || !self.network.grants_only) {
                actions.push(Action::Arrive { at, again: true });
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        match action {
            Action::Begin(at) => self.begin(&mut state, at),
            Action::End(at) => self.end(&mut state, at),
            Action::Arrive { at, again } => {
                let packet = match again {
                    true => state.channel[at].clone(),
                    false => state.channel.remove(at),
                };
                state.repeats -= u8::from(again);
                for packet in self.hear(&mut state, packet) {
                    self.send(&mut state, packet);
                }
            }
        }
        Some(state)
    }
}
