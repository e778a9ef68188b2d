use std::time::Duration;

use cluster::host::LibraryCost;
use cluster::{Duration as Span, Fingerprint};
use dimmnet2::Dimmnet2 as Board;
use dimmnet2_machine::{AnyNic, Cluster, Dimmnet2, Settings};
use fagus::Config;
use fagus::carrier::machine::Ended;
use fagus::programs::himeno::{self, Size};
use fagus::programs::latencies;
use hdl::Model;
use machine_api::shared::{ACCESS, BARRIER, LOCK, MESSAGE};
use machine_api::{CarrierChoice, Medium, Parallel, pace, share};

fn switched(nodes: usize) -> Cluster {
    let board = || Box::new(Model::new(Board::default())) as Box<AnyNic>;
    Cluster::with_switch((0..nodes).map(|_| board()).collect(), &Settings::default())
}

/// Period in which the library looks at the network while its program computes.
const PERIOD: Span = Span::from_us(100);

/// Names and times of calls.
type Latencies = Vec<(&'static str, Duration)>;

/// Times of calls over each carrier.
fn calls() -> Vec<(&'static str, Latencies)> {
    let over = |carrier| {
        let medium = Medium::Messages(CarrierChoice::over(carrier));
        let pace = pace::<Dimmnet2>(&Settings::default(), medium, PERIOD);
        let program = async |dsm: fagus::Dsm| latencies::program(&dsm).await;
        let mut nodes = share(&mut switched(2), medium, Config::default(), pace, program).unwrap();
        (carrier.name, nodes.swap_remove(1).value)
    };
    Dimmnet2::CARRIERS.iter().map(over).collect()
}

#[test]
fn prefetch_windows_halve_the_time_of_a_miss_of_64_kib() {
    let calls = calls();
    let (places, windows) = (&calls[0], &calls[1]);
    assert_eq!((places.0, windows.0), ("lhs", "rvs"));
    println!("a call, over lhs and over rvs");
    for ((name, places), (_, windows)) in places.1.iter().zip(&windows.1) {
        println!("{name:24} {places:?} {windows:?}");
        assert!(windows <= places, "{name}");
        if name.contains("miss, 64 KiB") {
            assert!(*windows * 2 < *places, "{name}");
        }
    }
}

#[test]
fn himeno_over_prefetch_windows_has_the_bits_that_it_has_alone() {
    let alone = himeno::alone(Size::XS, 1).gosa.to_bits();
    for nodes in [2, 5] {
        let medium = Medium::Messages(CarrierChoice::over(&Dimmnet2::CARRIERS[1]));
        let pace = pace::<Dimmnet2>(&Settings::default(), medium, PERIOD);
        let program = async |dsm: fagus::Dsm| himeno::program(&dsm, Size::XS, 1).await;
        let ends = share(&mut switched(nodes), medium, Config::default(), pace, program).unwrap();
        assert!(ends.iter().all(|end| end.value.gosa.to_bits() == alone), "{nodes} nodes");
    }
}

/// Runs the latencies with a cost of Fagus's library; that of MPI below it stays.
fn with_cost(cost: LibraryCost) -> (Vec<Ended<Latencies>>, Fingerprint) {
    let medium = Medium::Messages(CarrierChoice::over(&Dimmnet2::CARRIERS[0]));
    let pace = pace::<Dimmnet2>(&Settings { library: cost, ..Settings::default() }, medium, PERIOD);
    let program = async |dsm: fagus::Dsm| latencies::program(&dsm).await;
    let mut cluster = switched(2);
    let nodes = share(&mut cluster, medium, Config::default(), pace, program).unwrap();
    (nodes, cluster.fingerprint().unwrap())
}

#[test]
fn fagus_takes_the_instructions_of_the_table() {
    let [looks, counted, off] = LibraryCost::ALL.map(with_cost);
    assert_eq!(looks.1, off.1, "this machine charges nothing for a message");
    assert!(off.0.iter().all(|node| node.library_ps == 0));
    let instruction = Settings::default().costs.instruction.ps();
    let asks = counted.0[1].stats.calls;
    assert!(asks.accesses > 0 && asks.locks > 0);
    for node in &counted.0 {
        let (calls, packets) = (node.stats.calls, node.stats.packets_sent + node.stats.packets_received);
        assert!(calls.barriers > 0 && packets > 0);
        let instructions = calls.accesses * ACCESS.instructions
            + calls.locks * LOCK.instructions
            + calls.barriers * BARRIER.instructions
            + packets * MESSAGE.instructions;
        assert_eq!(node.library_ps, instructions * instruction);
    }
    for ((name, slow), (_, fast)) in counted.0[1].value.iter().zip(&off.0[1].value) {
        assert!(slow > fast, "{name}");
    }
    assert_eq!(with_cost(LibraryCost::Counted).1, counted.1);
}
