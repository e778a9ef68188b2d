//! The rules of connections: tests of the combinational blocks `requester` and `responder`.

use std::collections::BTreeMap;

use cosim::Stimulus;
use hca::protocol::{requester, responder};
use hdl::{Bundle, Edges, words_for};

/// Compares a block with its model on pins that `pins` draws.
///
/// # Panics
/// If they differ.
fn compare<I: Bundle, O: Bundle>(
    block: &str,
    mut pins: impl FnMut(&mut Stimulus) -> I,
    model: impl Fn(&I) -> O,
    mut seen: impl FnMut(&I, &O),
) {
    for seed in testbench::seeds() {
        let mut rtl = testbench_hca::open(block).expect("the block is verilated");
        let mut stimulus = Stimulus::new(seed);
        let mut pins_i = vec![0; words_for(I::WIDTH)];
        let mut pins_o = vec![0; words_for(O::WIDTH)];
        for _ in 0..200_000 {
            let pins = pins(&mut stimulus);
            pins_i.fill(0);
            pins.put(&mut pins_i, 0, I::WIDTH);
            cosim::Simulation::step(&mut rtl, Edges::NONE, &pins_i, &mut pins_o).expect("it has no clock");
            let expected = model(&pins);
            assert_eq!(O::take(&pins_o, 0, O::WIDTH), expected, "seed {seed}, pins {pins:?}");
            seen(&pins, &expected);
        }
    }
}

/// A PSN close to another one; at times any.
fn near(stimulus: &mut Stimulus, base: u32) -> u32 {
    let number = if stimulus.one_in(32) {
        stimulus.word() as u32
    } else {
        base.wrapping_add(stimulus.below(9) as u32).wrapping_sub(4)
    };
    number & 0xff_ffff
}

/// First PSN of a case; PSNs may wrap.
fn base(stimulus: &mut Stimulus) -> u32 {
    if stimulus.one_in(2) { stimulus.below(4) as u32 } else { stimulus.word() as u32 & 0xff_ffff }
}

#[test]
fn requester_matches_its_rtl_on_random_pins() {
    let mut effects = BTreeMap::<_, u32>::new();
    compare(
        "requester",
        |stimulus| {
            let base = base(stimulus);
            let mut pins: requester::In = stimulus.pins();
            pins.cause = stimulus.below(10) as u8;
            pins.reads = stimulus.one_in(3);
            pins.closes = stimulus.one_in(3);
            let row = &mut pins.row;
            for psn in [&mut row.psn, &mut row.oldest, &mut row.last, &mut row.newest, &mut pins.psn] {
                *psn = near(stimulus, base);
            }
            pins.passes = stimulus.one_in(4);
            pins.row.begun = [0, 1, 2, 16, 31][stimulus.below(5) as usize];
            pins.row.sent = [0, 1, 2, 16, 31][stimulus.below(5) as usize];
            pins.more = stimulus.below(5) as u32;
            pins.row.active = !stimulus.one_in(8);
            pins.syndrome =
                (stimulus.below(4) << 5) as u8 | stimulus.below(if pins.row.active { 5 } else { 32 }) as u8;
            pins
        },
        requester::apply,
        |pins: &requester::In, out: &requester::Out| {
            *effects.entry((pins.cause, out.finish, out.status)).or_default() += 1;
        },
    );
    let expected = [
        (0, false, 0),
        (1, false, 0),
        (1, true, 0),
        (1, true, 9),
        (1, true, 10),
        (1, true, 11),
        (1, true, 12),
        (1, true, 13),
        (2, false, 0),
        (2, true, 7),
        (3, false, 0),
        (3, true, 0),
        (4, true, 2),
        (5, false, 0),
        (6, false, 0),
        (6, true, 0),
        (7, false, 0),
        (7, true, 12),
        (8, true, 5),
        (9, false, 0),
    ];
    assert_eq!(effects.keys().copied().collect::<Vec<_>>(), expected);
    assert!(effects.values().all(|&count| count > 100), "{effects:?}");
}

#[test]
fn responder_matches_its_rtl_on_random_pins() {
    let mut effects = BTreeMap::<_, u32>::new();
    compare(
        "responder",
        |stimulus| {
            let base = base(stimulus);
            let mut pins: responder::In = stimulus.pins();
            pins.row.psn = near(stimulus, base);
            pins.psn = if stimulus.one_in(4) { pins.row.psn } else { near(stimulus, base) };
            pins.cause = stimulus.below(6) as u8;
            (pins.follows, pins.repeats) =
                (pins.psn == pins.row.psn, pins.psn.wrapping_sub(pins.row.psn) >> 23 & 1 == 1);
            pins.mtu = 256;
            pins.bytes = [0, 1, 255, 256, 256, 256, 257][stimulus.below(7) as usize];
            // A packet is of one kind; an RDMA WRITE has about as many bytes as are due.
            pins.read = stimulus.one_in(4);
            pins.write &= !pins.read;
            pins.atomic = !pins.read && !pins.write && stimulus.one_in(3);
            pins.unreliable = !pins.read && !pins.atomic && stimulus.one_in(3);
            if stimulus.one_in(2) {
                pins.length = pins.bytes.into();
                pins.row.length = u32::from(pins.bytes) + 256 * stimulus.below(2) as u32;
            }
            pins
        },
        responder::apply,
        |pins: &responder::In, out: &responder::Out| {
            let answer = if out.row.answer { out.row.syndrome >> 5 & 3 } else { 4 };
            let unreliable = 4 * u8::from(pins.unreliable);
            let kind =
                u8::from(pins.write) + 2 * u8::from(pins.read) + 3 * u8::from(pins.atomic) + unreliable;
            *effects.entry((kind, pins.cause, out.takes, out.breaks, answer)).or_default() += 1;
        },
    );
    // A packet is taken, put off, refused or acknowledged again; a waiting answer stays.
    for kind in 0..4 {
        for (cause, takes, breaks, answer) in [
            (1, true, false, 4),
            (1, false, true, 3),
            (1, false, false, 0),
            (2, false, false, 0),
            (2, false, false, 4),
            (3, false, true, 3),
            (4, false, false, 4),
        ] {
            let effect = (kind, cause, takes, breaks, answer);
            assert!(effects.get(&effect).is_some_and(|&count| count > 50), "{effect:?} of {effects:?}");
        }
    }
    // On an unreliable connection a packet is taken or dropped; only a fault of the own buffer breaks it.
    for kind in [4, 5] {
        let taken = |takes, breaks| {
            effects
                .keys()
                .filter(|effect| effect.0 == kind && (effect.2, effect.3) == (takes, breaks))
                .count()
        };
        assert!(
            [(true, false), (false, false), (false, true)]
                .iter()
                .all(|&(takes, breaks)| taken(takes, breaks) > 0)
        );
        assert!(effects.keys().all(|effect| effect.0 != kind || !effect.3 || effect.1 == 3));
    }
    // Only packets that take a receive WQE are put off for lack of one.
    assert!(effects.contains_key(&(0, 1, false, false, 1)) && effects.contains_key(&(1, 1, false, false, 1)));
}
