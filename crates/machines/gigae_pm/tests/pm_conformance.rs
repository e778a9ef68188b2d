use cluster::Duration;
use pm::Channel;
use pm::programs::conform;

use super::{Settings, switched};

#[test]
fn endpoint_conforms() {
    let channel = Channel::new(2).unwrap();
    let mut cluster = switched(2, &Settings::default());
    let ends = [0, 1].map(|node| cluster.spawn(node, "program", move |port| conform(port, channel)));
    cluster.run(Duration::from_us(100_000)).expect("both programs end");
    assert_eq!(ends.map(|end| end.take()), [Some(Ok(())), Some(Ok(()))]);
}
