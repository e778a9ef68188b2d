//! The check before each run that all processes are about to do the same.

use std::hash::{Hash, Hasher};
use std::{env, fs, io};

use crate::Machine;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::error::DistributedError;
use super::job::Job;

/// The next action of a process, in words that all versions understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intention {
    /// To run a cluster.
    Run {
        /// Hash of the executable: two builds of one version may differ.
        version: u64,
        /// Hash of nodes, switches and cables.
        network: u64,
        /// Hash of machine, limit and workload.
        workload: u64,
    },
    /// To refuse its arguments.
    Refuse {
        /// Hash of the reason.
        reason: u64,
    },
    /// To take part in no further meeting.
    Leave,
}

/// Words of an encoded intention.
pub(crate) const WORDS: usize = 4;

impl Intention {
    /// The intention to run this job.
    pub fn run<M: Machine>(version: u64, job: &Job<'_, M>) -> Self {
        let hash = |value: &dyn Fn(&mut Xxh3)| {
            let mut hasher = Xxh3::new();
            value(&mut hasher);
            hasher.finish()
        };
        Intention::Run {
            version,
            network: hash(&|hasher| job.topology.hash(hasher)),
            workload: hash(&|hasher| (M::TITLE, job.limit.ps(), job.workload).hash(hasher)),
        }
    }

    /// The intention to run nothing, for this reason.
    pub fn refuse(reason: &str) -> Self {
        Intention::Refuse { reason: xxh3_64(reason.as_bytes()) }
    }

    /// Encodes the intention for the other processes.
    pub fn to_words(self) -> [u64; WORDS] {
        match self {
            Intention::Leave => [0; WORDS],
            Intention::Run { version, network, workload } => [1, version, network, workload],
            Intention::Refuse { reason } => [2, reason, 0, 0],
        }
    }

    /// Decodes the words of another process.
    pub fn from_words(words: &[u64]) -> Self {
        match *words {
            [1, version, network, workload] => Intention::Run { version, network, workload },
            [2, reason, ..] => Intention::Refuse { reason },
            _ => Intention::Leave,
        }
    }
}

/// An error that names the first process whose intention differs.
pub(crate) fn agree(all: &[Intention]) -> Result<(), DistributedError> {
    if let Some(rank) = all.iter().position(|one| *one == Intention::Leave) {
        return Err(DistributedError::Left { rank });
    }
    if let Some(rank) = all.iter().position(|one| matches!(one, Intention::Refuse { .. })) {
        return Err(DistributedError::Refused { rank });
    }
    let Some(rank) = all.iter().position(|one| *one != all[0]) else { return Ok(()) };
    let [first, other] = [all[0], all[rank]].map(Intention::to_words);
    let differs = (1..WORDS).find(|word| first[*word] != other[*word]);
    Err(match differs {
        Some(1) => DistributedError::OtherVersion { rank },
        Some(2) => DistributedError::OtherNetwork { rank },
        _ => DistributedError::OtherWorkload { rank },
    })
}

/// Hash of the executable of this process.
pub(crate) fn version() -> io::Result<u64> {
    Ok(xxh3_64(&fs::read(env::current_exe()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Intention = Intention::Run { version: 1, network: 2, workload: 3 };

    #[test]
    fn decoding_inverts_encoding() {
        for intention in [RUN, Intention::refuse("no such file"), Intention::Leave] {
            assert_eq!(Intention::from_words(&intention.to_words()), intention);
        }
    }

    #[test]
    fn first_process_with_another_intention_is_named() {
        let error = |other| agree(&[RUN, RUN, other]).unwrap_err().to_string();
        assert!(agree(&[RUN, RUN]).is_ok());
        let other = error(Intention::Run { version: 9, network: 9, workload: 3 });
        assert!(other.contains("process 2 is of another version"), "{other}");
        let other = error(Intention::Run { version: 1, network: 9, workload: 9 });
        assert!(other.contains("process 2 has another network"), "{other}");
        let other = error(Intention::Run { version: 1, network: 2, workload: 9 });
        assert!(other.contains("process 2 has another workload"), "{other}");
        let refused = error(Intention::refuse("no such file"));
        assert!(refused.contains("process 2 refuses"), "{refused}");
        assert!(error(Intention::Leave).contains("process 2 left"));
    }
}
