//! The last primitive on one time line: from the first store of the host to its last trace on any board.

use std::fmt::Write;

use cluster::{Event, Observation, Place, Watch};
use dimmnet2::address::Area;
use dimmnet2::prefetch_unit::pu_ctl;
use dimmnet2::receive_controller::{head_write, packet_control, packet_write};
use dimmnet2::registers::UserRegister;
use dimmnet2::swif::decapsulation;
use dimmnet2::window_controller::{botf, request_acceptor, rvl, rvs, vl, vs};
use dimmnet2::write_unit::write_control;
use dimmnet2::{Lower, Primitive, status_write_unit};
use machine_api::Explained;

use super::access::Access;
use crate::Cluster;

const PACKET_SEEN: &str = "packet is seen";
const PACKET_DROPPED: &str = "packet is dropped";

// State machines that a primitive may pass.
const ACCEPTOR: &str = "core_logic.window_controller.request_acceptor";
const BOTF: &str = "core_logic.window_controller.request_executor.botf";
const VS: &str = "core_logic.window_controller.request_executor.vs";
const VL: &str = "core_logic.window_controller.request_executor.vl";
const RVS: &str = "core_logic.window_controller.request_executor.rvs";
const RVL: &str = "core_logic.window_controller.request_executor.rvl";
const PREFETCH: &str = "core_logic.prefetch_unit.pu_ctl";
const SWIF: &str = "swif.decapsulation";
const PACKET: &str = "core_logic.receive_controller.packet_control";
const WRITE: &str = "core_logic.write_unit.write_control";
const LOCAL: &str = "core_logic.receive_controller.packet_write";
const HEAD: &str = "core_logic.receive_controller.head_write";
const STATUS: &str = "core_logic.status_write_unit";

/// Whether accesses issue a primitive.
pub fn issues(accesses: &[Access]) -> bool {
    command(accesses).is_some()
}

/// The time line of the primitive that these accesses of a node issued.
pub fn explain(accesses: &[Access], node: usize, cluster: &Cluster) -> Explained {
    let (lower, upper) = command(accesses).expect("this is what was looked for");
    let line = time_line(&cluster.observations(), node);
    let mnemonic = Primitive::from_code(Lower::from_bits(lower).otype).map_or("?", Primitive::mnemonic);
    let words = upper.map_or(String::new(), |upper| format!("{upper:x}_"));
    let heading = match line.first() {
        Some(first) => format!("{mnemonic} of node{node} at {}, cmd:{words}{lower:x}\n", first.time),
        None => {
            format!("{mnemonic} of node{node}, cmd:{words}{lower:x}: no store has come to the board yet\n")
        }
    };
    Explained { heading, remarks: frames(&line, cluster), line, name }
}

/// Values of Command Lower and, if written, Command Upper.
fn command(accesses: &[Access]) -> Option<(u64, Option<u64>)> {
    let store = |registers: [UserRegister; 2]| {
        let addresses = registers.map(|register| u32::from(register.info().offset));
        let to = |address: &u32| {
            [false, true].iter().any(|wid| {
                address.checked_sub(Area::UserRegister.part(*wid)).is_some_and(|at| addresses.contains(&at))
            })
        };
        accesses.iter().rev().find_map(|access| match access {
            Access::Store(address, value) if to(address) => Some(*value),
            _ => None,
        })
    };
    let lower = store([UserRegister::Command0Lower, UserRegister::Command1Lower])?;
    Some((lower, store([UserRegister::Command0Upper, UserRegister::Command1Upper])))
}

/// Watches on the points of a board that a primitive may pass.
pub fn watches() -> Vec<Watch> {
    use packet_control::State as Packet;
    vec![
        Watch::state("request is taken", ACCEPTOR, request_acceptor::State::ReqIn),
        Watch::state("BOTF begins", BOTF, botf::State::Botf1),
        Watch::state("BOTF ends", BOTF, botf::State::BotfEnd1),
        Watch::state("VS begins", VS, vs::State::Vs1),
        Watch::state("VS ends", VS, vs::State::VsEnd),
        Watch::state("VL begins", VL, vl::State::Vl1),
        Watch::state("VL ends", VL, vl::State::VlEnd),
        Watch::state("RVS makes a packet", RVS, rvs::State::Rvs1),
        Watch::state("RVS ends", RVS, rvs::State::RvsEnd),
        Watch::state("RVL makes a packet", RVL, rvl::State::Rvl1),
        Watch::state("RVL ends", RVL, rvl::State::RvlEnd),
        Watch::state("Prefetch Unit begins", PREFETCH, pu_ctl::State::Compute),
        Watch::state("Prefetch Unit ends", PREFETCH, pu_ctl::State::Idle),
        Watch::state("SWIF drops a frame", SWIF, decapsulation::State::Drop),
        Watch::state(PACKET_SEEN, PACKET, Packet::Request),
        Watch::state("header is read", PACKET, Packet::Decode),
        Watch::state(PACKET_DROPPED, PACKET, Packet::Drop),
        Watch::state("request of a remote node", PACKET, Packet::Remote),
        Watch::state("message waits for room", PACKET, Packet::Room),
        Watch::state("SO-DIMM is written", WRITE, write_control::State::Write),
        Watch::state("data is stored", WRITE, write_control::State::Done),
        Watch::state("data is in its window or LLCM", LOCAL, packet_write::State::Done),
        Watch::state("head is in the LH Buffer", HEAD, head_write::State::Done),
        Watch::state("status is in LLCM", STATUS, status_write_unit::State::Nop),
    ]
}

/// From the first store of the command to the next command of any node.
fn time_line(observations: &[Observation], node: usize) -> Vec<Observation> {
    let own = Place::Node(node);
    let stored = |o: &Observation| matches!(o.event, Event::Beat { write: true, .. });
    let issued =
        |o: &Observation| matches!(o.event, Event::Beat { write: true, address } if is_lower(address));
    let Some(first) = observations.iter().position(|o| o.place == own && stored(o)) else { return vec![] };
    let observations = &observations[first..];
    let Some(issue) = observations.iter().position(|o| o.place == own && issued(o)) else {
        return vec![observations[0]];
    };
    // The stores before begin with the first one; no store behind the issue belongs to the primitive.
    let begin = observations[..issue.min(1)].iter();
    let rest = observations[issue + 1..].iter().take_while(|o| !issued(o));
    let rest = rest.filter(|o| !matches!(o.event, Event::Beat { .. } | Event::Mark(_)));
    begin.chain([&observations[issue]]).chain(rest).copied().collect()
}

/// Whether a row of the bus holds Command0 or Command1 Lower of a process.
fn is_lower(row: u32) -> bool {
    let registers = [UserRegister::Command0Lower, UserRegister::Command1Lower];
    let addresses = [false, true].map(|wid| {
        registers.map(|register| (Area::UserRegister.part(wid) + u32::from(register.info().offset)) & !15)
    });
    addresses.as_flattened().contains(&row)
}

fn name(observation: &Observation) -> &'static str {
    match observation.event {
        Event::Mark(name) | Event::Watch(name) => name,
        Event::Beat { address, .. } if is_lower(address) => "command is written",
        Event::Beat { .. } => "host begins to write",
        Event::TransmitFirst => "frame begins to leave",
        Event::TransmitLast => "frame has left",
        Event::TransmitAgain => "frame leaves again",
        Event::ReceiveFirst => "frame begins to arrive",
        Event::ReceiveLast => "frame has arrived",
        Event::SwitchFirstIn => "frame comes in",
        Event::SwitchFirstOut => "frame gets its output",
        Event::SwitchLastOut => "frame goes out whole",
    }
}

/// Sentences about sent, lost and dropped frames.
fn frames(line: &[Observation], cluster: &Cluster) -> String {
    let mut text = String::new();
    let count =
        |place: Place, event: Event| line.iter().filter(|o| (o.place, o.event) == (place, event)).count();
    let nodes = 0..cluster.nodes().len();
    let total = |event: Event| line.iter().filter(|o| o.event == event).count();
    if total(Event::TransmitFirst) == 0 {
        return text;
    }
    let (sent, received) = (total(Event::TransmitLast), total(Event::ReceiveLast));
    let mut say = |sentence: String| writeln!(text, "{sentence}").expect("text has room");
    say(format!("frames: {sent} sent, {received} received"));
    if !cluster.is_still() {
        say("boards or links are still at work".to_string());
        return text;
    }
    let mut tell = |frames: usize, what: &str| {
        if frames > 0 {
            say(format!("{frames} of them {what}"));
        }
    };
    for node in nodes.clone() {
        let left = count(Place::Node(node), Event::TransmitLast);
        let came = count(Place::Switch(node), Event::SwitchFirstIn);
        tell(
            left.saturating_sub(came),
            &format!("left node{node} and never came to the switch: lost on the link"),
        );
    }
    let (came, out) = (total(Event::SwitchFirstIn), total(Event::SwitchFirstOut));
    tell(came.saturating_sub(out), "came to the switch for a LID that no port has");
    for node in nodes {
        let seen = count(Place::Node(node), Event::Watch(PACKET_SEEN));
        let came = count(Place::Node(node), Event::ReceiveLast);
        tell(
            came.saturating_sub(seen),
            &format!(
                "came to node{node} and not out of SWIF: cut, not what InfiniBand allows, or behind one that waits"
            ),
        );
        let dropped = count(Place::Node(node), Event::Watch(PACKET_DROPPED));
        tell(
            dropped,
            &format!(
                "came to node{node} and was dropped by the Receive Controller: another process group, or no header \
                 it can take"
            ),
        );
    }
    text
}
