//! Links of a cluster for pages.

use cluster::{Cluster, Machine, Time, UnitOf};

use crate::protocol::Link;

/// Most units of a link whose positions are sent.
const MOST_UNITS: usize = 32;

/// Most faults of a link that are sent.
const MOST_FAULTS: usize = 4;

/// The links that carry something or have faults.
pub fn links<M: Machine>(cluster: &Cluster<M>) -> Vec<Link> {
    let now = cluster.now();
    let both = cluster.nodes().iter().map(|node| node.id()).flat_map(|node| {
        [(false, cluster.link_from(node)), (true, cluster.link_to(node))]
            .map(|(to, link)| view::<M>(now, node, to, link))
    });
    both.filter(|link| link.in_flight > 0 || !link.waiting.is_empty() || !link.struck.is_empty()).collect()
}

fn view<M: Machine>(now: Time, node: usize, to_node: bool, link: &cluster::Link<UnitOf<M>>) -> Link {
    let length = (link.timing().latency + link.timing().unit).ps().max(1);
    let position = |arrives: Time| {
        let left = arrives.ps().saturating_sub(now.ps()).min(length);
        1.0 - left as f32 / length as f32
    };
    let struck = link.faults().struck();
    Link {
        node,
        to_node,
        units: link.arrivals().take(MOST_UNITS).map(|(arrives, _)| position(arrives)).collect(),
        in_flight: link.arrivals().count(),
        flight_ps: length,
        waiting: link.faults().waiting().take(MOST_FAULTS).map(|fault| fault.to_string()).collect(),
        struck: struck[struck.len().saturating_sub(MOST_FAULTS)..].iter().map(ToString::to_string).collect(),
    }
}
