use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::{fails, json, memonet, path, value};

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the run has created a file with this ending.
fn wait_for(folder: &std::path::Path, ending: &str) {
    let begin = Instant::now();
    loop {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        if files.map(|file| file.file_name()).any(|name| name.to_string_lossy().ends_with(ending)) {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing in {}", folder.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn interrupted_lockstep_reports_and_completes_waveforms() {
    let folder = TempDir::new().unwrap();
    let waves = folder.path().join("waves");
    let run = start(&["lockstep", "--cycles", "1e9", "--waves", path(&waves), "--json"]);
    wait_for(&waves, ".fst.gtkw");
    std::thread::sleep(Duration::from_millis(300));
    let kill = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["interrupted"], &report["divergences"]), (&true.into(), &0.into()));
    let cycles = report["cycles"].as_u64().unwrap();
    assert!(cycles > 0 && cycles < 1_000_000_000, "{cycles}");
    let again = json(&["lockstep", "--cycles", &cycles.to_string()]);
    assert_eq!(again["fingerprint"], report["fingerprint"]);
    for format in ["fst", "vcd"] {
        let wave = wellen::simple::read(waves.join(format!("dimmnet2_lockstep.{format}"))).unwrap();
        let end = *wave.time_table().last().unwrap();
        assert!(end >= cycles * 10_000 - 10_000, "{format}");
        // The marker of the layout, the last number of its line, lies at the end of the file.
        let layout = std::fs::read_to_string(waves.join(format!("dimmnet2_lockstep.{format}.gtkw"))).unwrap();
        let marker = layout.lines().find(|line| line.starts_with("*-")).unwrap();
        let marker: u64 = marker.split(' ').next_back().unwrap().parse().unwrap();
        assert!(marker < end && marker + 50 * 10_000 > end, "{format}: {marker} of {end}");
    }
    let left: Vec<_> = std::fs::read_dir(&waves).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn parallel_runs_in_one_folder_leave_complete_waveforms() {
    let folder = TempDir::new().unwrap();
    let args = ["wave", "--nic", "model", "--folder", path(folder.path())];
    let runs: Vec<_> = (0..4).map(|_| start(&args)).collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(wellen::simple::read(folder.path().join("dimmnet2_botf.fst")).is_ok());
    assert!(wellen::simple::read(folder.path().join("dimmnet2_botf.vcd")).is_ok());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn lockstep_needs_two_sides_and_alone_compares_nothing() {
    for kind in ["model", "rtl"] {
        let text = fails(&["lockstep", "--nic", kind, "--cycles", "1000"], 2);
        assert!(text.contains("lockstep compares model and RTL"), "{text}");
        let report = json(&["lockstep", "--alone", kind, "--cycles", "1000"]);
        for key in ["divergences", "registers", "pins"] {
            assert_eq!(report[key], Value::Null, "{key}");
        }
        let text = memonet(&["lockstep", "--alone", kind, "--cycles", "1000"]).stdout;
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("nothing compared") && !text.contains("divergences"), "{text}");
        let both = memonet(&["lockstep", "--cycles", "1000"]).stdout;
        assert_eq!(value(&text, "fingerprint"), value(&String::from_utf8(both).unwrap(), "fingerprint"));
    }
}

#[test]
fn errors_are_json_documents_too() {
    let nowhere = ["figures", "--json", "--output", "/proc/no/such/folder"];
    for (args, code) in [
        (&["run", "--input", "/no/such/file", "--json"][..], 1),
        (&nowhere, 1),
        (&["run", "--bytes", "0", "--json"], 2),
        (&["run", "--json", "--fly"], 2),
        (&["run", "--json", "--nic", "asic"], 2),
        (&["explain", "--json"], 2),
    ] {
        let begin = Instant::now();
        let output = memonet(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"));
        assert!(!report["error"].as_str().unwrap().is_empty(), "{args:?}");
        assert!(begin.elapsed() < Duration::from_secs(30), "{args:?}: told before anything is measured");
    }
}

#[test]
fn completions_and_manual_pages_cover_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = String::from_utf8(memonet(&["completions", shell]).stdout).unwrap();
        for word in ["lockstep", "completions", "golden"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    for command in [None, Some("run"), Some("cluster")] {
        let page = memonet(&[&["man"][..], command.as_slice()].concat());
        let page = String::from_utf8(page.stdout).unwrap();
        assert!(page.contains(".SH NAME") && page.contains("Examples"), "{command:?}: {page}");
    }
    assert!(fails(&["man", "fly"], 2).contains("no such command"));
}

#[test]
fn numbers_may_have_exponents_and_underscores() {
    let cycles = |text| json(&["lockstep", "--cycles", text])["cycles"].clone();
    assert_eq!((cycles("2e3"), cycles("2_000")), (2000.into(), 2000.into()));
    assert!(fails(&["lockstep", "--cycles", "many"], 2).contains("5_000_000"));
}
