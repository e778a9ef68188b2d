//! The DDR SO-DIMM Interface: two channels, interleaved every 8 bytes (thesis sections 4.1 and 4.5.6).

pub mod pins;
