//! Suci for C. `calls` defines the C functions and has all unsafe code; `header` generates `suci.h` from
//! them.

mod calls;
mod error;
mod header;
mod signature;
mod socket;

pub use header::header;
