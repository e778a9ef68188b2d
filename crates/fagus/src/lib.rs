//! A software distributed shared memory with entry consistency and moving owners, after Fagus.

pub mod protocol;
