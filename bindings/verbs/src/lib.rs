//! `libibverbs.so.1`: verbs on a modelled channel adapter (decision 0066).
//!
//! `memonet verbs` starts programs with this library in place of that of rdma-core; it has one device, `memonet0`. A call
//! goes through a [slot](processes::Slot) to the simulator, which carries it out on the adapter of the program's host.
//! The library also replaces functions of the C library: clocks and timers, so that programs see virtual time alone, and
//! sockets and waits for descriptors, so that the simulator knows when a program waits for another one.

pub mod abi;
mod async_events;
mod clock;
mod connections;
mod descriptor;
mod device;
mod domains;
mod drivers;
mod empty;
mod errno;
mod event_waits;
mod events;
mod extended;
mod fair_lock;
mod fork_place;
mod forks;
mod gids;
mod heap;
mod imports;
mod link;
mod locked_code;
mod loop_start;
mod loopback;
mod memory;
mod memory_windows;
mod next_function;
mod outside;
mod polling;
mod process_numbers;
mod queues;
mod rates;
mod requests;
mod scheduled;
mod seeds;
mod shared_queues;
mod slot;
mod sockets;
mod spins;
mod sysfs;
mod tcp;
mod text;
mod time_stamps;
mod timers;
mod virtual_clock;
mod virtual_time;
mod waiting;
