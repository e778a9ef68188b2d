//! The Window Controller and its blocks, each alone.

/// Sends a Write Window as one packet.
mod botf;
/// Keeps and decodes what the system registers configure.
mod configuration_register;
/// Fetches requests.
mod request_acceptor;
/// Runs one primitive at a time.
mod request_executor;
/// Keeps requests until they are fetched.
mod request_fifo;
/// Asks a remote node for its SO-DIMM.
mod rvl;
/// Sends SO-DIMM to a remote node.
mod rvs;
/// Has the Prefetch Unit read SO-DIMM.
mod vl;
/// Stores a Write Window in SO-DIMM.
mod vs;
/// All of it together; its file has the name of its twins.
#[allow(clippy::module_inception)]
mod window_controller;
