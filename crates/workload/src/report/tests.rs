//! Reports reproduce the results of the nodes.

use std::sync::Arc;

use cluster::Time;

use super::*;
use crate::driver::{Behaviour, NodeOutcome, Seen, Sent, drive, run};
use crate::measuring::{Knee, Measurement, Phases, Rate, Repeated, WarmUp};
use crate::pattern::{HotSpot, Length, Load, Pattern};
use crate::schedule::{Schedule, Setting};

fn setting(nodes: usize) -> Setting<'static> {
    Setting { nodes, primitive: "put", primitives: &[], limits: &|_| Some(1..=4096) }
}

fn heading(nodes: usize) -> Heading {
    Heading {
        machine: "fake".into(),
        nodes,
        per_host: 1,
        topology: "one-switch".into(),
        workload: "two.csv".into(),
        primitive: "put".into(),
        seed: None,
    }
}

/// Two messages of 8 bytes and one of 64, with their results.
fn three() -> (Schedule, Vec<NodeOutcome>) {
    let schedule =
        Schedule::from_csv("from,to,bytes,at\n0,1,8,0\n0,1,64,1us\n1,0,8,2us\n", &setting(2)).unwrap();
    let time = |ns: u64| Time::from_ps(1_000 * ns);
    let sent = |message, due, first_store| Sent { message, due: time(due), first_store: time(first_store) };
    let seen = |message, before, at| Seen { message, look_before: time(before), time: time(at) };
    let outcomes = vec![
        NodeOutcome {
            node: 0,
            sent: vec![sent(0, 0, 0), sent(1, 1_000, 1_500)],
            seen: vec![seen(2, 3_000, 4_000)],
        },
        NodeOutcome {
            node: 1,
            sent: vec![sent(2, 2_000, 2_000)],
            seen: vec![seen(0, 500, 1_000), seen(1, 2_000, 2_250)],
        },
    ];
    (schedule, outcomes)
}

fn three_report() -> Report {
    let (schedule, outcomes) = three();
    let deliveries = Deliveries::of(&schedule, &outcomes).unwrap();
    let used =
        |name: &str, fraction| Utilisation { name: name.into(), fraction, queue_mean: 0.5, queue_most: 2 };
    let utilisation = vec![used("node 0 to switch", 0.125), used("switch to node 0", 0.5)];
    let run = Run::new(Point::default(), &schedule, &deliveries, utilisation).unwrap();
    Report::of(heading(2), vec![run])
}

/// Uniform traffic of four nodes on the network in memory at two loads.
fn loads() -> Report {
    let mut runs = Vec::new();
    for share in [0.5, 0.1] {
        let load = Load {
            bytes: 64,
            share,
            link: 100_000_000,
            length: Length::Messages(50),
            seed: 1,
            hot: HotSpot::default(),
        };
        let schedule = Arc::new(Pattern::Uniform.schedule(&load, &setting(4)).unwrap());
        let plans = schedule.plans();
        let outcomes: Vec<_> = run(Behaviour::default(), 4, Time::from_ps(u64::MAX), |node, mut end| {
            let plan = plans[node].clone();
            async move { drive(&mut end, &plan).await.unwrap() }
        });
        let outcomes: Vec<_> = outcomes.into_iter().flatten().collect();
        let deliveries = Deliveries::of(&schedule, &outcomes).unwrap();
        let point = Point { load: Some(share), bytes: Some(64), ..Point::default() };
        runs.push(Run::new(point, &schedule, &deliveries, Vec::new()).unwrap());
    }
    Report::of(heading(4), runs)
}

#[test]
fn text_has_a_row_for_all_messages_and_one_for_each_size() {
    let expected = "\
fake, 2 nodes, one-switch, two.csv, put

                           latency in us, from the sender's first store to the look that sees it; spread over phases
     load  bytes  messages       mean     median        p99      p99.9      least      worst     phases
        -    all         3      1.250      1.000      2.000      2.000      0.750      2.000      0.583
        -      8         2      1.500      1.000      2.000      2.000      1.000      2.000      0.750
        -     64         1      0.750      0.750      0.750      0.750      0.750      0.750      0.250

                           throughput in MB/s, and how late senders began, in us
     load  bytes  messages  all nodes     a node      least       most late: mean      worst
        -    all         3     20.000     10.000      2.000     18.000      0.167      0.500
        -      8         2      4.000      2.000      2.000      2.000      0.000      0.000
        -     64         1     16.000      8.000      0.000     16.000      0.500      0.500

                           busiest links and switches, and the queues before them
     load  bytes      used       mean       most  name
        -    all    50.0 %      0.500          2  switch to node 0
        -    all    12.5 %      0.500          2  node 0 to switch";
    assert_eq!(three_report().to_string(), expected);
}

#[test]
fn json_has_times_in_picoseconds() {
    let json = serde_json::to_value(three_report()).unwrap();
    assert_eq!(json["machine"], "fake");
    let run = &json["runs"][0];
    assert_eq!((&run["load"], &run["undelivered"]), (&serde_json::Value::Null, &0.into()));
    assert_eq!(run["rows"][0]["latency"]["mean_ps"], 1_250_000);
    assert_eq!(run["rows"][0]["phases"]["worst_ps"], 1_000_000);
    assert_eq!(run["rows"][1]["bytes"], 8);
    assert_eq!(run["rows"][2]["throughput"]["node_most"], 16e6);
    assert_eq!(run["utilisation"][1]["queue_most"], 2);
}

#[test]
fn csv_has_a_row_for_each_load_and_size_and_for_each_message() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, messages) = (folder.path().join("rows.csv"), folder.path().join("messages.csv"));
    three_report().write_csv(&rows).unwrap();
    let rows = std::fs::read_to_string(&rows).unwrap();
    let rows: Vec<_> = rows.lines().collect();
    assert!(rows[0].starts_with("load,window,bytes,messages,undelivered,mean_us,median_us,"), "{}", rows[0]);
    assert_eq!(
        rows[2],
        ",,8,2,,1.500000,1.000000,2.000000,2.000000,1.000000,2.000000,0.750000,1.000000,0.000000,0.000000,16,\
         4.000000,4000000,2000000,2000000,2000000,0.500000,,,,,,,,,,,,,"
    );
    assert_eq!(rows.len(), 4);
    let (schedule, outcomes) = three();
    let mut table = MessageTable::create(&messages).unwrap();
    let point = Point { load: Some(0.5), ..Point::default() };
    table.add(point, 7, &schedule, &Deliveries::of(&schedule, &outcomes).unwrap()).unwrap();
    assert!(!messages.exists());
    table.finish().unwrap();
    let messages = std::fs::read_to_string(&messages).unwrap();
    assert_eq!(
        messages.lines().nth(2),
        Some("0.5,,7,1,0,1,64,put,1.000000,1.500000,2.000000,2.250000,0.750000")
    );
    assert_eq!(messages.lines().count(), 4);
}

#[test]
fn svg_has_the_distribution_and_latency_over_several_loads() {
    let svg = loads().svg().unwrap();
    for text in [
        "Latency over load",
        "64 bytes, mean",
        "64 bytes, p99",
        "Distribution",
        "load 0.1 (pale) to 0.5",
        "fake, 4 nodes",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    let mut report = three_report();
    report.heading.workload = "<script>.csv".into();
    let svg = report.svg().unwrap();
    assert!(!svg.contains("Latency over load") && !svg.contains("<script>"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.svg");
    report.write_svg(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), svg);
    assert!(report.write_svg(&folder.path().join("no/run.svg")).is_err());
}

/// Loads with measurements, a repetition of each and a knee.
fn measured() -> Report {
    let mut report = loads();
    let measurement = |at: usize| Measurement {
        seed: 1,
        phases: Phases {
            warm_up_ps: 1_000_000,
            measure_ps: 8_000_000,
            drain_ps: 2_000_000,
            warm_up: WarmUp::Found,
        },
        measured: 150,
        senders: 4,
        offered: Rate { link_share: 0.0123, bytes_per_second: 1.23e6 },
        accepted: Rate { link_share: 0.0119, bytes_per_second: 1.19e6 },
        queues: [0.5; 4],
        saturated: at == 0,
        from_creation: report.runs[at].rows[0].late,
        from_injection: report.runs[at].rows[0].latency,
    };
    report.runs = report
        .runs
        .iter()
        .cloned()
        .zip(0..)
        .map(|(run, at)| run.with_measurement(Some(measurement(at))))
        .collect();
    let twice = [report.runs[0].clone(), report.runs[0].clone()];
    report.repeated.extend(Repeated::of(&twice));
    report.knees = vec![KneeOfSize {
        bytes: 64,
        knee: Knee { load: Some(0.1), saturated_at: Some(0.5) },
        messages: 100,
    }];
    report
}

#[test]
fn text_tells_what_was_measured_and_what_is_saturated() {
    let text = measured().to_string();
    for line in [
        "      0.5     64      1.000      8.000      2.000   0.012300   0.011900      1.230      1.190  saturated",
        "      0.1     64      1.000      8.000      2.000   0.012300   0.011900      1.230      1.190\n",
        "      0.5     64     2      1.230 +- 0.000      1.190 +- 0.000",
        "  2 of 2 saturated",
        "knee, 64 bytes: not saturated at a load of 0.1, saturated at 0.5",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!loads().to_string().contains("measured"));
}

#[test]
fn knee_of_short_runs_has_a_warning() {
    let knee = Knee { load: Some(0.1), saturated_at: Some(0.5) };
    let text = |messages| KneeOfSize { bytes: 64, knee, messages }.to_string();
    assert!(text(39).ends_with("only 39 messages of a sender were measured, take a time for at least 40"));
    assert!(text(40).ends_with("saturated at 0.5"));
    let of_runs = KneeOfSize::of(64, knee, &measured().runs);
    assert_eq!(of_runs.messages, measured().runs[0].measurement.as_ref().unwrap().measured / 4);
}

#[test]
fn table_has_the_measurement_of_each_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    measured().write_csv(&path).unwrap();
    let table = std::fs::read_to_string(&path).unwrap();
    let cells = ",1,1.000000,8.000000,2.000000,0.012300000,1230000,0.011900000,1190000,true,";
    assert!(table.lines().nth(1).unwrap().contains(cells), "{table}");
}

#[test]
fn svg_of_a_knee_has_accepted_load_and_a_line_at_the_knee() {
    let svg = measured().svg().unwrap();
    for text in ["Accepted over offered load", "accepted = offered", "knee", "latency from creation [us]"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(!svg.contains("Distribution") && !loads().svg().unwrap().contains("knee"));
}

#[test]
fn higher_load_takes_longer() {
    let report = loads();
    let [high, low] = report.runs.as_slice() else { panic!("there are two") };
    assert_eq!(high.rows[0].messages, 200);
    assert!(high.rows[0].latency.mean_ps > low.rows[0].latency.mean_ps);
    assert!(high.rows[0].throughput.bytes_per_second > 3.0 * low.rows[0].throughput.bytes_per_second);
}

#[test]
fn messages_that_did_not_arrive_are_counted() {
    let (schedule, mut outcomes) = three();
    outcomes[1].seen.pop();
    let deliveries = Deliveries::of(&schedule, &outcomes).unwrap();
    let run =
        Run::new(Point { load: Some(1.0), ..Point::default() }, &schedule, &deliveries, Vec::new()).unwrap();
    assert_eq!((run.undelivered, run.rows.len()), (1, 1));
    let text = Report::of(heading(2), vec![run]).to_string();
    assert!(text.ends_with("\n\n1 message did not arrive at load 1"), "{text}");
}

#[test]
fn inconsistent_results_are_errors() {
    let join = |change: fn(&mut Vec<NodeOutcome>)| {
        let (schedule, mut outcomes) = three();
        change(&mut outcomes);
        Deliveries::of(&schedule, &outcomes).unwrap_err()
    };
    assert_eq!(join(|outcomes| outcomes[0].sent[0].message = 3), RunError::NoSuchMessage(3));
    assert_eq!(join(|outcomes| outcomes[0].seen[0].message = 1), RunError::Twice(1));
    assert_eq!(join(|outcomes| outcomes[0].sent.truncate(1)), RunError::NotSent(1));
    assert_eq!(join(|outcomes| outcomes[0].seen[0].time = Time::ZERO), RunError::Backwards(2));
    let later = |outcomes: &mut Vec<NodeOutcome>| outcomes[0].seen[0].look_before = Time::from_ps(4_000_001);
    assert_eq!(join(later), RunError::Backwards(2));
    let (schedule, _) = three();
    let nothing = Deliveries::of(&schedule, &[]).unwrap();
    let run = Run::new(Point::default(), &schedule, &nothing, Vec::new());
    assert_eq!((nothing.undelivered, run), (3, Err(RunError::Nothing)));
}
