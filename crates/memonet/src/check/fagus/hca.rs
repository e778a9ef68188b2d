//! `memonet check fagus --replay` of findings about packets: a printed receive ring over channel adapters.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use ::fagus::reassembly::{HEADER, Header, PACKET, PAYLOAD, Reassembly, split};
use ::fagus::ring::{Pulled, Slot, pull};
use anyhow::Context;
use checker::core::Wrong as _;
use checker::fagus::Wrong;
use checker::fagus::packets::{self, Action, Receive, Script};
use hca_machine::{Cluster, Hca, Port, SendError, Service, Settings, Slots};
use machine_api::Nics;
use machine_api::shared::{span, wall};

use super::replay::{Replayed, Step};
use crate::nic::{Kind, Maker};

/// How long a library waits for packets after the last step, in which the message is sent once more.
const LONGER: Duration = Duration::from_millis(5);
/// Time after which all packets of a step have arrived.
const SETTLED: Duration = Duration::from_micros(500);
/// Between two looks of a library for packets that are missing.
const TURN: cluster::Duration = cluster::Duration::from_us(1);
/// Programs end long before this.
const LIMIT: cluster::Duration = cluster::Duration::from_us(1_000_000);

/// Bytes of a message of the paper for one of a world: packets that are full in one are full in the other.
fn bytes(world: usize) -> usize {
    world / packets::PAYLOAD * PAYLOAD + world % packets::PAYLOAD
}

/// The receiver's observations.
#[derive(Default)]
struct Seen {
    /// The ring after each step.
    rings: Vec<String>,
    /// Messages that were delivered.
    delivered: Vec<Vec<u8>>,
    /// A packet did not fit.
    too_long: bool,
    /// Packets for which there was no slot.
    dropped: u32,
}

/// Plays a finding on adapters: the last host has the ring, each other one is a sender.
pub fn replay(script: Script, nic: Kind, command: &str) -> anyhow::Result<Replayed> {
    let senders = script.world.messages.len();
    let script = Rc::new(script);
    let boards = Maker::<Hca>::new(nic, 0, command).open(senders + 1)?;
    let mut cluster = Cluster::with_switch(boards, &Settings::default());
    for node in 0..senders {
        let script = script.clone();
        cluster.spawn(node, "sends", move |port| send(port, node, senders, script));
    }
    let seen = Rc::new(RefCell::new(Seen::default()));
    {
        let (script, seen) = (script.clone(), seen.clone());
        cluster.spawn(senders, "receives", move |port| receive(port, script, seen));
    }
    cluster.run(LIMIT).context("a replay stands still")?;
    let seen = seen.take();
    let shows = match script.finding {
        Wrong::TooLong => seen.too_long,
        Wrong::Overrun => seen.dropped > 0,
        Wrong::Mixed => seen.delivered.iter().any(|message| message.iter().any(|byte| *byte != message[0])),
        // It was sent once more, without effect.
        Wrong::Trap => seen.delivered.is_empty(),
        _ => false,
    };
    let steps = script.steps.iter().zip(&seen.rings).enumerate();
    Ok(Replayed::of_packets(
        nic,
        script.finding.description().into(),
        steps
            .map(|(number, (step, ring))| Step {
                happens: step.happens.clone(),
                at_us: script.time_of(number).as_micros() as u64,
                checker: vec![step.ring.clone()],
                nodes: vec![ring.clone()],
            })
            .collect(),
        shows,
        cluster.fingerprint()?,
    ))
}

/// Waits until a time.
async fn until(port: &Port, time: Duration) {
    let cpu = port.host().processor();
    port.host().compute(span(time.saturating_sub(wall(cpu.now())))).await;
}

/// Divides messages at their steps. A packet leaves at the step at which it arrives; one that is lost does not leave.
async fn send(port: Port, node: usize, to: usize, script: Rc<Script>) {
    port.open().await;
    let (mut message, mut id) = (0, 0);
    let mut packets = VecDeque::new();
    let mut divide = |message: usize, packets: &mut VecDeque<Vec<u8>>| {
        let size = bytes(script.world.messages[node][message]);
        packets.extend(split(id, &vec![message as u8 + 1; size], PACKET));
        id = (u32::from(id) + 1).rem_euclid(script.world.ids.count) as u16;
    };
    for (number, step) in script.steps.iter().enumerate() {
        until(&port, script.time_of(number)).await;
        match step.action {
            Action::Send(from) if from == node => {
                divide(message, &mut packets);
                message += 1;
            }
            Action::Again(from) if from == node => divide(message - 1, &mut packets),
            Action::Lose(from) if from == node => drop(packets.pop_front()),
            Action::Arrive(from) if from == node => {
                let packet = packets.pop_front().expect("a packet is on its way");
                give(&port, to, &packet).await;
            }
            _ => {}
        }
    }
    if script.finding == Wrong::Trap {
        until(&port, script.time_of(script.steps.len())).await;
        divide(message - 1, &mut packets);
        for packet in packets {
            give(&port, to, &packet).await;
        }
    }
}

async fn give(port: &Port, to: usize, packet: &[u8]) {
    while port.send(to, Service::Datagram, packet).await == Err(SendError::NoRoom) {
        port.poll().await;
    }
}

/// Pulls completions at their steps, as printed or by records.
async fn receive(port: Port, script: Rc<Script>, seen: Rc<RefCell<Seen>>) {
    let ring = Slots::open(port, script.world.slots, script.world.room).await;
    let mut library = Library {
        received: vec![false; ring.count()],
        records: Reassembly::with_ids(PACKET, script.world.ids),
        receive: script.world.receive,
        ring,
        pulled: None,
        seen: Seen::default(),
    };
    for (number, step) in script.steps.iter().enumerate() {
        until(library.ring.port(), script.time_of(number)).await;
        if step.action == Action::Pull {
            library.pull().await;
        }
        // All packets of this step have arrived by then.
        until(library.ring.port(), script.time_of(number) + SETTLED).await;
        if !script.world.room {
            library.refuse().await;
        }
        library.look();
    }
    let end = script.time_of(script.steps.len()) + LONGER;
    while script.finding == Wrong::Trap && wall(library.ring.port().host().processor().now()) < end {
        library.pull().await;
    }
    library.seen.dropped = library.ring.dropped().await;
    *seen.borrow_mut() = library.seen;
}

/// A library over a ring.
struct Library {
    ring: Slots,
    receive: Receive,
    /// Slots whose packet was taken before its completion.
    received: Vec<bool>,
    records: Reassembly,
    /// A completion of whose message packets are missing.
    pulled: Option<(usize, usize)>,
    seen: Seen,
}

impl Library {
    /// Sender and header of the packet in each slot. Only a completion tells the sender, so it is 0 here: worlds in which it matters have
    /// one sender.
    fn slots(&self) -> Vec<Slot> {
        let head = |slot| {
            let packet = self.ring.look(slot, HEADER)?;
            let field = |at: usize| u16::from_le_bytes([packet[at], packet[at + 1]]);
            Some((0, Header { size: field(0), id: field(2), number: field(4) }))
        };
        (0..self.ring.count()).map(head).collect()
    }

    /// Bytes of the message that are in a slot, behind the header.
    fn payload(&self, slot: usize, header: Header) -> Vec<u8> {
        let start = usize::from(header.number) * PAYLOAD;
        let bytes = PAYLOAD.min(usize::from(header.size).saturating_sub(start));
        self.ring.look(slot, HEADER + bytes).map_or_else(Vec::new, |packet| packet[HEADER..].to_vec())
    }

    /// Pulls a completion, or goes on with the one of which packets are missing.
    async fn pull(&mut self) {
        let next = match self.pulled {
            Some(pulled) => Some(pulled),
            None => {
                self.ring.pull().await.and_then(|pulled| pulled.from.ok().map(|from| (pulled.slot, from)))
            }
        };
        let Some((slot, from)) = next else { return };
        let slots = self.slots();
        let message = match self.receive {
            Receive::Ring => match pull(slot, PAYLOAD, &slots, &mut self.received) {
                Pulled::Received => None,
                Pulled::Missing => {
                    self.pulled = next;
                    // It looks again.
                    self.ring.port().host().compute(TURN).await;
                    return;
                }
                Pulled::Whole(packets) => {
                    let packets = packets.into_iter().filter_map(|slot| Some((slot, slots[slot]?.1)));
                    Some(packets.flat_map(|(slot, header)| self.payload(slot, header)).collect())
                }
            },
            Receive::Records => slots[slot].and_then(|(_, header)| {
                let packet = self.ring.look(slot, HEADER + self.payload(slot, header).len())?;
                let now = wall(self.ring.port().host().processor().now());
                self.records.hear(now, from as u16, &packet).ok().flatten()
            }),
        };
        self.pulled = None;
        self.ring.post(slot).await;
        self.seen.delivered.extend(message);
    }

    /// Posts slots again whose packet did not fit, which the library of the paper does not notice.
    async fn refuse(&mut self) {
        while let Some(pulled) = self.ring.pull().await {
            assert!(pulled.from.is_err(), "no packet fits into a slot of this world");
            self.seen.too_long = true;
            self.ring.post(pulled.slot).await;
        }
    }

    /// Records the contents of the ring.
    fn look(&mut self) {
        let pulled = self.pulled.map(|(slot, _)| slot);
        let completed: Vec<usize> = pulled.into_iter().chain(self.ring.completed()).collect();
        self.seen.rings.push(packets::ring(&self.slots(), &completed));
    }
}
