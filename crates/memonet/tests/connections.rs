//! Programs of librdmacm: those of Debian's rdmacm-utils, and one that judges calls and events.

use std::path::Path;

use super::semantics::{check_right, compiled_with};
use super::{fingerprint, is_installed, memonet, stderr, stdout};

/// Runs installed programs on the model twice and in lockstep; the output of both.
fn runs(program: &str, line: &str) -> Option<String> {
    if !is_installed(program) {
        eprintln!("NOT TESTED: there is no {program} (ci/install verbs)");
        return None;
    }
    let output = memonet(&format!("-- {line}"));
    let first = fingerprint(&output);
    assert_eq!(first, fingerprint(&memonet(&format!("-- {line}"))), "{line} repeats itself");
    if cfg!(feature = "rtl") {
        assert_eq!(first, fingerprint(&memonet(&format!("--nic lockstep -- {line}"))), "{line} in lockstep");
    }
    Some(stdout(&output))
}

/// Runs a program of `testbench/verbs` for librdmacm, with an argument for each host, on the model twice and in
/// lockstep; its arguments for `memonet verbs` and its fingerprint.
fn judges(folder: &Path, name: &str, arguments: [&str; 2]) -> Option<(String, String)> {
    if !Path::new("/usr/include/rdma/rdma_cma.h").exists() {
        eprintln!("NOT TESTED: there is no rdma/rdma_cma.h (Debian package librdmacm-dev)");
        return None;
    }
    let program = compiled_with(name, folder, &["-lrdmacm"])?;
    let [one, other] = arguments.map(|argument| format!("{} {argument}", program.display()));
    let line = format!("-- {one} : {other}");
    let first = check_right(&memonet(&line), name, 2);
    assert_eq!(first, check_right(&memonet(&line), name, 2));
    if cfg!(feature = "rtl") {
        let lockstep = memonet(&format!("--nic lockstep {line}"));
        assert_eq!(first, check_right(&lockstep, name, 2), "in lockstep");
    }
    Some((line, first))
}

#[test]
fn calls_and_events_of_connections_are_those_of_the_manuals() {
    let folder = tempfile::tempdir().unwrap();
    let Some((line, first)) = judges(folder.path(), "connections", ["server", "client"]) else { return };
    // Lost datagrams are sent again.
    let lost = memonet(&format!("--lose 5% --limit 5s {line}"));
    assert_ne!(first, check_right(&lost, "connections", 2));
}

#[test]
fn members_of_multicast_groups_get_what_is_sent_to_them() {
    let folder = tempfile::tempdir().unwrap();
    judges(folder.path(), "memberships", ["one", "two"]);
}

#[test]
fn connections_and_datagrams_of_rdmacm_utils_are_made() {
    for program in ["ucmatose", "udaddy"] {
        let Some(printed) = runs(program, &format!("{program} : {program} -s 10.0.0.1")) else { return };
        assert_eq!(printed.matches("data transfers complete").count(), 2, "{printed}");
        assert_eq!(printed.matches("return status 0").count(), 2, "{printed}");
    }
    let Some(printed) = runs("rdma_server", "rdma_server : rdma_client -s localhost") else { return };
    assert!(printed.contains("rdma_server: end 0") && printed.contains("rdma_client: end 0"), "{printed}");
}

#[test]
fn rping_sends_what_it_reads() {
    if !is_installed("rping") {
        eprintln!("NOT TESTED: there is no rping (ci/install verbs)");
        return;
    }
    let output = memonet("-- rping -s -C 3 -v : rping -c -a 10.0.0.1 -C 3 -v");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let printed = stdout(&output);
    assert_eq!(printed.matches("ping data: rdma-ping-2: CDEF").count(), 2, "{printed}");
}
