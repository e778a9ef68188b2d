use proptest::prelude::*;
use waveform::{Recorder, Scope, variables};

use crate::device::{Line, State, Unit, file, sample, signals};
use crate::read::{self, Wave};

fn unit() -> impl Strategy<Value = Unit> {
    // Few values, so that many fields do not change from one sample to the next.
    let few = prop_oneof![Just(0u64), Just(1), Just(u64::MAX), any::<u64>()];
    let state = prop_oneof![Just(State::Idle), Just(State::Transmit), Just(State::Wait)];
    (state, 0..1u16 << 10, few.clone(), few.clone(), few, 0..4u8, any::<bool>()).prop_map(
        |(state, count, high, low, data, id, flag)| {
            let header = u128::from(high) << 64 | u128::from(low);
            Unit { state, count, header, last: Line { data, id }, flag }
        },
    )
}

/// A record: time since the last one, scope, and the unit unless it is unchanged.
fn records() -> impl Strategy<Value = Vec<(u64, usize, Option<Unit>)>> {
    proptest::collection::vec((0..3u64, 0..2usize, proptest::option::of(unit())), 0..40)
}

/// The expected waveform, computed bit by bit and without comparing words.
fn expected(records: &[(u64, usize, Option<Unit>)]) -> Wave {
    let signals = signals();
    let scopes = ["a.model", "a.rtl"].map(|name| Scope { name, signals: &signals });
    let mut wave = Wave::default();
    let (mut time, mut step, mut units) = (0, 1, [Unit::default(); 2]);
    let mut set = |path: String, time: u64, value: String| {
        let changes: &mut Vec<(u64, String)> = wave.changes.entry(path).or_default();
        changes.pop_if(|(at, _)| *at == time);
        if changes.last().is_none_or(|(_, last)| *last != value) {
            changes.push((time, value));
        }
    };
    for (delta, scope, unit) in records {
        time += delta;
        if *delta > 0 {
            step = *delta;
        }
        units[*scope] = unit.unwrap_or(units[*scope]);
        let words = sample(&units[*scope]);
        for v in variables(&scopes).into_iter().filter(|v| v.scope == *scope) {
            let bit = |at: usize| words[at / 64] >> (at % 64) & 1;
            let bits: String =
                (0..v.width as usize).rev().map(|i| char::from(b'0' + bit(v.at + i) as u8)).collect();
            let value = match v.machine {
                Some(table) => table.state(u64::from_str_radix(&bits, 2).unwrap()).unwrap().to_string(),
                None => bits,
            };
            set(v.path(), time, value);
        }
    }
    for v in variables(&scopes) {
        let changes = wave.changes.entry(v.path()).or_default();
        if changes.first().is_none_or(|(time, _)| *time > 0) {
            changes.insert(0, (0, "x".to_string()));
        }
    }
    wave.end = time + step;
    wave
}

fn written(name: &str, records: &[(u64, usize, Option<Unit>)]) -> std::path::PathBuf {
    let signals = signals();
    let scopes = ["a.model", "a.rtl"].map(|name| Scope { name, signals: &signals });
    let mut recorder = Recorder::create(file(name), 1, &scopes).unwrap();
    let (mut time, mut units) = (0, [Unit::default(); 2]);
    for (delta, scope, unit) in records {
        time += delta;
        units[*scope] = unit.unwrap_or(units[*scope]);
        recorder.record(time, *scope, &sample(&units[*scope])).unwrap();
    }
    recorder.finish().unwrap().path
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn random_records_can_be_read_back_from_both_formats(records in records()) {
        let expected = expected(&records);
        let (vcd, fst) = (written("random.vcd", &records), written("random.fst", &records));
        prop_assert_eq!(&read::wellen(&vcd), &expected);
        prop_assert_eq!(&read::wellen(&fst), &expected);
    }
}
