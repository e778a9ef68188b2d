//! Commands for the channel adapter alone: programs that use it through libibverbs.

pub mod verbs;
