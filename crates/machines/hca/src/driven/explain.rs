//! The last message on one time line: from its call to the last trace at any host.

use cluster::{Event, Observation, Place, Watch};
use lab::Explained;

use super::access::Access;
use crate::{Cluster, paths};

/// The mark with which a message begins.
const CALL: Event = Event::Mark("send");

/// Whether accesses send a message.
pub fn sends(accesses: &[Access]) -> bool {
    message(accesses).is_some()
}

fn message(accesses: &[Access]) -> Option<(usize, usize)> {
    accesses.iter().rev().find_map(|access| match access {
        Access::Send(to, _, bytes) => Some((*to, bytes.len())),
        _ => None,
    })
}

/// Eyes on the inner point of an adapter that a message comes past.
pub fn watches() -> Vec<Watch> {
    paths::watches().into()
}

/// Takes a message of a host apart.
pub fn explain(accesses: &[Access], node: usize, cluster: &Cluster) -> Explained {
    let (to, bytes) = message(accesses).expect("this is what was looked for");
    let observations = cluster.observations();
    let first = observations.iter().position(|o| (o.place, o.event) == (Place::Node(node), CALL));
    let line: Vec<Observation> = first.map_or(vec![], |first| {
        let rest = observations[first + 1..].iter().take_while(|o| o.event != CALL);
        let rest = rest.filter(|o| !matches!(o.event, Event::Beat { .. }) || starts(o.event));
        std::iter::once(&observations[first]).chain(rest).copied().collect()
    });
    let what = format!("message of {bytes} bytes, node{node} to node{to}");
    let heading = match line.first() {
        Some(first) => format!("{what}, at {}\n", first.time),
        None => format!("{what}: it was not sent yet\n"),
    };
    let total = |event: Event| line.iter().filter(|o| o.event == event).count();
    let (sent, received) = (total(Event::TransmitLast), total(Event::ReceiveLast));
    Explained { heading, remarks: format!("packets: {sent} sent, {received} received\n"), line, name }
}

/// The write that tells the adapter of a request.
fn starts(event: Event) -> bool {
    event == paths::bell()
}

fn name(observation: &Observation) -> &'static str {
    match observation.event {
        Event::Mark("send") => "request is posted",
        Event::Mark("completion") => "completion is found",
        Event::Mark(name) | Event::Watch(name) => name,
        Event::Beat { .. } => "doorbell rings",
        Event::TransmitFirst => "packet begins to leave",
        Event::TransmitLast => "packet has left",
        Event::TransmitAgain => "packet leaves again",
        Event::ReceiveFirst => "packet begins to arrive",
        Event::ReceiveLast => "packet has arrived",
        Event::SwitchFirstIn => "packet comes into a switch",
        Event::SwitchFirstOut => "packet gets its output",
        Event::SwitchLastOut => "packet goes out whole",
    }
}
