use crate::{fails, json, memonet, prints, stderr, value};

#[test]
fn repaired_rules_hold_without_any_option() {
    let text = prints(&["check", "gigae_pm"]);
    assert_eq!(value(&text, "states"), "21286");
    assert!(text.contains("verdict    holds"), "{text}");
}

#[test]
fn every_hazard_is_shown_by_the_printed_rules_and_told_step_by_step() {
    let list = json(&["check", "gigae_pm", "--list"]);
    let hazards = list["hazards"].as_array().unwrap();
    assert!(hazards.len() > 10);
    for hazard in hazards {
        let name = hazard["name"].as_str().unwrap();
        let report = json(&["check", "gigae_pm", "--hazard", name]);
        assert_eq!((&report["holds"], &report["hazard"]), (&false.into(), hazard));
        for finding in report["findings"].as_array().unwrap() {
            let steps = finding["steps"].as_array().unwrap();
            assert_eq!(steps.len() as u64, finding["events"].as_u64().unwrap());
            for step in steps {
                let happens = step["happens"].as_str().unwrap();
                assert!(!happens.contains('{') && happens.split(' ').count() > 3, "{happens}");
                assert!(step["knowledge"].as_array().unwrap().len() >= 2);
            }
        }
    }
}

#[test]
fn trace_says_what_each_side_knows() {
    let text = prints(&["check", "gigae_pm", "--hazard", "h3"]);
    let last = "\
    6  STOP(2) arrives at sender: message 2 is freed, it stops
           sender: sent 2, acknowledged 2, stopped
           receiver: received 1, discarding, buffer 1 of 1
";
    assert!(text.ends_with(last), "{text}");
    assert!(text.contains("verdict    silent loss after 6 events"), "{text}");
    assert!(text.contains("verdict    deadlock after 5 events"), "{text}");
}

#[test]
fn hazard_is_gone_with_the_repaired_rules() {
    for hazard in ["H1", "H2", "H3", "H4", "H5", "H6", "H9", "H10", "H13", "H14", "H18"] {
        let report = json(&["check", "gigae_pm", "--hazard", hazard, "--rules", "repaired"]);
        assert_eq!((&report["holds"], &report["rules"]), (&true.into(), &"repaired".into()), "{hazard}");
    }
}

#[test]
fn one_repair_less_fails_and_is_reported_as_asked_for() {
    let args = ["check", "gigae_pm", "--rules", "repaired,-F1", "--network", "loss", "--timers", "late"];
    let report = json(&args);
    assert_eq!(report["findings"][0]["kind"], "deadlock");
}

#[test]
fn repaired_rules_that_fail_exit_with_1() {
    // Numbers of one bit for a window of three: no rule can help.
    let output = memonet(&["check", "gigae_pm", "--hazard", "H12", "--rules", "repaired"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("modulo 2") && text.contains("duplicate after"), "{text}");
}

#[test]
fn world_beyond_the_limit_says_so() {
    let text = fails(&["check", "gigae_pm", "--limit", "100"], 1);
    assert!(text.contains("more than 100 states"), "{text}");
}
