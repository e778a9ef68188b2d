//! Programs that a launcher starts, such as `mpiexec`: it runs outside the modelled hosts, and each process that it starts
//! as a rank takes the slot of a host.

use std::ffi::OsString;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use slots::Memory;

use super::INTERFACE;
use crate::process::{NO_PANIC, Process, Program, StartError, exit_code};
use crate::progress::ProcessId;
use crate::silence::SilenceWatch;
use crate::slot::{Slot, new_memory};

/// The variable with the slots of all hosts: the number of the simulator's process, a colon, and descriptors with commas
/// between them.
pub const SLOTS_VARIABLE: &str = "MEMONET_HOST_SLOTS";
/// Variables with the number of a rank: those of MPICH, Open MPI, PMIx and Slurm.
pub const RANK_VARIABLES: [&str; 4] = ["PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"];

/// Settings with which MPI libraries use the adapter alone, unless the user has chosen others: transports of UCX, no
/// shared memory between ranks, and as many ranks as hosts whatever the number of processors.
const SETTINGS: [(&str, &str); 7] = [
    ("UCX_TLS", "ud_verbs,self"),
    ("UCX_NET_DEVICES", "memonet0:1"),
    ("MPIR_CVAR_NOLOCAL", "1"),
    ("OMPI_MCA_pml", "ucx"),
    ("OMPI_MCA_osc", "ucx"),
    ("OMPI_MCA_btl", "self"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
];

/// Real time between two looks for a process that has not begun.
const LOOK: Duration = Duration::from_millis(5);
/// Real time that a launcher has to end after its processes: those of Open MPI take seconds on a busy computer.
const LONGEST_END: Duration = Duration::from_secs(60);

/// A launcher had to be killed, because it did not end after its processes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} had not ended {seconds} s after the processes that it started, so it was killed", seconds = LONGEST_END.as_secs())]
pub struct KilledLauncher(String);

impl KilledLauncher {
    /// Its exit code, as shells report it.
    pub const EXIT_CODE: u8 = 128 + Signal::KILL.as_raw() as u8;
}

/// A launcher that runs, and the slots of its processes.
pub struct Launch {
    memories: Vec<Arc<Memory>>,
    pid: Pid,
    program: String,
    ended: Arc<Ended>,
}

/// The end of a launcher.
#[derive(Default)]
struct Ended {
    status: Mutex<Option<ExitStatus>>,
    has_ended: AtomicBool,
}

impl Launch {
    /// Starts a launcher for the processes of this many hosts.
    pub fn start(program: &Program, hosts: usize) -> Result<Self, StartError> {
        let failed = |error| StartError { program: program.name(), error };
        let memories: Result<Vec<_>, _> = (0..hosts).map(|_| new_memory()).collect();
        let memories = memories.map_err(failed)?;
        let mut command = program.command().map_err(failed)?;
        let numbers: Vec<_> = memories.iter().map(|memory| memory.as_fd().as_raw_fd().to_string()).collect();
        command.env(SLOTS_VARIABLE, format!("{}:{}", std::process::id(), numbers.join(",")));
        for (name, value) in SETTINGS {
            if program.variable(name).is_none() {
                command.env(name, OsString::from(value));
            }
        }
        slots::end_with_thread(&mut command);
        let mut child = command.stdin(Stdio::inherit()).spawn().map_err(failed)?;
        let pid = Pid::from_child(&child);
        for memory in &memories {
            Slot::simulator(memory.clone()).set_launcher(pid.as_raw_nonzero().get() as u32);
        }
        let ended = Arc::<Ended>::default();
        let noted = ended.clone();
        let watch = move || {
            let status = child.wait().unwrap_or_else(|_| ExitStatus::from_raw(1 << 8));
            *noted.status.lock().expect(NO_PANIC) = Some(status);
            noted.has_ended.store(true, Relaxed);
        };
        thread::Builder::new().name("launcher".into()).spawn(watch).map_err(failed)?;
        Ok(Launch { memories, pid, program: program.name(), ended })
    }

    /// The process of a host, which the launcher starts.
    pub(super) fn process(&self, host: usize, watch: SilenceWatch) -> Result<Process, StartError> {
        let memory = self.memories[host].clone();
        let process = ProcessId { interface: &INTERFACE, number: host };
        let status = Arc::<Mutex<Option<ExitStatus>>>::default();
        let (closer, ended, noted) = (Slot::simulator(memory.clone()), self.ended.clone(), status.clone());
        let wait = move || {
            wait_for_end(&closer, &ended);
            // The operating system tells the launcher alone how the process has ended.
            *noted.lock().expect(NO_PANIC) = Some(ExitStatus::default());
            closer.close();
        };
        let started = thread::Builder::new().name(process.to_string()).spawn(wait);
        started.map_err(|error| StartError { program: self.program.clone(), error })?;
        Ok(Process::launched(memory, process, (self.pid, self.program.clone()), status, watch))
    }

    /// Number of the launcher's process.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Waits for the end of the launcher, whose processes have ended; its exit code. A launcher that does not end is killed.
    pub fn finish(&self) -> Result<u8, KilledLauncher> {
        let end = Instant::now() + LONGEST_END;
        while !self.ended.has_ended.load(Relaxed) && Instant::now() < end {
            thread::sleep(LOOK);
        }
        let status = self.ended.status.lock().expect(NO_PANIC);
        status.map(exit_code).ok_or_else(|| {
            let _ = kill_process(self.pid, Signal::KILL);
            KilledLauncher(self.program.clone())
        })
    }
}

/// Waits until the process that has taken the slot has ended, or the launcher before any process has taken it.
fn wait_for_end(slot: &Slot, launcher: &Ended) {
    let owner = loop {
        if let Some(owner) = slot.owner() {
            break owner;
        }
        if launcher.has_ended.load(Relaxed) {
            return;
        }
        thread::sleep(LOOK);
    };
    let Some(pid) = Pid::from_raw(owner as i32) else { return };
    let Ok(file) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    let mut events = [PollFd::new(&file, PollFlags::IN)];
    while poll(&mut events, None::<&Timespec>).is_err() {}
}
