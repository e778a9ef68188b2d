//! DIMMnet-2 in every build that has it: a build for one machine prints the fingerprints of the full build
//! and names the parts that it lacks.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn memonet(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    command.args(args).current_dir(root).stdin(Stdio::null()).output().expect("memonet starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(args: &[&str]) -> Value {
    let output = memonet(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn fingerprints_are_the_same_in_every_build() {
    for (command, fingerprint) in [
        ("run", "5052a4c1d095b2a2ceed1b6e819e943d"),
        ("run --input LICENSE-MIT", "4d1676ccb8474b2afe3ca9092e8d614f"),
        ("run --program transpose", "2380e79a61a42de0153659d885aa085a"),
        ("run --program mpi-ping --nic model", "5e88d490ee01d0667ca9e118b0e795f2"),
        ("run --program mpi-ping --carrier rvs --nic model", "d81cf3361eb31709dba6177a34cfa909"),
        ("lockstep --cycles 20000 --seed 3", "02e537a42095a279282812eb1d969483"),
        ("cluster --nodes 4 --workload uniform --nic lockstep", "5c5f64ed8ff4291182ce007c2666874e"),
        ("cluster --nodes 16 --workload all-to-all", "6d529825dae9548901d749813a9f9004"),
        (
            "cluster --nodes 6 --workload incast --messages 4 --primitive lhs --size 48 --lose 1%",
            "517ecf525002b6d2b3840efa4ec4fa5e",
        ),
    ] {
        let report = json(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(report["fingerprint"], fingerprint, "{command}");
    }
}

#[test]
fn stages_and_waveforms_are_the_same_in_every_build() {
    let report = json(&["explain", "rvs", "--bytes", "2024"]);
    assert_eq!(report["total_ps"], 8_484_000);
    let folder = tempfile::tempdir().unwrap();
    let output = memonet(&["wave", "--golden", "--folder", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let name = "golden/dimmnet2_botf.fst";
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../waveforms").join(name);
    let [fresh, golden] = [folder.path().join(name), golden].map(|file| std::fs::read(file).unwrap());
    assert!(fresh == golden, "{name} differs");
}

#[test]
fn common_commands_are_in_every_build() {
    let help = String::from_utf8(memonet(&["--help"]).stdout).unwrap();
    for command in [
        "run",
        "cluster",
        "lockstep",
        "shell",
        "serve",
        "bench",
        "wave",
        "explain",
        "new-block",
        "doctor",
        "completions",
        "man",
    ] {
        let line = help.lines().any(|line| line.trim_start().split(' ').next() == Some(command));
        assert!(line, "{command}: {help}");
        let output = memonet(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
    }
    let doctor: Value = serde_json::from_slice(&memonet(&["doctor", "--json"]).stdout).unwrap();
    assert_eq!(doctor["left_out"].as_array().unwrap().is_empty(), cfg!(feature = "full"), "{doctor}");
}

/// A missing machine or command is named together with the command that builds everything, before other
/// output.
#[test]
fn missing_machines_and_commands_are_named() {
    let machines = [
        ("gigae_pm", cfg!(feature = "gigae_pm")),
        ("cenju3", cfg!(feature = "cenju3")),
        ("hca", cfg!(feature = "hca")),
    ];
    for (machine, built) in machines {
        let asked = [
            &["run", "--nic", "model", "--machine", machine][..],
            &["lockstep", "--cycles", "10", "--machine", machine],
            &["shell", "--machine", machine],
        ];
        for args in asked {
            let output = memonet(args);
            if built {
                assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
                continue;
            }
            refused(args, &output, &format!("the machine {machine}"));
        }
    }
    let commands = [
        ("tap", cfg!(feature = "tap")),
        ("figures", cfg!(feature = "figures")),
        ("prove", cfg!(feature = "rtl_tools")),
        ("check", cfg!(feature = "check")),
        ("gate-level", cfg!(feature = "rtl_tools")),
        ("fagus", cfg!(feature = "fagus")),
        ("suci", cfg!(feature = "suci")),
        ("schema", cfg!(feature = "schema")),
        ("mpicc", cfg!(feature = "programs")),
        ("mpirun", cfg!(feature = "programs")),
        ("verbs", cfg!(feature = "programs")),
    ];
    for (command, built) in commands {
        let output = memonet(&[command, "--help"]);
        if built {
            assert_ne!(output.status.code(), Some(2), "{command}: {}", stderr(&output));
            continue;
        }
        refused(&[command, "--help"], &output, &format!("the command {command}"));
        let args = [command, "--json"];
        let output = memonet(&args);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["report"], &report["exit_code"]), (&"error".into(), &2.into()), "{report}");
    }
}

fn refused(args: &[&str], output: &Output, what: &str) {
    let says = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {says}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let expected = format!("this memonet was built without {what}; `make mpi` builds everything");
    assert!(says.contains(&expected), "{args:?}: {says}");
}

#[test]
fn png_files_are_refused() {
    for command in ["explain botf", "cluster --workload uniform"] {
        let args: Vec<_> = command.split(' ').chain(["--svg", "picture.png"]).collect();
        let output = memonet(&args);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(
            output.stdout.is_empty() && stderr(&output).contains("SVG, not as PNG"),
            "{}",
            stderr(&output)
        );
    }
}
