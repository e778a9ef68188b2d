use cluster::Duration;
use dimmnet2::Dimmnet2;
use dimmnet2_machine as memory_slot;
use dimmnet2_machine::programs::Process;
use dimmnet2_machine::programs::pm::Port;
use gigae_pm::GigaePm;
use gigae_pm_machine as pci;
use hdl::Model;
use pm::programs::{Wrong, ping, pong, sink, source};
use pm::{Channel, Endpoint, GetSendBufferError, NodeId, SendError, memory};

const CHANNEL: Channel = Channel::new(2).unwrap();
const LIMIT: Duration = Duration::from_us(100_000);

/// Message sizes of the stream: from one byte to the longest.
fn size(number: u32) -> usize {
    [1, 4, 7, 8, 100, 504, 505, 1024, 1468][number as usize % 9]
}

/// A message back and forth, then a stream each way; all data is checked. Calls that cannot be are refused alike.
async fn program(mut port: impl Endpoint) -> Result<(), Wrong> {
    const ROUNDS: u32 = 10;
    const COUNT: u32 = 90;
    assert_eq!(port.get_send_buffer(CHANNEL, 4).await, Err(GetSendBufferError::NotOpen));
    port.open(CHANNEL, 7).await.expect("the channel is free");
    assert!(port.open(CHANNEL, 7).await.is_err());
    let most = port.most_bytes();
    assert_eq!(port.get_send_buffer(CHANNEL, most + 1).await, Err(GetSendBufferError::TooLong { most }));
    assert_eq!(port.send(CHANNEL, NodeId(2), &[0]).await, Err(SendError::NoSuchNode(2)));
    let other = NodeId(1 - port.node().0);
    if port.node() == NodeId(0) {
        ping(&mut port, CHANNEL, other, 100, ROUNDS, |_| ()).await?;
        source(&mut port, CHANNEL, other, COUNT, size).await?;
        sink(&mut port, CHANNEL, other, COUNT, size, |_| ()).await
    } else {
        pong(&mut port, CHANNEL, other, 100, ROUNDS).await?;
        sink(&mut port, CHANNEL, other, COUNT, size, |_| ()).await?;
        source(&mut port, CHANNEL, other, COUNT, size).await
    }
}

#[test]
fn one_program_runs_in_memory_on_gigae_pm_and_on_dimmnet2() {
    let cluster = memory::Cluster::new(2, memory::Settings::default());
    let programs = [0, 1].map(|node| program(cluster.port(NodeId(node))));
    assert_eq!(cluster.run(100_000, programs), Ok(vec![Ok(()), Ok(())]));

    let card = || Box::new(Model::new(GigaePm::default())) as Box<pci::AnyNic>;
    let mut cluster = pci::Cluster::with_switch(vec![card(), card()], &pci::Settings::default());
    let ends = [0, 1].map(|node| cluster.spawn(node, "program", program));
    cluster.run(LIMIT).expect("both programs end");
    assert_eq!(ends.map(|end| end.take()), [Some(Ok(())), Some(Ok(()))]);

    let board = || Box::new(Model::new(Dimmnet2::default())) as Box<memory_slot::AnyNic>;
    let mut cluster =
        memory_slot::Cluster::with_switch(vec![board(), board()], &memory_slot::Settings::default());
    let ends = [0, 1].map(|node| {
        cluster.spawn(node, "program", |host| async move {
            program(Port::initialise(host, Process { wid: false, pgid: 5 }, 2).await).await
        })
    });
    cluster.run(LIMIT).expect("both programs end");
    assert_eq!(ends.map(|end| end.take()), [Some(Ok(())), Some(Ok(()))]);
}
