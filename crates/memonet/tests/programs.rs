use crate::{KINDS, json, prints};

#[test]
fn transpose_is_correct_with_every_implementation() {
    let reports = KINDS.map(|kind| json(&["run", "--program", "transpose", "--nic", kind]));
    for (report, kind) in reports.iter().zip(KINDS) {
        assert_eq!(
            (&report["program"], &report["nic"], &report["right"]),
            (&"transpose".into(), &kind.into(), &true.into())
        );
        let compared = if kind == "lockstep" { 0.into() } else { serde_json::Value::Null };
        assert_eq!(report["divergences"], compared);
        assert_eq!(report["fingerprint"], reports[0]["fingerprint"], "{kind}");
        assert_eq!(report["phases"], reports[0]["phases"], "{kind}");
    }
    let other = json(&["run", "--program", "transpose", "--nic", "model", "--seed", "2"]);
    assert_ne!(other["fingerprint"], reports[0]["fingerprint"]);
}

#[test]
fn text_report_ends_with_the_right_result() {
    let text = prints(&["run", "--program", "transpose", "--nic", "model"]);
    assert!(text.ends_with("the right result\n"), "{text}");
    assert!(text.lines().any(|line| line.trim_start().starts_with("transpose ")), "{text}");
}

#[test]
#[ignore = "slow; make slow"]
fn mpi_is_correct_on_every_machine_and_implementation() {
    for machine in ["dimmnet2", "gigae_pm", "cenju3", "hca"] {
        let check = json(&["run", "--machine", machine, "--program", "mpi-check", "--nic", "model"]);
        assert_eq!(check["right"], true, "{machine}");
        let ping = ["model", "lockstep"].map(|nic| {
            json(&["run", "--machine", machine, "--program", "mpi-ping", "--nic", nic])["fingerprint"].clone()
        });
        assert_eq!(ping[0], ping[1], "{machine}");
    }
}

#[test]
#[ignore = "slow; make slow"]
fn stages_of_an_mpi_message_sum_to_its_latency() {
    for (machine, first, own) in [("dimmnet2", "image", "receive"), ("gigae_pm", "sc1", "acknowledge")] {
        let report = json(&["run", "--machine", machine, "--program", "mpi-ping", "--nic", "model"]);
        let message = &report["message"];
        let stages = message["stages"].as_array().unwrap();
        let sum = stages.iter().map(|stage| stage["duration_ps"].as_u64().unwrap()).sum::<u64>();
        let phases = report["phases"].as_array().unwrap();
        let half = phases.iter().find(|phase| phase["name"] == "4 B").unwrap();
        assert_eq!(half["duration_ps"].as_u64().unwrap(), sum / 2, "{machine}");
        assert_eq!((&message["bytes"], message["total_ps"].as_u64()), (&4.into(), Some(sum)), "{machine}");
        for way in ["there", "back"] {
            let names: Vec<_> = stages
                .iter()
                .filter(|stage| stage["way"] == way)
                .map(|stage| stage["name"].as_str().unwrap())
                .collect();
            assert_eq!(names[..2], ["call", first], "{machine} {way}");
            assert!(names.contains(&own), "{machine} {way}: {names:?}");
            assert_eq!(names[names.len() - 3..], ["take", "match", "return"], "{machine} {way}");
        }
    }
    let text = prints(&["run", "--program", "mpi-ping", "--nic", "model"]);
    assert!(text.lines().any(|line| line.trim_start().starts_with("match ")), "{text}");
}

#[test]
#[ignore = "slow; make slow"]
fn integer_sort_verifies_itself_on_both_machines() {
    // The conjugate gradient benchmark takes longer and runs with the figures of GigaE PM.
    for machine in ["dimmnet2", "gigae_pm"] {
        let report = json(&["run", "--machine", machine, "--program", "npb-is", "--nic", "model"]);
        assert_eq!(report["right"], true, "{machine}: {}", report["about"]);
    }
}
