//! Deliberate faults in the RTL: the report of lockstep must name block, register and cycle.
//!
//! The stimulus of each is as short as the fault allows, so the cycle follows from the block's
//! states.

use cosim::{BlockPair, Divergence, LockstepError};
use dimmnet2::pins::MemoryIn;
use dimmnet2::request::Request;
use dimmnet2::sodimm_interface::sodimm::{self, Sodimm};
use dimmnet2::status_write_unit::{self, StatusWriteUnit};
use dimmnet2::window_controller::botf::{self, Botf};
use dimmnet2::write_unit::{self, WriteUnit};
use hdl::{Bundle, Clocked, Nic, Probe};
use waveform::{Differs, Recorder, Scope};

/// The divergence of a block and its RTL with a fault; `pins` are those at each edge, from edge 1.
fn divergence<B>(fault: &str, pins: impl Fn(u64) -> B::In) -> Divergence
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    let rtl = testbench_dimmnet2::open(fault).expect("the fault is verilated");
    let mut pair: BlockPair<B> = testbench::pair(rtl, 0, "faults");
    for edge in 1..100 {
        match pair.tick(&pins(edge)) {
            Ok(()) => {}
            Err(LockstepError::Divergence(divergence)) => return *divergence,
            Err(stopped) => panic!("{stopped}"),
        }
    }
    panic!("{fault} is not found in 100 cycles");
}

/// First line of a report: cycle, block, register, value in the model, value in the RTL.
fn first(divergence: &Divergence) -> (u64, &str, &str, &str, &str) {
    let first = &divergence.differences[0];
    (divergence.cycle, &first.block, &first.name, &first.model, &first.rtl)
}

/// BOTF of 24 bytes, 3 lines, taken at edge 1.
fn botf(edge: u64) -> botf::In {
    botf::In { start: edge == 1, size: 24, pgid0: 0x5a, pgid1: 0xa5, ..Default::default() }
}

#[test]
fn transfer_counter_one_too_low_is_found_at_its_start() {
    let divergence = divergence::<Botf>("counter_starts_at_lines", botf);
    assert_eq!(first(&divergence), (1, "", "transfer_counter", "0x4", "0x3"), "{divergence}");
    assert_eq!(divergence.states, [("state".to_string(), "Prim".to_string())]);
}

#[test]
fn pgid_of_the_other_process_is_found_in_the_first_line() {
    let divergence = divergence::<Botf>("pgid_of_the_other_process", botf);
    let first_line = (3, "", "line", "0x5a00018", "0xa500018");
    assert_eq!(first(&divergence), first_line, "{divergence}");
    assert_eq!(divergence.states, [("state".to_string(), "Botf2".to_string())]);
}

#[test]
fn status_written_low_half_first_is_found_at_once() {
    let divergence = divergence::<StatusWriteUnit>("lower_half_first", |edge| status_write_unit::In {
        status: Request { upper: 2, lower: 1, ..Default::default() },
        status_enable: edge == 3,
        ..Default::default()
    });
    assert_eq!(first(&divergence), (3, "", "pins_o.llcm_address", "0x1", "0x0"), "{divergence}");
    let data = &divergence.differences[1];
    assert_eq!(
        (data.name.as_str(), data.model.as_str(), data.rtl.as_str()),
        ("pins_o.llcm_wdata", "0x2", "0x1")
    );
}

#[test]
fn region_that_ends_late_is_found_when_its_room_is_computed() {
    let divergence = divergence::<WriteUnit>("region_ends_8_bytes_late", |edge| {
        let mut pins = write_unit::pins::In::default();
        // 16 bytes before the end of 256 MB.
        pins.write_request.start = edge == 1;
        pins.write_request.offset = 0x0fff_fff0;
        pins.write_request.bytes = 32;
        pins
    });
    assert_eq!(first(&divergence), (2, "read_control", "room", "0x10", "0x18"), "{divergence}");
    let state = ("read_control.state".to_string(), "Compute1".to_string());
    assert!(divergence.states.contains(&state), "{divergence}");
}

#[test]
fn recovery_one_cycle_short_is_found_when_the_row_closes_early() {
    let divergence = divergence::<Sodimm>("recovery_one_cycle_short", |edge| sodimm::In {
        word_enable: edge == 1,
        sodimm_enabled: true,
        memory: MemoryIn { ready: true, rdata: 0 },
        ..Default::default()
    });
    // Edge 1 stores the word, 2 loads it, 3 and 4 open the row, 5 writes; 6 and 7 are tWR.
    assert_eq!(first(&divergence), (7, "", "state", "Recover", "Precharge1"), "{divergence}");
}

#[test]
fn waveform_shows_the_cycle_from_which_on_the_sides_differ() {
    let rtl = testbench_dimmnet2::open("pgid_of_the_other_process").expect("the fault is verilated");
    let mut pair: BlockPair<Botf> = testbench::pair(rtl, 0, "faults");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("faults.fst");
    let signals = pair.signals().to_vec();
    let differs = Differs::new(&signals);
    let scopes = [("model", &signals[..]), ("rtl", &signals), ("differs", differs.signals())];
    let scopes = scopes.map(|(name, signals)| Scope { name, signals });
    // The time is the number of edges.
    let mut recorder = Recorder::create(&file, 1, &scopes).unwrap();
    let found = (0..100).find(|&edge| {
        let found = edge > 0 && pair.tick(&botf(edge)).is_err();
        let mut samples = [const { Vec::new() }; 3];
        let [model, rtl, bits] = &mut samples;
        pair.sample(model);
        pair.sample_rtl(rtl);
        differs.sample(model, rtl, bits);
        for (scope, sample) in samples.iter().enumerate() {
            recorder.record(edge, scope, sample).unwrap();
        }
        found
    });
    assert_eq!(found, Some(3));
    recorder.finish().unwrap();

    let mut wave = wellen::simple::read(&file).unwrap();
    let changes = |wave: &mut wellen::simple::Waveform, path: [&str; 2]| {
        let hierarchy = wave.hierarchy();
        let signal = hierarchy[hierarchy.lookup_var(&path[..1], path[1]).unwrap()].signal_ref();
        wave.load_signals(&[signal]);
        let changes = wave.get_signal(signal).unwrap().iter_changes();
        let change = |(index, value): (u32, wellen::SignalValueRef<'_>)| {
            (wave.time_table()[index as usize], value.to_bit_string().unwrap())
        };
        changes.map(change).collect::<Vec<_>>()
    };
    assert_eq!(changes(&mut wave, ["differs", "differs"]), [(0, "0".to_string()), (3, "1".to_string())]);
    // Where it is high the two rows above it are not the same.
    let line = |wave: &mut _, side| changes(wave, [side, "line"]);
    assert_ne!(line(&mut wave, "model"), line(&mut wave, "rtl"));
}
