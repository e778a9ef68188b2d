use crate::{KINDS, json, memonet, not_tested, path, prints, repository, value};

#[test]
#[ignore = "slow; make slow"]
fn pm_messages_are_independent_of_the_implementation() {
    for bytes in ["4", "1468"] {
        let args = ["run", "--machine", "gigae_pm", "--bytes", bytes, "--nic"];
        let run = |kind| value(&prints(&[&args[..], &[kind]].concat()), "fingerprint");
        let first = run("model");
        assert!(KINDS.iter().all(|kind| run(kind) == first), "{bytes} bytes");
    }
}

#[test]
fn stages_of_a_round_trip_sum_to_the_total() {
    for bytes in ["1", "4", "100", "1468"] {
        let report = json(&["run", "--machine", "gigae_pm", "--nic", "model", "--bytes", bytes]);
        let stages = report["stages"].as_array().unwrap();
        assert_eq!(stages.len(), 32);
        let sum: u64 = stages.iter().map(|stage| stage["duration_ps"].as_u64().unwrap()).sum();
        let ways = ["there", "back"].map(|way| stages.iter().filter(|stage| stage["way"] == way).count());
        assert_eq!(ways, [16, 16]);
        assert_eq!(report["total_ps"].as_u64(), Some(sum), "{bytes} bytes");
    }
}

#[test]
fn captured_frames_are_complete_and_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let run = |path: &std::path::Path| {
        json(&["run", "--machine", "gigae_pm", "--nic", "model", "--pcapng", crate::path(path)])
    };
    let (first, second) = (run(&file("first")), run(&file("second")));
    assert_eq!(first["pcapng"], crate::path(&file("first")));
    assert_eq!(first["fingerprint"], second["fingerprint"]);
    let bytes = std::fs::read(file("first")).unwrap();
    assert!(bytes == std::fs::read(file("second")).unwrap());

    // 40 round trips are 80 messages and their ACKs, each captured once.
    let Some(lines) = tshark(&file("first"), &["frame.interface_name", "gigae_pm.kind", "gigae_pm.size"])
    else {
        return;
    };
    assert_eq!(lines.len(), 160);
    let count = |line: &str| lines.iter().filter(|found| *found == line).count();
    for interface in ["node0-out", "node1-out"] {
        assert_eq!(count(&format!("{interface}\t1\t4")), 40, "{interface}");
        assert_eq!(count(&format!("{interface}\t2\t0")), 40, "{interface}");
    }
}

/// Fields of every frame of a file, from tshark with the dissector; `None` with a message if tshark is not
/// installed.
fn tshark(file: &std::path::Path, fields: &[&str]) -> Option<Vec<String>> {
    let mut command = std::process::Command::new("tshark");
    let dissector = format!("lua_script:{}", path(&repository("docs/wireshark/gigae_pm.lua")));
    command.args(["-X", &dissector, "-o", "eth.check_fcs:TRUE", "-r", path(file), "-T", "fields"]);
    command.args(fields.iter().flat_map(|field| ["-e", field]));
    match command.output() {
        Ok(output) => {
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(text.lines().map(String::from).collect())
        }
        Err(_) => {
            not_tested("the dissector, because there is no tshark; see ci/install tap");
            None
        }
    }
}

#[test]
#[ignore = "slow; make slow"]
fn measurements_equal_the_committed_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = memonet(&["figures", "--paper", "gigae_pm", "--json", "--output", path(folder.path())]);
    assert_eq!(output.status.code(), Some(0));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let near = |row: &&serde_json::Value| row["error_percent"].as_f64().unwrap().abs() < 5.0;
    let rows = report["rows"].as_array().unwrap();
    let far: Vec<_> = rows.iter().filter(|row| !near(row)).map(|row| &row["id"]).collect();
    assert_eq!(far, ["E9", "E11", "E12", "E13"], "the page explains them");
    let shapes = report["shapes"].as_array().unwrap();
    let missed: Vec<_> = shapes.iter().filter(|shape| shape["holds"] != true).map(|s| &s["says"]).collect();
    // The page explains these.
    let expected = [
        "for 4 to 256 bytes TCP/IP is better over the firmware of GigaE PM",
        "PM is above TCP/IP at every size",
    ];
    assert_eq!(missed, expected);
    let page =
        |folder: &std::path::Path| std::fs::read_to_string(folder.join("fidelity/gigae_pm.md")).unwrap();
    // The committed one has bands behind its rows, which take too long here.
    let committed = page(&repository("docs"));
    for line in page(folder.path()).lines() {
        let begins = |committed: &str| committed.starts_with(line.trim_end_matches('.'));
        assert!(committed.lines().any(begins), "{line}: `make figures`");
    }
}
