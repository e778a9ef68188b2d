//! Programs of `testbench/verbs` that check virtual time, waits for descriptors, and extended calls.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::semantics::{PAIR, check_right, compiled, runs};
use super::{fingerprint, memonet, pair, stderr, stdout, verbs};

#[test]
fn clocks_timers_and_time_outs_are_in_virtual_time() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled("clocks", folder.path()) else { return };
    let line = format!("--limit 100s -- {}", program.display());
    let first = check_right(&memonet(&line), "clocks", 1);
    assert_eq!(first, check_right(&memonet(&line), "clocks", 1));
}

#[test]
fn channels_become_ready_in_poll_select_and_epoll() {
    runs("channels", PAIR, 1);
}

#[test]
fn sockets_show_what_was_sent_whole_or_not_at_all() {
    runs("sockets", PAIR, 1);
}

#[test]
fn runs_at_the_same_time_do_not_meet_at_a_port() {
    let line = pair("ibv_rc_pingpong", "-n 300");
    let Some(alone) = verbs(&line) else { return };
    let runs: Vec<_> = (0..3)
        .map(|_| {
            std::thread::spawn({
                let line = line.clone();
                move || memonet(&line)
            })
        })
        .collect();
    for run in runs {
        assert_eq!(fingerprint(&run.join().unwrap()), fingerprint(&alone));
    }
}

#[test]
fn fork_that_its_program_waits_for_uses_verbs() {
    runs("forks", PAIR, 1);
}

/// The fork is killed at a time of this computer's clock, so the fingerprint differs from run to run.
#[test]
fn objects_of_a_killed_fork_are_freed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled("forks", folder.path()) else { return };
    check_right(&memonet(&format!("-- {} killed", program.display())), "forks", 1);
}

#[test]
fn first_program_of_a_pipeline_uses_verbs() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled("qp_states", folder.path()) else { return };
    let script = folder.path().join("pipeline");
    std::fs::write(&script, format!("{} | cat | tail -n 1\n", program.display())).unwrap();
    let line = format!("-- sh {}", script.display());
    let [first, again] = [(); 2].map(|()| check_right(&memonet(&line), "qp_states", 1));
    assert_eq!(first, again);
}

#[test]
fn look_at_an_empty_queue_takes_the_time_of_one_look() {
    runs("looks", PAIR, 1);
}

#[test]
fn extended_calls_work_or_are_refused() {
    runs("extended", PAIR, 1);
}

#[test]
fn program_that_spins_on_memory_sees_what_its_peer_writes() {
    runs("spins", PAIR, 1);
}

#[test]
fn threads_of_a_program_run_in_a_fixed_order() {
    runs("threads", PAIR, 1);
}

/// Processes outside the run take real time, so the fingerprint differs from run to run.
#[test]
fn waits_for_processes_outside_hold_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled("outside", folder.path()) else { return };
    let program = program.display();
    check_right(&memonet(&format!("-- {program} s 18600 : {program} c 18600")), "outside", 1);
}

#[test]
fn rank_whose_launcher_computes_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled("answered", folder.path()) else { return };
    let script = folder.path().join("launcher");
    let computes = "for count in $(seq 2000000); do :; done";
    std::fs::write(&script, format!("{{ {computes}; echo; }} | PMI_RANK=0 {}\n", program.display())).unwrap();
    check_right(&memonet(&format!("-n 1 -- sh {}", script.display())), "answered", 1);
}

/// The RTL too, if it is built.
const MOST: &str = if cfg!(feature = "rtl") { "lockstep" } else { "model" };

/// Held by tests of launchers, whose answers come late where too much runs at a time.
static LAUNCHER: Mutex<()> = Mutex::new(());

/// Compiles `launched.c` with an MPI library of Debian's packages; without it the test prints NOT TESTED.
fn launched(compiler: &str, packages: &str, folder: &Path) -> Option<PathBuf> {
    let program = folder.join("launched");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testbench/verbs/launched.c");
    let mut command = Command::new(compiler);
    command.args(["-O1", "-Wall", "-Wextra", "-Werror", source, "-o"]).arg(&program).stdin(Stdio::null());
    let compiles = command.output().is_ok_and(|output| output.status.success());
    if !compiles {
        eprintln!("NOT TESTED: {compiler} does not compile launched.c (Debian packages {packages})");
    }
    compiles.then_some(program)
}

/// The daemon answers at times of this computer's clock, so fingerprints may differ in `MPI_Finalize`.
#[test]
fn ranks_of_open_mpi_are_programs_of_hosts() {
    let _launcher = LAUNCHER.lock();
    let folder = tempfile::tempdir().unwrap();
    let packages = "openmpi-bin and libopenmpi-dev";
    let Some(program) = launched("mpicc.openmpi", packages, folder.path()) else { return };
    let options = format!("--nic {MOST} --limit 100s -n 2");
    let line = format!("{options} -- mpiexec.openmpi --allow-run-as-root -n 2 {}", program.display());
    check_right(&memonet(&line), "launched", 1);
}

#[test]
fn ranks_of_mpich_are_programs_of_hosts() {
    let _launcher = LAUNCHER.lock();
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = launched("mpicc.mpich", "mpich and libmpich-dev", folder.path()) else { return };
    let line = |ranks| format!("-n {ranks} -- mpiexec.mpich -n {ranks} {}", program.display());
    let first = check_right(&memonet(&line(2)), "launched", 1);
    assert_eq!(first, check_right(&memonet(&format!("--nic {MOST} {}", line(2))), "launched", 1));
    // Connections of several ranks have one receive queue; `make verbs` compares them with the RTL.
    let shared =
        "-n 4 -- env UCX_TLS=rc_verbs,ud_verbs,self UCX_SOCKADDR_TLS_PRIORITY=tcp mpiexec.mpich -n 4";
    check_right(&memonet(&format!("{shared} {}", program.display())), "launched", 1);
    let few = memonet(&format!("-n 1 -- mpiexec.mpich -n 2 {}", program.display()));
    assert_ne!(few.status.code(), Some(0));
    let message = [stdout(&few), stderr(&few)].concat();
    assert!(message.contains("rank 1 has no host: there are 1; -n gives more"), "{message}");
}

#[test]
fn calls_are_traced_and_links_may_lose_packets() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.json");
    let run = |options: &str| verbs(&format!("{options} {}", pair("ibv_rc_pingpong", "-n 30 -c")));
    let lossy = run(&format!("--lose 0.0001% --seed 2 --trace {}", trace.display()));
    let Some(lossy) = lossy else { return };
    assert!(stdout(&lossy).matches("245760 bytes in").count() == 2, "{lossy:?}");
    let events: serde_json::Value = serde_json::from_slice(&std::fs::read(&trace).unwrap()).unwrap();
    let names: Vec<_> =
        events["traceEvents"].as_array().unwrap().iter().map(|event| &event["name"]).collect();
    assert!(names.contains(&&"ibv_post_send".into()) && names.contains(&&"thread_name".into()));
}
