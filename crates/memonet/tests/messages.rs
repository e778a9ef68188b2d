use std::io::Read;
use std::process::{Command, Stdio};

use crate::{KINDS, json, prints, value};

#[test]
fn fingerprint_is_independent_of_the_implementation() {
    for bytes in ["1", "8", "496"] {
        let run = |kind| value(&prints(&["run", "--bytes", bytes, "--nic", kind]), "fingerprint");
        let first = run("model");
        assert_eq!(first.len(), 32);
        assert!(KINDS.iter().chain(&KINDS).all(|kind| run(kind) == first), "{bytes} bytes");
    }
}

#[test]
fn seed_and_size_change_the_fingerprint() {
    let run = |args: &[&str]| value(&prints(&[&["run", "--nic", "model"], args].concat()), "fingerprint");
    assert_ne!(run(&["--seed", "1"]), run(&["--seed", "2"]));
    assert_ne!(run(&["--bytes", "8"]), run(&["--bytes", "9"]));
}

#[test]
fn stages_sum_to_the_total() {
    for bytes in ["1", "8", "15", "16", "17", "496"] {
        let report = json(&["run", "--bytes", bytes]);
        let stages = report["stages"].as_array().unwrap();
        assert_eq!(stages.len(), 13);
        let sum: u64 = stages.iter().map(|stage| stage["duration_ps"].as_u64().unwrap()).sum();
        assert_eq!(report["total_ps"].as_u64(), Some(sum), "{bytes} bytes");
        assert_eq!(report["divergences"], 0);
    }
}

#[test]
fn core_takes_the_published_100_ns_for_8_bytes() {
    let report = json(&["run"]);
    let core = report["stages"].as_array().unwrap().iter().find(|stage| stage["name"] == "core").unwrap();
    assert_eq!(core["duration_ps"], 100_000);
}

#[test]
fn closed_pipe_is_not_an_error() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_memonet"));
    let mut run =
        run.args(["run", "--nic", "model"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(run.stdout.take());
    let mut said = String::new();
    run.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((run.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}

#[test]
fn run_and_explain_report_the_same_one_way_latency() {
    for (machine, path) in [("dimmnet2", "botf"), ("gigae_pm", "pm")] {
        let args = ["--machine", machine, "--bytes", "8", "--nic", "model"];
        let run = json(&[&["run"][..], &args].concat());
        let explain = json(&[&["explain", path][..], &args].concat());
        assert_eq!(run["one_way"], explain["one_way"], "{machine}");
        let us = |key: &str| run["one_way"][key].as_f64().unwrap();
        let (mean, least, most) = (us("mean_us"), us("least_us"), us("most_us"));
        assert!(least < mean && mean < most, "{machine}: {least} {mean} {most}");
        let total = explain["total_ps"].as_f64().unwrap() / 1e6;
        assert!((least..=most).contains(&total), "{machine}: {total} is one of the phases");
    }
}
