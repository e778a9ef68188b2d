use cluster::{Cluster, Duration, SwitchPort, Topology};

use crate::relay::{Ring, card};
use crate::ring::rounds;

/// Two switches with half of the nodes each, and a cable between them at the last port of both.
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
fn frames_cross_as_many_switches_as_lie_between() {
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
    // Of eight hops two go from one switch to the other: one cable and one switch more each, seen at the next poll.
    let more = two.1 - one.1;
    assert!((2 * (110 - 5)..=2 * (110 + 30)).contains(&more), "{more} ns");
}

#[test]
fn frames_of_a_multistage_network_cross_a_switch_in_each_stage_whoever_sends() {
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
    // Each of sixteen hops has one switch and one cable more, seen at the next clock.
    let more = stages.1 - star.1;
    assert!((16 * (110 - 5)..=16 * (110 + 5) + 30).contains(&more), "{more} ns");
}
