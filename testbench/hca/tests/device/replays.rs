//! Traces of the checker on adapters in lockstep (decision 0035).

use checker::core::Protocol;
use checker::hca::{Hazard, Hca};

use crate::board::adapter;

#[test]
fn adapters_in_lockstep_end_as_the_checker_says() {
    for hazard in Hazard::all() {
        let world = hazard.worlds.last().expect("a hazard has a world");
        let script = Hca::script(world, Some(hazard.wrong), 100_000).expect("its trace is found");
        let switch = world.defect.and_then(|defect| defect.switch());
        let scripts = [switch.map(|_| script.clone()), Some(script.with_all_rules())];
        for script in scripts.into_iter().flatten() {
            let adapters = [0, 1].map(|_| adapter(1, "adapters_in_lockstep_end"));
            let replay = script.play(adapters).unwrap_or_else(|error| panic!("{}: {error}", hazard.name));
            assert!(replay.shows(script.finding), "{} {:?}: {replay:?}", hazard.name, script.finding);
        }
    }
}
