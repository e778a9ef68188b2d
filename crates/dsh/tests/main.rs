//! The shell as its users see it.

/// The figures of appendix C, byte for byte.
mod figures;
