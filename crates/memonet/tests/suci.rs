//! `memonet suci run`, and the page of its publication.

use crate::{fails, json, prints, repository};

#[test]
fn runs_report_counters_and_are_reproducible() {
    let run = |seed: &str| {
        json(&["suci", "run", "--nodes", "5", "--program", "gather", "--lose", "2%", "--seed", seed])
    };
    let report = run("1");
    assert_eq!((&report["report"], &report["rules"]), (&"suci_run".into(), &"modern".into()));
    let sizes = report["sizes"].as_array().unwrap();
    assert_eq!(sizes.first().unwrap()["bytes"], 4);
    let last = sizes.last().unwrap();
    assert_eq!(last["bytes"], 65_536);
    assert!(last["lost_on_wires"].as_u64() > Some(0) && last["again"].as_u64() > Some(0), "{last}");
    assert_eq!(report, run("1"));
    assert_ne!(report["sizes"], run("2")["sizes"]);
}

#[test]
fn permits_prevent_overflows_with_forty_senders() {
    let run = |permits| {
        let run =
            ["suci", "run", "--nodes", "41", "--program", "gather", "--size", "65536", "--permits", permits];
        json(&run)["sizes"][0].clone()
    };
    let with = run("on");
    for dropped in ["dropped_by_kernels", "dropped_by_switch", "dropped_by_cards", "again"] {
        assert_eq!(with[dropped], 0, "{dropped}");
    }
    assert!(with["link_percent"].as_f64() > Some(90.0), "{with}");
    assert!(run("off")["dropped_by_switch"].as_u64() > Some(0));
}

#[test]
fn printed_rules_fail_on_lossy_wires() {
    let args = ["suci", "run", "--program", "burst", "--rules", "printed", "--size", "65536", "--lose", "2%"];
    let error = fails(&args, 1);
    assert!(error.contains("waits for"), "{error}");
    fails(&["figures", "--paper", "suci", "--nic", "rtl"], 1);
}

#[test]
#[ignore = "slow; make slow"]
fn rows_of_the_ping_pong_are_those_of_the_committed_page() {
    let page = std::fs::read_to_string(repository("docs/fidelity/suci.md")).unwrap();
    let told = prints(&["figures", "--paper", "suci", "--only", "6", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&told).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let (id, measured) = (row["id"].as_str().unwrap(), row["measured"].as_f64().unwrap());
        let line = page.lines().find(|line| line.starts_with(&format!("| {id} |"))).unwrap();
        assert!(line.contains(&format!("| {measured:.3} |")), "{line}: now {measured}; `make figures`");
    }
}
