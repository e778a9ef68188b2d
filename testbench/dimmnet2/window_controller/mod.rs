//! The blocks of the Window Controller, each alone.

/// Sends a Write Window as one packet.
mod botf;
