//! Programs of `testbench/verbs` that check virtual time, waits for descriptors, and extended calls.

use super::semantics::{check_right, compiled, runs};
use super::{memonet, pair, port, stdout, verbs};

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
    runs("channels", Some(11), 1);
}

#[test]
fn look_at_an_empty_queue_takes_the_time_of_one_look() {
    runs("looks", Some(12), 1);
}

#[test]
fn extended_calls_work_or_are_refused() {
    runs("extended", Some(13), 1);
}

#[test]
fn program_that_spins_on_memory_sees_what_its_peer_writes() {
    runs("spins", Some(14), 1);
}

/// Threads of a program and processes outside the run take real time, so the fingerprint differs from run to run.
#[test]
fn waits_for_threads_and_for_processes_outside_hold_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    for (name, test) in [("threads", 15), ("outside", 16)] {
        let Some(program) = compiled(name, folder.path()) else { return };
        let (program, port) = (program.display(), port(test));
        check_right(&memonet(&format!("-- {program} s {port} : {program} c {port}")), name, 1);
    }
}

#[test]
fn calls_are_traced_and_links_may_lose_packets() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.json");
    let run = |options: &str| verbs(&format!("{options} {}", pair("ibv_rc_pingpong", "-n 30 -c", 17)));
    let lossy = run(&format!("--lose 0.0001% --seed 2 --trace {}", trace.display()));
    let Some(lossy) = lossy else { return };
    assert!(stdout(&lossy).matches("245760 bytes in").count() == 2, "{lossy:?}");
    let events: serde_json::Value = serde_json::from_slice(&std::fs::read(&trace).unwrap()).unwrap();
    let names: Vec<_> =
        events["traceEvents"].as_array().unwrap().iter().map(|event| &event["name"]).collect();
    assert!(names.contains(&&"ibv_post_send".into()) && names.contains(&&"thread_name".into()));
}
