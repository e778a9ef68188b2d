use cluster::Duration;
use dimmnet2::Dimmnet2;
use dimmnet2_machine::programs::Process;
use dimmnet2_machine::programs::pm::Port;
use dimmnet2_machine::{AnyNic, Cluster, Settings};
use hdl::Model;
use pm::Channel;
use pm::programs::conform;

#[test]
fn endpoint_conforms() {
    let channel = Channel::new(2).unwrap();
    let board = || Box::new(Model::new(Dimmnet2::default())) as Box<AnyNic>;
    let mut cluster = Cluster::with_switch(vec![board(), board()], &Settings::default());
    let ends = [0, 1].map(|node| {
        cluster.spawn(node, "program", move |host| async move {
            conform(Port::initialise(host, Process { wid: false, pgid: 5 }, 2).await, channel).await
        })
    });
    cluster.run(Duration::from_us(100_000)).expect("both programs end");
    assert_eq!(ends.map(|end| end.take()), [Some(Ok(())), Some(Ok(()))]);
}
