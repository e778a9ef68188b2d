//! Errors of programs in MPI calls: an error class and a text with rank, function and place; never a hang.

use std::time::{Duration, Instant};

use crate::{compiled, run, source, stderr};

/// Runs a case of `wrong.c` on two ranks: exit code and standard error.
fn wrong(case: &str, machine: &str) -> (Option<i32>, String) {
    let program = compiled("wrong", &format!("{machine}-{case}"));
    let begun = Instant::now();
    let output = run(&["-np", "2", "--machine", machine, "--strict"], &program, &[case]);
    assert!(begun.elapsed() < Duration::from_secs(60), "{case} takes too long");
    (output.status.code(), stderr(&output))
}

/// Runs a case that ends with this exit code and prints this text; its standard error.
fn ends(case: &str, machine: &str, with: i32, expected: &str) -> String {
    let (code, error) = wrong(case, machine);
    assert_eq!(code, Some(with), "{case}: {error}");
    assert!(error.contains(expected), "{case}: {error}");
    error
}

/// Number of the line of testbench/mpi/wrong.c with this text.
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
        let (code, error) = (output.status.code(), stderr(&output));
        assert_eq!(code, Some(1), "{error}");
        assert!(error.contains("deadlock") && error.contains("0 -> 1 -> 0"), "{error}");
        let place = format!("wrong.c:{} in main", line_of("\"deadlock\"") + 1);
        assert!(error.contains(&format!("{place} for a message of rank 0, tag 3")), "{error}");
    }
}

/// Threads and names of the trace events of each phase, in a run with an argument that ends with this code.
fn trace_events(case: &str, code: i32) -> impl Fn(&str) -> Vec<(u64, String)> {
    let file = crate::FOLDER.path().join(format!("{case}.json"));
    let program = compiled("wrong", &format!("trace-{case}"));
    let output = run(&["-np", "2", "--trace", file.to_str().unwrap()], &program, &[case]);
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    move |phase| {
        let of = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == phase);
        of.map(|event| (event["tid"].as_u64().unwrap(), event["name"].as_str().unwrap().to_owned())).collect()
    }
}

#[test]
fn trace_events_of_a_run_that_ends_have_ends() {
    let of = trace_events("clock", 0);
    assert_eq!(of("B"), []);
    for rank in [0, 1] {
        assert!(of("X").contains(&(rank, "MPI_Finalize".to_owned())), "{:?}", of("X"));
    }
}

#[test]
fn calls_are_trace_events_and_an_endless_one_has_a_start() {
    let of = trace_events("deadlock", 1);
    assert_eq!(of("M"), [0, 1].map(|rank| (rank, "thread_name".to_owned())));
    assert!(of("X").contains(&(1, "MPI_Init".to_owned())), "{:?}", of("X"));
    assert_eq!(of("B").len(), 2);
    assert!(of("B").iter().all(|(_, name)| name == "MPI_Recv"), "{:?}", of("B"));
}

#[test]
fn error_ends_the_run_with_its_class_function_and_rank() {
    let cases = [
        ("handle", 5, "rank 0: MPI_Send: 0x7777 is no communicator"),
        ("count", 2, "rank 0: MPI_Send: a count of -1 is below zero"),
        ("rank", 6, "rank 0: MPI_Send: there is no rank 2 among 2"),
        ("uncommitted", 3, "rank 0: MPI_Send: the datatype was not committed"),
        ("truncation", 15, "rank 1: MPI_Recv: a message of 16 bytes came where at most 8 were expected"),
        ("freed", 7, "is no request"),
        ("overlap", 3, "rank 0: MPI_Sendrecv: places of the datatype overlap, where something is received"),
        ("socket", 13, "rank 0: MPI_Comm_join: the file descriptor is no socket to another process"),
    ];
    for (case, class, expected) in cases {
        let error = ends(case, "memory", class, expected);
        let place = format!("wrong.c:{}", line_of(&format!("\"{case}\"")) + 1);
        // Some cases take several lines.
        let later = ["uncommitted", "truncation", "freed", "overlap", "socket"].contains(&case);
        assert!(later || error.contains(&place), "{case}: {error}");
    }
    let (code, error) = wrong("returned", "memory");
    assert_eq!(code, Some(0), "an error handler that returns lets the program go on: {error}");
}

#[test]
fn ranks_that_end_early_are_named() {
    let cases = [
        ("crash", 139, "rank 1 was ended by signal 11 (SIGSEGV), after MPI_Init, its call 1"),
        ("abort", 42, "rank 1 called MPI_Abort with code 42"),
        ("no-finalize", 1, "MPI_Finalize was not called: rank 1 ended with exit code 0"),
    ];
    for (case, exit, expected) in cases {
        ends(case, "memory", exit, expected);
    }
    assert_eq!(wrong("code", "memory").0, Some(7), "the exit code is that of the rank");
}

#[test]
fn program_that_polls_a_clock_ends() {
    let (code, error) = wrong("clock", "memory");
    assert_eq!(code, Some(0), "{error}");
}

#[test]
fn mismatched_collective_calls_are_errors() {
    let cases = [
        ("function", 16, "rank 1: MPI_Reduce: rank 0 is in MPI_Bcast, where this rank is in MPI_Reduce"),
        ("split", 16, "rank 1: MPI_Barrier: rank 0 is in MPI_Comm_dup, where this rank is in MPI_Barrier"),
        ("root", 8, "rank 1: MPI_Bcast: root 1 is given, and rank 0 gives root 0"),
        ("length", 2, "rank 1: MPI_Bcast: 8 bytes are given, and rank 0 gives 4"),
        ("operation", 10, "rank 1: MPI_Allreduce: rank 0 gives another operation"),
    ];
    for machine in ["memory", "dimmnet2"] {
        for (case, class, expected) in cases {
            ends(case, machine, class, expected);
        }
    }
}
