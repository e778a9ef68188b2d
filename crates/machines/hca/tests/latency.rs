use hca_machine::settings::Bus;
use hca_machine::{Hca, Settings};
use machine_api::{Job, Models, Traced, Working};

const JOB: Job = Job { bytes: 4, seed: 1, capture: false, brief: false };

#[test]
fn stages_of_a_message_and_its_answer_sum_to_the_round_trip() {
    let account = Hca::work(&JOB, &Models(Settings::default())).unwrap();
    let total: u64 = account.line.stages.iter().map(|stage| stage.duration.ps()).sum();
    let [first, last] = [0, account.line.stages.len() - 1].map(|at| account.line.stages[at]);
    assert_eq!(total, (last.begin + last.duration - first.begin).ps());
    assert_eq!(account.rows[0].id, "C1");
    assert!((account.means[0].1 / 10.0 - 1.0).abs() < 0.01, "{} us", account.means[0].1);
}

#[test]
fn slower_buses_take_longer_and_both_services_alike() {
    let time = |name, bytes, bus| {
        let path = Hca::path(name).unwrap();
        let nics = Models(Settings { bus, ..Settings::default() });
        Hca::transfer(path, bytes, cluster::Duration::ZERO, &nics).unwrap().total()
    };
    assert!(Bus::ALL.map(|bus| time("rc", 2_048, bus)).is_sorted_by(|fast, slow| fast < slow));
    let [connection, datagram] = ["rc", "ud"].map(|name| time(name, 2_000, Bus::PciX).ps() as f64);
    assert!((datagram / connection - 1.0).abs() < 0.05, "{connection} and {datagram} ps");
}
