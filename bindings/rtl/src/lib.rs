//! The Verilated RTL of the devices that a program is built for.
//!
//! A Cargo dependency cannot depend on two features, "with RTL" and "with this machine". A program depends on
//! this crate for the first and enables its features for the second, so that `rtl?/dimmnet2` verilates
//! DIMMnet-2 only if both are enabled.

#[cfg(feature = "cenju3")]
pub use cenju3_rtl as cenju3;
#[cfg(feature = "dimmnet2")]
pub use dimmnet2_rtl as dimmnet2;
#[cfg(feature = "gigae_pm")]
pub use gigae_pm_rtl as gigae_pm;
#[cfg(feature = "hca")]
pub use hca_rtl as hca;
