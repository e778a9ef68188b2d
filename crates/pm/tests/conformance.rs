use pm::memory::Settings;
use pm::programs::conform;
use pm::{Channel, NodeId};

use crate::monitor::monitored;

#[test]
fn cluster_in_memory_conforms() {
    let channel = Channel::new(2).unwrap();
    let cluster = monitored(2, Settings::default());
    let programs = [0, 1].map(|node| conform(cluster.port(NodeId(node)), channel));
    assert_eq!(cluster.run(100_000, programs), Ok(vec![Ok(()), Ok(())]));
}
