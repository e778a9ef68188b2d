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

#[test]
fn calls_and_events_of_connections_are_those_of_the_manuals() {
    if !Path::new("/usr/include/rdma/rdma_cma.h").exists() {
        eprintln!("NOT TESTED: there is no rdma/rdma_cma.h (Debian package librdmacm-dev)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled_with("connections", folder.path(), &["-lrdmacm"]) else { return };
    let line = format!("-- {0} server : {0} client", program.display());
    let first = check_right(&memonet(&line), "connections", 2);
    assert_eq!(first, check_right(&memonet(&line), "connections", 2));
    if cfg!(feature = "rtl") {
        let lockstep = memonet(&format!("--nic lockstep {line}"));
        assert_eq!(first, check_right(&lockstep, "connections", 2), "in lockstep");
    }
    // Lost datagrams are sent again.
    let lost = memonet(&format!("--lose 5% --limit 5s {line}"));
    assert_ne!(first, check_right(&lost, "connections", 2));
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

#[test]
fn multicast_groups_are_refused() {
    if !is_installed("mckey") {
        eprintln!("NOT TESTED: there is no mckey (ci/install verbs)");
        return;
    }
    let output = memonet("-- mckey -m 239.0.0.1 : mckey -m 239.0.0.1 -s");
    let all = stdout(&output) + &stderr(&output);
    assert_eq!(all.matches("Operation not supported").count(), 2, "{all}");
}
