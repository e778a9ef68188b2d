//! Practices of measuring programs that the paper leaves open.

use machine_api::{Choice, Chosen, Practice};
use mpi::Options;
use mpi::collective::Algorithms;

const COLLECTIVES: usize = 0;
const ASKING: usize = 1;

/// Open practices: those of the benchmarks by MPI alone. All other programs measure rows to which a constant is fitted.
pub const CHOICES: &[Choice] = &[
    Choice {
        name: "collectives",
        of: Chosen::Program,
        ours: "collective calls go as in MPICH 1.0",
        other: "collectives of today",
        text: "section 5.3: MPICH 1.0.11 on PM; how its calls went there is not said (decision 0044)",
        chosen_by: &[],
    },
    Choice {
        name: "asking",
        of: Chosen::Program,
        ours: "messages of up to 16 KB go without asking",
        other: "of up to 1 KB",
        text: "nothing is said of it (decision 0044)",
        chosen_by: &[],
    },
];

/// Options of MPI under a practice.
pub fn options(practice: Practice) -> Options {
    let today = Options::default();
    Options {
        algorithms: if practice.is_other(COLLECTIVES) { today.algorithms } else { Algorithms::MPICH_1_0 },
        eager: if practice.is_other(ASKING) { 1 << 10 } else { today.eager },
        ..today
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_changes_what_it_names_alone() {
        let ours = options(Practice::OURS);
        assert_eq!((ours.algorithms, ours.eager), (Algorithms::MPICH_1_0, 16 << 10));
        let today = options(Practice::OURS.with(COLLECTIVES));
        assert!(today.algorithms != ours.algorithms && today.eager == ours.eager);
        let asks = options(Practice::OURS.with(ASKING));
        assert_eq!((asks.algorithms, asks.eager), (ours.algorithms, 1 << 10));
    }
}
