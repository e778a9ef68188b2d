//! Which algorithm a collective call takes: by size and ranks, or as a run says.
//!
//! Where they change is our choice, after what MPICH 3 does on clusters: short calls take few steps, long ones move few bytes.

use std::fmt;

use crate::operation::Operation;

/// An algorithm, by its name on a command line.
macro_rules! algorithms {
    ($($(#[$doc:meta])* $name:ident, $word:literal { $($(#[$variant_doc:meta])* $variant:ident: $choice:literal,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name {
                $($(#[$variant_doc])* $variant,)*
            }

            impl $name {
                /// All of them.
                pub const ALL: &[$name] = &[$($name::$variant,)*];

                /// Its name on a command line.
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

        /// What a run says about all of them, as words.
        const WORDS: &[(&str, &[&str])] = &[$(($word, &[$($choice,)*]),)*];
    };
}

algorithms! {
    /// How a broadcast goes.
    Broadcast, "broadcast" {
        /// A binomial tree.
        Binomial: "binomial",
        /// The root scatters, and parts go round.
        ScatterRing: "scatter-ring",
    }
    /// How a gather or a scatter of equal parts goes.
    Gather, "gather" {
        /// A binomial tree.
        Binomial: "binomial",
        /// Each and the root.
        Linear: "linear",
    }
    /// How all get the parts of all.
    Allgather, "allgather" {
        /// Bruck's algorithm.
        Bruck: "bruck",
        /// Parts go round.
        Ring: "ring",
    }
    /// How all give a part to all.
    Alltoall, "alltoall" {
        /// Bruck's algorithm.
        Bruck: "bruck",
        /// Two by two.
        Pairwise: "pairwise",
    }
    /// How a reduction goes.
    Reduce, "reduce" {
        /// A binomial tree.
        Binomial: "binomial",
        /// Each reduces a part, which the root gathers.
        ScatterGather: "scatter-gather",
    }
    /// How a reduction for all goes.
    Allreduce, "allreduce" {
        /// Recursive doubling.
        RecursiveDoubling: "recursive-doubling",
        /// Recursive halving, then doubling.
        Rabenseifner: "rabenseifner",
        /// Parts go round twice.
        Ring: "ring",
        /// A reduction and a broadcast, as MPICH 1.0 did.
        ReduceBroadcast: "reduce-broadcast",
    }
    /// How a reduction for all, each its part, goes.
    ReduceScatter, "reduce-scatter" {
        /// Two by two.
        Pairwise: "pairwise",
        /// Parts go round.
        Ring: "ring",
        /// A reduction and a scatter.
        ReduceScatterv: "reduce-scatterv",
    }
}

/// What a run says about collectives. What it does not say goes by size and ranks, and so does an algorithm that lets operands change
/// places where they must not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Algorithms {
    /// Broadcasts.
    pub broadcast: Option<Broadcast>,
    /// Gathers and scatters.
    pub gather: Option<Gather>,
    /// Allgathers.
    pub allgather: Option<Allgather>,
    /// Alltoalls of equal parts.
    pub alltoall: Option<Alltoall>,
    /// Reductions.
    pub reduce: Option<Reduce>,
    /// Allreduces.
    pub allreduce: Option<Allreduce>,
    /// Reduce-scatters.
    pub reduce_scatter: Option<ReduceScatter>,
}

/// What a run says cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// It is not `call=algorithm`, or the call has no choice.
    #[error("`{0}` is not one of {calls}, =, and an algorithm", calls = words(WORDS.iter().map(|(call, _)| *call)))]
    Call(String),
    /// The call has no such algorithm.
    #[error("{call} has no algorithm `{algorithm}`, but {}", words(WORDS.iter().filter(|(word, _)| word == call).flat_map(|(_, all)| all.iter().copied())))]
    Algorithm {
        /// The call.
        call: String,
        /// What it has not.
        algorithm: String,
    },
}

fn words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// Bytes up to which a call is short.
const SHORT: usize = 2 << 10;
/// Bytes from which a broadcast is long.
const LONG_BROADCAST: usize = 12 << 10;
/// Bytes of all up to which an allgather is short.
const SHORT_ALLGATHER: usize = 80 << 10;
/// Bytes of a part up to which an alltoall is short.
const SHORT_ALLTOALL: usize = 256;
/// Ranks from which there are many.
const MANY: usize = 8;

impl Algorithms {
    /// As MPICH 1.0 did it: trees, and reductions for all in two halves.
    pub const MPICH_1_0: Algorithms = Algorithms {
        broadcast: Some(Broadcast::Binomial),
        gather: Some(Gather::Linear),
        allgather: Some(Allgather::Ring),
        alltoall: Some(Alltoall::Pairwise),
        reduce: Some(Reduce::Binomial),
        allreduce: Some(Allreduce::ReduceBroadcast),
        reduce_scatter: Some(ReduceScatter::ReduceScatterv),
    };

    /// Takes a choice such as `allreduce=ring`.
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

    /// For so many bytes.
    pub(super) fn broadcast(&self, bytes: usize, ranks: usize) -> Broadcast {
        let long = bytes >= LONG_BROADCAST && ranks >= MANY;
        self.broadcast.unwrap_or(if long { Broadcast::ScatterRing } else { Broadcast::Binomial })
    }

    /// For so many bytes of each.
    pub(super) fn gather(&self, bytes: usize, ranks: usize) -> Gather {
        let short = bytes.saturating_mul(ranks) <= SHORT;
        self.gather.unwrap_or(if short { Gather::Binomial } else { Gather::Linear })
    }

    /// For so many bytes of all.
    pub(super) fn allgather(&self, bytes: usize, _ranks: usize) -> Allgather {
        let short = bytes <= SHORT_ALLGATHER;
        self.allgather.unwrap_or(if short { Allgather::Bruck } else { Allgather::Ring })
    }

    /// For so many bytes of each part.
    pub(super) fn alltoall(&self, bytes: usize, ranks: usize) -> Alltoall {
        let short = bytes <= SHORT_ALLTOALL && ranks >= MANY;
        self.alltoall.unwrap_or(if short { Alltoall::Bruck } else { Alltoall::Pairwise })
    }

    /// For operands of so many bytes.
    pub(super) fn reduce(&self, bytes: usize, ranks: usize, operation: &Operation) -> Reduce {
        if !operation.is_commutative() {
            return Reduce::Binomial;
        }
        let short = bytes <= SHORT || ranks < 4;
        self.reduce.unwrap_or(if short { Reduce::Binomial } else { Reduce::ScatterGather })
    }

    /// For operands of so many bytes.
    pub(super) fn allreduce(&self, bytes: usize, ranks: usize, operation: &Operation) -> Allreduce {
        let in_order =
            |choice: &Allreduce| matches!(choice, Allreduce::RecursiveDoubling | Allreduce::ReduceBroadcast);
        let short = bytes <= SHORT || ranks < 4 || !operation.is_commutative();
        let by_size = if short { Allreduce::RecursiveDoubling } else { Allreduce::Rabenseifner };
        self.allreduce.filter(|choice| operation.is_commutative() || in_order(choice)).unwrap_or(by_size)
    }

    /// For operands of so many bytes.
    pub(super) fn reduce_scatter(
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
    fn choices_are_words_and_others_are_told_what_there_is() {
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
}
