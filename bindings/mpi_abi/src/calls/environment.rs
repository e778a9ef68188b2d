//! Initialization, finalization and queries of the environment.
#![allow(unsafe_code)]

use std::sync::atomic::AtomicI32;

use processes::mpi::call::{Answer, Call, CommunicatorInfo, MemoryAddress};
use rustix::thread::gettid;

use crate::arguments::{Memory, Number, Out, OutText};
use crate::child;
use crate::fault::{Fault, Outcome};
use crate::link::{self, Named};
use crate::objects::{Communicator, Objects, Stage, with, within};
use crate::scheduled;
use crate::slot;
use crate::types::*;

/// `MPI_Init`.
pub fn init(_argc: Out<c_int>, _argv: Out<*mut *mut c_char>) -> Outcome {
    begin(MPI_THREAD_SINGLE)
}

/// `MPI_Init_thread`: every level.
pub fn init_thread(
    _argc: Out<c_int>,
    _argv: Out<*mut *mut c_char>,
    required: c_int,
    provided: Out<c_int>,
) -> Outcome {
    let threads = required.clamp(MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE);
    begin(threads)?;
    provided.set(threads)
}

/// Begins the world of `MPI_COMM_WORLD`. A session may have started the rank before.
fn begin(threads: c_int) -> Outcome {
    match with(|objects| objects.world) {
        Stage::Before => {}
        Stage::Within => return Err(Fault::new(MPI_ERR_OTHER, "MPI_Init was called before")),
        Stage::After => return Err(Fault::new(MPI_ERR_OTHER, "MPI_Finalize was called before")),
    }
    start()?;
    with(|objects| {
        objects.threads = threads;
        objects.main_thread = Some(gettid());
        objects.world = Stage::Within;
    });
    allow(threads);
    Ok(())
}

/// Lets threads call MPI at this level.
fn allow(threads: c_int) {
    if threads == MPI_THREAD_MULTIPLE {
        scheduled::begin();
    }
}

/// Starts the rank for a session, unless it runs. A rank without `MPI_Init` ends with its process.
pub(super) fn begin_for_sessions(threads: c_int) -> Outcome {
    match with(|objects| objects.stage) {
        Stage::Within => {
            allow(threads);
            return Ok(());
        }
        Stage::After => return Err(Fault::new(MPI_ERR_OTHER, "the rank has ended, so no session can begin")),
        Stage::Before => {}
    }
    start()?;
    with(|objects| objects.threads = threads);
    allow(threads);
    // SAFETY: the function may be called at any time.
    unsafe { libc::atexit(end_of_process) };
    Ok(())
}

/// Ends a rank whose sessions are all finalized and that has not called `MPI_Init`.
extern "C" fn end_of_process() {
    let ended = |objects: &mut Objects| {
        objects.stage == Stage::Within && objects.world == Stage::Before && objects.sessions.is_empty()
    };
    if !child::is() && !link::is_over() && with(ended) {
        // The run ends with an error if this call fails.
        let _ = end();
    }
}

/// Makes the process a rank, unless it is one.
fn start() -> Outcome {
    if with(|objects| objects.stage) == Stage::Within {
        return Ok(());
    }
    if slot::get().is_none() {
        link::abort(
            1,
            "this program is a rank of MPI: start it with `memonet mpirun -np 2 PROGRAM`".to_owned(),
        );
    }
    slot::take();
    let byte = MemoryAddress { process: std::process::id(), address: std::ptr::from_ref(&WORLD) as u64 };
    let answer = link::ask_with(Call::Init, Named::address(Some(byte)))?;
    let Answer::World { rank, processes, processor, parent, universe, application, reaches_memory } = answer
    else {
        return Err(link::other(answer));
    };
    link::set_reached(reaches_memory);
    let process = *processes
        .get(rank as usize)
        .ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the simulator made a world of others"))?;
    let make = |info| Communicator::new(info, process, MPI_ERRORS_ARE_FATAL);
    let group = |number: u32, processes: Vec<u32>| make(CommunicatorInfo { number, processes, remote: None });
    let (mut world, mut own) = (group(WORLD, processes)?, group(SELF, vec![process])?);
    let mut parent = parent.map(make).transpose()?;
    world.name = "MPI_COMM_WORLD".to_owned();
    own.name = "MPI_COMM_SELF".to_owned();
    if let Some(parent) = &mut parent {
        parent.name = "MPI_COMM_PARENT".to_owned();
    }
    with(|objects| {
        objects.communicators.predefine(MPI_COMM_WORLD, world);
        objects.communicators.predefine(MPI_COMM_SELF, own);
        objects.groups.predefine(MPI_GROUP_EMPTY, Vec::new());
        objects.infos.predefine(MPI_INFO_ENV, Vec::new());
        // Programs get the addresses of these attributes.
        let attribute = |value: c_int| &*Box::leak(Box::new(AtomicI32::new(value)));
        let is_spawned = parent.is_some();
        let application = if is_spawned { application as c_int } else { slot::program_number() };
        objects.application = Some(attribute(application));
        objects.universe = universe.map(|universe| attribute(universe as c_int));
        objects.parent = parent.map(|parent| objects.communicators.add(parent));
        objects.processor = processor;
        objects.stage = Stage::Within;
    });
    Ok(())
}

/// Number of `MPI_COMM_WORLD` at the simulator.
const WORLD: u32 = 0;
/// Number of `MPI_COMM_SELF` at the simulator.
const SELF: u32 = 1;

/// `MPI_Finalize`. A rank with sessions ends with the last of them.
pub fn finalize() -> Outcome {
    match with(|objects| objects.world) {
        Stage::Within => {}
        Stage::Before => return Err(Fault::new(MPI_ERR_OTHER, "MPI_Init was not called before")),
        Stage::After => return Err(Fault::new(MPI_ERR_OTHER, "MPI_Finalize was called before")),
    }
    crate::calls::attribute::forget_all(MPI_COMM_SELF)?;
    let last = with(|objects| {
        objects.world = Stage::After;
        objects.sessions.is_empty()
    });
    if last { end() } else { Ok(()) }
}

/// Ends the rank. All output of this rank is flushed before the other ranks end.
pub(super) fn end() -> Outcome {
    link::ask(Call::Finalize)?;
    with(|objects| objects.stage = Stage::After);
    Ok(())
}

/// `MPI_Initialized`.
pub fn initialized(flag: Out<c_int>) -> Outcome {
    flag.set((with(|objects| objects.world) != Stage::Before).into())
}

/// `MPI_Finalized`.
pub fn finalized(flag: Out<c_int>) -> Outcome {
    flag.set((with(|objects| objects.world) == Stage::After).into())
}

/// `MPI_Abort`: ends all ranks.
pub fn abort(_on: MPI_Comm, code: c_int) -> Outcome {
    link::abort(code, String::new())
}

/// `MPI_Get_processor_name`.
pub fn get_processor_name(name: OutText, length: Out<c_int>) -> Outcome {
    let processor = within(|objects| Ok(objects.processor.clone()))?;
    length.set(name.set(&processor, MPI_MAX_PROCESSOR_NAME as usize)? as c_int)
}

/// `MPI_Get_version`.
pub fn get_version(version: Out<c_int>, subversion: Out<c_int>) -> Outcome {
    version.set(MPI_VERSION)?;
    subversion.set(MPI_SUBVERSION)
}

/// `MPI_Abi_get_version`.
pub fn abi_get_version(major: Out<c_int>, minor: Out<c_int>) -> Outcome {
    major.set(MPI_ABI_VERSION)?;
    minor.set(MPI_ABI_SUBVERSION)
}

/// `MPI_Get_library_version`.
pub fn get_library_version(version: OutText, length: Out<c_int>) -> Outcome {
    let text = concat!("Memonet ", env!("CARGO_PKG_VERSION"), ", MPI on modelled network interfaces");
    length.set(version.set(text, MPI_MAX_LIBRARY_VERSION_STRING as usize)? as c_int)
}

/// `MPI_Query_thread`.
pub fn query_thread(provided: Out<c_int>) -> Outcome {
    provided.set(within(|objects| Ok(objects.threads))?)
}

/// `MPI_Is_thread_main`: whether this thread has called `MPI_Init`, or no thread has.
pub fn is_thread_main(flag: Out<c_int>) -> Outcome {
    let main = with(|objects| objects.main_thread);
    flag.set(main.is_none_or(|main| main == gettid()).into())
}

/// `MPI_Alloc_mem`.
pub fn alloc_mem(size: Number, _info: MPI_Info, pointer: Memory) -> Outcome {
    let memory = Memory::allocate(size.count()?);
    let memory = memory.ok_or_else(|| Fault::new(MPI_ERR_NO_MEM, "there is no memory left"))?;
    pointer.set_word(memory.address())
}

/// `MPI_Free_mem`.
pub fn free_mem(memory: Memory) -> Outcome {
    memory.free();
    Ok(())
}

/// `MPI_Pcontrol`: ignored, as there is no profiler.
pub fn pcontrol(_level: c_int) -> Outcome {
    Ok(())
}
