//! The network interface (NIF) of Cenju-3, with old and new ROM.
//!
//! Messages and DMA transfers between processor elements, from queues in local memory (Konishi, Kohdatte, Kanoh, Howson, Takano:
//! "Performance evaluation of MPI/DE, the MPI library on the parallel computer Cenju-3", about 1995; "the paper" below).

pub mod clocks;
pub mod memory_map;
pub mod pins;
pub mod registers;
