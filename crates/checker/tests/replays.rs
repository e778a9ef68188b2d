use checker::replay::Finding;
use checker::{Replay, Script, World, hazard};
use gigae_pm::GigaePm;
use hdl::Model;

fn play(script: &Script) -> Replay {
    let cards = (0..script.cards()).map(|_| Model::new(GigaePm::default())).collect();
    script.play(cards).expect("a model never fails")
}

#[test]
fn explore() {
    for hazard in hazard::all() {
        for (i, world) in hazard.worlds.iter().enumerate() {
            match Script::find(world, None, 500_000) {
                Ok(script) => {
                    let t = std::time::Instant::now();
                    let replay = play(&script);
                    println!("{} {i}: {} events {}, agrees {}, shows {}, {:?} {:?}", hazard.name, script.actions.len(), script.finding.unwrap().name(), replay.agrees(), replay.shows(script.finding), replay.ending, t.elapsed());
                    if !replay.agrees() {
                        for s in &replay.steps { println!("   {} {}", s.happens, s.agrees()); if !s.agrees() { println!("{:?}\n{:?}", s.model, s.card);
                        println!("  {:?}\n  {:?}", script.world.knowledge(&s.model), script.world.knowledge(&s.card));
                        break;}  }
                    }
                }
                Err(e) => println!("{} {i}: {e:?}", hazard.name),
            }
        }
    }
}
