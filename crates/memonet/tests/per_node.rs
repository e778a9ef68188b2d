//! `--per-node 2`: two processes on each board of DIMMnet-2, in `run --program`, `fagus` and `cluster`.

use serde_json::Value;

use crate::{KINDS, json, prints};

const TWO: [&str; 2] = ["--per-node", "2"];

/// Reports of a command with one process on each board, and with two; a second run of the latter is equal.
fn one_and_two(args: &[&str]) -> [Value; 2] {
    let two = || json(&[args, &TWO].concat());
    let (alone, shared) = (json(args), two());
    assert_eq!(two(), shared, "{args:?}");
    assert!(alone["per_node"].is_null() && shared["per_node"] == 2, "{args:?}");
    assert_ne!(alone["fingerprint"], shared["fingerprint"], "{args:?}: the board is shared");
    [alone, shared]
}

/// Fingerprints of a command with two processes on each board are equal on all implementations.
fn is_alike_on_all_kinds(args: &[&str]) {
    let print = |kind| json(&[args, &TWO, &["--nic", kind]].concat())["fingerprint"].clone();
    let prints = KINDS.map(print);
    assert!(prints[0].is_string() && prints[1..].iter().all(|print| *print == prints[0]), "{args:?}");
}

#[test]
#[ignore = "slow; make slow"]
fn library_programs_are_right_with_two_ranks_on_a_board() {
    for (program, hosts) in [("mpi-check", "5 ranks of 3 hosts"), ("npb-is", "4 ranks of 2 hosts")] {
        let [alone, shared] = one_and_two(&["run", "--program", program, "--nic", "model"]);
        assert_eq!((&alone["right"], &shared["right"]), (&true.into(), &true.into()), "{program}");
        assert!(shared["about"].as_str().unwrap().ends_with(hosts), "{}", shared["about"]);
    }
}

#[test]
#[ignore = "slow; make slow"]
fn message_to_the_own_board_passes_the_stages_of_any_other() {
    let [alone, shared] = one_and_two(&["run", "--program", "mpi-ping", "--nic", "model"]);
    let stages = |report: &Value| -> Vec<(String, String, u64)> {
        let stages = report["message"]["stages"].as_array().unwrap();
        let text = |stage: &Value, key| stage[key].as_str().unwrap().to_owned();
        let stage = |stage| (text(stage, "way"), text(stage, "name"), stage["duration_ps"].as_u64().unwrap());
        stages.iter().map(stage).collect()
    };
    let names = |stages: &[(String, String, u64)]| -> Vec<_> {
        stages.iter().map(|(way, name, _)| (way.clone(), name.clone())).collect()
    };
    let (alone, of_board) = (stages(&alone), stages(&shared));
    assert_eq!(names(&alone), names(&of_board));
    let half = shared["phases"].as_array().unwrap().iter().find(|phase| phase["name"] == "4 B").unwrap();
    let sum = of_board.iter().map(|(.., time)| time).sum::<u64>();
    assert_eq!(half["duration_ps"].as_u64().unwrap(), sum / 2);
    // Both directions cross the same switch port and the same board.
    let link = |stages: &[(String, String, u64)], name: &str| -> Vec<u64> {
        stages.iter().filter(|stage| stage.1 == name).map(|stage| stage.2).collect()
    };
    for name in ["uplink", "switch", "downlink"] {
        assert_eq!(link(&alone, name), link(&of_board, name), "{name}");
    }
}

#[test]
#[ignore = "slow; make slow"]
fn puts_to_the_own_board_are_measured() {
    let [alone, shared] = one_and_two(&["run", "--program", "mpi-put", "--nic", "model"]);
    let phase = |report: &Value, name: &str| {
        let phases = report["phases"].as_array().unwrap();
        phases.iter().find(|phase| phase["name"] == name).unwrap()["duration_ps"].as_u64().unwrap()
    };
    for name in ["put, 64 KiB", "send, 64 KiB"] {
        assert!(phase(&shared, name) > phase(&alone, name), "{name}: one bus carries both sides");
    }
}

#[test]
fn implementations_are_alike_with_two_processes_on_a_board() {
    is_alike_on_all_kinds(&["fagus", "-n", "2", "--iterations", "1"]);
    is_alike_on_all_kinds(&["cluster", "--nodes", "4", "--workload", "all-to-all"]);
}

#[test]
#[ignore = "slow; make slow"]
fn mpi_is_alike_on_all_implementations_of_a_board() {
    is_alike_on_all_kinds(&["run", "--program", "mpi-ping"]);
}

#[test]
fn shared_memory_is_right_with_two_nodes_on_a_board() {
    for carrier in ["lhs", "rvs"] {
        let [alone, shared] = one_and_two(&["fagus", "-n", "3", "--iterations", "2", "--carrier", carrier]);
        assert_eq!((&alone["same"], &shared["same"]), (&true.into(), &true.into()), "{carrier}");
        assert_eq!((&shared["nodes"], &alone["result"]), (&3.into(), &shared["result"]), "{carrier}");
        assert_eq!(shared["counts"].as_array().unwrap().len(), 3);
    }
    let lossy = json(&["fagus", "-n", "4", "--per-node", "2", "--iterations", "1", "--lose", "2%"]);
    assert_eq!(lossy["same"], true);
    let text = prints(&["fagus", "-n", "2", "--per-node", "2", "--program", "latencies"]);
    assert!(text.starts_with("latencies, on 2 nodes of DIMMnet-2, 2 on each host, over lhs, "), "{text}");
}

#[test]
fn workloads_are_delivered_with_two_processes_on_a_board() {
    for primitive in ["botf", "rvs", "ipush", "lhs"] {
        let args = ["cluster", "--nodes", "5", "--workload", "all-to-all", "--primitive", primitive];
        let [alone, shared] = one_and_two(&args);
        assert_eq!((&alone["nodes"], &shared["nodes"]), (&5.into(), &5.into()));
        let links = |report: &Value| {
            let rows = report["runs"][0]["utilisation"].as_array().unwrap();
            let row = rows.iter().find(|row| row["name"] == "link from node, mean").unwrap();
            row["fraction"].as_f64().unwrap()
        };
        assert!(links(&shared) > links(&alone), "{primitive}: three links carry what five carried");
        for report in [&alone, &shared] {
            let run = &report["runs"][0];
            assert_eq!(
                (&run["undelivered"], &run["rows"][0]["messages"]),
                (&0.into(), &80.into()),
                "{primitive}"
            );
        }
    }
}

#[test]
fn workloads_on_shared_boards_are_alike_on_all_threads() {
    let args = ["cluster", "--nodes", "31", "--workload", "uniform", "--primitive", "lhs", "--lose", "1%"];
    let print = |threads| json(&[&args[..], &TWO, &["--threads", threads]].concat())["fingerprint"].clone();
    assert_eq!(print("1"), print("3"));
}
