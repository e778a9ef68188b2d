//! The last message on one time line: from its call to its last trace at any node.

use cluster::{Cluster, Event, Observation, Place};

use super::{Access, AccessOf, Console};
use crate::driven::Explained;

/// The mark with which a message begins.
const CALL: Event = Event::Mark("send");

/// Destination and size of the last message that accesses send.
pub fn message<S, E>(accesses: &[Access<S, E>]) -> Option<(u16, usize)> {
    accesses.iter().rev().find_map(|access| match access {
        Access::Send(to, _, data) => Some((*to, data.len())),
        _ => None,
    })
}

/// The time line of the message that these accesses of a node sent.
pub fn explain<M: Console>(accesses: &[AccessOf<M>], node: usize, cluster: &Cluster<M>) -> Explained {
    let (to, bytes) = message(accesses).expect("the accesses send a message");
    let line = time_line::<M>(&cluster.observations(), node);
    let what = format!("message of {bytes} bytes, node{node} to node{to}");
    let heading = match line.first() {
        Some(first) => format!("{what}, at {}\n", first.time),
        None => format!("{what}: {}\n", M::NOT_SENT),
    };
    let total = |event: Event| line.iter().filter(|o| o.event == event).count();
    let (sent, received) = (total(Event::TransmitLast), total(Event::ReceiveLast));
    let remarks = format!("{}: {sent} sent, {received} received\n", M::PACKETS) + &M::remarks(&line, cluster);
    Explained { heading, remarks, line, name: M::name }
}

/// The observations from the call of a node to the next call of any node.
fn time_line<M: Console>(observations: &[Observation], node: usize) -> Vec<Observation> {
    let called = |o: &Observation| (o.place, o.event) == (Place::Node(node), CALL);
    let Some(first) = observations.iter().position(called) else { return vec![] };
    let rest = observations[first + 1..].iter().take_while(|o| o.event != CALL);
    let rest = rest.filter(|o| !matches!(o.event, Event::Beat { .. }) || M::hands_over(o.event));
    std::iter::once(&observations[first]).chain(rest).copied().collect()
}
