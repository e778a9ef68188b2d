//! The last message on one time line: from its call to the last trace on any card.

use std::fmt::Write;

use cluster::{Event, Observation, Place, Watch};
use gigae_pm::firmware::send_message;
use gigae_pm::mac::mac_receive;
use lab::Explained;

use super::access::Access;
use crate::{Cluster, paths};

/// The mark with which a call of PM begins.
const CALL: Event = Event::Mark("send");
const DROPPED: &str = "MAC drops a frame";

/// Whether accesses send a message.
pub fn sends(accesses: &[Access]) -> bool {
    message(accesses).is_some()
}

fn message(accesses: &[Access]) -> Option<(u16, usize)> {
    accesses.iter().rev().find_map(|access| match access {
        Access::Send(to, bytes) => Some((to.0, bytes.len())),
        _ => None,
    })
}

/// Eyes on the inner points of a card that a message comes past.
pub fn watches() -> Vec<Watch> {
    let mut watches: Vec<_> = paths::watches().into();
    let refused = send_message::State::Refuse;
    watches.push(Watch::state("descriptor is refused", "firmware.send_message", refused));
    watches.push(Watch::state(DROPPED, "mac.mac_receive", mac_receive::State::Drop));
    watches
}

/// Takes a message of a node apart.
pub fn explain(accesses: &[Access], node: usize, cluster: &Cluster) -> Explained {
    let (to, bytes) = message(accesses).expect("this is what was looked for");
    let line = time_line(&cluster.observations(), node);
    let what = format!("message of {bytes} bytes, node{node} to node{to}");
    let heading = match line.first() {
        Some(first) => format!("{what}, at {}\n", first.time),
        None => format!("{what}: PM was not called yet\n"),
    };
    Explained { heading, remarks: remarks(&line, cluster), line, name }
}

/// From the call to the next one of any node. Of accesses, those that wake the firmware.
fn time_line(observations: &[Observation], node: usize) -> Vec<Observation> {
    let called = |o: &Observation| (o.place, o.event) == (Place::Node(node), CALL);
    let Some(first) = observations.iter().position(called) else { return vec![] };
    let rest = observations[first + 1..].iter().take_while(|o| o.event != CALL);
    let rest = rest.filter(|o| !matches!(o.event, Event::Beat { .. }) || paths::flagged(o.event));
    std::iter::once(&observations[first]).chain(rest).copied().collect()
}

fn name(observation: &Observation) -> &'static str {
    match observation.event {
        Event::Mark("send") => "PM is called",
        Event::Mark("sc1") => "message is in the send area (sc1)",
        Event::Mark("sc2") => "system is called (sc2)",
        Event::Mark("sc3") => "driver has written the descriptor (sc3)",
        Event::Mark("rc1") => "receiver sees the flag (rc1)",
        Event::Mark("rc2") => "receiver has read the descriptor (rc2)",
        Event::Mark("rc3") => "buffer is given back (rc3)",
        Event::Mark("rc4") => "driver has given it to the card (rc4)",
        // Frames that carry no message come here too.
        Event::Watch(paths::TOLD) => "firmware has done with the frame",
        Event::Mark(name) | Event::Watch(name) => name,
        Event::Beat { .. } => "flag of the descriptor is written",
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

/// What became of the frames.
fn remarks(line: &[Observation], cluster: &Cluster) -> String {
    let total = |event: Event| line.iter().filter(|o| o.event == event).count();
    let (sent, received) = (total(Event::TransmitLast), total(Event::ReceiveLast));
    let mut text = String::new();
    let mut say = |sentence: String| writeln!(text, "{sentence}").expect("text has room");
    say(format!("frames: {sent} sent, {received} received"));
    let dropped = total(Event::Watch(DROPPED));
    if dropped > 0 {
        say(format!("{dropped} of them dropped by a MAC: damaged, cut, or for another card"));
    }
    if !cluster.is_still() {
        say("cards or links are still at work".to_string());
    } else if received < sent {
        say(format!("{} of them lost on the way", sent - received));
    }
    text
}
