//! Traces on models of the card; `testbench/gigae_pm/replays.rs` has some of them in lockstep with the RTL.

use ::gigae_pm::GigaePm;
use ::gigae_pm::pins::{In, Out};
use ::gigae_pm::protocol::Rules;
use ::gigae_pm::registers::Register;
use checker::core::NoScript;
use checker::gigae_pm::replay::Difference;
use checker::gigae_pm::{Before, Hazard, Network, Replay, Script, Timers, World, Wrong};
use hdl::{Clock, Edges, Model, Nic, NicError, Signal, Stimulus};
use stateright::Model as _;

const LIMIT: usize = 500_000;

fn play(script: &Script) -> Replay {
    let cards = (0..script.cards()).map(|_| Model::new(GigaePm::default())).collect();
    script.play(cards).expect("a model never fails")
}

fn hazard(name: &str) -> Hazard {
    Hazard::find(name).expect("the hazard is there")
}

fn script(name: &str, world: usize) -> Result<Script, NoScript> {
    Script::find(&hazard(name).worlds[world], LIMIT)
}

/// Plays what goes wrong in a world of a hazard; events, and how the cards ended.
fn shown(name: &str, world: usize) -> (usize, Replay) {
    let script = script(name, world).expect("a card can show it");
    let replay = play(&script);
    for step in &replay.steps {
        assert!(step.agrees, "{name}: {}\n{:?}\n{:?}", step.happens, step.checker, step.machine);
    }
    assert!(replay.shows(script.finding), "{name}: {:?}", replay.ending);
    assert_eq!(replay.steps.len(), script.actions.len() + 1);
    (script.actions.len(), replay)
}

#[test]
fn cards_come_to_a_standstill_where_the_checker_does() {
    for (name, world, events, trap) in [
        ("H1", 0, 2, Wrong::Deadlock),
        ("H1", 1, 2, Wrong::Livelock),
        ("H2", 0, 3, Wrong::Livelock),
        ("H2", 1, 7, Wrong::Livelock),
        ("H4", 0, 9, Wrong::Deadlock),
        // One event less than where S1 is a step of its own: the timer that expires sends at once.
        ("H5", 0, 12, Wrong::Deadlock),
        ("H9", 0, 9, Wrong::Deadlock),
        ("H10", 0, 0, Wrong::Deadlock),
        ("H10", 1, 0, Wrong::Livelock),
        ("H10", 2, 6, Wrong::Livelock),
        ("H10", 3, 10, Wrong::Livelock),
        ("H14", 0, 8, Wrong::Deadlock),
        ("H14", 1, 7, Wrong::Deadlock),
        ("H15", 1, 0, Wrong::Livelock),
        ("H15", 2, 0, Wrong::Livelock),
        ("H15", 3, 0, Wrong::Livelock),
        ("H18", 0, 8, Wrong::Deadlock),
        ("H18", 1, 9, Wrong::Deadlock),
        ("H18", 2, 12, Wrong::Deadlock),
        ("H20", 0, 0, Wrong::Livelock),
    ] {
        let (steps, replay) = shown(name, world);
        assert_eq!((steps, replay.ending.trap), (events, Some(trap)), "{name}");
        assert!(replay.ending.violations.is_empty(), "{name}: {:?}", replay.ending);
    }
}

#[test]
fn cards_lose_messages_where_the_checker_does() {
    // STOP acknowledges what was discarded; the wires lose nothing.
    let (events, replay) = shown("H3", 0);
    assert_eq!(
        (events, &replay.ending.delivered[0][..], &replay.ending.acknowledged[..]),
        (6, &[1][..], &[2][..])
    );
    assert_eq!(replay.ending.violations, [Wrong::SilentLoss]);
    // After a restart of the sender alone its first two messages pass for old ones.
    let (events, replay) = shown("H15", 0);
    assert_eq!(
        (events, &replay.ending.delivered[0][..], &replay.ending.acknowledged[..]),
        (3, &[3][..], &[3][..])
    );
    assert!(replay.ending.violations.contains(&Wrong::SilentLoss));
    let (events, replay) = shown("H15", 4);
    assert_eq!((events, &replay.ending.acknowledged[..]), (1, &[2][..]));
}

#[test]
fn cards_waste_time_where_the_checker_does_and_recover() {
    for (name, events) in [("H7", 5), ("H8", 9), ("H17", 8)] {
        let (steps, replay) = shown(name, 0);
        assert_eq!(steps, events, "{name}");
        assert!(replay.ending.is_good(), "{name}: {:?}", replay.ending);
    }
    // The loss is made good by the timer where LOSE is ignored, and at once where it is not.
    let printed = script("H7", 0).unwrap();
    let rules = printed.world.rules;
    let frames = |rules| play(&printed.clone().under(rules)).ending;
    let (timer, lose) = (frames(rules), frames(rules.with(&[5])));
    assert!(timer.is_good() && lose.is_good());
    assert!(timer.took > lose.took, "{} and {}", timer.took, lose.took);
}

#[test]
fn same_schedule_ends_well_with_the_repaired_rules() {
    for hazard in Hazard::all() {
        for (i, world) in hazard.worlds.iter().enumerate() {
            // One side alone begins anew, or is dead: no rule lets anything pass.
            if matches!(world.before, Before::Receiver(_) | Before::Sender(_)) || world.deaf {
                continue;
            }
            let Ok(script) = Script::find(world, LIMIT) else { continue };
            let script = script.under(Rules::REPAIRED);
            let replay = play(&script);
            assert!(replay.shows(None), "{} {i}: {:?}", hazard.name, replay.ending);
            let all: Vec<u32> = (1..=world.messages).collect();
            assert!(replay.ending.delivered.iter().all(|numbers| *numbers == all), "{} {i}", hazard.name);
        }
    }
}

#[test]
fn what_a_card_cannot_show_has_a_reason() {
    for (name, world, reason) in [
        ("H6", 0, Difference::Grain),
        ("H6", 1, Difference::Grain),
        ("H11", 0, Difference::Misreading),
        ("H12", 0, Difference::Modulus),
        ("H12", 1, Difference::Modulus),
        ("H12", 2, Difference::Modulus),
        ("H13", 0, Difference::Transfer),
        ("H16", 0, Difference::Grain),
        ("H19", 0, Difference::Misreading),
    ] {
        match script(name, world) {
            Err(NoScript::NotOnMachine(reasons)) => assert_eq!(reasons, [reason.description()], "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(matches!(Script::find(&World::default(), LIMIT), Err(NoScript::NothingFound)));
}

#[test]
fn dead_peer_is_reported_to_the_host_after_three_expiries() {
    let Hazard { worlds, .. } = hazard("H20");
    let world = World { limit: 3, seeks: Some(Wrong::Report), ..worlds[0].clone() };
    let script = Script::find(&world, LIMIT).unwrap();
    let replay = play(&script);
    assert!(replay.shows(script.finding) && replay.ending.reported_dead, "{:?}", replay.ending);
    let timers = replay.steps.iter().filter(|step| step.happens.contains("expires")).count();
    assert_eq!(timers, 3);
    assert!(!play(&self::script("H20", 0).unwrap()).ending.reported_dead);
}

/// Any rules, any small world of a card, and a walk through it.
fn walk(seed: u64) -> Script {
    let mut random = Stimulus::new(seed);
    let mut pick = |choices: u64| random.below(choices);
    let rules = match pick(3) {
        0 => Rules::REPAIRED,
        1 => Rules::PRINTED,
        _ => Rules::from_bits(pick(1 << Rules::COUNT) as u32),
    };
    let world = World {
        rules,
        window: 1 + pick(3) as u16,
        messages: 4,
        slots: [None, Some(1), Some(2)][pick(3) as usize],
        network: Network::ANY,
        timers: Timers::Premature,
        senders: 1 + pick(2) as usize,
        limit: [0, 0, 2][pick(3) as usize],
        ..World::default()
    };
    let world = world.on_card();
    let mut state = world.init_states().remove(0);
    let (mut actions, mut walked) = (Vec::new(), Vec::new());
    while walked.len() < 30 {
        actions.clear();
        world.actions(&state, &mut actions);
        let steps = actions.iter().filter_map(|&action| Some((action, world.next_state(&state, action)?)));
        let steps: Vec<_> = steps.filter(|(_, next)| world.within_boundary(next)).collect();
        if steps.is_empty() {
            break;
        }
        let (action, next) = steps[pick(steps.len() as u64) as usize];
        walked.push(action);
        state = next;
    }
    Script { world, actions: walked, finding: None }
}

#[test]
fn cards_are_where_the_checker_is_on_any_walk() {
    let mut steps = 0;
    for seed in 1..=40 {
        let script = walk(seed);
        for step in play(&script).steps {
            assert!(!step.skipped);
            assert!(
                step.agrees,
                "seed {seed}, {:?}: {}\n{:?}\n{:?}",
                script.world, step.happens, step.checker, step.machine
            );
            steps += 1;
        }
    }
    assert!(steps > 800, "{steps}");
}

/// A card whose register Rules always holds the repaired ones.
struct Stubborn(Model<GigaePm>);

impl Nic for Stubborn {
    type In = In;
    type Out = Out;

    fn clocks(&self) -> &'static [Clock] {
        self.0.clocks()
    }

    fn outputs(&self) -> &Out {
        self.0.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &In) -> Result<(), NicError> {
        let mut pins = *pins;
        if pins.host.address == 0x1000 + Register::Rules.info().offset {
            pins.host.wdata = Rules::REPAIRED.bits();
        }
        self.0.edge(edges, &pins)
    }

    fn signals(&self) -> &[Signal] {
        self.0.signals()
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.0.sample(words);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.0.memories(words);
    }
}

#[test]
fn card_that_follows_other_rules_is_found_out() {
    let script = script("H3", 0).unwrap();
    let cards = (0..2).map(|_| Stubborn(Model::new(GigaePm::default()))).collect();
    let replay = script.play(cards).unwrap();
    let agrees: Vec<_> = replay.steps.iter().map(|step| step.agrees).collect();
    // Up to STOP, of which the repaired sender keeps the message.
    assert_eq!(agrees, [true, true, true, true, true, true, false]);
    assert!(!replay.shows(script.finding) && replay.ending.is_good());
    assert!(matches!(script.finding, Some(Wrong::SilentLoss)));
}
