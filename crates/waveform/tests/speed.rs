use std::time::Instant;

use waveform::{Recorder, Scope};

use crate::device::{Device, Line, State, file, sample};

/// Nanoseconds per cycle for 144 variables: idle, and with most blocks busy.
/// `cargo test --release -p waveform speed -- --ignored --nocapture`
#[test]
#[ignore = "a measurement, run by hand"]
fn time_per_cycle() {
    for name in ["speed.vcd", "speed.fst"] {
        for busy in [false, true] {
            let mut device = Device::default();
            let signals = hdl::signals(&device);
            let scopes = [Scope { name: "node0.model", signals: &signals }];
            let mut recorder = Recorder::create(file(name), 1, &scopes).unwrap();
            let samples: Vec<_> = (0..4096u64)
                .map(|cycle| {
                    if busy {
                        device.cycles += 1;
                        // A line moves through three blocks; the others count or change state.
                        let line = Line { data: cycle.wrapping_mul(0x9e37_79b9_7f4a_7c15), id: 3 };
                        for unit in &mut device.units[4..7] {
                            unit.last = line;
                            unit.count = (cycle % 1024) as u16;
                        }
                        let states = [State::Idle, State::Transmit, State::Wait];
                        device.units[7].state = states[cycle as usize % 3];
                        device.units[8].flag = cycle % 2 == 1;
                    }
                    sample(&device)
                })
                .collect();
            let cycles = if busy { 200_000 } else { 4_000_000 };
            recorder.record(0, 0, &samples[0]).unwrap();
            let start = Instant::now();
            for cycle in 1..=cycles {
                recorder.record(cycle * 10_000, 0, &samples[cycle as usize % 4096]).unwrap();
            }
            let recorded = start.elapsed();
            let summary = recorder.finish().unwrap();
            let ns = |time: std::time::Duration| time.as_nanos() as f64 / cycles as f64;
            println!(
                "{name} {}: {:.1} ns per cycle, {:.1} with finish; {:.2} changes per cycle; {summary}",
                if busy { "busy" } else { "idle" },
                ns(recorded),
                ns(start.elapsed()),
                (summary.changes - summary.variables as u64) as f64 / cycles as f64,
            );
        }
    }
}
