//! `memonet new-block` as in docs/own-block.md, outside of this repository.

use std::path::Path;
use std::process::{Command, Output};

use crate::{not_tested, path, repository};

fn new_block(here: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_memonet"))
        .current_dir(here)
        .arg("new-block")
        .args(arguments)
        .output()
        .expect("it starts")
}

/// Runs the tests of the block with this workspace's target folder, so that common crates are compiled
/// already.
fn tests(block: &Path) -> Output {
    let target = repository("target");
    Command::new(env!("CARGO"))
        .current_dir(block)
        .args(["test", "--quiet", "--offline", "--target-dir", path(&target)])
        .output()
        .expect("cargo starts")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
#[ignore = "slow; make slow"]
fn new_block_passes_and_detects_a_fault_in_its_rtl() {
    let here = tempfile::tempdir().unwrap();
    let wrote = new_block(here.path(), &["my_timer"]);
    assert!(wrote.status.success(), "{}", text(&wrote));
    let block = here.path().join("my_timer");
    // The lock file selects crate versions that are available offline.
    std::fs::copy(repository("Cargo.lock"), block.join("Cargo.lock")).unwrap();

    let passed = tests(&block);
    assert!(passed.status.success(), "{}", text(&passed));
    let again = new_block(here.path(), &["my_timer"]);
    assert_eq!(again.status.code(), Some(1), "nothing is overwritten");

    let rtl = block.join("rtl/my_timer/my_timer.sv");
    let right = std::fs::read_to_string(&rtl).unwrap();
    std::fs::write(&rtl, right.replace("left_q <= 8'd1)", "left_q <= 8'd2)")).unwrap();
    let failed = tests(&block);
    assert!(!failed.status.success() && text(&failed).contains("state"), "{}", text(&failed));
    std::fs::write(&rtl, right).unwrap();

    for command in ["prove", "synth"] {
        if Command::new("yosys").arg("-V").output().is_err() {
            not_tested("proof and cost of a new block, because there is no Yosys; see ci/install prove");
            break;
        }
        let output = Command::new(env!("CARGO_BIN_EXE_memonet"))
            .current_dir(&block)
            .args([command, "--block", "."])
            .output()
            .expect("it starts");
        let said = text(&output);
        if said.contains("neither yices nor z3") {
            not_tested("the proof of a new block, because there is no solver; see ci/install prove");
            continue;
        }
        assert!(output.status.success(), "{said}");
        assert!(!said.contains("async_fifo"), "modules that the block does not use: {said}");
    }
}

#[test]
fn package_older_than_its_table_is_refused() {
    let here = tempfile::tempdir().unwrap();
    assert!(new_block(here.path(), &["my_timer"]).status.success());
    let block = here.path().join("my_timer");
    let generated = block.join("rtl/my_timer/generated");
    // As the build script writes them.
    std::fs::create_dir_all(&generated).unwrap();
    std::fs::write(generated.join("files.f"), "rtl/my_timer/my_timer.sv\n").unwrap();
    let (path, digests) = verilate::table_digests(&block, "my_timer", &["src/my_timer.rs"]).unwrap();
    std::fs::write(block.join(path), digests).unwrap();
    let said = |command| {
        let mut memonet = Command::new(env!("CARGO_BIN_EXE_memonet"));
        text(&memonet.current_dir(&block).args([command, "--block", "."]).output().unwrap())
    };
    let old = "is older than the tables in src/my_timer.rs: `cargo build` there writes it again";
    assert!(!said("prove").contains(old));
    let source = block.join("src/my_timer.rs");
    let table = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, table.replace("Count => [Done:", "Count => [Idle: \"stop\", Done:")).unwrap();
    for command in ["prove", "synth"] {
        assert!(said(command).contains(old), "{command}: {}", said(command));
    }
}

#[test]
fn invalid_names_and_source_folders_are_refused() {
    let here = tempfile::tempdir().unwrap();
    for bad in ["Timer", "my-timer", "../timer", "module", ""] {
        let refused = new_block(here.path(), &[bad]);
        assert_eq!(refused.status.code(), Some(2), "{bad}: {}", text(&refused));
    }
    let refused = new_block(here.path(), &["timer", "--memonet", path(here.path())]);
    assert!(refused.status.code() == Some(1) && text(&refused).contains("is not a clone of Memonet"));
    assert_eq!(std::fs::read_dir(here.path()).unwrap().count(), 0, "nothing is left behind");
}
