//! The Write Unit: stores data in SO-DIMM (thesis section 4.2).

pub mod pins;
