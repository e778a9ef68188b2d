//! Choice of the algorithm of a collective call: by size and number of ranks, or by the options of a run.
//!
//! The thresholds are choices of this project after MPICH 3 on clusters: short calls minimize steps, long
//! calls minimize bytes.

use std::fmt;

use crate::operation::Operation;

/// Enumerations of algorithms, each with its name on the command line.
macro_rules! algorithms {
    ($($(#[$doc:meta])* $name:ident, $word:literal { $($(#[$variant_doc:meta])* $variant:ident: $choice:literal,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name {
                $($(#[$variant_doc])* $variant,)*
            }

            impl $name {
                /// All algorithms for this call.
                pub const ALL: &[$name] = &[$($name::$variant,)*];

                /// Name on the command line.
                pub const fn name(self) -> &'static str {
                    match self {
                        $($name::$variant => $choice,)*
                    }
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.name())
                }
            }
        )*

        /// Calls whose algorithm can be chosen, with the names of their algorithms.
        const WORDS: &[(&str, &[&str])] = &[$(($word, &[$($choice,)*]),)*];
    };
}

algorithms! {
    /// Algorithms of a broadcast.
    Broadcast, "broadcast" {
        /// A binomial tree.
        Binomial: "binomial",
        /// The root scatters the data; a ring distributes the parts.
        ScatterRing: "scatter-ring",
    }
    /// Algorithms of a gather or scatter of equal parts.
    Gather, "gather" {
        /// A binomial tree.
        Binomial: "binomial",
        /// Every other rank exchanges one message with the root.
        Linear: "linear",
    }
    /// Algorithms of an allgather.
    Allgather, "allgather" {
        /// Bruck's algorithm.
        Bruck: "bruck",
        /// Parts travel round a ring.
        Ring: "ring",
    }
    /// Algorithms of an all-to-all of equal parts.
    Alltoall, "alltoall" {
        /// Bruck's algorithm.
        Bruck: "bruck",
        /// In each step every rank sends to one rank and receives from one.
        Pairwise: "pairwise",
    }
    /// Algorithms of a reduction.
    Reduce, "reduce" {
        /// A binomial tree.
        Binomial: "binomial",
        /// Each rank reduces one part; the root gathers the parts.
        ScatterGather: "scatter-gather",
    }
    /// Algorithms of an allreduce.
    Allreduce, "allreduce" {
        /// Recursive doubling over the nearest power of two of the ranks.
        RecursiveDoubling: "recursive-doubling",
        /// Recursive halving, then doubling.
        Rabenseifner: "rabenseifner",
        /// Two passes round a ring: reduce-scatter, then allgather.
        Ring: "ring",
        /// A reduction followed by a broadcast, as in MPICH 1.0.
        ReduceBroadcast: "reduce-broadcast",
    }
    /// Algorithms of a reduce-scatter.
    ReduceScatter, "reduce-scatter" {
        /// In each step every rank sends to one rank and receives from one.
        Pairwise: "pairwise",
        /// One pass round a ring.
        Ring: "ring",
        /// A reduction followed by a scatter.
        ReduceScatterv: "reduce-scatterv",
    }
}

/// Algorithms chosen for a run. `None` selects by size and number of ranks. So does a chosen algorithm that
/// reorders operands if the operation does not commute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Algorithms {
    /// Algorithm of `MPI_Bcast`.
    pub broadcast: Option<Broadcast>,
    /// Algorithm of gathers and scatters of equal parts.
    pub gather: Option<Gather>,
    /// Algorithm of `MPI_Allgather` and `MPI_Allgatherv`.
    pub allgather: Option<Allgather>,
    /// Algorithm of `MPI_Alltoall`.
    pub alltoall: Option<Alltoall>,
    /// Algorithm of `MPI_Reduce`.
    pub reduce: Option<Reduce>,
    /// Algorithm of `MPI_Allreduce`.
    pub allreduce: Option<Allreduce>,
    /// Algorithm of `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block`.
    pub reduce_scatter: Option<ReduceScatter>,
}

/// Invalid choices of algorithms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// The text is not `call=algorithm`, or the algorithm of this call cannot be chosen.
    #[error("`{0}` is not one of {calls}, =, and an algorithm", calls = words(WORDS.iter().map(|(call, _)| *call)))]
    Call(String),
    /// The call does not have this algorithm.
    #[error("{call} has no algorithm `{algorithm}`, but {}", words(WORDS.iter().filter(|(word, _)| word == call).flat_map(|(_, all)| all.iter().copied())))]
    Algorithm {
        /// Name of the call.
        call: String,
        /// Name that is not one of the call's algorithms.
        algorithm: String,
    },
}

fn words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// Largest short call in bytes.
const SHORT: usize = 2 << 10;
/// Smallest long broadcast in bytes.
const LONG_BROADCAST: usize = 12 << 10;
/// Largest short allgather in bytes, all parts together.
const SHORT_ALLGATHER: usize = 80 << 10;
/// Largest part in bytes of a short all-to-all.
const SHORT_ALLTOALL: usize = 256;
/// Fewest ranks for which algorithms of many ranks are chosen.
const MANY: usize = 8;

impl Algorithms {
    /// The algorithms of MPICH 1.0: trees, linear gathers, and allreduce as a reduction and a broadcast.
    pub const MPICH_1_0: Algorithms = Algorithms {
        broadcast: Some(Broadcast::Binomial),
        gather: Some(Gather::Linear),
        allgather: Some(Allgather::Ring),
        alltoall: Some(Alltoall::Pairwise),
        reduce: Some(Reduce::Binomial),
        allreduce: Some(Allreduce::ReduceBroadcast),
        reduce_scatter: Some(ReduceScatter::ReduceScatterv),
    };

    /// Parses and stores a choice such as `allreduce=ring`.
    pub fn set(&mut self, choice: &str) -> Result<(), ChoiceError> {
        let unknown = || ChoiceError::Call(choice.to_string());
        let (call, name) = choice.split_once('=').ok_or_else(unknown)?;
        let none = || ChoiceError::Algorithm { call: call.to_string(), algorithm: name.to_string() };
        fn find<T: Copy + fmt::Display>(all: &[T], name: &str) -> Option<T> {
            all.iter().copied().find(|algorithm| algorithm.to_string() == name)
        }
        match call {
            "broadcast" => self.broadcast = Some(find(Broadcast::ALL, name).ok_or_else(none)?),
            "gather" => self.gather = Some(find(Gather::ALL, name).ok_or_else(none)?),
            "allgather" => self.allgather = Some(find(Allgather::ALL, name).ok_or_else(none)?),
            "alltoall" => self.alltoall = Some(find(Alltoall::ALL, name).ok_or_else(none)?),
            "reduce" => self.reduce = Some(find(Reduce::ALL, name).ok_or_else(none)?),
            "allreduce" => self.allreduce = Some(find(Allreduce::ALL, name).ok_or_else(none)?),
            "reduce-scatter" => self.reduce_scatter = Some(find(ReduceScatter::ALL, name).ok_or_else(none)?),
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Algorithm of a broadcast of `bytes` bytes.
    pub(crate) fn broadcast(&self, bytes: usize, ranks: usize) -> Broadcast {
        let long = bytes >= LONG_BROADCAST && ranks >= MANY;
        self.broadcast.unwrap_or(if long { Broadcast::ScatterRing } else { Broadcast::Binomial })
    }

    /// Algorithm of a gather or scatter of `bytes` bytes a rank.
    pub(crate) fn gather(&self, bytes: usize, ranks: usize) -> Gather {
        let short = bytes.saturating_mul(ranks) <= SHORT;
        self.gather.unwrap_or(if short { Gather::Binomial } else { Gather::Linear })
    }

    /// Algorithm of an allgather of `bytes` bytes, all parts together.
    pub(crate) fn allgather(&self, bytes: usize, _ranks: usize) -> Allgather {
        let short = bytes <= SHORT_ALLGATHER;
        self.allgather.unwrap_or(if short { Allgather::Bruck } else { Allgather::Ring })
    }

    /// Algorithm of an all-to-all of `bytes` bytes a part.
    pub(crate) fn alltoall(&self, bytes: usize, ranks: usize) -> Alltoall {
        let short = bytes <= SHORT_ALLTOALL && ranks >= MANY;
        self.alltoall.unwrap_or(if short { Alltoall::Bruck } else { Alltoall::Pairwise })
    }

    /// Algorithm of a reduction of `bytes` bytes a rank.
    pub(crate) fn reduce(&self, bytes: usize, ranks: usize, operation: &Operation) -> Reduce {
        if !operation.is_commutative() {
            return Reduce::Binomial;
        }
        let short = bytes <= SHORT || ranks < 4;
        self.reduce.unwrap_or(if short { Reduce::Binomial } else { Reduce::ScatterGather })
    }

    /// Algorithm of an allreduce of `bytes` bytes a rank.
    pub(crate) fn allreduce(&self, bytes: usize, ranks: usize, operation: &Operation) -> Allreduce {
        let in_order =
            |choice: &Allreduce| matches!(choice, Allreduce::RecursiveDoubling | Allreduce::ReduceBroadcast);
        let short = bytes <= SHORT || ranks < 4 || !operation.is_commutative();
        let by_size = if short { Allreduce::RecursiveDoubling } else { Allreduce::Rabenseifner };
        self.allreduce.filter(|choice| operation.is_commutative() || in_order(choice)).unwrap_or(by_size)
    }

    /// Algorithm of a reduce-scatter of `bytes` bytes a rank.
    pub(crate) fn reduce_scatter(
        &self,
        _bytes: usize,
        _ranks: usize,
        operation: &Operation,
    ) -> ReduceScatter {
        match operation.is_commutative() {
            true => self.reduce_scatter.unwrap_or(ReduceScatter::Pairwise),
            false => ReduceScatter::ReduceScatterv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_choices_are_refused_with_the_valid_ones() {
        let mut algorithms = Algorithms::default();
        for (call, all) in WORDS {
            for algorithm in *all {
                assert_eq!(algorithms.set(&format!("{call}={algorithm}")), Ok(()));
            }
        }
        assert_eq!(algorithms.allreduce, Some(Allreduce::ReduceBroadcast));
        let error = algorithms.set("alltoall=ring").unwrap_err().to_string();
        assert_eq!(error, "alltoall has no algorithm `ring`, but bruck, pairwise");
        assert!(
            algorithms.set("bcast").unwrap_err().to_string().starts_with("`bcast` is not one of broadcast, ")
        );
    }

    #[test]
    fn algorithms_change_at_their_sizes_and_numbers_of_ranks() {
        let all = Algorithms::default();
        let sum = Operation::Predefined(crate::Predefined::Sum, crate::Kind::Byte);
        let long = 12 * 1024;
        let broadcasts =
            [(long, 8), (long - 1, 8), (long, 7)].map(|(bytes, ranks)| all.broadcast(bytes, ranks));
        assert_eq!(broadcasts, [Broadcast::ScatterRing, Broadcast::Binomial, Broadcast::Binomial]);
        let gathers = [(512, 4), (683, 3), (usize::MAX, 2)].map(|(bytes, ranks)| all.gather(bytes, ranks));
        assert_eq!(gathers, [Gather::Binomial, Gather::Linear, Gather::Linear]);
        let allgathers = [80 * 1024, 80 * 1024 + 1].map(|bytes| all.allgather(bytes, 4));
        assert_eq!(allgathers, [Allgather::Bruck, Allgather::Ring]);
        let alltoalls = [(256, 8), (257, 8), (256, 7)].map(|(bytes, ranks)| all.alltoall(bytes, ranks));
        assert_eq!(alltoalls, [Alltoall::Bruck, Alltoall::Pairwise, Alltoall::Pairwise]);
        let sizes = [(2048, 4), (2049, 4), (2049, 3)];
        let reduces = sizes.map(|(bytes, ranks)| all.reduce(bytes, ranks, &sum));
        assert_eq!(reduces, [Reduce::Binomial, Reduce::ScatterGather, Reduce::Binomial]);
        let allreduces = sizes.map(|(bytes, ranks)| all.allreduce(bytes, ranks, &sum));
        let (doubling, halving) = (Allreduce::RecursiveDoubling, Allreduce::Rabenseifner);
        assert_eq!(allreduces, [doubling, halving, doubling]);
    }
}
