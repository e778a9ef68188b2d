use cluster::{Duration, Rates};
use dimmnet2::Dimmnet2;
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{AnyNic, Cluster, Settings};
use hdl::Model;

const PROCESS: Process = Process { wid: false, pgid: 5 };
const LIDS: [u16; 2] = [0x21, 0x07];

fn settings() -> Settings {
    Settings { subnet: false, ..Settings::default() }
}

fn models() -> Vec<Box<AnyNic>> {
    (0..2).map(|_| Box::new(Model::new(Dimmnet2::default())) as Box<AnyNic>).collect()
}

/// Boards wait for a LID, get one, and exchange packets.
fn sweep(mut cluster: Cluster, skipping: bool) -> String {
    cluster.set_skipping(skipping);
    let outputs = [0, 1].map(|node| {
        cluster.spawn(node, "talk", move |host| async move {
            let mut board = Board::initialise(host.clone(), PROCESS).await;
            assert_eq!(board.lid(), LIDS[node]);
            host.compute(Duration::from_us(5)).await;
            let peer = Peer { lid: LIDS[1 - node], wid: false };
            let destination = Destination::SoDimm(0);
            let packet = Packet { peer, swid: false, destination, status: true, tag: 9 };
            board.send_packet(0, &packet, &[node as u8; 64]).await.unwrap();
            board.next_status().await.0.sclid
        })
    });
    cluster.run_until(cluster.now() + Duration::from_us(30)).unwrap();
    assert!(outputs.iter().all(|output| output.take().is_none()), "nobody has a LID");
    dimmnet2_machine::sweep(&mut cluster, &LIDS).unwrap();
    cluster.run(Duration::from_us(20_000)).unwrap();
    assert_eq!(outputs.map(|output| output.take().unwrap()), [LIDS[1], LIDS[0]]);
    cluster.fingerprint().unwrap().to_string()
}

#[test]
fn boards_talk_by_the_lids_that_a_subnet_manager_gives() {
    let once = sweep(Cluster::with_switch(models(), &settings()), true);
    assert_eq!(once, sweep(Cluster::with_switch(models(), &settings()), false), "skipped or walked");
    let mut faulty = Cluster::with_switch(models(), &settings());
    for (link, seed) in faulty.links_mut().iter_mut().zip(0..) {
        link.faults_mut().strike(Rates::one_in(4), seed);
    }
    sweep(faulty, true);
}
