use waveform::{Recorder, Scope, Summary};

use crate::device::{Device, Line, State, Unit, file, sample, signals};
use crate::read;

/// A unit that sends one packet; the second scope follows half a period later.
fn run(name: &str) -> Summary {
    let signals = signals();
    let scopes =
        [Scope { name: "node0.model", signals: &signals }, Scope { name: "node0.rtl", signals: &signals }];
    let mut recorder = Recorder::create(file(name), 1, &scopes).unwrap();
    let mut unit = Unit::default();
    for cycle in 0..10 {
        match cycle {
            2 => {
                unit.state = State::Transmit;
                unit.count = 0x3ff;
                unit.header = 1 << 127 | 1 << 99 | 5;
                unit.last = Line { data: u64::MAX, id: 1 };
            }
            3 => unit.count = 1,
            4 => unit.state = State::Wait,
            7 => unit = Unit { flag: true, ..Unit::default() },
            _ => {}
        }
        recorder.record(cycle * 10_000, 0, &sample(&unit)).unwrap();
        recorder.record(cycle * 10_000 + 5_000, 1, &sample(&unit)).unwrap();
    }
    recorder.finish().unwrap()
}

fn values_are_right(name: &str) {
    let summary = run(name);
    assert_eq!(summary.variables, 2 * 13);
    assert_eq!(summary.records, 20);
    assert_eq!(summary.end_ps, 100_000);
    assert_eq!(summary.bytes, std::fs::metadata(&summary.path).unwrap().len());

    let wave = read::wellen(&summary.path);
    assert_eq!(wave.end, 100_000);
    assert_eq!(wave.changes.len(), 26);
    let changes = |path: &str| {
        let changes = wave.changes[path].iter();
        changes.map(|(time, value)| (*time, value.as_str())).collect::<Vec<_>>()
    };
    let states = [(0, "Idle"), (20_000, "Transmit"), (40_000, "Wait"), (70_000, "Idle")];
    assert_eq!(changes("node0.model.state"), states);
    assert_eq!(changes("node0.model.pins_o.shown"), states);
    let late: Vec<_> = states.iter().map(|&(time, state)| (time + 5_000, state)).collect();
    assert_eq!(changes("node0.rtl.state")[0], (0, "x"));
    assert_eq!(changes("node0.rtl.state")[1..], late);
    assert_eq!(changes("node0.model.pins_o.valid"), [(0, "0"), (20_000, "1"), (40_000, "0")]);
    assert_eq!(changes("node0.model.pins_i.ready"), [(0, "1"), (70_000, "0")]);
    assert_eq!(
        changes("node0.model.count"),
        [(0, "0000000000"), (20_000, "1111111111"), (30_000, "0000000001"), (70_000, "0000000000")]
    );
    assert_eq!(wave.at("node0.model.pins_o.line.data", 69_999), "1".repeat(64));
    assert_eq!(wave.at("node0.model.pins_o.line.id", 69_999), "01");
    assert_eq!(wave.at("node0.model.last.id", 70_000), "00");
    assert_eq!(wave.at("node0.model.header", 25_000), format!("{:0128b}", 1u128 << 127 | 1 << 99 | 5));
    assert_eq!(wave.at("node0.rtl.pins_o.address", 25_000), format!("{:0100b}", 1u128 << 99 | 5));
}

#[test]
fn vcd_contains_times_values_and_states() {
    values_are_right("round_trip.vcd");
}

#[test]
fn fst_contains_times_values_and_states() {
    values_are_right("round_trip.fst");
}

#[test]
fn both_formats_and_three_readers_agree() {
    let (vcd, fst) = (run("agree.vcd"), run("agree.fst"));
    assert_eq!((vcd.changes, vcd.records, vcd.end_ps), (fst.changes, fst.records, fst.end_ps));
    let wave = read::wellen(&vcd.path);
    assert_eq!(wave, read::wellen(&fst.path));
    assert_eq!(wave, read::vcd(&vcd.path));
}

#[test]
fn same_run_gives_the_same_bytes() {
    for format in ["vcd", "fst"] {
        let one = run(&format!("same_1.{format}"));
        let two = run(&format!("same_2.{format}"));
        assert!(std::fs::read(one.path).unwrap() == std::fs::read(two.path).unwrap());
    }
}

#[test]
fn undeclared_code_is_shown() {
    for (name, shown) in [("undeclared.vcd", "undeclared_3"), ("undeclared.fst", "11")] {
        let signals = signals();
        let mut recorder =
            Recorder::create(file(name), 1, &[Scope { name: "rtl", signals: &signals }]).unwrap();
        let mut words = sample(&Unit::default());
        recorder.record(0, 0, &words).unwrap();
        let state = signals.iter().find(|signal| signal.name == "state").unwrap();
        words[state.word] = 3;
        recorder.record(10, 0, &words).unwrap();
        let summary = recorder.finish().unwrap();
        assert_eq!(read::wellen(&summary.path).at("rtl.state", 10), shown);
    }
}

#[test]
fn idle_time_takes_no_space() {
    for name in ["idle.vcd", "idle.fst"] {
        let device = Device::default();
        let signals = hdl::signals(&device);
        let scopes = [Scope { name: "node0.model", signals: &signals }];
        let length = |cycles: u64| {
            let mut recorder = Recorder::create(file(name), 1_000, &scopes).unwrap();
            for cycle in 0..cycles {
                recorder.record(cycle * 10_000, 0, &sample(&device)).unwrap();
            }
            recorder.finish().unwrap()
        };
        let (short, long) = (length(100), length(900));
        assert_eq!(short.changes, long.changes);
        assert_eq!(short.bytes, long.bytes);
        assert_eq!(read::wellen(&long.path).end, 9_000);
    }
}

#[test]
fn recorder_without_samples_leaves_a_readable_file() {
    for name in ["nothing.vcd", "nothing.fst"] {
        let signals = signals();
        let recorder = Recorder::create(file(name), 1, &[Scope { name: "a", signals: &signals }]).unwrap();
        let summary = recorder.finish().unwrap();
        let wave = read::wellen(&summary.path);
        assert_eq!(wave.at("a.state", 0), "x");
        assert_eq!(wave.changes.len(), summary.variables);
    }
}

#[test]
fn device_is_recorded_under_its_block_paths() {
    let mut device = Device::default();
    let signals = hdl::signals(&device);
    let scopes = [Scope { name: "node0.model", signals: &signals }];
    let mut recorder = Recorder::create(file("device.fst"), 1, &scopes).unwrap();
    let mut record = |time, device: &Device| recorder.record(time, 0, &sample(device)).unwrap();
    record(0, &device);
    device.units[4].state = State::Transmit;
    device.units[5].count = 9;
    device.cycles = 1;
    record(10, &device);
    let wave = read::wellen(&recorder.finish().unwrap().path);
    assert_eq!(wave.at("node0.model.window_controller.botf.state", 10), "Transmit");
    assert_eq!(wave.at("node0.model.swif.encapsulation.count", 10), "0000001001");
    assert_eq!(wave.at("node0.model.cycles", 10), format!("{:032b}", 1));
}
