use cluster::{Cluster, Duration, SwitchPort, Topology};

use crate::relay::{Ring, card};
use crate::ring::rounds;

/// Two switches with half of the nodes each, and a cable between their last ports.
pub fn two_switches(nodes: usize) -> Topology {
    let half = nodes / 2;
    let place = |node| SwitchPort { switch: node / half, port: node % half };
    let cable = [SwitchPort { switch: 0, port: half }, SwitchPort { switch: 1, port: half }];
    let places: Vec<_> = (0..nodes).map(place).collect();
    Topology::of_switches(2, &places, &[cable], |switch, node| {
        if place(node).switch == switch { place(node).port } else { half }
    })
    .expect("each port has one cable")
}

#[test]
fn frames_cross_all_switches_between_their_nodes() {
    let cards = |nodes| (0..nodes).map(|_| card()).collect::<Vec<_>>();
    let back = |topology: Topology| {
        let nodes = topology.nodes();
        let mut cluster = Cluster::<Ring>::new(topology, cards(nodes), &()).unwrap();
        let back = cluster.spawn(0, "sender", |host| rounds(host, 2));
        cluster.run(Duration::from_us(100)).unwrap();
        let back = back.take().unwrap();
        (back[1].0 - back[0].0, (back[1].1 - back[0].1).ps() / 1_000)
    };
    let (one, two) = (back(Topology::star(8)), back(two_switches(8)));
    assert_eq!((one.0, two.0), (8, 8));
    // Two of eight hops cross both switches, with one more cable and switch each; the result is seen at the
    // next poll.
    let more = two.1 - one.1;
    assert!((2 * (110 - 5)..=2 * (110 + 30)).contains(&more), "{more} ns");
}

#[test]
fn multistage_frames_cross_a_switch_in_each_stage() {
    let nodes = 16;
    let cards = || (0..nodes).map(|_| card()).collect::<Vec<_>>();
    let once = |topology: Topology| {
        let mut cluster = Cluster::<Ring>::new(topology, cards(), &()).unwrap();
        let back = cluster.spawn(0, "sender", |host| rounds(host, 2));
        cluster.run(Duration::from_us(100)).unwrap();
        let back = back.take().unwrap();
        (back[1].0 - back[0].0, (back[1].1 - back[0].1).ps() / 1_000)
    };
    let (star, stages) = (once(Topology::star(nodes)), once(Topology::multistage(nodes)));
    assert_eq!((star.0, stages.0), (16, 16));
    // Each of sixteen hops has one more switch and cable; the result is seen at the next clock edge.
    let more = stages.1 - star.1;
    assert!((16 * (110 - 5)..=16 * (110 + 5) + 30).contains(&more), "{more} ns");
}
