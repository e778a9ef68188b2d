//! Interface of machines to the commands of `memonet`.
//!
//! The engine (crate `cluster`) runs machines; this crate queries them. A machine's crate implements nine
//! small traits, each in a file of the same name in every machine; [`Subject`] combines them:
//!
//! | trait | file | contents | used by |
//! |---|---|---|---|
//! | [`Traced`] | `paths.rs` | paths of a message, and its stages | `explain`, waveforms |
//! | [`Working`] | `work.rs` | the main job, transfer of a file, programs | `run`, `wave` |
//! | [`Loaded`] | `load.rs` | stimulus of the device in lockstep and benchmarks | `lockstep`, `bench` |
//! | [`Evaluated`] | `published/` | the published evaluation and its reproduction | `figures` |
//! | [`Synthesized`] | `published/` | hardware cost of the device | `synth`, `timing` |
//! | [`Messaging`] | `messaging.rs` | messages of workloads | `cluster` |
//! | [`Parallel`] | `parallel/` | nodes as MPI processes | `run --program`, `mpirun` |
//! | [`Shared`] | `shared.rs` | shared memory of the nodes | `fagus` |
//! | [`Driven`], mostly by a [`Console`](console::Console) | `driven/` | shell commands, accesses of the hosts, memory | `shell`, `serve` |
//!
//! Commands are generic over `M: Subject` and never depend on a particular machine.

mod benchmark;
mod carrier;
pub mod command;
pub mod console;
mod driven;
mod frames;
pub mod jobs;
mod load;
mod messaging;
mod network;
mod parallel;
mod path;
mod placement;
mod programs;
mod progress;
pub mod shared;
mod step;
mod subject;
mod traveled;
mod variant;
mod work;

pub use benchmark::{Benchmark, Timed};
pub use carrier::{Carrier, CarrierChoice, Offer, Opening, Unmet, Wanted};
pub use command::{number, number_up_to};
pub use driven::{
    BackDoor, Driven, Examples, Explained, OwnCommand, Refusal, SECOND_PROCESS, ShellRequest, Target,
    TargetError,
};
// Machines and commands need both crates.
pub use evaluation::*;
pub use frames::{FrameFormat, FrameKinds, Frames};
pub use indicatif::ProgressBar;
pub use load::{Load, Loaded, NextPins};
pub use messaging::Messaging;
pub use mpi::carrier::Wait;
pub use mpi::programs::Transfer;
pub use network::{MULTISTAGE, NetworkError, is_multistage, network, own_network};
pub use parallel::{Parallel, spawn_ranks};
pub use path::{PHASES, Path, Spread, TimeLine, Traced};
pub use placement::{Placement, ProcessSlot};
pub use programs::{parallel_programs, time_transfers};
pub use progress::{Activity, ActivityLine, FIRST as LONG_STEP, activity, activity_of, counter, progress};
pub use shared::{Datagrams, Medium, Shared, SharedLibrary, StationOpening, pace, share, share_through};
pub use step::{Accept, Step, StepAnswer, StepResult};
pub use subject::Subject;
pub use traveled::{LIBRARY_STAGES, Traveled, WAYS, observed_pair, stage, there_and_back};
pub use variant::{LIBRARY_COST, ONE_SIDED, Variant, library_cost, one_sided};
pub use work::{Account, Carried, Done, HostLibrary, Job, Program, Working};
