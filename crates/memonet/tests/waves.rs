use std::collections::BTreeMap;
use std::path::Path;

use tempfile::TempDir;
use wellen::{SignalValueRef, simple};

use crate::{fails, json, memonet, path, prints, repository, stderr, value};

/// Changes of each variable by its GTKWave name: time and value; a state's value is its name.
type Wave = BTreeMap<String, Vec<(u64, String)>>;

fn read(file: &Path) -> Wave {
    let mut wave = simple::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let all: Vec<_> = wave.hierarchy().signals().collect();
    wave.load_signals(&all);
    let hierarchy = wave.hierarchy();
    let mut variables = Wave::new();
    for item in hierarchy.all_items() {
        let wellen::Item::Var(var) = item.deref(hierarchy) else { continue };
        let states: BTreeMap<_, _> =
            var.enum_type(hierarchy).map(|(_, table)| table.into_iter().collect()).unwrap_or_default();
        let changes = wave.get_signal(var.signal_ref()).unwrap().iter_changes().map(|(index, value)| {
            let value = match value {
                SignalValueRef::String(text) => text.to_string(),
                value => value.to_bit_string().unwrap(),
            };
            let value = states.get(value.as_str()).map_or(value.clone(), |name| name.to_string());
            (wave.time_table()[index as usize], value)
        });
        let range = var.index().map(|index| format!("[{}:{}]", index.msb(), index.lsb())).unwrap_or_default();
        variables.insert(var.full_name(hierarchy) + &range, changes.collect());
    }
    variables
}

/// The names in a layout.
fn shown(layout: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(layout).unwrap();
    let names =
        text.lines().filter_map(|line| Some(line.strip_prefix("+{")?.split_once("} ")?.1.to_string()));
    names.collect()
}

/// The name without its range of bits.
fn bare(name: &str) -> &str {
    name.split('[').next().unwrap()
}

#[test]
fn both_formats_contain_model_and_rtl_of_two_nodes() {
    let folder = TempDir::new().unwrap();
    let report = json(&["wave", "--folder", path(folder.path())]);
    assert_eq!(report["waves"].as_array().unwrap().len(), 4);
    for format in ["vcd", "fst"] {
        let wave = read(&folder.path().join(format!("dimmnet2_botf.{format}")));
        for node in ["node0", "node1"] {
            let side = |side| {
                let prefix = format!("{node}.{side}.");
                let of_side = wave.iter().filter_map(move |(name, changes)| {
                    Some((name.strip_prefix(&prefix)?.to_string(), changes))
                });
                of_side.collect::<BTreeMap<_, _>>()
            };
            let (model, rtl) = (side("model"), side("rtl"));
            assert!(model.len() > 400, "{}", model.len());
            assert!(model == rtl, "{format}: {node}: model and RTL hold the same");
            let differs = side("differs");
            assert!(differs.len() > 50, "{}", differs.len());
            assert!(
                differs.values().all(|changes| **changes == [(0, "0".to_string())]),
                "{format}: {differs:?}"
            );
        }
        // State names, and all ten cycles of figure 5.11.
        let botf = "node0.rtl.core_logic.window_controller.request_executor.botf.state";
        let (_, changes) = wave.iter().find(|(name, _)| bare(name) == botf).unwrap();
        let states: Vec<_> = changes.iter().map(|(_, state)| state.as_str()).collect();
        let packet = ["Botf1", "Botf2", "Botf3", "Botf4", "BotfEnd1", "BotfEnd2", "Prim"];
        assert_eq!(states, [&["Prim"][..], &packet, &packet, &packet].concat());
        let received = "node1.model.core_logic.receive_controller.packet_control.state";
        let (_, changes) = wave.iter().find(|(name, _)| bare(name) == received).unwrap();
        assert_eq!(changes.iter().filter(|(_, state)| state == "Status").count(), 3);
        // The input pins of the board contain the BOTF command.
        let (_, changes) = wave.iter().find(|(name, _)| bare(name) == "node0.pins_i.host.address").unwrap();
        assert!(changes.iter().any(|(_, value)| value == &format!("{:020b}", 0x40000)));

        let names = shown(&folder.path().join(format!("dimmnet2_botf.{format}.gtkw")));
        assert!(names.len() > 100);
        assert!(names.iter().all(|name| wave.contains_key(name)), "{format}: every name exists in the dump");
        let model = names.iter().position(|name| bare(name) == botf.replace("rtl", "model")).unwrap();
        let differs = botf.replace("rtl", "differs").replace("state", "differs");
        assert_eq!([bare(&names[model + 1]), &names[model + 2]], [botf, &differs]);
    }
}

#[test]
fn model_and_rtl_can_be_recorded_alone() {
    for kind in ["model", "rtl"] {
        let folder = TempDir::new().unwrap();
        prints(&["wave", "--nic", kind, "--folder", path(folder.path())]);
        let wave = read(&folder.path().join("dimmnet2_botf.fst"));
        assert!(wave.keys().any(|name| name.starts_with(&format!("node1.{kind}."))));
        let other = if kind == "model" { "node1.rtl." } else { "node1.model." };
        assert!(!wave.keys().any(|name| name.starts_with(other)));
    }
}

#[test]
fn stages_are_the_same_in_waves_trace_and_report() {
    let folder = TempDir::new().unwrap();
    let trace = folder.path().join("lhs2.json");
    let args = ["explain", "lhs2", "--bytes", "56", "--waves", path(folder.path()), "--trace", path(&trace)];
    let report = json(&[&args[..], &["--nic", "lockstep"]].concat());
    let time = |value: &serde_json::Value| value.as_u64().unwrap();
    let (begin, stages) = (time(&report["begin_ps"]), report["stages"].as_array().unwrap());
    let mut expected = vec![(0, "none".to_string())];
    for stage in stages {
        expected.push((begin + time(&stage["begin_ps"]), stage["name"].as_str().unwrap().to_string()));
    }
    expected.push((begin + time(&report["total_ps"]), "none".to_string()));
    for format in ["vcd", "fst"] {
        let wave = read(&folder.path().join(format!("dimmnet2_explain_lhs2.{format}")));
        let (_, changes) = wave.iter().find(|(name, _)| bare(name) == "message.stage").unwrap();
        let known: Vec<_> = changes.iter().filter(|(_, value)| !value.contains('x')).cloned().collect();
        assert_eq!(known, expected, "{format}");
        let layout = shown(&folder.path().join(format!("dimmnet2_explain_lhs2.{format}.gtkw")));
        assert_eq!(bare(&layout[0]), "message.stage", "it is the first signal");
    }
    let trace: serde_json::Value = serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let ids: Vec<_> =
        events.iter().filter(|e| e["ph"] == "X").map(|e| (&e["name"], &e["args"]["id"])).collect();
    assert_eq!(ids, stages.iter().map(|stage| (&stage["name"], &stage["id"])).collect::<Vec<_>>());
}

#[test]
fn golden_dumps_equal_a_new_run() {
    compare_with_golden("dimmnet2", "golden/dimmnet2_botf.fst");
    compare_with_golden("gigae_pm", "golden/gigae_pm_message.fst");
}

fn compare_with_golden(machine: &str, dump: &str) {
    let folder = TempDir::new().unwrap();
    prints(&["wave", "--machine", machine, "--golden", "--folder", path(folder.path())]);
    let again = "run `memonet wave --golden --folder waveforms` if the device was changed intentionally";
    let (fresh, golden) = (read(&folder.path().join(dump)), read(&repository("waveforms").join(dump)));
    assert!(fresh.keys().eq(golden.keys()), "the dumps contain different signals; {again}");
    for (name, changes) in &golden {
        assert_eq!(&fresh[name], changes, "{name}; {again}");
    }
    let gtkw = format!("{machine}.gtkw");
    let layout = |folder: &Path| std::fs::read_to_string(folder.join(&gtkw)).unwrap();
    assert!(layout(folder.path()) == layout(&repository("waveforms")), "the layouts differ; {again}");
    let names = shown(&repository("waveforms").join(&gtkw));
    assert!(names.len() > 50 && names.iter().all(|name| golden.contains_key(name)));
}

#[test]
fn waveforms_begin_at_the_given_cycle() {
    let folder = TempDir::new().unwrap();
    let run = |name: &str, from: &str| {
        let folder = folder.path().join(name);
        let (report, _) =
            recorded(&["--cycles", "3000", "--seed", "5", "--waves", path(&folder), "--from", from]);
        assert_eq!(
            (&report["divergences"], report["state_machines"].as_array().unwrap().len()),
            (&0.into(), 26)
        );
        read(&folder.join("dimmnet2_lockstep.fst"))
    };
    let (all, end) = (run("all", "0"), run("end", "2800"));
    assert!(all.keys().eq(end.keys()));
    let begin = 2_800 * 10_000;
    let mut moved = 0;
    for (name, changes) in &end {
        let known: Vec<_> = changes.iter().filter(|(_, value)| !value.contains('x')).collect();
        assert!(known.iter().all(|(time, _)| *time >= begin), "{name}");
        let same: Vec<_> = all[name].iter().filter(|(time, _)| *time > begin).collect();
        assert_eq!(known[1..], same, "{name}");
        moved += same.len();
    }
    assert!(moved > 1_000, "{moved}");
}

/// The report of `lockstep` with waveforms, and what it says about their size.
fn recorded(args: &[&str]) -> (serde_json::Value, String) {
    let output = memonet(&[&["lockstep", "--json"], args].concat());
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    (serde_json::from_slice(&output.stdout).unwrap(), text)
}

#[test]
fn window_is_recorded_in_one_format_of_the_size_that_is_said() {
    let folder = TempDir::new().unwrap();
    let options = ["--waves-from", "1000", "--waves-cycles", "500", "--waves-format", "fst"];
    let args = [&["--cycles", "20000", "--waves", path(folder.path())][..], &options].concat();
    let (report, said) = recorded(&args);
    assert_eq!(report["cycles"], 20_000, "the run goes on after the window");
    assert!(said.contains("waveforms of 500 cycles take about ") && !said.contains("VCD"), "{said}");
    let files: Vec<_> =
        report["waves"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    let expected = ["dimmnet2_lockstep.fst", "dimmnet2_lockstep.fst.gtkw"];
    assert_eq!(files, expected.map(|name| path(&folder.path().join(name)).to_string()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);

    let dump = folder.path().join(expected[0]);
    let times: Vec<_> =
        read(&dump).into_values().flatten().filter(|(_, value)| !value.contains('x')).collect();
    let times = times.iter().map(|(time, _)| *time);
    let (first, last) = (times.clone().min().unwrap(), times.max().unwrap());
    assert_eq!(first, 1_000 * 10_000);
    // The clock of the link rises once more before the next core clock edge.
    assert!((1_500 * 10_000..1_501 * 10_000).contains(&last), "{last}");
    let words: Vec<_> = said.split_whitespace().collect();
    let about = words.iter().position(|word| *word == "about").unwrap();
    let [value, unit] = [words[about + 1], words[about + 2]];
    let scale = BTreeMap::from([("B", 1.0), ("kB", 1e3), ("MB", 1e6)])[unit];
    let (said, size) = (value.parse::<f64>().unwrap() * scale, dump.metadata().unwrap().len() as f64);
    assert!((0.5..2.0).contains(&(said / size)), "{said} bytes were said, and {size} written");
}

#[test]
fn machines_and_commands_write_different_files() {
    let folder = TempDir::new().unwrap();
    let mut files = Vec::new();
    for machine in ["dimmnet2", "gigae_pm", "cenju3", "hca"] {
        let report = json(&["wave", "--machine", machine, "--nic", "model", "--folder", path(folder.path())]);
        let (recorded, _) = recorded(
            &[
                &["--alone", "model", "--cycles", "100", "--machine", machine],
                &["--waves", path(folder.path())][..],
            ]
            .concat(),
        );
        let of = |report: &serde_json::Value| report["waves"].as_array().unwrap().clone();
        let wrote = [of(&report), of(&recorded)].concat();
        assert!(wrote.iter().all(|file| file.as_str().unwrap().contains(machine)), "{wrote:?}");
        files.extend(wrote);
    }
    let explained = json(&["explain", "botf", "--nic", "model", "--waves", path(folder.path())]);
    files.extend(explained["waves"].as_array().unwrap().clone());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), files.len(), "{files:?}");
}

#[test]
fn folders_that_cannot_be_created_are_named() {
    let text = fails(&["wave", "--folder", path(&repository("Cargo.toml/waves"))], 1);
    assert!(text.starts_with("memonet: cannot make the folder "), "{text}");
    assert!(text.contains("Not a directory"), "{text}");
}

#[test]
fn recorded_mpi_calls_do_not_change_the_run() {
    let folder = TempDir::new().unwrap();
    let (program, waves) = (folder.path().join("ping"), folder.path().join("waves"));
    prints(&["mpicc", path(&repository("testbench/mpi/ping.c")), "-o", path(&program)]);
    for machine in ["dimmnet2", "gigae_pm"] {
        let run = |more: &[&str]| {
            let args =
                [&["mpirun", "-np", "2", "--machine", machine][..], more, &[path(&program), "2"]].concat();
            let output = memonet(&args);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            stderr(&output)
        };
        let (plain, recorded) = (run(&[]), run(&["--waves", path(&waves)]));
        assert_eq!(value(&plain, "fingerprint"), value(&recorded, "fingerprint"), "{machine}");
        for format in ["vcd", "fst"] {
            let wave = read(&waves.join(format!("{machine}_mpirun_ping.{format}")));
            let calls = |node: usize| {
                let name = format!("node{node}.mpi.call");
                let (_, changes) = wave.iter().find(|(found, _)| bare(found) == name).unwrap();
                changes
                    .iter()
                    .map(|(_, call)| call.as_str())
                    .filter(|call| *call != "outside")
                    .collect::<Vec<_>>()
            };
            let [send, receive] = ["MPI_Send", "MPI_Recv"];
            assert_eq!(calls(0), ["MPI_Init", send, receive, send, receive, "MPI_Finalize"], "{format}");
            assert_eq!(calls(1), ["MPI_Init", receive, send, receive, send, "MPI_Finalize"], "{format}");
            // Boards begin with the same history, each at its own time.
            let first = |node: &str| {
                let of_node = wave.iter().filter(|(name, _)| name.starts_with(node));
                of_node.flat_map(|(_, changes)| changes).map(|(time, _)| *time).filter(|time| *time > 0).min()
            };
            assert_eq!(first("node0.model"), first("node1.model"), "{machine}, {format}");
        }
    }
}
