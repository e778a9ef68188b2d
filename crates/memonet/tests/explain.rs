use crate::{KINDS, json, path, prints};

const PATHS: [(&str, &str); 6] = [
    ("dimmnet2", "botf"),
    ("dimmnet2", "rvs"),
    ("dimmnet2", "ipush"),
    ("dimmnet2", "lhs1"),
    ("dimmnet2", "lhs2"),
    ("gigae_pm", "pm"),
];

#[test]
fn stages_sum_to_the_total_with_every_implementation() {
    for (machine, path) in PATHS {
        let args = ["explain", path, "--machine", machine, "--bytes", "24", "--nic"];
        let reports = KINDS.map(|kind| json(&[&args[..], &[kind]].concat()));
        let stages = reports[0]["stages"].as_array().unwrap();
        let sum: u64 = stages.iter().map(|stage| stage["duration_ps"].as_u64().unwrap()).sum();
        assert_eq!(reports[0]["total_ps"].as_u64(), Some(sum), "{path}");
        assert!(reports.iter().all(|report| report["stages"] == reports[0]["stages"]), "{path}");
    }
}

#[test]
fn drawing_and_trace_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, trace) = (folder.path().join("line.svg"), folder.path().join("line.json"));
    prints(&["explain", "botf", "--nic", "model", "--svg", path(&svg), "--trace", path(&trace)]);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let trace: serde_json::Value = serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    // Each stage begins at the end of the previous one.
    let mut end = 0.0;
    for event in events.iter().filter(|event| event["ph"] == "X") {
        assert!((event["ts"].as_f64().unwrap() - end).abs() < 1e-9, "{event}");
        end += event["dur"].as_f64().unwrap();
    }
    assert!(end > 1.0);
}
