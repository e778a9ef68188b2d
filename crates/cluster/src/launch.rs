//! Whether mpirun started this process.

use std::env;

use thiserror::Error;

/// A process of several that a launcher started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// From 0 on.
    pub rank: usize,
    /// Processes that were started.
    pub size: usize,
}

/// Environment variables of launchers: rank and size.
const VARIABLES: [[&str; 2]; 5] = [
    ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"],
    // MPICH and its derivatives.
    ["PMI_RANK", "PMI_SIZE"],
    ["MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"],
    // srun: PMIx has no variable for the size. Variables of the job, as SLURM_NTASKS, are set before anything is started.
    ["PMIX_RANK", "SLURM_STEP_NUM_TASKS"],
    ["SLURM_PROCID", "SLURM_STEP_NUM_TASKS"],
];

/// Rank and size, if mpirun or another launcher of MPI programs started this process.
pub fn started_by_mpirun() -> Option<Launch> {
    launch(|variable| env::var(variable).ok())
}

/// A program without MPI was started several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "mpirun started {0} processes, but this memonet was built without MPI and would run {0} times the same; \
     start it once, or build it with `cargo build --release --features distributed`"
)]
pub struct WithoutMpi(
    /// Processes that were started.
    pub usize,
);

/// An error if mpirun started several copies of this program, for programs without MPI.
pub fn refuse_copies() -> Result<(), WithoutMpi> {
    match started_by_mpirun() {
        Some(Launch { size, .. }) if size > 1 => Err(WithoutMpi(size)),
        _ => Ok(()),
    }
}

fn launch(variable: impl Fn(&str) -> Option<String>) -> Option<Launch> {
    let number = |name| variable(name)?.parse().ok();
    VARIABLES.iter().find_map(|[rank, size]| {
        let launch = Launch { rank: number(rank)?, size: number(size)? };
        (launch.rank < launch.size).then_some(launch)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Option<Launch> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        launch(|name| find(name).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn variables_of_several_launchers_are_read() {
        let third_of_four = Some(Launch { rank: 2, size: 4 });
        assert_eq!(with(&[("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_RANK", "2")]), third_of_four);
        assert_eq!(with(&[("PMI_SIZE", "4"), ("PMI_RANK", "2"), ("PATH", "/bin")]), third_of_four);
        assert_eq!(with(&[("PMIX_RANK", "2"), ("SLURM_STEP_NUM_TASKS", "4")]), third_of_four);
    }

    #[test]
    fn process_without_a_launcher_is_alone() {
        assert_eq!(with(&[]), None);
        // The script of a batch job, which srun has not started.
        assert_eq!(with(&[("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")]), None);
    }

    #[test]
    fn invalid_numbers_are_ignored() {
        assert_eq!(with(&[("PMI_SIZE", "4"), ("PMI_RANK", "4")]), None);
        assert_eq!(with(&[("PMI_SIZE", "four"), ("PMI_RANK", "2")]), None);
    }
}
