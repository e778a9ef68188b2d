//! Programs of `testbench/verbs` that check what verbs do: states, RDMA, errors, buffers, shared receive queues, a peer
//! that ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{fingerprint, memonet, stdout};

/// Compiles a program of `testbench/verbs`. Without the header of verbs it prints NOT TESTED and returns none.
pub(super) fn compiled(name: &str, folder: &Path) -> Option<PathBuf> {
    compiled_with(name, folder, &[])
}

/// As [`compiled`], with more libraries.
pub(super) fn compiled_with(name: &str, folder: &Path, libraries: &[&str]) -> Option<PathBuf> {
    if !Path::new("/usr/include/infiniband/verbs.h").exists() {
        eprintln!("NOT TESTED: there is no infiniband/verbs.h (Debian package libibverbs-dev)");
        return None;
    }
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbench/verbs").join(format!("{name}.c"));
    let program = folder.join(name);
    let mut command = Command::new("cc");
    command
        .args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"])
        .arg(source)
        .arg("-o")
        .arg(&program);
    let output = command.arg("-libverbs").args(libraries).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

/// A run says `NAME: right` this many times.
pub(super) fn check_right(output: &Output, name: &str, times: usize) -> String {
    let print = fingerprint(output);
    let printed = stdout(output);
    assert_eq!(printed.matches(&format!("{name}: right")).count(), times, "{printed}");
    print
}

/// Arguments of programs of two hosts, the second of which connects to the first.
pub(super) const PAIR: &[&str] = &["server 18600", "client 18600"];
/// Arguments of a program of one host.
const ALONE: &[&str] = &[""];

/// Runs a program with these arguments, one for each host: on the model twice and in lockstep.
pub(super) fn runs(name: &str, arguments: &[&str], times: usize) {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled(name, folder.path()) else { return };
    let program = program.display();
    let programs: Vec<_> = arguments.iter().map(|arguments| format!("{program} {arguments}")).collect();
    let line = format!("-- {}", programs.join(" : "));
    let first = check_right(&memonet(&line), name, times);
    let again = check_right(&memonet(&line), name, times);
    assert_eq!(first, again, "{name} repeats itself");
    if cfg!(feature = "rtl") {
        let lockstep = check_right(&memonet(&format!("--nic lockstep {line}")), name, times);
        assert_eq!(first, lockstep, "{name} in lockstep");
    }
}

#[test]
fn states_of_queue_pairs_follow_the_table_of_the_manual() {
    runs("qp_states", ALONE, 1);
}

#[test]
fn rdma_reaches_the_memory_of_the_peer_where_it_is_allowed() {
    runs("rdma", PAIR, 2);
}

#[test]
fn atomic_operations_change_the_memory_of_the_peer_once() {
    runs("atomics", PAIR, 2);
}

#[test]
fn errors_come_as_error_numbers_statuses_and_events() {
    runs("errors", ALONE, 1);
}

#[test]
fn requests_of_a_connection_overlap_and_end_in_order() {
    runs("outstanding", PAIR, 1);
}

#[test]
fn reads_of_a_connection_overlap_and_end_in_order() {
    runs("reads", PAIR, 1);
}

#[test]
fn requests_have_many_buffers_and_inline_data() {
    runs("pieces", ALONE, 1);
}

#[test]
fn queue_pairs_take_requests_of_a_shared_receive_queue() {
    runs("shared_receives", ALONE, 1);
}

#[test]
fn last_completion_queue_and_last_key_work_like_the_first() {
    runs("limits", ALONE, 1);
}

#[test]
fn heap_of_a_program_is_its_own() {
    runs("heap", ALONE, 1);
}

#[test]
fn peers_reach_memory_through_windows_while_they_are_bound() {
    runs("memory_windows", ALONE, 1);
}

#[test]
fn datagrams_for_a_group_reach_its_queue_pairs() {
    runs("groups", PAIR, 2);
}

#[test]
fn queue_pairs_of_a_program_that_has_ended_are_gone() {
    runs("ended", PAIR, 1);
}
