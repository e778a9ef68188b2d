//! `memonet fagus`: shared memory on modelled machines.

use crate::{KINDS, fails, json};

/// Machines and the carriers between their nodes.
const CARRIERS: [(&str, &str); 8] = [
    ("dimmnet2", "lhs"),
    ("dimmnet2", "rvs"),
    ("gigae_pm", "pm"),
    ("gigae_pm", "tcp"),
    ("gigae_pm", "udp"),
    ("cenju3", "mpi_de"),
    ("hca", "rc"),
    ("hca", "ud"),
];

fn fagus(options: &[&str]) -> serde_json::Value {
    json(&[&["fagus"], options].concat())
}

#[test]
#[ignore = "slow; make slow"]
fn programs_are_bit_exact_over_every_carrier() {
    for (machine, carrier) in CARRIERS {
        for program in ["himeno", "sor", "matmul", "lu", "water"] {
            let run = ["-n", "3", "--machine", machine, "--carrier", carrier, "--program", program];
            let report = fagus(&[&run[..], &["--iterations", "2"]].concat());
            assert_eq!(report["same"], true, "{program} over {carrier}: {report}");
            assert_eq!(report["counts"].as_array().unwrap().len(), 3);
            assert!(report["time_ps"].as_u64() > Some(0));
        }
    }
}

#[test]
#[ignore = "slow; make slow"]
fn himeno_has_the_same_gosa_on_any_number_of_nodes() {
    let gosa = |machine: &str, nodes: &str| {
        let report = fagus(&["-n", nodes, "--machine", machine, "--iterations", "2"]);
        assert_eq!(report["same"], true, "{nodes} nodes of {machine}");
        report["result"].to_string()
    };
    let alone = gosa("dimmnet2", "1");
    for machine in ["dimmnet2", "gigae_pm", "hca"] {
        for nodes in ["2", "7", "16"] {
            assert_eq!(gosa(machine, nodes), alone);
        }
    }
}

#[test]
fn fingerprint_is_independent_of_the_implementation() {
    for (machine, carrier) in [("dimmnet2", "lhs"), ("dimmnet2", "rvs"), ("hca", "ud")] {
        let of = |nic: &str| {
            let report = fagus(&[
                "-n",
                "2",
                "--machine",
                machine,
                "--carrier",
                carrier,
                "--program",
                "lu",
                "--nic",
                nic,
            ]);
            assert_eq!(report["divergences"].as_u64(), (nic == "lockstep").then_some(0));
            report["fingerprint"].clone()
        };
        let all = KINDS.map(of);
        assert!(all.iter().all(|one| *one == all[0]), "{machine}: {all:?}");
    }
}

#[test]
fn lost_datagrams_are_retransmitted() {
    let run = |seed: &str| {
        let lossy = ["--machine", "gigae_pm", "--carrier", "udp", "--program", "sor", "--lose", "2%"];
        fagus(&[&lossy[..], &["--seed", seed]].concat())
    };
    let report = run("1");
    let again: u64 =
        report["counts"].as_array().unwrap().iter().map(|node| node["resent"].as_u64().unwrap()).sum();
    assert!(report["same"] == true && again > 0, "{report}");
    assert_eq!(report, run("1"));
    assert_ne!(report["fingerprint"], run("2")["fingerprint"]);
}

#[test]
#[ignore = "slow; make slow"]
fn only_calls_that_move_data_depend_on_its_size() {
    for (machine, carrier) in CARRIERS {
        let report =
            fagus(&["-n", "2", "--machine", machine, "--carrier", carrier, "--program", "latencies"]);
        let calls = report["calls"].as_array().unwrap();
        let took = |name: &str| {
            let call = calls.iter().find(|call| call["name"] == name).unwrap_or_else(|| panic!("{name}"));
            call["took_ps"].as_u64().unwrap()
        };
        assert!(took("read miss, 64 KiB") > 3 * took("read miss, 1 KiB"), "{carrier}");
        assert!(took("write miss, 64 KiB") > 3 * took("write miss, 4 B"), "{carrier}");
        // A node with a valid copy receives ownership without data.
        assert!(took("write of a copy, 64 KiB") < 2 * took("write of a copy, 4 B"), "{carrier}");
    }
}

/// Paper section 5.2: the cache transfer of 64 KiB takes at most an eighth of its time over GigaE PM.
#[test]
#[ignore = "slow; make slow"]
fn cache_transfer_over_rvs_is_eight_times_as_fast_as_over_pm() {
    let took = |machine: &str, carrier: &str| {
        let report =
            fagus(&["-n", "2", "--machine", machine, "--carrier", carrier, "--program", "latencies"]);
        let calls = report["calls"].as_array().unwrap().clone();
        ["read miss, 64 KiB", "write miss, 64 KiB"].map(|name| {
            let call = calls.iter().find(|call| call["name"] == name).unwrap_or_else(|| panic!("{name}"));
            call["took_ps"].as_u64().unwrap()
        })
    };
    let (pm, rvs) = (took("gigae_pm", "pm"), took("dimmnet2", "rvs"));
    assert!(pm[0] >= 8 * rvs[0] && pm[1] >= 8 * rvs[1], "{pm:?} {rvs:?}");
}

#[test]
fn unsupported_carriers_are_refused_with_alternatives() {
    let error = fails(&["fagus", "--machine", "hca", "--carrier", "udp"], 2);
    assert!(error.contains("has rc, ud, ipoib"), "{error}");
    let error = fails(&["fagus", "--carrier", "ud"], 2);
    assert!(error.contains("has lhs, rvs"), "{error}");
}
