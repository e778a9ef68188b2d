//! Computation between calls: recorded in one run, replayed in later ones.
//!
//! A [`Profile`] has a step for each call of each rank: the call, and the basic blocks that the program executed before
//! it. With a replayed profile, ranks compute equally long on every network, so runs differ by the network alone. A rank
//! that makes another call than the recorded one ends the run with a [`ReplayMismatch`].

use std::cell::RefCell;

use cluster::Duration;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use xxhash_rust::xxh3::xxh3_64;

use super::call::{Call, CallMessage};
use crate::encode;

/// The recorded computation of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Arguments of the program, without its name.
    pub arguments: Vec<String>,
    /// Steps of each rank, in the order of its calls.
    pub ranks: Vec<Vec<Step>>,
}

/// A call, and the computation before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step(
    /// Name of the function of MPI.
    pub String,
    /// Digest of the arguments: ranks, tags and lengths, not the data.
    pub u64,
    /// Basic blocks executed since the previous call.
    pub u64,
);

/// Source of the virtual time that ranks compute between calls.
#[derive(Debug)]
pub enum Computing {
    /// Computation takes no time.
    Nothing,
    /// Blocks are counted and recorded.
    Recorded(RefCell<Profile>, Rate),
    /// Blocks come from an earlier recording.
    Replayed(Profile, Rate),
}

/// Basic blocks that a host executes in a second; at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(u64);

impl Rate {
    /// None if `blocks` is 0.
    pub fn new(blocks: u64) -> Option<Rate> {
        (blocks > 0).then_some(Rate(blocks))
    }

    /// Time that a host takes for `blocks` basic blocks.
    pub fn time(self, blocks: u64) -> Duration {
        let ps = u128::from(blocks) * 1_000_000_000_000 / u128::from(self.0);
        Duration::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

/// A difference between a run and the recorded one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayMismatch {
    /// The number of ranks differs.
    #[error("it is of {recorded} ranks, and these are {here}")]
    Ranks {
        /// Ranks of the profile.
        recorded: usize,
        /// Ranks of this run.
        here: usize,
    },
    /// The arguments of the program differ.
    #[error("the arguments of the program were {recorded:?}, and now are {here:?}")]
    Arguments {
        /// Arguments in the profile.
        recorded: Vec<String>,
        /// Arguments in this run.
        here: Vec<String>,
    },
    /// A rank calls another function.
    #[error("call {number} of rank {rank} was {recorded}, and now is {here}")]
    Function {
        /// The rank, in `MPI_COMM_WORLD`.
        rank: usize,
        /// Number of the call, from 1 on.
        number: usize,
        /// The recorded function.
        recorded: String,
        /// The function in this run.
        here: String,
    },
    /// A rank calls the same function with other arguments.
    #[error("call {number} of rank {rank}, {function}, had other arguments")]
    Call {
        /// The rank, in `MPI_COMM_WORLD`.
        rank: usize,
        /// Number of the call, from 1 on.
        number: usize,
        /// The function in this run.
        function: String,
    },
    /// A rank makes more calls than recorded.
    #[error("rank {rank} ended after {recorded} calls, and now calls {here}")]
    More {
        /// The rank, in `MPI_COMM_WORLD`.
        rank: usize,
        /// Calls in the profile.
        recorded: usize,
        /// The function in this run.
        here: String,
    },
    /// A rank has ended after fewer calls than recorded.
    #[error("rank {rank} made {recorded} calls, and now ended after {here}")]
    Fewer {
        /// The rank, in `MPI_COMM_WORLD`.
        rank: usize,
        /// Calls in the profile.
        recorded: usize,
        /// Calls in this run.
        here: usize,
    },
}

impl Profile {
    /// A profile without steps.
    pub fn new(arguments: Vec<String>, ranks: usize) -> Profile {
        Profile { arguments, ranks: vec![Vec::new(); ranks] }
    }

    /// An error if the profile is of other arguments or of another number of ranks.
    pub fn check(&self, arguments: &[String], ranks: usize) -> Result<(), ReplayMismatch> {
        if self.ranks.len() != ranks {
            return Err(ReplayMismatch::Ranks { recorded: self.ranks.len(), here: ranks });
        }
        if self.arguments != arguments {
            let (recorded, here) = (self.arguments.clone(), arguments.to_vec());
            return Err(ReplayMismatch::Arguments { recorded, here });
        }
        Ok(())
    }

    /// Basic blocks of all ranks together.
    pub fn blocks(&self) -> u128 {
        self.ranks.iter().flatten().map(|Step(_, _, blocks)| u128::from(*blocks)).sum()
    }

    /// Blocks before the call of a rank after `calls` others; an error if another call was recorded.
    fn step(&self, rank: usize, calls: usize, message: &mut CallMessage) -> Result<u64, ReplayMismatch> {
        let steps = &self.ranks[rank];
        let (here, number) = (message.function.clone(), calls + 1);
        let Some(Step(function, digest, blocks)) = steps.get(calls) else {
            return Err(ReplayMismatch::More { rank, recorded: steps.len(), here });
        };
        if *function != here {
            return Err(ReplayMismatch::Function { rank, number, recorded: function.clone(), here });
        }
        if *digest != self::digest(&mut message.call) {
            return Err(ReplayMismatch::Call { rank, number, function: here });
        }
        Ok(*blocks)
    }
}

impl Computing {
    /// Time that a rank has computed before its next call, after `calls` others.
    pub(crate) fn time_before(
        &self,
        rank: usize,
        calls: usize,
        message: &mut CallMessage,
    ) -> Result<Duration, ReplayMismatch> {
        match self {
            Computing::Nothing => Ok(Duration::ZERO),
            // The reason of an abort says more than a mismatch.
            _ if matches!(message.call, Call::Abort { .. }) => Ok(Duration::ZERO),
            Computing::Recorded(profile, rate) => {
                let step = Step(message.function.clone(), digest(&mut message.call), message.blocks);
                profile.borrow_mut().ranks[rank].push(step);
                Ok(rate.time(message.blocks))
            }
            Computing::Replayed(profile, rate) => Ok(rate.time(profile.step(rank, calls, message)?)),
        }
    }

    /// An error if a rank ended after `here` calls, and more were recorded.
    pub(crate) fn check_end(&self, rank: usize, here: usize) -> Result<(), ReplayMismatch> {
        match self {
            Computing::Replayed(profile, _) if profile.ranks[rank].len() > here => {
                Err(ReplayMismatch::Fewer { rank, recorded: profile.ranks[rank].len(), here })
            }
            _ => Ok(()),
        }
    }
}

/// Digest of a call and the length of its data. The data may differ: a program may send times that it has measured.
fn digest(call: &mut Call) -> u64 {
    let Some(bytes) = call.data_mut() else { return xxh3_64(&encode(call)) };
    let length = ByteBuf::from(bytes.len().to_le_bytes());
    let kept = std::mem::replace(bytes, length);
    let digest = xxh3_64(&encode(call));
    *call.data_mut().expect("the call has data") = kept;
    digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mpi::call::SendMode;

    fn send(function: &str, tag: u32, data: &[u8], blocks: u64) -> CallMessage {
        let bytes = ByteBuf::from(data.to_vec());
        let call = Call::Send {
            communicator: 0,
            mode: SendMode::Standard,
            destination: 1,
            tag,
            nonblocking: false,
            bytes,
        };
        CallMessage { blocks, ..CallMessage::new(function.into(), call) }
    }

    /// A profile of one call after 50 blocks, replayed at 100 million blocks a second.
    fn replayed() -> Computing {
        let rate = Rate::new(100_000_000).unwrap();
        let recorded = Computing::Recorded(RefCell::new(Profile::new(Vec::new(), 1)), rate);
        let mut message = send("MPI_Send", 7, b"12", 50);
        assert_eq!(recorded.time_before(0, 0, &mut message), Ok(Duration::from_ns(500)));
        assert_eq!(message, send("MPI_Send", 7, b"12", 50), "the call is unchanged");
        let Computing::Recorded(profile, rate) = recorded else { unreachable!() };
        Computing::Replayed(profile.into_inner(), rate)
    }

    #[test]
    fn replay_takes_the_recorded_time_whatever_is_sent() {
        let computed = replayed().time_before(0, 0, &mut send("MPI_Send", 7, b"34", 0));
        assert_eq!(computed, Ok(Duration::from_ns(500)));
    }

    #[test]
    fn calls_that_differ_from_the_profile_are_reported() {
        let mismatch = |calls: usize, mut message: CallMessage| {
            replayed().time_before(0, calls, &mut message).unwrap_err().to_string()
        };
        assert_eq!(
            mismatch(0, send("MPI_Ssend", 7, b"12", 0)),
            "call 1 of rank 0 was MPI_Send, and now is MPI_Ssend"
        );
        let other = "call 1 of rank 0, MPI_Send, had other arguments";
        assert_eq!(mismatch(0, send("MPI_Send", 8, b"12", 0)), other);
        assert_eq!(mismatch(0, send("MPI_Send", 7, b"123", 0)), other);
        assert_eq!(
            mismatch(1, send("MPI_Send", 7, b"12", 0)),
            "rank 0 ended after 1 calls, and now calls MPI_Send"
        );
        assert_eq!(
            replayed().check_end(0, 0).unwrap_err().to_string(),
            "rank 0 made 1 calls, and now ended after 0"
        );
        assert_eq!(replayed().check_end(0, 1), Ok(()));
    }

    #[test]
    fn profile_is_for_one_number_of_ranks_and_one_set_of_arguments() {
        let profile = Profile::new(vec!["100".into()], 2);
        assert_eq!(profile.check(&["100".into()], 2), Ok(()));
        let ranks = profile.check(&["100".into()], 3).unwrap_err();
        assert_eq!(ranks.to_string(), "it is of 2 ranks, and these are 3");
        let arguments = profile.check(&[], 2).unwrap_err();
        assert_eq!(arguments.to_string(), "the arguments of the program were [\"100\"], and now are []");
    }

    #[test]
    fn times_saturate() {
        assert_eq!(Rate::new(1).unwrap().time(u64::MAX), Duration::from_ps(u64::MAX));
        assert_eq!(Rate::new(0), None);
        assert_eq!(Rate::new(3).unwrap().time(1), Duration::from_ps(333_333_333_333));
    }
}
