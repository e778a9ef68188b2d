//! `--library-cost` of commands whose programs call PM, verbs, Fagus or Suci, and in pages that compare machines.

use std::path::Path;

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
fn counts_take_the_place_of_fitted_costs() {
    // 5.2 us a message of Fagus on the adapter, and 17 us a message of MPI on either side on Cenju-3.
    for (machine, fitted) in [("hca", "fagus -n 2 --iterations 1"), ("cenju3", "run --program mpi-ping")] {
        let run = format!("{fitted} --machine {machine}");
        let run = if fitted.starts_with("run") { format!("{run} --nic model") } else { run };
        let reports = with_costs(&run);
        let [looks, counted, off] = reports.each_ref().map(|report| match report["time_ps"].as_u64() {
            Some(time) => time,
            None => report["simulated_ps"].as_u64().unwrap(),
        });
        assert!(off < counted && counted != looks && off < looks, "{machine}: {looks}, {counted}, {off}");
        assert_eq!(json(&words(&run))["fingerprint"], reports[0]["fingerprint"], "looks is the default");
    }
}

#[test]
fn reports_name_the_cost_that_was_used() {
    for (run, cost) in [
        ("run --machine gigae_pm --nic model", Some("looks")),
        ("run --machine cenju3 --nic model --library-cost counted", Some("counted")),
        ("run --program mpi-ping --nic model", Some("looks")),
        ("run --nic model", None),
        ("explain message --machine cenju3 --nic model", Some("looks")),
        ("explain botf --nic model", None),
        ("cluster --machine hca --nodes 2 --workload neighbour", Some("looks")),
        ("cluster --machine cenju3 --nodes 2 --workload neighbour", None),
        ("fagus -n 2 --iterations 1", Some("looks")),
        ("suci run --size 4", Some("looks")),
    ] {
        assert_eq!(json(&words(run))["library-cost"], serde_json::json!(cost), "{run}");
    }
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
    for (run, others) in [
        ("explain botf", "--machine gigae_pm or --machine cenju3 or --machine hca has one"),
        ("cluster --nodes 2 --workload neighbour", "--machine gigae_pm or --machine hca has one"),
        (
            "cluster --nodes 2 --machine cenju3 --workload neighbour",
            "--machine gigae_pm or --machine hca has one",
        ),
    ] {
        let error = fails(&words(&format!("{run} --library-cost counted")), 2);
        assert!(error.contains(&format!("without a library; {others}")), "{error}");
    }
    let error = fails(&words("run --library-cost counted"), 2);
    assert!(error.contains("applies to MPI programs only"), "{error}");
}

/// Names of a machine in pages.
const MACHINES: [[&str; 2]; 4] =
    [["dimmnet2", "dimmnet-2"], ["gigae_pm", "gigae pm"], ["cenju3", "cenju-3"], ["hca", "channel adapter"]];
/// Pages with times of the computer that simulates.
const REAL_TIMES: [&str; 2] = ["performance.md", "studio.md"];

/// Sections of a page, from heading to heading, with a table of numbers of several machines that does not name
/// `--library-cost` before the next heading.
fn sections_without_cost(page: &str) -> Vec<String> {
    let (mut sections, mut fenced) = (vec![Vec::new()], false);
    for line in page.lines() {
        fenced ^= line.starts_with("```");
        if line.starts_with('#') && !fenced {
            sections.push(Vec::new());
        }
        sections.last_mut().unwrap().push(line);
    }
    let lacks = |section: &&Vec<&str>| {
        !section.join("\n").contains("library-cost") && tables(section).iter().any(|table| compares(table))
    };
    sections.iter().filter(lacks).map(|section| section[0].to_owned()).collect()
}

/// Tables and fenced blocks of a section.
fn tables(section: &[&str]) -> Vec<String> {
    let (mut tables, mut fenced) = (vec![String::new()], false);
    for line in section {
        fenced ^= line.starts_with("```");
        match fenced || line.starts_with('|') {
            true => *tables.last_mut().unwrap() += &format!("{}\n", line.to_lowercase()),
            false => tables.push(String::new()),
        }
    }
    tables
}

/// Whether a table has decimal numbers of at least two machines.
fn compares(table: &str) -> bool {
    let part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_/".contains(byte));
    let bytes = table.as_bytes();
    let is_named = |name: &&str| {
        table.match_indices(name).any(|(place, _)| {
            let before = place.checked_sub(1).and_then(|place| bytes.get(place));
            !part(before) && !part(bytes.get(place + name.len()))
        })
    };
    let machines = MACHINES.iter().filter(|names| names.iter().any(&is_named)).count();
    let is_decimal = |part: &&[u8]| part[0].is_ascii_digit() && part[1] == b'.' && part[2].is_ascii_digit();
    machines > 1 && bytes.windows(3).filter(is_decimal).count() > 1
}

#[test]
fn tables_across_machines_name_the_cost_of_the_library() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut pages = vec![docs.join("../README.md")];
    for folder in [docs.clone(), docs.join("figures"), docs.join("fidelity")] {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(files.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    pages.retain(|page| !REAL_TIMES.iter().any(|name| page.ends_with(name)));
    let mut without_cost = Vec::new();
    for page in &pages {
        let sections = sections_without_cost(&std::fs::read_to_string(page).unwrap());
        without_cost.extend(sections.iter().map(|section| format!("{}: {section}", page.display())));
    }
    assert_eq!(without_cost, Vec::<String>::new(), "name --library-cost before or behind these tables");
    // The same check finds each of the tables once their names are gone.
    let page = std::fs::read_to_string(docs.join("mpi.md")).unwrap().replace("library-cost", "");
    let found = sections_without_cost(&page);
    for heading in ["## One-sided communication", "## What if", "## What the library itself costs"] {
        assert!(found.iter().any(|section| section == heading), "{heading}: {found:?}");
    }
}
