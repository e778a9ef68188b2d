//! Small programs whose outcomes tell memories apart.
//!
//! A value is the number of writes so far, from 0 on. There are one or two objects, and all nodes have copies from the beginning, so that
//! a read may find an old one.

use super::world::{Network, Op, Outcome, World};

/// A small program of several nodes.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// The name in the literature.
    pub name: &'static str,
    /// The outcome that must not occur, as half a sentence.
    pub description: &'static str,
    /// Its programs and the forbidden outcome.
    pub world: World,
}

const X: usize = 0;
const Y: usize = 1;

impl Litmus {
    /// Each over a FIFO network.
    pub fn all() -> Vec<Litmus> {
        [Self::reads_and_writes(), Self::synchronization()].into_iter().flatten().collect()
    }

    /// Outcomes of reads and writes alone.
    fn reads_and_writes() -> Vec<Litmus> {
        use Op::{Push, Read, Write};
        vec![
            Self::new(
                "MP",
                "message passing: who sees the flag sees the data",
                2,
                vec![vec![Write(X), Write(Y)], vec![Read(Y), Read(X)]],
                |seen| seen[1] == [1, 0],
            ),
            Self::new(
                "SB",
                "store buffering: two who write and then read cannot both miss",
                2,
                vec![vec![Write(X), Read(Y)], vec![Write(Y), Read(X)]],
                |seen| seen[0] == [0] && seen[1] == [0],
            ),
            Self::new(
                "IRIW",
                "independent reads of independent writes: two readers agree on the order",
                2,
                vec![vec![Write(X)], vec![Write(Y)], vec![Read(X), Read(Y)], vec![Read(Y), Read(X)]],
                |seen| seen[2] == [1, 0] && seen[3] == [1, 0],
            ),
            Self::new(
                "CoRR",
                "coherence: what was seen once is not unseen, a pushed copy or not",
                1,
                vec![vec![Write(X), Push(X, 1), Write(X)], vec![Read(X), Read(X)]],
                |seen| seen[1][1] < seen[1][0],
            ),
        ]
    }

    /// Locks, barriers and several writers.
    fn synchronization() -> Vec<Litmus> {
        use Op::{Barrier, Lock, Read, Unlock, Write};
        let never: fn(&Outcome) -> bool = |_| false;
        vec![
            Self::new(
                "lock",
                "lock passing: one at a time, and each sees what the one before wrote",
                1,
                vec![vec![Lock, Write(X), Unlock], vec![Lock, Write(X), Unlock]],
                never,
            ),
            Self::new(
                "lock-3",
                "lock passing among three",
                1,
                vec![vec![Lock, Unlock], vec![Lock, Unlock, Lock, Unlock], vec![Lock, Unlock]],
                never,
            ),
            Self::new(
                "barrier",
                "what was written before a barrier is read after it",
                1,
                vec![vec![Write(X), Barrier, Barrier], vec![Barrier, Read(X), Barrier]],
                |seen| seen[1] != [1],
            ),
            Self::new(
                "barrier-3",
                "three who meet twice",
                1,
                vec![vec![Barrier, Barrier], vec![Barrier, Barrier], vec![Barrier, Barrier]],
                never,
            ),
            Self::new(
                "writers-3",
                "three writers, and not one update is lost",
                1,
                vec![vec![Write(X)], vec![Write(X), Write(X)], vec![Write(X)]],
                never,
            ),
        ]
    }

    /// A test over a FIFO network, whose nodes have copies.
    fn new(
        name: &'static str,
        description: &'static str,
        objects: usize,
        programs: Vec<Vec<Op>>,
        forbidden: fn(&Outcome) -> bool,
    ) -> Litmus {
        let world = World { programs, objects, cached: true, forbidden: Some(forbidden), ..World::default() };
        Litmus { name, description, world }
    }

    /// The world over another network.
    pub fn over(&self, network: Network) -> World {
        World { network, ..self.world.clone() }
    }
}
