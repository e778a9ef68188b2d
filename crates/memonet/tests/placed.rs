//! Two ranks on each board of DIMMnet-2: `--per-node 2`.

use std::path::Path;

use super::{FOLDER, compiled, fingerprint, run, stderr};

const TWO: [&str; 4] = ["--machine", "dimmnet2", "--per-node", "2"];

/// Fingerprint and output of a program on two ranks of each board; two runs are equal.
fn ran(program: &Path, name: &str, ranks: usize, options: &[&str]) -> (String, Vec<u8>) {
    let count = ranks.to_string();
    let once = || {
        let output = run(&[&["-np", &count], &TWO[..], options].concat(), program, &[]);
        (fingerprint(&output, &format!("{name}: right on {ranks}\n")), output.stdout)
    };
    let first = once();
    assert_eq!(first, once(), "{name} on {ranks} ranks, {options:?}");
    first
}

#[test]
fn programs_print_the_same_with_two_ranks_on_a_board() {
    for (name, ranks) in [
        ("ring", 5),
        ("datatypes", 2),
        ("collectives", 4),
        ("communicators", 6),
        ("intercommunicators", 3),
        ("cg", 4),
        ("windows", 3),
        ("accesses", 2),
    ] {
        let program = compiled(name, "placed");
        let alone = run(&["-np", &ranks.to_string(), "--machine", "dimmnet2"], &program, &[]);
        let two = ran(&program, name, ranks, &[]);
        assert_eq!(String::from_utf8_lossy(&alone.stdout), String::from_utf8_lossy(&two.1), "{name}");
        assert_ne!(fingerprint(&alone, ""), two.0, "{name}: the board is shared");
    }
}

#[test]
fn carriers_and_losses_change_the_time_and_not_the_result() {
    let (ring, windows) = (compiled("ring", "placed-ways"), compiled("windows", "placed-ways"));
    let plain = [ran(&ring, "ring", 3, &[]), ran(&windows, "windows", 3, &[])];
    for options in [&["--carrier", "rvs"][..], &["--lose", "2%"], &["--one-sided", "messages"]] {
        let others = [ran(&ring, "ring", 3, options), ran(&windows, "windows", 3, options)];
        assert_eq!(others.each_ref().map(|run| &run.1), plain.each_ref().map(|run| &run.1), "{options:?}");
        assert_ne!(others[1].0, plain[1].0, "{options:?}");
    }
}

#[test]
#[cfg(feature = "rtl")]
fn two_ranks_of_a_board_run_on_rtl_as_on_the_model() {
    for (name, ranks) in [("neighbours", 4), ("windows", 2)] {
        let program = compiled(name, "placed-rtl");
        let runs = ["model", "rtl", "lockstep"].map(|nic| ran(&program, name, ranks, &["--nic", nic]));
        assert!(runs[1..].iter().all(|run| *run == runs[0]), "{name}");
    }
}

#[test]
#[ignore = "slow; make slow"]
#[cfg(feature = "rtl")]
fn conjugate_gradient_on_four_boards_is_the_same_in_lockstep() {
    let program = compiled("cg", "placed-lockstep");
    let runs = ["model", "lockstep"].map(|nic| ran(&program, "cg", 8, &["--nic", nic]));
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn ranks_fill_boards_one_after_the_other() {
    let program = compiled("neighbours", "placed");
    let (_, output) = ran(&program, "neighbours", 5, &[]);
    let output = String::from_utf8(output).unwrap();
    let nodes: Vec<_> = output.lines().filter_map(|line| Some(line.split_once(": half")?.0)).collect();
    assert_eq!(
        nodes,
        [
            "rank 0 on node0, rank 1 on node0",
            "rank 0 on node0, rank 2 on node1",
            "rank 0 on node0, rank 3 on node1",
            "rank 0 on node0, rank 4 on node2"
        ]
    );
}

#[test]
fn spare_hosts_share_boards_too() {
    let program = compiled("spawn", "placed");
    ran(&program, "spawn", 2, &["--universe", "4"]);
}

#[test]
fn waves_have_the_calls_of_both_ranks_of_a_board() {
    let (program, folder) = (compiled("ring", "placed-waves"), FOLDER.path().join("placed"));
    let options = [&["-np", "3"], &TWO[..], &["--waves", folder.to_str().unwrap()]].concat();
    let recorded = fingerprint(&run(&options, &program, &[]), "ring: right on 3\n");
    assert_eq!(recorded, ran(&program, "ring", 3, &[]).0, "a recording changes nothing");
    let file = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let file = file.into_iter().find(|file| file.extension().is_some_and(|ending| ending == "vcd")).unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let scopes =
        |name: &str| text.lines().filter(|line| *line == format!("$scope module {name} $end")).count();
    assert_eq!(["node0", "node1", "node2", "mpi0", "mpi1"].map(scopes), [1, 1, 0, 2, 1]);
}

#[test]
fn reports_have_the_ranks_of_a_node() {
    let (program, file) = (compiled("ring", "placed-json"), FOLDER.path().join("placed.json"));
    let json = ["--json", file.to_str().unwrap()];
    let report = |options: &[&str]| -> serde_json::Value {
        let output = run(&[&["-np", "4"], options, &json].concat(), &program, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap()
    };
    assert_eq!(report(&TWO)["per_node"], 2);
    assert!(report(&TWO[..2])["per_node"].is_null());
    let table = report(&["--machine", "dimmnet2", "--what-if", "per-node=1,2"]);
    assert_eq!([&table["runs"][0]["per_node"], &table["runs"][1]["per_node"]], [1, 2]);
    assert!(table["runs"][0]["simulated_ps"].as_u64() < table["runs"][1]["simulated_ps"].as_u64());
}

#[test]
fn other_numbers_and_machines_are_refused() {
    let refused = |options: &[&str], expected: &str| {
        let output = run(&[&["-np", "2"], options].concat(), Path::new("/bin/true"), &[]);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(output.stdout.is_empty() && stderr(&output).contains(expected), "{}", stderr(&output));
    };
    for number in ["0", "3"] {
        refused(&["--machine", "dimmnet2", "--per-node", number], "DIMMnet-2 has 1, 2, because");
    }
    for (machine, title) in [("gigae_pm", "GigaE PM"), ("cenju3", "Cenju-3"), ("hca", "the channel adapter")]
    {
        let expected = format!("{title} has 1, because");
        refused(&["--machine", machine, "--per-node", "2"], &expected);
    }
    refused(&["--machine", "hca", "--per-node", "2"], "--machine dimmnet2 has 2");
    refused(&["--per-node", "1"], "'--per-node <N>' cannot be used with '--machine memory'");
    refused(&["--machine", "hca", "--what-if", "per-node=1,2"], "the channel adapter has 1");
    refused(&["--machine", "dimmnet2", "--what-if", "per-node=two"], "this is not a number");
}
