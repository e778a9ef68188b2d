//! The kernel of hosts with simple cards on one cable: what its protocols send, when, and to whom.

/// MPI over streams.
mod mpi;
/// Hosts, cards and the cable.
mod network;
/// Streams and their system calls.
mod tcp;
/// Datagrams and their system calls.
mod udp;
