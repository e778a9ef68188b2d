//! What a machine brings to the commands of `memonet`.
//!
//! The engine (crate `cluster`) runs machines; this crate asks them. A machine's crate answers in nine small traits, each in a
//! file of the same name in every machine, and [`Subject`] is all of them:
//!
//! | trait | file | what it tells | who asks |
//! |---|---|---|---|
//! | [`Traced`] | `paths.rs` | how a message travels, and its stages | `explain`, waveforms |
//! | [`Working`] | `work.rs` | the main job, carrying a file, programs | `run`, `wave` |
//! | [`Loaded`] | `load.rs` | what the device is given in lockstep and benches | `lockstep`, `bench` |
//! | [`Evaluated`] | `published/` | what was published, and how it is measured again | `figures` |
//! | [`Synthesized`] | `published/` | what its device costs in hardware | `synth`, `timing` |
//! | [`Messaging`] | `messaging.rs` | how a workload sends messages | `cluster` |
//! | [`Parallel`] | `parallel/` | how nodes are processes of MPI | `run --program`, `mpirun` |
//! | [`Shared`] | `shared.rs` | how nodes share memory | `fagus` |
//! | [`Driven`], mostly by a [`Console`](console::Console) | `driven/` | its commands, accesses of its hosts, their memory | `shell`, `serve` |
//!
//! A command takes any `M: Subject` and never asks which one it is.

mod benchmark;
mod carrier;
pub mod command;
mod computers;
mod conditions;
pub mod console;
mod driven;
mod evaluation;
mod figure;
pub mod fit;
pub mod jobs;
mod load;
mod messaging;
mod nics;
mod parallel;
mod path;
mod progress;
mod published;
pub mod shared;
mod subject;
mod synthesis;
mod traveled;
mod variant;
mod work;

pub use benchmark::{Benchmark, Timed};
pub use carrier::{Carrier, Offer, Opening, Unmet, Wanted, Way};
pub use command::number;
pub use computers::{
    COMPUTERS, ComputerError, PENTIUM_2_400, PENTIUM_3_800, PENTIUM_4_2600, VR4400_75, computer_of,
};
pub use conditions::{Choice, Chosen, Conditions, Practice, Request};
pub use driven::{
    BackDoor, Driven, Examples, Explained, OwnCommand, Refusal, ShellRequest, Target, TargetError,
};
pub use evaluation::{
    Errors, Evaluated, Evaluation, Findings, Fitted, FittedKind, LEAST_PREDICTED, Past, Publication, Shape,
    Table, Verdicts, counted, fitted,
};
pub use figure::{Figure, Point, Series};
pub use indicatif::ProgressBar;
pub use load::{Load, Loaded, NextPins};
pub use messaging::Messaging;
pub use mpi::carrier::Wait;
pub use nics::{Models, Nics, check, two};
pub use parallel::{Parallel, spawn_ranks};
pub use path::{PHASES, Path, Spread, TimeLine, Traced};
pub use progress::{counter, progress};
pub use published::{Band, Class, NARROW, NEEDS_CAUSE, Published, Row, Verdict, heads, row, table};
pub use shared::{Datagrams, Medium, Shared, StationOpening, pace, share, share_through};
pub use subject::{Judge, Subject};
pub use synthesis::{Module, Synthesis, Synthesized};
pub use traveled::{LIBRARY_STAGES, Traveled, WAYS, observed_pair, stage, there_and_back};
pub use variant::Variant;
pub use work::{Account, Carried, Done, FrameBytes, Job, Program, Working};
