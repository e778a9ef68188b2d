//! Patterns have the requested receivers, load and length.

use std::collections::BTreeSet;

use super::*;
use crate::schedule::Start;

fn setting(nodes: usize) -> Setting<'static> {
    Setting {
        nodes,
        primitive: "put",
        primitives: &["put"],
        limits: &|name| (name == "put").then_some(1..=4096),
    }
}

const LOAD: Load = Load {
    bytes: 64,
    share: 0.5,
    link: 1_000_000_000,
    length: Length::Time(Duration::from_us(100)),
    seed: 1,
    hot: HotSpot { node: 0, share: 100_000 },
};

fn pairs(pattern: Pattern, nodes: usize) -> BTreeSet<(u32, u32)> {
    let schedule = pattern.schedule(&LOAD, &setting(nodes)).unwrap();
    schedule.messages().iter().map(|message| (message.from, message.to)).collect()
}

#[test]
fn receivers_are_those_of_the_pattern() {
    let all: BTreeSet<_> =
        (0..9).flat_map(|from| (0..9).map(move |to| (from, to))).filter(|(from, to)| from != to).collect();
    assert_eq!(pairs(Pattern::Uniform, 9), all);
    assert_eq!(pairs(Pattern::AllToAll, 9), all);
    assert_eq!(pairs(Pattern::Neighbour, 3), BTreeSet::from([(0, 1), (1, 2), (2, 0)]));
    assert_eq!(pairs(Pattern::Incast, 4), BTreeSet::from([(1, 0), (2, 0), (3, 0)]));
    assert_eq!(
        pairs(Pattern::Transpose, 9),
        BTreeSet::from([(1, 3), (3, 1), (2, 6), (6, 2), (5, 7), (7, 5)])
    );
}

#[test]
fn permutations_are_those_of_the_literature() {
    let ring = |nodes, steps| (0..nodes).map(|from| (from, (from + steps) % nodes)).collect();
    assert_eq!(pairs(Pattern::Tornado, 8), ring(8, 3));
    assert_eq!(pairs(Pattern::Tornado, 7), ring(7, 3));
    assert_eq!(pairs(Pattern::Tornado, 3), ring(3, 1));
    assert_eq!(pairs(Pattern::BitComplement, 4), BTreeSet::from([(0, 3), (1, 2), (2, 1), (3, 0)]));
    // 0, 2, 5 and 7 are palindromes of three bits.
    assert_eq!(pairs(Pattern::BitReversal, 8), BTreeSet::from([(1, 4), (4, 1), (3, 6), (6, 3)]));
}

#[test]
fn hot_spot_gets_its_share_and_its_part_of_the_rest() {
    let length = Length::Messages(20_000);
    let load = Load { length, hot: HotSpot { node: 2, share: 200_000 }, ..LOAD };
    let schedule = Pattern::HotSpot.schedule(&load, &setting(5)).unwrap();
    let to = |node, from: &dyn Fn(u32) -> bool| {
        let count = |message: &&crate::Message| message.to == node && from(message.from);
        schedule.messages().iter().filter(count).count() as f64 / 20_000.0
    };
    // Of four other senders: a fifth, and a quarter of the rest.
    assert!((to(2, &|_| true) - 4.0 * (0.2 + 0.8 / 4.0)).abs() < 0.03);
    assert!((to(0, &|from| from == 2) - 0.25).abs() < 0.02);
}

#[test]
fn load_is_the_requested_share_of_the_link() {
    let length = Length::Time(Duration::from_us(10_000));
    let schedule = Pattern::Uniform.schedule(&Load { length, ..LOAD }, &setting(4)).unwrap();
    // 64 bytes at 0.5 bytes per nanosecond: each node sends a message every 128 ns on average.
    let expected = 4.0 * 10_000_000.0 / 128.0;
    let share = schedule.messages().len() as f64 / expected;
    assert!((share - 1.0).abs() < 0.01, "{share}");
}

#[test]
fn length_limits_the_time_or_the_number_of_messages() {
    let schedule = Pattern::Neighbour.schedule(&LOAD, &setting(4)).unwrap();
    for message in schedule.messages() {
        assert!(matches!(message.start, Start::At(time) if time.ps() < 100_000_000));
    }
    let load = Load { length: Length::Messages(7), ..LOAD };
    for (pattern, senders) in Pattern::ALL.into_iter().zip([4, 4, 3, 4, 4, 4, 4, 2, 2]) {
        let schedule = pattern.schedule(&load, &setting(4)).unwrap();
        assert_eq!(schedule.messages().len(), 7 * senders, "{pattern:?}");
    }
}

#[test]
fn seed_determines_the_schedule() {
    let schedule = |seed| Pattern::Uniform.schedule(&Load { seed, ..LOAD }, &setting(4)).unwrap();
    assert_eq!(schedule(1), schedule(1));
    assert_ne!(schedule(1), schedule(2));
}

#[test]
fn invalid_patterns_are_refused_with_a_remedy() {
    let refused = |pattern: Pattern, load: Load, nodes| {
        pattern.schedule(&load, &setting(nodes)).unwrap_err().to_string()
    };
    assert_eq!(
        refused(Pattern::Transpose, LOAD, 12),
        "transpose is for a square of nodes, and 12 are none; take 9 or 16"
    );
    assert!(refused(Pattern::Transpose, LOAD, 3).ends_with("take 4"));
    assert_eq!(refused(Pattern::Transpose, LOAD, 1), "transpose needs at least 4 nodes; add some");
    assert_eq!(refused(Pattern::Incast, LOAD, 1), "incast needs at least 2 nodes; add some");
    assert_eq!(
        refused(Pattern::BitReversal, LOAD, 12),
        "bit-reversal is for a power of two of nodes, and 12 is none; take 8 or 16"
    );
    assert!(refused(Pattern::BitComplement, LOAD, 3).ends_with("take 4"));
    assert_eq!(refused(Pattern::Tornado, LOAD, 2), "tornado needs at least 3 nodes; add some");
    let load = Load { hot: HotSpot { node: 4, share: 1 }, ..LOAD };
    assert_eq!(refused(Pattern::HotSpot, load, 4), "the hot spot is one of nodes 0 to 3, not 4");
    for share in [0.0, -0.5, 1.5, f64::NAN] {
        assert_eq!(
            refused(Pattern::Uniform, Load { share, ..LOAD }, 4),
            format!("a load is more than 0 and at most 1, not {share}")
        );
    }
    assert_eq!(
        refused(Pattern::Uniform, Load { bytes: 5000, ..LOAD }, 4),
        "5000 bytes are not what `put` carries, which is 1 to 4096; change `bytes` or the primitive"
    );
    let length = Length::Time(Duration::from_ps(1));
    assert_eq!(
        refused(Pattern::Uniform, Load { length, ..LOAD }, 4),
        "in 0.000001 us no node sends a message at this load; take a longer time or a higher load"
    );
    let length = Length::Messages(u64::MAX);
    assert!(
        refused(Pattern::Uniform, Load { length, ..LOAD }, 4).starts_with("there are more than 10000000")
    );
    let load = Load { length: Length::Messages(10), share: 1e-12, link: 1, ..LOAD };
    assert!(refused(Pattern::Uniform, load, 4).starts_with("at this load the last message is later"));
}

#[test]
fn names_round_trip() {
    for pattern in Pattern::ALL {
        assert_eq!(Pattern::named(pattern.name()), Some(pattern));
    }
    assert_eq!(Pattern::named("Uniform"), None);
}
