use std::process::Command;

use crate::{KINDS, json, memonet, prints, value};

#[test]
fn lockstep_has_no_divergence_and_the_model_fingerprint() {
    for seed in ["1", "77"] {
        let args = ["lockstep", "--cycles", "200000", "--seed", seed];
        let report = json(&args);
        assert_eq!(report["divergences"], 0, "{report}");
        assert_eq!(report["divergence"], serde_json::Value::Null);
        assert_eq!(
            (report["cycles"].as_u64(), report["seed"].to_string()),
            (Some(200_000), seed.to_string())
        );
        assert!(report["registers"].as_u64().unwrap() > 30);
        // A long run compares the pins of the device only.
        assert_eq!(report["pins"], 1);
        let machines = report["state_machines"].as_array().unwrap();
        assert_eq!(machines.len(), 26);
        for machine in machines {
            let [declared, walked] = ["declared", "walked"].map(|key| machine[key].as_u64().unwrap());
            assert_eq!(declared - walked, machine["missing"].as_array().unwrap().len() as u64, "{machine}");
            assert!(walked > 0, "{machine}");
        }
        let of = |kind| value(&prints(&[&args[..], &["--alone", kind]].concat()), "fingerprint");
        assert_eq!(report["fingerprint"], of("model"));
    }
}

#[test]
fn gigae_pm_lockstep_has_the_model_fingerprint() {
    for seed in ["1", "2"] {
        let args = ["lockstep", "--machine", "gigae_pm", "--cycles", "100000", "--seed", seed];
        let report = json(&args);
        assert_eq!((&report["divergences"], &report["machine"]), (&0.into(), &"gigae_pm".into()), "{report}");
        assert_eq!(report["state_machines"].as_array().unwrap().len(), 11);
        let of = |kind| value(&prints(&[&args[..], &["--alone", kind]].concat()), "fingerprint");
        assert_eq!(report["fingerprint"], of("model"));
    }
}

#[test]
fn bench_reports_ratios_and_raw_numbers() {
    for (machine, loads) in [("dimmnet2", &["busy", "mixed", "idle"][..]), ("gigae_pm", &["busy", "idle"])] {
        // A build with debug assertions warns on stderr that its ratios are meaningless.
        let output = memonet(&["bench", "--machine", machine, "--slices", "1", "--cycles", "500", "--json"]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(output.stderr.is_empty(), !cfg!(debug_assertions));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let measured = report["loads"].as_array().unwrap();
        assert_eq!(measured.iter().map(|load| load["load"].as_str().unwrap()).collect::<Vec<_>>(), loads);
        for load in measured {
            for ratio in ["ratio_model_rtl", "ratio_lockstep_rtl", "model_real_time"] {
                assert!(load[ratio].as_f64().unwrap() > 0.0, "{machine} {load}");
            }
            for kind in KINDS {
                assert!(load[kind]["median"].as_f64().unwrap() > 0.0, "{machine} {load}");
            }
        }
    }
}

#[test]
fn counts_need_valgrind_and_the_counts_of_before() {
    let count = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
        let words = ["bench", "--count", "--only", "cenju3 model"].iter().chain(words);
        command.args(words).env("PATH", "").output().unwrap()
    };
    for (words, wrong) in [
        (&[][..], "`ci/install count` installs it"),
        (&["--against", "/no/such/file"], "/no/such/file"),
        (&["--against", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")], "line 1 names no tools"),
    ] {
        let output = count(words);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && text.contains(wrong), "{words:?}: {text}");
    }
}

#[test]
fn doctor_reports_missing_tools_and_fails() {
    let doctor = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
        command.arg("doctor").args(args).env("PATH", "").output().unwrap()
    };
    let output = doctor(&[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for tool in ["cargo", "g++", "verilator", "make"] {
        let line = text.lines().find(|line| line.starts_with(tool)).unwrap();
        assert!(line.contains("MISSING, needed for"), "{line}");
    }
    assert!(text.contains("sudo apt-get install g++ verilator make"), "{text}");
    let report: serde_json::Value = serde_json::from_slice(&doctor(&["--json"]).stdout).unwrap();
    assert_eq!(report["ready"], false);
}

#[test]
#[ignore = "slow; make slow"]
fn message_bench_has_a_row_for_each_network() {
    let report = json(&["bench", "--mpi", "--slices", "1", "--messages", "2000"]);
    let rows = report["rows"].as_array().unwrap();
    let networks: Vec<_> = rows.iter().map(|row| row["network"].as_str().unwrap()).collect();
    assert_eq!(networks, ["memory", "dimmnet2", "gigae_pm", "cenju3", "hca"]);
    assert!(rows[0]["model_share"].is_null());
    for row in rows {
        let [us, second] = ["message_us", "messages_per_second"].map(|key| row[key].as_f64().unwrap());
        assert!(us > 0.0 && (us * second / 1e6 - 1.0).abs() < 1e-6, "{row}");
    }
}
