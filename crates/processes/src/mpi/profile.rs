//! What ranks compute between their calls: counted in one run, and the same in all later ones.
//!
//! A [`Profile`] has a step for each call of each rank: which call it was, and how many basic blocks the program went through before it.
//! Whatever is between the ranks, they have computed as long when they call; so runs differ by their networks alone. A run whose ranks
//! call something else than in the profile is another program, and ends.

use std::cell::RefCell;

use cluster::Duration;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use xxhash_rust::xxh3::xxh3_64;

use crate::encode;
use crate::mpi::call::{Call, Called, Collective};

/// What ranks computed in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Steps of each rank.
    pub ranks: Vec<Vec<Step>>,
}

/// A call, and what was computed since the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step(
    /// The function of MPI.
    pub String,
    /// Digest of its arguments: ranks, tags and lengths, not the data.
    pub u64,
    /// Basic blocks before it.
    pub u64,
);

/// How long ranks compute between their calls.
#[derive(Debug)]
pub enum Computing {
    /// Not at all.
    Nothing,
    /// As is counted now, and written down.
    Recorded(RefCell<Profile>, Rate),
    /// As was counted before.
    Replayed(Profile, Rate),
}

/// Basic blocks that a host goes through in a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(u64);

impl Rate {
    /// At least one.
    pub fn new(blocks: u64) -> Option<Rate> {
        (blocks > 0).then_some(Rate(blocks))
    }

    /// How long a host takes for so many.
    pub fn time(self, blocks: u64) -> Duration {
        let ps = u128::from(blocks) * 1_000_000_000_000 / u128::from(self.0);
        Duration::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

/// A run is not the one that was counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Departure {
    /// It has other ranks.
    #[error("it is of {recorded} ranks, and these are {here}")]
    Ranks {
        /// Those of the profile.
        recorded: usize,
        /// Those of the run.
        here: usize,
    },
    /// The program got other arguments.
    #[error("the arguments of the program were {recorded:?}, and now are {here:?}")]
    Arguments {
        /// Those of the profile.
        recorded: Vec<String>,
        /// Those of the run.
        here: Vec<String>,
    },
    /// A rank calls another function.
    #[error("call {number} of rank {rank} was {recorded}, and now is {here}")]
    Function {
        /// The rank.
        rank: usize,
        /// Which of its calls, from 1 on.
        number: usize,
        /// What it called.
        recorded: String,
        /// What it calls.
        here: String,
    },
    /// A rank calls the same function with other arguments.
    #[error("call {number} of rank {rank}, {function}, had other arguments")]
    Call {
        /// The rank.
        rank: usize,
        /// Which of its calls, from 1 on.
        number: usize,
        /// What it calls.
        function: String,
    },
    /// A rank has called all that it did, and calls again.
    #[error("rank {rank} ended after {recorded} calls, and now calls {here}")]
    More {
        /// The rank.
        rank: usize,
        /// Its calls in the profile.
        recorded: usize,
        /// What it calls.
        here: String,
    },
    /// A rank has ended before it called all that it did.
    #[error("rank {rank} made {recorded} calls, and now ended after {here}")]
    Fewer {
        /// The rank.
        rank: usize,
        /// Its calls in the profile.
        recorded: usize,
        /// Its calls in the run.
        here: usize,
    },
}

impl Profile {
    /// One without steps.
    pub fn new(arguments: Vec<String>, ranks: usize) -> Profile {
        Profile { arguments, ranks: vec![Vec::new(); ranks] }
    }

    /// An error if a program with these arguments on so many ranks is another one.
    pub fn check(&self, arguments: &[String], ranks: usize) -> Result<(), Departure> {
        if self.ranks.len() != ranks {
            return Err(Departure::Ranks { recorded: self.ranks.len(), here: ranks });
        }
        if self.arguments != arguments {
            let (recorded, here) = (self.arguments.clone(), arguments.to_vec());
            return Err(Departure::Arguments { recorded, here });
        }
        Ok(())
    }

    /// Blocks of all ranks.
    pub fn blocks(&self) -> u128 {
        self.ranks.iter().flatten().map(|Step(_, _, blocks)| u128::from(*blocks)).sum()
    }

    /// Blocks before a call of a rank, if it is the call that was recorded.
    fn step(&self, rank: usize, before: usize, called: &mut Called) -> Result<u64, Departure> {
        let steps = &self.ranks[rank];
        let (here, number) = (called.function.clone(), before + 1);
        let Some(Step(function, digest, blocks)) = steps.get(before) else {
            return Err(Departure::More { rank, recorded: steps.len(), here });
        };
        if *function != here {
            return Err(Departure::Function { rank, number, recorded: function.clone(), here });
        }
        if *digest != self::digest(&mut called.call) {
            return Err(Departure::Call { rank, number, function: here });
        }
        Ok(*blocks)
    }
}

impl Computing {
    /// How long a rank has computed before a call, which is its next one after so many.
    pub(crate) fn before(
        &self,
        rank: usize,
        calls: usize,
        called: &mut Called,
    ) -> Result<Duration, Departure> {
        match self {
            Computing::Nothing => Ok(Duration::ZERO),
            // The run ends, for a reason that says more.
            _ if matches!(called.call, Call::Abort { .. }) => Ok(Duration::ZERO),
            Computing::Recorded(profile, rate) => {
                let step = Step(called.function.clone(), digest(&mut called.call), called.blocks);
                profile.borrow_mut().ranks[rank].push(step);
                Ok(rate.time(called.blocks))
            }
            Computing::Replayed(profile, rate) => Ok(rate.time(profile.step(rank, calls, called)?)),
        }
    }

    /// An error if a rank that has ended after so many calls made more of them.
    pub(crate) fn ended(&self, rank: usize, here: usize) -> Result<(), Departure> {
        match self {
            Computing::Replayed(profile, _) if profile.ranks[rank].len() > here => {
                Err(Departure::Fewer { rank, recorded: profile.ranks[rank].len(), here })
            }
            _ => Ok(()),
        }
    }
}

/// Digest of a call without its data, of which only the length counts: a program may send what it has measured.
fn digest(call: &mut Call) -> u64 {
    let Some(bytes) = data(call) else { return xxh3_64(&encode(call)) };
    let length = ByteBuf::from(bytes.len().to_le_bytes());
    let kept = std::mem::replace(bytes, length);
    let digest = xxh3_64(&encode(call));
    *data(call).expect("it had some") = kept;
    digest
}

/// The data of a call.
fn data(call: &mut Call) -> Option<&mut ByteBuf> {
    match call {
        Call::Send { bytes, .. } | Call::Combined(bytes) => Some(bytes),
        Call::Collective { what, .. } => match what {
            Collective::Barrier => None,
            Collective::Broadcast { bytes, .. }
            | Collective::Gather { bytes, .. }
            | Collective::Scatter { bytes, .. }
            | Collective::GatherAll { bytes, .. }
            | Collective::ToAll { bytes, .. }
            | Collective::Reduce { bytes, .. }
            | Collective::ReduceScatter { bytes, .. }
            | Collective::Scan { bytes, .. } => Some(bytes),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mpi::call::Mode;

    fn send(function: &str, tag: u32, data: &[u8], blocks: u64) -> Called {
        let bytes = ByteBuf::from(data.to_vec());
        let call = Call::Send { on: 0, mode: Mode::Standard, to: 1, tag, later: false, bytes };
        Called { function: function.into(), computed_ps: 0, blocks, call }
    }

    /// What one rank computes, by a profile of a call of 50 blocks at 100 million blocks a second.
    fn replayed() -> Computing {
        let rate = Rate::new(100_000_000).unwrap();
        let recorded = Computing::Recorded(RefCell::new(Profile::new(Vec::new(), 1)), rate);
        let mut called = send("MPI_Send", 7, b"12", 50);
        assert_eq!(recorded.before(0, 0, &mut called), Ok(Duration::from_ns(500)));
        assert_eq!(called, send("MPI_Send", 7, b"12", 50), "the call is whole");
        let Computing::Recorded(profile, rate) = recorded else { unreachable!() };
        Computing::Replayed(profile.into_inner(), rate)
    }

    #[test]
    fn replay_takes_as_long_as_the_recording_whatever_is_counted_and_sent() {
        let computed = replayed().before(0, 0, &mut send("MPI_Send", 7, b"34", 0));
        assert_eq!(computed, Ok(Duration::from_ns(500)));
    }

    #[test]
    fn calls_that_are_not_those_of_the_profile_are_named() {
        let told = |calls: usize, mut called: Called| {
            replayed().before(0, calls, &mut called).unwrap_err().to_string()
        };
        assert_eq!(
            told(0, send("MPI_Ssend", 7, b"12", 0)),
            "call 1 of rank 0 was MPI_Send, and now is MPI_Ssend"
        );
        let other = "call 1 of rank 0, MPI_Send, had other arguments";
        assert_eq!(told(0, send("MPI_Send", 8, b"12", 0)), other);
        assert_eq!(told(0, send("MPI_Send", 7, b"123", 0)), other);
        assert_eq!(
            told(1, send("MPI_Send", 7, b"12", 0)),
            "rank 0 ended after 1 calls, and now calls MPI_Send"
        );
        assert_eq!(
            replayed().ended(0, 0).unwrap_err().to_string(),
            "rank 0 made 1 calls, and now ended after 0"
        );
        assert_eq!(replayed().ended(0, 1), Ok(()));
    }

    #[test]
    fn profile_is_of_so_many_ranks_and_of_these_arguments() {
        let profile = Profile::new(vec!["100".into()], 2);
        assert_eq!(profile.check(&["100".into()], 2), Ok(()));
        let ranks = profile.check(&["100".into()], 3).unwrap_err();
        assert_eq!(ranks.to_string(), "it is of 2 ranks, and these are 3");
        let arguments = profile.check(&[], 2).unwrap_err();
        assert_eq!(arguments.to_string(), "the arguments of the program were [\"100\"], and now are []");
    }

    #[test]
    fn long_times_end_at_the_longest_there_is() {
        assert_eq!(Rate::new(1).unwrap().time(u64::MAX), Duration::from_ps(u64::MAX));
        assert_eq!(Rate::new(0), None);
        assert_eq!(Rate::new(3).unwrap().time(1), Duration::from_ps(333_333_333_333));
    }
}
