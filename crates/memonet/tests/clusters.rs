use std::fs;

use crate::{fails, json, prints};

/// The fingerprint of a run with a number of threads.
fn fingerprint(args: &[&str], threads: &str) -> String {
    let report = json(&[&["cluster", "--threads", threads][..], args].concat());
    report["fingerprint"].as_str().unwrap().to_owned()
}

#[test]
fn fingerprint_is_independent_of_the_threads() {
    for args in [
        &["--nodes", "40", "--workload", "neighbour", "--messages", "3"][..],
        &["--nodes", "64", "--workload", "uniform", "--messages", "2", "--lose", "2%", "--size", "200"],
        &[
            "--nodes",
            "36",
            "--workload",
            "transpose",
            "--messages",
            "2",
            "--primitive",
            "rvs",
            "--size",
            "3000",
        ],
        &["--nodes", "33", "--workload", "uniform", "--messages", "4", "--primitive", "lhs", "--size", "100"],
        &["--nodes", "36", "--workload", "incast", "--messages", "4", "--primitive", "ipush", "--size", "64"],
        &[
            "--machine",
            "gigae_pm",
            "--nodes",
            "32",
            "--workload",
            "incast",
            "--messages",
            "1",
            "--load",
            "0.01",
        ],
        // Three stages of switches, which parts of the cluster share.
        &[
            "--machine",
            "cenju3",
            "--nodes",
            "36",
            "--workload",
            "transpose",
            "--messages",
            "3",
            "--size",
            "100",
        ],
    ] {
        let once = fingerprint(args, "1");
        assert_eq!(fingerprint(args, "2"), once, "{args:?}");
        assert_eq!(fingerprint(args, "5"), once, "{args:?}");
    }
}

#[test]
fn fingerprint_is_independent_of_the_implementation() {
    let args = |nic| ["--nodes", "2", "--workload", "all-to-all", "--messages", "2", "--nic", nic];
    let model = fingerprint(&args("model"), "1");
    assert_eq!(fingerprint(&args("rtl"), "1"), model);
    assert_eq!(fingerprint(&args("lockstep"), "1"), model);
}

#[test]
fn divergences_are_reported_in_lockstep_only() {
    let run = |nic| {
        prints(&["cluster", "--nodes", "2", "--workload", "neighbour", "--messages", "1", "--nic", nic])
    };
    assert!(!run("model").contains("divergences"));
    assert!(run("lockstep").contains("0 divergences"));
}

#[test]
fn workload_and_topology_files_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../workload/examples");
    let (workload, topology) = (format!("{examples}/ring.toml"), format!("{examples}/two-level.toml"));
    let (csv, messages, svg) = (path("runs.csv"), path("messages.csv"), path("runs.svg"));
    let args = ["cluster", "--nodes", "64", "--workload", &workload, "--topology", &topology];
    let report = json(&[&args[..], &["--csv", &csv, "--messages-csv", &messages, "--svg", &svg]].concat());
    assert_eq!(report["runs"][0]["undelivered"], 0);
    for file in [csv, messages, svg] {
        assert!(!fs::read_to_string(file).unwrap().is_empty());
    }
}

#[test]
fn drawing_has_its_table_next_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let report = json(&["cluster", "--workload", "uniform", "--messages", "4", "--svg", &path("runs.svg")]);
    assert_eq!(report["wrote"], serde_json::json!([path("runs.csv"), path("runs.svg")]));
    assert!(fs::read_to_string(path("runs.csv")).unwrap().starts_with("load,window,bytes,"));
}

#[test]
fn goal_files_run_in_lockstep_with_every_primitive() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../workload/examples/exchange.goal");
    for primitive in ["botf", "rvs", "ipush", "lhs"] {
        let args = |nic| ["--nodes", "4", "--workload", file, "--primitive", primitive, "--nic", nic];
        let lockstep = json(&[&["cluster"], &args("lockstep")[..]].concat());
        assert_eq!(lockstep["runs"][0]["undelivered"], 0, "{primitive}");
        let one = fingerprint(&args("model"), "1");
        assert_eq!(lockstep["fingerprint"], one, "{primitive}");
        assert_eq!(fingerprint(&args("model"), "2"), one, "{primitive}");
    }
}

#[test]
fn closed_loops_run_in_lockstep_and_on_several_threads() {
    let args = |nodes, nic| {
        let common = ["--workload", "uniform", "--window", "2", "--messages", "5", "--seed", "7"];
        [&["--nodes", nodes, "--nic", nic], &common[..]].concat()
    };
    assert_eq!(fingerprint(&args("4", "lockstep"), "1"), fingerprint(&args("4", "model"), "1"));
    assert_eq!(fingerprint(&args("36", "model"), "2"), fingerprint(&args("36", "model"), "1"));
    let report = json(&[&["cluster"], &args("4", "model")[..]].concat());
    let run = &report["runs"][0];
    assert_eq!((&run["window"], &run["load"]), (&2.into(), &serde_json::Value::Null));
    let measured = &run["measurement"];
    let round_trip = measured["from_injection"]["least_ps"].as_u64().unwrap();
    assert!(round_trip > 2 * run["rows"][0]["latency"]["least_ps"].as_u64().unwrap());
    assert_eq!(measured["saturated"], false);
}

#[test]
fn impossible_clusters_are_refused_with_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let stranger = file("stranger.csv", "from,to,bytes,at\n0,9,8,1us\n");
    let large = file("large.csv", "from,to,bytes,at\n0,1,497,1us\n");
    let empty = file("empty.toml", "");
    let circle = "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: recv 8b from 1\na requires b\n}\nrank 1 {\nrecv 8b from 0\n}\n";
    let unmatched = file("unmatched.goal", circle);
    let ranks = file("ranks.goal", "num_ranks 3");
    let huge = folder.path().join("huge.csv");
    fs::File::create(&huge).unwrap().set_len(1 << 30).unwrap();
    let huge = huge.to_str().unwrap().to_owned();
    let switches = "[[switch]]\nname = \"a\"\nports = 4\nnodes = \"0\"\n[[switch]]\nname = \"b\"\nports = 4\nnodes = \"1\"\n";
    let apart = file("apart.toml", switches);
    let ring = concat!(env!("CARGO_MANIFEST_DIR"), "/../workload/examples/ring.toml");
    let two = ["cluster", "--nodes", "2", "--workload"];
    for (args, says) in [
        (&["cluster", "--nodes", "3072", "--workload", "neighbour"][..], "addresses for 1 to 3071 nodes"),
        (&["cluster", "--machine", "gigae-pm", "--nodes", "1025", "--workload", "incast"], "1 to 1024 nodes"),
        (&["cluster", "--nodes", "0", "--workload", "neighbour"], "addresses for 1 to 3071 nodes"),
        (&[&two[..], &["neighbour", "--threads", "0"]].concat(), "--threads"),
        (&[&two[..], &[&stranger]].concat(), "9"),
        (&[&two[..], &[&large]].concat(), "497"),
        (&[&two[..], &[&empty]].concat(), "empty.toml"),
        (&[&two[..], &[&huge]].concat(), "huge.csv"),
        (&[&two[..], &[&unmatched]].concat(), "unmatched.goal, line 4"),
        (&[&two[..], &[ring, "--size", "8"]].concat(), "--size is for patterns"),
        (&[&two[..], &[ring, "--drain", "1us", "--time", "9us"]].concat(), "--time is for patterns"),
        (&[&two[..], &[&ranks]].concat(), "ranks.goal, line 1: the file has 3 ranks"),
        (&[&two[..], &["neighbour", "--topology", &apart]].concat(), "apart.toml"),
        (&[&two[..], &["neighbour", "--primitive", "rdma"]].concat(), "botf, rvs, ipush or lhs"),
        (&["cluster", "--machine", "gigae-pm", "--workload", "neighbour", "--primitive", "lhs"], "by pm"),
        (&["cluster", "--nodes", "66", "--workload", "incast", "--primitive", "lhs"], "LH Buffer holds 63"),
        (&[&two[..], &["neighbour", "--primitive", "lhs", "--size", "2025"]].concat(), "2025"),
        (&[&two[..], &["neighbour", "--lose", "much"]].concat(), "such as 1%"),
        (&[&two[..], &["neighbour", "--size", "497"]].concat(), "497"),
        (&["cluster", "--nodes", "5", "--workload", "transpose"], "square"),
    ] {
        let error = fails(args, 2);
        assert!(error.contains(says), "{args:?}: {error}");
    }
}

#[test]
#[cfg(not(feature = "distributed"))]
fn copies_started_by_mpirun_are_refused_without_mpi() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.args(["cluster", "--nodes", "2", "--workload", "neighbour"]);
    let output = command.env("OMPI_COMM_WORLD_RANK", "0").env("OMPI_COMM_WORLD_SIZE", "2").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("--features distributed"), "{error}");
}
