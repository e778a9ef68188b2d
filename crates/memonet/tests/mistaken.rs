//! What programs do wrong with MPI: an error class, and words that name rank, function and place; never a hang.

use std::time::{Duration, Instant};

use crate::{compiled, run, source, stderr};

/// A case of `wrong.c` on two ranks: its exit code, and what is said.
fn wrong(case: &str, machine: &str) -> (Option<i32>, String) {
    let program = compiled("wrong", &format!("{machine}-{case}"));
    let begun = Instant::now();
    let output = run(&["-np", "2", "--machine", machine], &program, &[case]);
    assert!(begun.elapsed() < Duration::from_secs(60), "{case} takes too long");
    (output.status.code(), stderr(&output))
}

/// The same, where it ends with this code and says this; all that is said.
fn ends(case: &str, machine: &str, with: i32, says: &str) -> String {
    let (code, told) = wrong(case, machine);
    assert_eq!(code, Some(with), "{case}: {told}");
    assert!(told.contains(says), "{case}: {told}");
    told
}

/// The line of testbench/mpi/wrong.c that holds this text.
fn line_of(text: &str) -> usize {
    let source = std::fs::read_to_string(source("wrong")).unwrap();
    1 + source.lines().position(|line| line.contains(text)).unwrap()
}

#[test]
fn ranks_that_wait_for_each_other_are_named_at_once() {
    for options in [
        &["--machine", "memory"][..],
        &["--machine", "gigae_pm"],
        &["--machine", "gigae_pm", "--carrier", "tcp"],
    ] {
        let program = compiled("wrong", &format!("{}-deadlock", options.last().unwrap()));
        let output = run(&[&["-np", "2"], options].concat(), &program, &["deadlock"]);
        let (code, told) = (output.status.code(), stderr(&output));
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains("deadlock") && told.contains("0 -> 1 -> 0"), "{told}");
        let place = format!("wrong.c:{} in main", line_of("\"deadlock\"") + 1);
        assert!(told.contains(&format!("{place} for a message of rank 0, tag 3")), "{told}");
    }
}

#[test]
fn calls_are_trace_events_and_one_that_never_ends_has_a_beginning() {
    let file = crate::FOLDER.path().join("calls.json");
    let program = compiled("wrong", "trace");
    let output = run(&["-np", "2", "--trace", file.to_str().unwrap()], &program, &["deadlock"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |phase: &str| {
        let of = events.iter().filter(|event| event["ph"] == phase);
        of.map(|event| (event["tid"].as_u64().unwrap(), event["name"].as_str().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(of("M"), [(0, "thread_name"), (1, "thread_name")]);
    assert!(of("X").contains(&(1, "MPI_Init")), "{events:?}");
    assert_eq!(of("B").len(), 2);
    assert!(of("B").iter().all(|(_, name)| *name == "MPI_Recv"), "{events:?}");
}

#[test]
fn errors_of_a_call_end_the_run_with_their_class_and_name_function_and_rank() {
    let cases = [
        ("handle", 5, "rank 0: MPI_Send: 0x7777 is no communicator"),
        ("count", 2, "rank 0: MPI_Send: a count of -1 is below zero"),
        ("rank", 6, "rank 0: MPI_Send: there is no rank 2 among 2"),
        ("uncommitted", 3, "rank 0: MPI_Send: the datatype was not committed"),
        ("truncation", 15, "rank 1: MPI_Recv: a message of 16 bytes came where at most 8 were expected"),
        ("freed", 7, "is no request"),
        ("overlap", 3, "rank 0: MPI_Sendrecv: places of the datatype overlap, where something is received"),
        ("missing", 55, "rank 0: MPI_Win_fence is not there; docs/mpi.md lists the functions that are"),
    ];
    for (case, class, says) in cases {
        let told = ends(case, "memory", class, says);
        let place = format!("wrong.c:{}", line_of(&format!("\"{case}\"")) + 1);
        // Some need several lines.
        let later = ["uncommitted", "truncation", "freed", "overlap"].contains(&case);
        assert!(later || told.contains(&place), "{case}: {told}");
    }
    let (code, told) = wrong("returned", "memory");
    assert_eq!(code, Some(0), "an error handler that returns lets the program go on: {told}");
}

#[test]
fn ranks_that_end_as_they_should_not_are_named() {
    let cases = [
        ("crash", 139, "rank 1 was ended by signal 11 (SIGSEGV), after MPI_Init, its call 1"),
        ("abort", 42, "rank 1 called MPI_Abort with code 42"),
        ("no-finalize", 1, "MPI_Finalize was not called: rank 1 ended with exit code 0"),
    ];
    for (case, exit, says) in cases {
        ends(case, "memory", exit, says);
    }
    assert_eq!(wrong("code", "memory").0, Some(7), "the exit code is that of the rank");
}

#[test]
fn program_that_waits_for_a_clock_gets_there() {
    let (code, told) = wrong("clock", "memory");
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn collective_calls_that_do_not_belong_together_are_told_apart() {
    let cases = [
        ("function", 16, "rank 1: MPI_Reduce: rank 0 is in MPI_Bcast, where this rank is in MPI_Reduce"),
        ("split", 16, "rank 1: MPI_Barrier: rank 0 is in MPI_Comm_dup, where this rank is in MPI_Barrier"),
        ("root", 8, "rank 1: MPI_Bcast: root 1 is given, and rank 0 gives root 0"),
        ("length", 2, "rank 1: MPI_Bcast: 8 bytes are given, and rank 0 gives 4"),
        ("operation", 10, "rank 1: MPI_Allreduce: rank 0 gives another operation"),
    ];
    for machine in ["memory", "dimmnet2"] {
        for (case, class, says) in cases {
            ends(case, machine, class, says);
        }
    }
}
