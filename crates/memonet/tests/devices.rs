//! devices.toml: a toy device needs one folder in each wing and one entry, and a wrong entry is reported with its line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::repository;

#[allow(dead_code)]
#[path = "../build/machines.rs"]
mod machines;

const TOY: &str = r#"# A comment.
[toy]
title = "Toy"
summary = "A toy"
type = "Toy"
tops = ["toy"]
clocks = { clk_i = 100 }
papers = []
figures = []
examples = ["memonet run --machine toy"]
reports.check_toy = "check toy"
judges = [{ package = "toy", test = "toy", only = ["a", "b"] }]
"#;

/// A tree with the folders of a device and this table.
fn tree(table: &str) -> TempDir {
    let root = TempDir::new().unwrap();
    for wing in ["crates/devices", "crates/machines", "rtl", "bindings", "testbench"] {
        fs::create_dir_all(root.path().join(wing).join("toy")).unwrap();
    }
    fs::write(root.path().join("rtl/toy/toy.sv"), "module toy (\n    input logic clk_i\n);\nendmodule\n")
        .unwrap();
    fs::write(root.path().join("devices.toml"), table).unwrap();
    root
}

fn script(root: &Path, arguments: &[&str]) -> Output {
    Command::new(repository("ci/devices"))
        .arg("--file")
        .arg(root.join("devices.toml"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn toy_device_needs_folders_and_an_entry() {
    let root = tree(TOY);
    let output = script(root.path(), &[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "toy\n", "{output:?}");
    let packages = script(root.path(), &["packages", "toy"]);
    assert_eq!(String::from_utf8_lossy(&packages.stdout), "toy\ntestbench_toy\n");
    let entries = machines::entries(root.path(), TOY).unwrap();
    let source = machines::source(&entries);
    assert!(source.contains(r#"{ "toy", "toy", toy, toy_machine, Toy, "A toy." }"#), "{source}");
    assert!(source.contains(r#"("toy", "memonet run --machine toy")"#), "{source}");
    assert!(source.contains(r#"("check_toy", "check toy")"#), "{source}");
    assert!(source.contains(r#"Judge { package: "toy", test: Some("toy"), only: &["a", "b"] }"#), "{source}");
}

#[test]
fn wrong_entries_are_reported_with_their_line() {
    // The change, the line, and words of the reason; the build script does not look at all of it.
    let cases: [(&str, &str, u32, &str, bool); 9] = [
        ("title = \"Toy\"\n", "", 2, "title", false),
        ("summary = \"A toy\"\n", "", 2, "summary", true),
        ("tops = [\"toy\"]", "tops = [\"top\"]", 6, "no module rtl/toy/top.sv", true),
        ("clk_i = 100", "core_clk_i = 100", 7, "core_clk_i", true),
        ("papers = []", "paper = []", 2, "papers", false),
        ("judges = [{ package = \"toy\", ", "judges = [{ ", 12, "package", true),
        ("title = \"Toy\"", "title = Toy", 3, "", true),
        ("[toy]", "[Toy]", 2, "lower-case", false),
        ("[toy]", "[doll]", 2, "crates/devices/doll", false),
    ];
    for (before, after, line, reason, build) in cases {
        let table = TOY.replacen(before, after, 1);
        let root = tree(&table);
        let output = script(root.path(), &["--check"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{after}: {said}");
        assert!(said.contains(&format!("devices.toml:{line}: ")) && said.contains(reason), "{after}: {said}");
        if build {
            let said = machines::entries(root.path(), &table).map(|_| ()).expect_err(after);
            assert!(
                said.starts_with(&format!("devices.toml:{line}: ")) && said.contains(reason),
                "{after}: {said}"
            );
        }
    }
}

#[test]
fn same_name_twice_is_reported_with_the_second_line() {
    let table = TOY.to_string() + TOY;
    let root = tree(&table);
    let output = script(root.path(), &[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("devices.toml:14: "), "{said}");
    let said = machines::entries(root.path(), &table).map(|_| ()).unwrap_err();
    assert!(said.starts_with("devices.toml:14: there is an entry [toy] above"), "{said}");
}

#[test]
fn folder_without_an_entry_is_reported() {
    let root = tree(TOY);
    fs::create_dir_all(root.path().join("rtl/doll")).unwrap();
    fs::write(root.path().join("rtl/doll/doll.sv"), "").unwrap();
    let output = script(root.path(), &["--check"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("devices.toml:1: rtl/doll has no entry [doll]"), "{said}");
}

#[test]
fn committed_table_agrees_with_the_tree() {
    let output = Command::new(repository("ci/devices")).arg("--check").output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
