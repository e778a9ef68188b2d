use crate::{KINDS, fails, json, memonet, path, prints, stderr, value};

#[test]
fn repaired_rules_are_the_default_and_hold() {
    let text = prints(&["check", "gigae_pm"]);
    assert_eq!(value(&text, "states"), "21286");
    assert!(text.contains("verdict    holds"), "{text}");
}

#[test]
fn every_hazard_is_shown_step_by_step() {
    let list = json(&["check", "gigae_pm", "--list"]);
    let hazards = list["hazards"].as_array().unwrap();
    assert!(hazards.len() > 10);
    for hazard in hazards {
        let name = hazard["name"].as_str().unwrap();
        let report = json(&["check", "gigae_pm", "--hazard", name]);
        assert_eq!(&report["hazard"], hazard);
        let findings = report["findings"].as_array().unwrap();
        assert!(!findings.is_empty(), "{name}");
        // A hazard that only costs time is a kind of step, which is looked for and counted.
        assert_eq!(report["holds"], findings[0]["times"].as_u64().is_some(), "{name}");
        for finding in findings {
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
fn traces_show_the_state_of_each_side() {
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
fn repaired_rules_remove_the_hazards() {
    for hazard in ["H1", "H2", "H3", "H4", "H5", "H6", "H9", "H10", "H13", "H14", "H18"] {
        let report = json(&["check", "gigae_pm", "--hazard", hazard, "--rules", "repaired"]);
        assert_eq!((&report["holds"], &report["rules"]), (&true.into(), &"repaired".into()), "{hazard}");
    }
}

#[test]
fn nifs_of_cenju3_show_a_deadlock_and_bear_it_repaired() {
    let printed = json(&["check", "cenju3", "--hazard", "H19", "--replay"]);
    let replay = &printed["replay"];
    assert_eq!((&replay["agrees"], &replay["shows"]), (&true.into(), &true.into()));
    assert_eq!((&replay["finding"], &printed["divergences"]), (&"deadlock".into(), &0.into()));
    assert_eq!(replay["ending"]["complete"], false);
    let repaired =
        json(&["check", "cenju3", "--hazard", "H19", "--replay", "--rules", "repaired", "--nic", "rtl"]);
    assert_eq!(repaired["replay"]["ending"]["complete"], true);
    let masks = json(&["check", "cenju3", "--hazard", "H6", "--replay"]);
    assert!(masks["replay"]["not_on_nif"].as_str().unwrap().contains("mask"), "{masks}");
    assert_eq!(masks["divergences"], serde_json::Value::Null, "nothing was compared");
}

#[test]
fn adapters_show_what_a_link_does_for_a_missing_rule() {
    for kind in KINDS {
        let report = json(&["check", "hca", "--hazard", "H1", "--replay", "--nic", kind]);
        let replay = &report["replay"];
        assert_eq!((&replay["agrees"], &replay["shows"]), (&true.into(), &true.into()), "{kind}");
        assert_eq!((&report["machine"], &report["nic"]), (&"hca".into(), &(*kind).into()));
        assert_eq!(
            (&replay["finding"], &replay["ending"]["wrong"]),
            (&"duplicate".into(), &"duplicate".into())
        );
        assert!(replay["by"].as_str().unwrap().starts_with("The link"), "{replay}");
        let steps = replay["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 5);
        assert_eq!(steps[4]["adapters"][1], "QP 1: 2 received, expects 000000");
        assert_eq!(steps[4]["adapters"], steps[4]["checker"]);
    }
    let text = prints(&["check", "hca", "--hazard", "h16", "--replay", "--nic", "model"]);
    assert!(text.contains("The hosts choose the same PSNs again."), "{text}");
    assert!(text.ends_with("replay     the adapters show it: early completion\n"), "{text}");
}

#[test]
fn adapters_withstand_the_deliveries_with_all_rules() {
    let ends = "replay     the adapters withstand the same deliveries: all ends well\n";
    for hazard in ["H1", "H4", "H13"] {
        let args = ["check", "hca", "--hazard", hazard, "--rules", "adapter", "--replay", "--nic", "model"];
        let text = prints(&args);
        assert!(text.ends_with(ends), "{text}");
        assert_eq!(text.contains("which has no switch for it"), hazard != "H1", "{text}");
    }
    let report = json(&["check", "hca", "--hazard", "H11", "--replay", "--nic", "model"]);
    let ending = &report["replay"]["ending"];
    let failed = serde_json::json!([{ "pair": 0, "request": 1, "status": "RetryExceeded" }]);
    assert_eq!((&ending["completed"], &ending["complete"]), (&failed, &true.into()));
    assert_eq!(report["replay"]["finding"], serde_json::Value::Null);
}

#[test]
fn list_of_the_adapter_names_who_leaves_out_each_rule() {
    let list = json(&["check", "hca", "--list"]);
    assert_eq!((&list["report"], &list["machine"]), (&"check_list".into(), &"hca".into()));
    let hazards = list["hazards"].as_array().unwrap();
    assert_eq!((hazards.len(), &list["repairs"]), (23, &serde_json::json!([])));
    let who = |word: &str| {
        hazards.iter().filter(|hazard| hazard["replay"].as_str().unwrap().starts_with(word)).count()
    };
    assert_eq!((who("The link"), who("The hosts"), who("The rule is in the adapter")), (11, 2, 10));
    let text = prints(&["check", "hca", "--list"]);
    assert_eq!(text.lines().count(), 69, "{text}");
    assert_eq!(json(&["check", "gigae_pm", "--list"])["hazards"][0]["replay"], serde_json::Value::Null);
}

#[test]
fn replay_compares_cards_with_the_checker() {
    for kind in KINDS {
        let report = json(&["check", "gigae_pm", "--hazard", "H3", "--replay", "--nic", kind]);
        let replay = &report["replay"];
        assert_eq!((&replay["agrees"], &replay["shows"]), (&true.into(), &true.into()), "{kind}");
        assert_eq!(replay["finding"], "silent loss");
        let steps = replay["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 7);
        assert_eq!(steps[6]["card"][0], "sender: sent 2, acknowledged 2, stopped");
        assert_eq!(steps[6]["card"], steps[6]["checker"]);
        assert_eq!(replay["ending"]["delivered"][0].as_array().unwrap().len(), 1);
    }
    let text = prints(&["check", "gigae_pm", "--hazard", "H3", "--replay", "--nic", "model"]);
    let line = "    131.5  sender: sent 2, acknowledged 2, stopped              \
                | sender: sent 2, acknowledged 2, stopped\n";
    assert!(text.contains(line), "{text}");
    assert!(text.ends_with("replay     the cards show it: silent loss\n"), "{text}");
}

#[test]
fn replay_with_the_repaired_rules_completes() {
    let args = ["check", "gigae_pm", "--hazard", "H5", "--rules", "repaired", "--replay", "--nic", "model"];
    let report = json(&args);
    let replay = &report["replay"];
    assert_eq!((&replay["shows"], &replay["finding"]), (&true.into(), &serde_json::Value::Null));
    assert_eq!(replay["ending"]["delivered"], serde_json::json!([[1, 2, 3]]));
}

#[test]
fn replay_names_hazards_that_cards_cannot_show() {
    for (hazard, why) in [("H6", "runs S1 to the end"), ("H12", "32 bits"), ("H13", "one thread")] {
        let text = prints(&["check", "gigae_pm", "--hazard", hazard, "--replay", "--nic", "model"]);
        assert!(text.contains("a card cannot show it: its") && text.contains(why), "{text}");
    }
    let text = fails(&["check", "gigae_pm", "--replay", "--nic", "model"], 1);
    assert!(text.contains("there is nothing to replay"), "{text}");
}

#[test]
fn replay_writes_waveforms_of_all_cards() {
    let folder = tempfile::tempdir().unwrap();
    let waves = path(folder.path());
    let args = ["check", "gigae_pm", "--hazard", "H14", "--replay", "--nic", "model", "--waves", waves];
    let report = json(&args);
    let files: Vec<_> =
        report["replay"]["waves"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert_eq!(files.len(), 4);
    let vcd = std::fs::read_to_string(folder.path().join("gigae_pm_replay_H14.vcd")).unwrap();
    assert!((0..3).all(|node| vcd.contains(&format!("node{node}"))), "a card for every node");
    assert!(folder.path().join("gigae_pm_replay_H14.fst.gtkw").is_file());
}

#[test]
fn dead_peer_is_reported_after_the_given_expiries() {
    let report =
        json(&["check", "gigae_pm", "--hazard", "H20", "--expiries", "2", "--replay", "--nic", "model"]);
    assert_eq!((&report["holds"], &report["findings"][0]["kind"]), (&true.into(), &"report".into()));
    assert_eq!(report["findings"][0]["events"], 6);
    assert!(report["replay"]["ending"]["says"].as_str().unwrap().contains("reports a dead peer"));
}

#[test]
fn missing_repair_leads_to_a_deadlock() {
    let args = ["check", "gigae_pm", "--rules", "repaired,-F1", "--network", "loss", "--timers", "late"];
    let report = json(&args);
    assert_eq!(report["findings"][0]["kind"], "deadlock");
}

#[test]
fn repaired_rules_that_fail_exit_with_1() {
    // One-bit sequence numbers cannot support a window of three under any rules.
    let output = memonet(&["check", "gigae_pm", "--hazard", "H12", "--rules", "repaired"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("modulo 2") && text.contains("duplicate after"), "{text}");
}

#[test]
fn state_limit_is_reported() {
    let text = fails(&["check", "gigae_pm", "--limit", "100"], 1);
    assert!(text.contains("more than 100 states"), "{text}");
}

#[test]
fn only_credits_outside_of_packets_hold() {
    let report = json(&["check", "mpi"]);
    let worlds = report["worlds"].as_array().unwrap();
    let held: Vec<_> =
        worlds.iter().map(|world| (world["places"].as_str().unwrap(), &world["holds"])).collect();
    let yes = serde_json::Value::from(true);
    assert_eq!(held.len(), 6);
    assert!(held.iter().all(|(places, holds)| (*places == "beside") == (**holds == yes)), "{held:?}");
}

#[test]
fn deadlock_without_credits_is_shown_step_by_step() {
    let text = prints(&["check", "mpi", "--places", "free", "--way", "eager", "--slots", "1"]);
    assert!(text.contains("standstill: not all messages can come any more, after 6 steps"), "{text}");
    assert!(
        text.contains("    1  rank 0 gives eager to rank 1\n    2  what rank 0 gives is stored\n"),
        "{text}"
    );
}

#[test]
fn shared_memory_needs_its_repairs() {
    let worlds = json(&["check", "fagus", "--hazard", "H16-waiting"]);
    let worlds = worlds["worlds"].as_array().unwrap();
    let found: Vec<(Option<bool>, usize)> = worlds
        .iter()
        .map(|world| (world["repaired"].as_bool(), world["findings"].as_array().unwrap().len()))
        .collect();
    assert_eq!(found, [(Some(false), 2), (Some(true), 0)]);
    let text = prints(&["check", "fagus", "--litmus", "mp", "--network", "bad"]);
    assert!(text.contains("MP           repaired"), "{text}");
    assert!(text.contains("  holds"), "{text}");
}

#[test]
fn adapter_holds_with_all_rules_and_fails_without_one() {
    let report = json(&["check", "hca", "--hazard", "h1"]);
    let worlds = report["worlds"].as_array().unwrap();
    let rules: Vec<_> = worlds.iter().map(|world| world["rules"].as_str().unwrap()).collect();
    assert_eq!(rules, ["duplicates are taken", "adapter"]);
    assert_eq!(worlds[0]["findings"][0]["kind"], "duplicate");
    assert_eq!(worlds[0]["findings"][0]["steps"].as_array().unwrap().len(), 6);
    assert!(worlds[1]["findings"].as_array().unwrap().is_empty());
    let text = prints(&["check", "hca", "--rules", "adapter"]);
    assert!(text.contains("dead peer      2      281  adapter: holds"), "{text}");
}

#[test]
fn suci_fails_as_printed_and_holds_with_other_rules() {
    let report = json(&["check", "suci", "--hazard", "h20"]);
    let worlds = report["worlds"].as_array().unwrap();
    let rules: Vec<_> = worlds.iter().map(|world| world["rules"].as_str().unwrap()).collect();
    assert_eq!(rules, ["printed", "repaired", "modern"]);
    let found: Vec<_> = worlds.iter().map(|world| world["findings"].as_array().unwrap().len()).collect();
    assert_eq!((found[0] > 0, found[1], found[2]), (true, 0, 0));
    assert_eq!(worlds[0]["findings"][0]["kind"], "permits");
    assert_eq!(worlds[0]["findings"][0]["events"], 6);
}

#[test]
fn suci_deadlock_is_told_to_its_end_and_replayed() {
    let text = prints(&["check", "suci", "--rules", "printed", "--hazard", "H2", "--replay"]);
    let story = "\
    3  packet 1 from node 1 is lost
       (nothing mends it from here on)
    4  packet 2 from node 1 reaches node 0: Nack 1 (window 1152)";
    assert!(text.contains(story), "{text}");
    assert!(text.ends_with("replay     the endpoints show it: deadlock\n"), "{text}");
    let text = prints(&["check", "suci", "--rules", "repaired", "--hazard", "H2", "--replay"]);
    assert!(text.ends_with("replay     all ends well\n"), "{text}");
}

#[test]
fn suci_captures_are_replayed_and_damage_is_reported() {
    use suci::{Config, Endpoint, Instant, Rules, Security};
    use suci_capture::{Capture, Keys, Reader};

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.pcapng");
    let name = file.to_str().unwrap();
    let (here, there) = ("10.0.0.1:7".parse().unwrap(), "10.0.0.2:7".parse().unwrap());
    let capture = Capture::create(&file, here, Keys::LeftOut).unwrap();
    let config = Config::new(Rules::MODERN, Security::Trusted);
    let mut endpoint = Endpoint::recorded(config, [1; 32], Box::new(capture)).unwrap();
    endpoint.connect(Instant::from_nanos(5), there).unwrap();
    while endpoint.poll_transmit(Instant::from_nanos(7)).is_some() {}
    drop(endpoint);

    let report = json(&["suci", "replay", name]);
    assert_eq!((&report["packets_sent"], &report["until_ns"]), (&1.into(), &7.into()));
    assert!(report["divergence"].is_null());
    assert!(prints(&["suci", "replay", name, "--list"]).contains("  out 7 -> nothing\n"));

    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
    assert!(fails(&["suci", "replay", name], 1).contains("the file ends within block"));
    let sent = Reader::new(&bytes).unwrap().map(Result::unwrap).find(|kept| !kept.bytes.is_empty()).unwrap();
    let at = bytes.windows(sent.bytes.len()).position(|window| window == sent.bytes).unwrap();
    let mut other = bytes.clone();
    other[at + 3] ^= 1;
    std::fs::write(&file, other).unwrap();
    let output = memonet(&["suci", "replay", name]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("from byte 3 of the packet on\n"), "{text}");
}

#[test]
#[ignore = "slow; make slow"]
fn shared_memory_findings_are_replayed_on_machines() {
    for (hazard, machine, nic) in [
        ("H15", "gigae_pm", "model"),
        ("H15-push", "hca", "model"),
        ("H16", "cenju3", "model"),
        ("H16-waiting", "dimmnet2", "lockstep"),
        ("H1", "hca", "lockstep"),
        ("H3", "hca", "model"),
        ("H4", "hca", "model"),
        ("H5", "hca", "rtl"),
        ("H6", "hca", "lockstep"),
    ] {
        let report =
            json(&["check", "fagus", "--hazard", hazard, "--replay", "--machine", machine, "--nic", nic]);
        let replay = &report["replay"];
        assert_eq!((&replay["agrees"], &replay["shows"]), (&true.into(), &true.into()), "{replay}");
        let (walked, played) = (&report["worlds"][0]["findings"][0]["steps"], &replay["steps"]);
        for (told, step) in walked.as_array().unwrap().iter().zip(played.as_array().unwrap()) {
            assert_eq!(told, &step["happens"]);
            assert_eq!(step["checker"], step["nodes"], "{step}");
        }
        assert_eq!(report["divergences"].as_u64(), (nic == "lockstep").then_some(0));
    }
    let two = json(&["check", "fagus", "--hazard", "H16", "--nodes", "3", "--replay", "--nic", "model"]);
    assert_eq!(two["worlds"][0]["name"], "H16-waiting");
    let error = fails(&["check", "fagus", "--hazard", "H17", "--replay"], 2);
    assert!(error.contains("nodes of the library read all that comes"), "{error}");
    let error = fails(&["check", "fagus", "--hazard", "H4", "--replay"], 2);
    assert!(error.contains("the ring of a channel adapter: --machine hca"), "{error}");
    let error = fails(&["check", "fagus", "--hazard", "H15", "--nodes", "5"], 2);
    assert!(error.contains("H15 is shown by 2 nodes"), "{error}");
}
