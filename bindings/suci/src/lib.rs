//! Suci for C. `calls` has what programs call, `header` writes `suci.h` out of it; no other file has unsafe code.

mod calls;
mod error;
mod header;
mod socket;

pub use header::header;
