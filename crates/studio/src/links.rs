//! Links and switches of a cluster for pages.

use cluster::{Cluster, Machine, Time, UnitOf};

use crate::protocol::{Link, Queue};

/// Most units of a link whose positions are sent.
const MOST_UNITS: usize = 32;

/// Most faults of a link that are sent.
const MOST_FAULTS: usize = 4;

/// The links that carry something or have faults, and the output queues of switches that hold something.
pub fn network<M: Machine>(cluster: &Cluster<M>) -> (Vec<Link>, Vec<Queue>) {
    let now = cluster.now();
    let mut queues: Vec<_> =
        cluster.port_queues().enumerate().map(|(port, units)| Queue { port, units }).collect();
    let mut links = Vec::new();
    for node in cluster.nodes().iter().map(|node| node.id()) {
        for (to_node, link) in [(false, cluster.link_from(node)), (true, cluster.link_to(node))] {
            let (view, ahead) = view::<M>(now, node, to_node, link);
            // A switch gives units to the link before the link takes them up.
            if let Some(queue) = queues.get_mut(node).filter(|_| to_node) {
                queue.units += ahead;
            }
            if view.in_flight > 0 || !view.waiting.is_empty() || !view.struck.is_empty() {
                links.push(view);
            }
        }
    }
    queues.retain(|queue| queue.units > 0);
    (links, queues)
}

/// A link, and the number of units that it has not taken up yet.
fn view<M: Machine>(now: Time, node: usize, to_node: bool, link: &cluster::Link<UnitOf<M>>) -> (Link, usize) {
    let length = (link.timing().latency + link.timing().unit).ps().max(1);
    let left = |arrives: Time| arrives.ps().saturating_sub(now.ps());
    let mut flight: Vec<_> = link.arrivals().map(|(arrives, _)| left(arrives)).collect();
    let all = flight.len();
    flight.retain(|left| *left <= length);
    let struck = link.faults().struck();
    let fault = link.fault().filter(|_| link.in_frame() || !flight.is_empty());
    let view = Link {
        node,
        to_node,
        in_flight: flight.len(),
        units: flight.iter().take(MOST_UNITS).map(|left| 1.0 - *left as f32 / length as f32).collect(),
        flight_ps: length,
        waiting: link.faults().waiting().take(MOST_FAULTS).map(|fault| fault.to_string()).collect(),
        struck: struck[struck.len().saturating_sub(MOST_FAULTS)..].iter().map(ToString::to_string).collect(),
        fault: fault.map(|fault| fault.to_string()),
    };
    (view, all - flight.len())
}
