//! Messages of every node of a real machine to the next node but one, over links that lose some.

use std::error::Error;
use std::future::Future;

use cluster::{AnyNic, Cluster, Duration, Machine, Rates, Time, Topology};
use dimmnet2_machine as memory_slot;
use gigae_pm_machine as pci;
use hdl::Model;
use workload::Messenger;

use crate::Place;

/// Frames in a million that are lost.
const LOSS: u32 = 30_000;

/// Messages of each node.
const MESSAGES: usize = 8;

/// A machine that sends messages.
pub trait Sender: Machine<Port: 'static> {
    type Messenger: Messenger;
    fn model() -> Box<AnyNic<Self>>;
    fn messenger(port: Self::Port) -> impl Future<Output = Self::Messenger> + 'static;
}

impl Sender for memory_slot::Dimmnet2 {
    type Messenger = memory_slot::Messenger;

    fn model() -> Box<AnyNic<Self>> {
        Box::new(Model::new(dimmnet2::Dimmnet2::default()))
    }

    async fn messenger(port: memory_slot::Host) -> Self::Messenger {
        memory_slot::Messenger::open(port, &["botf".to_owned()]).await
    }
}

impl Sender for pci::GigaePm {
    type Messenger = pci::Messenger;

    fn model() -> Box<AnyNic<Self>> {
        Box::new(Model::new(gigae_pm::GigaePm::default()))
    }

    async fn messenger(port: pci::Port) -> Self::Messenger {
        pci::Messenger::open(port).await
    }
}

/// Brings who had what from whom, and when.
pub fn run<M: Sender>(place: &mut Place, nodes: usize) -> Result<Option<String>, Box<dyn Error>> {
    let begin = |part: &mut Cluster<M>| {
        part.set_faults(Rates { loss: LOSS, ..Rates::default() }, 1);
        let talk = |port, node| async move { talk(M::messenger(port).await, node, nodes).await };
        let here = part.here();
        here.map(|node| part.spawn(node, "talk", move |port| talk(port, node))).collect::<Vec<_>>()
    };
    place.run::<M, _, _>(
        &Topology::star(nodes),
        |_| Ok(M::model()),
        begin,
        |_, outputs| outputs.iter().flat_map(|output| output.take().expect("it is done")).collect(),
    )
}

/// Sends all messages and receives as many. All nodes are set up when they begin.
async fn talk(mut messenger: impl Messenger, node: usize, nodes: usize) -> Vec<(usize, u64, u64)> {
    messenger.wait_until(Time::ZERO + Duration::from_us(300)).await;
    let mut came = Vec::new();
    for message in 0..MESSAGES {
        let bytes = 8 + 60 * message as u64;
        messenger.send((node + 2) % nodes, bytes, 0).await.expect("the neighbour answers");
    }
    while came.len() < MESSAGES {
        if let Some(arrival) = messenger.poll().await {
            came.push((arrival.from, arrival.bytes, messenger.now().ps()));
        }
    }
    came
}
