//! `--library-cost` of commands whose programs call PM, verbs, Fagus or Suci.

use crate::{fails, json, prints};

const COSTS: [&str; 3] = ["looks", "counted", "off"];

/// Reports with each of the costs.
fn with_costs(args: &str) -> [serde_json::Value; 3] {
    COSTS.map(|cost| json(&words(&format!("{args} --library-cost {cost}"))))
}

fn words(args: &str) -> Vec<&str> {
    args.split(' ').collect()
}

/// Time of the stages of this name.
fn stage(report: &serde_json::Value, name: &str) -> Vec<u64> {
    let stages = report["stages"].as_array().unwrap().iter();
    stages.filter(|stage| stage["name"] == name).map(|stage| stage["duration_ps"].as_u64().unwrap()).collect()
}

#[test]
fn counted_library_is_a_stage_of_run_and_explain() {
    for machine in ["gigae_pm", "hca"] {
        let run = format!("run --machine {machine} --nic model");
        let [looks, counted, off] = with_costs(&run);
        let [pm, rc] = ["explain pm", "explain rc"];
        let path = if machine == "hca" { rc } else { pm };
        let [line, long, _] = with_costs(&format!("{path} --machine {machine} --nic model"));
        for (short, long) in [(&looks, &counted), (&line, &long)] {
            assert_eq!(stage(short, "library"), Vec::<u64>::new());
            assert!(stage(long, "library").iter().all(|time| *time > 0));
            assert!(stage(long, "library").len().is_multiple_of(2));
        }
        assert_eq!(json(&words(&run))["fingerprint"], looks["fingerprint"], "looks is the default");
        assert_ne!(looks["fingerprint"], counted["fingerprint"]);
        assert!(off["total_ps"].as_u64() < counted["total_ps"].as_u64());
        assert_eq!((&line["library-cost"], &long["library-cost"]), (&"looks".into(), &"counted".into()));
    }
}

#[test]
fn workloads_report_the_time_of_the_library() {
    for machine in ["gigae_pm", "hca"] {
        let run = format!("cluster --machine {machine} --nodes 3 --workload neighbour");
        let [_, counted, off] = with_costs(&run);
        let library = |report: &serde_json::Value| report["runs"][0]["library_ps"].as_u64().unwrap();
        assert_eq!(library(&off), 0);
        assert!(library(&counted) > 0);
        assert_eq!(with_costs(&run)[1], counted);
        assert_eq!(counted["library-cost"], "counted");
        let text = prints(&words(&format!("{run} --library-cost counted")));
        assert!(text.contains(" us of all hosts"), "{text}");
    }
}

#[test]
fn fagus_and_suci_take_longer_with_counted_instructions() {
    let [looks, counted, off] = with_costs("fagus -n 2 --iterations 1");
    let library = |report: &serde_json::Value| report["counts"][0]["library_ps"].as_u64().unwrap();
    assert_eq!((library(&looks), library(&off)), (0, 0));
    assert!(library(&counted) > 0 && counted["same"] == true);
    assert!(off["time_ps"].as_u64() < counted["time_ps"].as_u64());
    let [looks, counted, off] = with_costs("suci run --size 4").map(|report| report["sizes"][0].clone());
    assert_eq!(off["library_ps"], 0);
    let elapsed = |line: &serde_json::Value| line["elapsed_ps"].as_u64().unwrap();
    assert!(elapsed(&off) < elapsed(&looks) && elapsed(&looks) < elapsed(&counted));
}

#[test]
fn fitted_cost_of_fagus_on_the_adapter_is_not_counted_twice() {
    let [looks, off] = ["looks", "off"].map(|cost| {
        json(&["fagus", "-n", "2", "--machine", "hca", "--iterations", "1", "--library-cost", cost])
    });
    assert!(off["time_ps"].as_u64() < looks["time_ps"].as_u64());
    assert!(looks["counts"][0]["library_ps"].as_u64() > Some(0));
    let error = fails(&words("fagus --machine hca --library-cost counted"), 2);
    assert!(error.contains("fitted to published times"), "{error}");
}

#[test]
fn wrong_costs_and_machines_without_a_library_are_refused() {
    for run in [
        "run --machine gigae_pm --library-cost some",
        "explain pm --machine gigae_pm --library-cost some",
        "cluster --machine gigae_pm --nodes 2 --workload neighbour --library-cost some",
        "fagus --library-cost some",
        "suci run --library-cost some",
        "verbs --library-cost some -- ibv_devices",
    ] {
        let error = fails(&words(run), 2);
        assert!(error.contains("there are looks, counted, off"), "{error}");
    }
    for run in ["explain botf", "cluster --nodes 2 --workload neighbour"] {
        let error = fails(&words(&format!("{run} --library-cost counted")), 2);
        assert!(error.contains("without a library; --machine gigae_pm or --machine hca has one"), "{error}");
    }
    let error = fails(&words("run --library-cost counted"), 2);
    assert!(error.contains("applies to MPI programs only"), "{error}");
}
