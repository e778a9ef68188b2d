//! `libibverbs.so.1`: the verbs of processes that use a modelled channel adapter (decision 0066).
//!
//! A program that is linked to rdma-core's library finds this one in its place when `memonet verbs` starts it, with one device, `memonet0`. A call goes through
//! a [slot](processes::Slot) to the simulator, which carries it out on the adapter of the program's host. Beside verbs the library has a few names of the C
//! library: clocks, so that programs see virtual time alone, and sockets, so that the simulator knows when a program waits for another one.

pub mod abi;
mod clock;
mod device;
mod events;
mod link;
mod memory;
mod queues;
mod requests;
mod sockets;
mod text;
