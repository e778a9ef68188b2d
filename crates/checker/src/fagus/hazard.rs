//! A small world for each hazard, with one repair less.

use ::fagus::protocol::{Answers, Rules};

use super::world::{Network, Op, World};

/// What goes wrong without a repair.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// Its name.
    pub name: &'static str,
    /// What goes wrong, as a sentence.
    pub says: &'static str,
    /// What repairs it.
    pub repair: &'static str,
    /// The world that shows it.
    pub world: World,
}

impl Hazard {
    /// All of them.
    pub fn all() -> Vec<Hazard> {
        let old_answers = |answers| Rules { answers, ..Rules::REPAIRED };
        let grants = Network { repeats: 1, grants_only: true, ..Network::FIFO };
        vec![
            Hazard {
                name: "H15",
                says: "A copy and the invalidation behind it cross, and the old copy stays.",
                repair: "order and versions: a write waits until copies have come, nothing older than an invalidation is taken",
                world: World {
                    rules: Rules { versions: false, ..Rules::REPAIRED },
                    programs: vec![vec![Op::Write(0)], vec![Op::Read(0)]],
                    network: Network::REORDERING,
                    ..World::default()
                },
            },
            Hazard {
                name: "H15-push",
                says: "The same with a copy that nobody asked for.",
                repair: "versions",
                world: World {
                    rules: Rules { versions: false, ..Rules::REPAIRED },
                    programs: vec![vec![Op::Push(0, 1), Op::Write(0)], vec![]],
                    network: Network::REORDERING,
                    ..World::default()
                },
            },
            Hazard {
                name: "H16",
                says: "A grant comes twice, and a node owns old data.",
                repair: "request numbers",
                world: World {
                    rules: old_answers(Answers::Any),
                    programs: vec![vec![Op::Write(0), Op::Write(0)], vec![Op::Write(0)]],
                    network: grants,
                    ..World::default()
                },
            },
            Hazard {
                name: "H16-waiting",
                says: "Grants are taken only by who waits for one, but by the time of the second one that may be so again.",
                repair: "request numbers",
                world: World {
                    rules: old_answers(Answers::IfWaiting),
                    programs: vec![vec![Op::Write(0)], vec![Op::Write(0), Op::Write(0)], vec![Op::Write(0)]],
                    network: grants,
                    home: Some(2),
                    ..World::default()
                },
            },
            Hazard {
                name: "H17",
                says: "An owner waits for an acknowledgement that lies behind a request, which it does not read.",
                repair: "requests are put aside",
                world: World {
                    rules: Rules { aside: false, ..Rules::REPAIRED },
                    programs: vec![vec![Op::Write(0)], vec![Op::Write(0)]],
                    cached: true,
                    ..World::default()
                },
            },
        ]
    }

    /// The one of a name.
    pub fn find(name: &str) -> Option<Hazard> {
        Hazard::all().into_iter().find(|hazard| hazard.name.eq_ignore_ascii_case(name))
    }

    /// The same world with all repairs.
    pub fn repaired(&self) -> World {
        World { rules: Rules::REPAIRED, ..self.world.clone() }
    }
}
