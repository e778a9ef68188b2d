//! Stateright's own breadth-first checker on the same worlds. It cannot judge traps, because it follows paths; it can count
//! states and look for violations.

use checker::gigae_pm::{Hazard, Network, Timers, World, Wrong};
use stateright::{Checker, Model};

use super::check;

#[test]
fn stateright_visits_as_many_states() {
    for network in [Network::FIFO, Network::LOSS, Network::DUPLICATION] {
        for timers in [Timers::Late, Timers::Premature] {
            let world = World { network, timers, ..World::default() };
            let second = world.clone().checker().spawn_bfs().join();
            second.assert_properties();
            assert_eq!(second.unique_state_count(), check(&world).states);
        }
    }
}

#[test]
fn stateright_finds_the_same_violations_and_none_sooner() {
    let found_within = |world: &World, violation: Wrong, events: Option<usize>| {
        let checker = world.clone().checker();
        // It counts states of a path, the initial one included, and looks at those below the target.
        let checker = match events {
            Some(events) => checker.target_max_depth(events + 2),
            None => checker,
        };
        checker.spawn_bfs().join().discovery(violation.property()).is_some()
    };
    let mut found = 0;
    for world in Hazard::all().into_iter().flat_map(|hazard| hazard.worlds) {
        let verdict = check(&world);
        for violation in Wrong::VIOLATIONS {
            match verdict.events_to(violation) {
                Some(events) => {
                    assert!(found_within(&world, violation, Some(events)), "{violation:?} {world:?}");
                    assert!(!found_within(&world, violation, Some(events - 1)), "{violation:?} {world:?}");
                    found += 1;
                }
                None => assert!(!found_within(&world, violation, None), "{violation:?} {world:?}"),
            }
        }
    }
    assert!(found > 10, "{found}");
}
