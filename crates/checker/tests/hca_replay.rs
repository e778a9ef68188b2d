//! Traces of the checker on channel adapters, as models.

use checker::core::Protocol;
use checker::hca::replay::{Replay, Script};
use checker::hca::{Hazard, Hca, World};
use hdl::{Model, Stimulus};
use stateright::Model as _;

fn play(script: &Script) -> Replay {
    let adapters = [0, 1].map(|_| Model::new(hca::Hca::default()));
    script.play(adapters).unwrap_or_else(|error| panic!("{error} {script:?}"))
}

fn script(hazard: &Hazard) -> Script {
    let world = hazard.worlds.last().expect("a hazard has a world");
    Hca::script(world, Some(hazard.wrong), 100_000).unwrap_or_else(|why| panic!("{}: {why:?}", hazard.name))
}

fn has_switch(script: &Script) -> bool {
    script.world.defect.is_some_and(|defect| defect.switch().is_some())
}

#[test]
fn adapters_show_each_hazard_that_link_or_hosts_can_cause() {
    let mut shown = Vec::new();
    for hazard in Hazard::all() {
        let script = script(&hazard);
        if has_switch(&script) {
            let replay = play(&script);
            assert!(replay.shows(Some(hazard.wrong)), "{}: {replay:?}", hazard.name);
            assert!(replay.steps.iter().all(|step| !step.skipped), "{}", hazard.name);
            assert_eq!(replay.steps.len(), script.actions.len() + 1, "{}", hazard.name);
            shown.push(hazard.name);
        }
    }
    assert_eq!(shown, ["H1", "H2", "H3", "H5", "H6", "H7", "H8", "H9", "H12", "H15", "H16", "H20", "H21"]);
}

#[test]
fn adapters_withstand_the_deliveries_of_each_hazard() {
    for hazard in Hazard::all() {
        let script = script(&hazard).with_all_rules();
        let replay = play(&script);
        assert!(replay.shows(None), "{}: {replay:?}", hazard.name);
        // The hazard's faults were played: at least its first event was possible.
        assert!(replay.steps.len() > 1 && !replay.steps[1].skipped, "{}", hazard.name);
        assert!(!replay.shows(Some(hazard.wrong)), "{}", hazard.name);
    }
}

#[test]
fn adapter_that_has_a_rule_is_noticed_where_the_checker_has_not() {
    for hazard in Hazard::all() {
        let script = script(&hazard);
        if !has_switch(&script) {
            let adapters = [0, 1].map(|_| Model::new(hca::Hca::default()));
            let shows =
                script.play(adapters).is_ok_and(|replay| replay.agrees() || replay.shows(script.finding));
            assert!(!shows, "{}", hazard.name);
        }
    }
}

#[test]
fn words_of_adapters_are_those_of_the_checker() {
    let replay = play(&script(&Hazard::find("H13").expect("a hazard")).with_all_rules());
    let step = &replay.steps[7];
    assert_eq!(step.checker, step.machine);
    let lines = [
        "QP 0: 2 done, READ 000001 to 000004, next 000005, retries 1",
        "QP 1: 3 received, expects 000005, data 000004 to 000004 to send",
        "to QP 1: RDMA READ 000001",
        "to QP 0: data 000001, data 000002, data 000003",
    ];
    assert_eq!(step.machine, lines);
}

/// Actions that are possible one after the other, drawn at random.
fn draw(world: &World, random: &mut Stimulus, steps: usize) -> Script {
    let (mut state, mut drawn) = (world.init_states().remove(0), Vec::new());
    while drawn.len() < steps {
        let mut actions = Vec::new();
        world.actions(&state, &mut actions);
        actions.retain(|action| world.next_state(&state, *action).is_some());
        let Some(action) = actions.get(random.below(actions.len().max(1) as u64) as usize) else { break };
        state = world.next_state(&state, *action).expect("it is possible");
        drawn.push(*action);
    }
    Script { world: world.clone(), actions: drawn, finding: None }
}

#[test]
fn adapters_agree_with_the_checker_on_random_traces() {
    let repaired = Hazard::all()
        .into_iter()
        .flat_map(|hazard| hazard.worlds)
        .map(|world| World { defect: None, ..world });
    let worlds: Vec<World> = Hca::clean().into_iter().map(|clean| clean.world).chain(repaired).collect();
    let (mut random, mut steps, mut complete) = (Stimulus::new(5), 0, 0);
    // A deadline of one queue pair would pass while the other one waits for its own.
    for world in worlds.iter().filter(|world| world.requests[1].is_empty()).map(World::on_adapter) {
        for _ in 0..5 {
            let script = draw(&world, &mut random, 24);
            let replay = play(&script);
            let off = replay.steps.iter().find(|step| !step.agrees);
            assert!(off.is_none(), "{:?} {:?}: {off:?}", script.world, script.actions);
            steps += script.actions.len();
            complete += usize::from(replay.ending.complete);
        }
    }
    assert!(steps > 1_000 && complete > 50, "{steps} steps, {complete} complete");
}
