//! Misbehaving ranks: exits, crashes, invalid data in the slot. The run ends with one sentence and leaves no process.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::{FOLDER, compiled, memonet, run, stderr};

/// Limit for a run and for the end of its processes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Runs a case of `abuse.c` on two ranks, and checks that it leaves no process.
fn abuse(name: &str, case: &[&str]) -> Output {
    let program = compiled("abuse", name);
    let begun = Instant::now();
    let output = run(&["-np", "2"], &program, case);
    assert!(begun.elapsed() < TIMEOUT, "{case:?} takes too long");
    wait_until_gone(&program);
    output
}

/// Waits until no process of this program is left.
fn wait_until_gone(program: &Path) {
    let name = program.file_name().unwrap().to_str().unwrap();
    let alive = || {
        let running = |entry: std::fs::DirEntry| {
            std::fs::read_to_string(entry.path().join("cmdline")).is_ok_and(|line| line.contains(name))
        };
        std::fs::read_dir("/proc").unwrap().flatten().any(running)
    };
    let begun = Instant::now();
    while alive() {
        assert!(begun.elapsed() < TIMEOUT, "a rank is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn ended_rank_is_named_with_its_last_call() {
    let cases = [
        ("exit", 1, "MPI_Finalize was not called: rank 1 ended with exit code 0, after MPI_Init, its call 1"),
        ("exit-code", 9, "MPI_Finalize was not called: rank 1 ended with exit code 9"),
        ("kill", 137, "rank 1 was ended by signal 9 (SIGKILL), after MPI_Init, its call 1"),
        ("null", 139, "rank 1 was ended by signal 11 (SIGSEGV), after MPI_Init, its call 1"),
    ];
    for (case, code, expected) in cases {
        let output = abuse("ends", &[case]);
        assert_eq!(output.status.code(), Some(code), "{case}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{case}: {}", stderr(&output));
    }
}

#[test]
fn invalid_data_in_a_slot_ends_the_run() {
    let cases = [
        (&["turn", "77"][..], "turn 77 is not defined"),
        (&["turn", "1"], "rank 1"),
        (&["garbage", "1"], "rank 1 wrote an invalid call into its slot"),
        (&["garbage", "100"], "rank 1 wrote an invalid call into its slot"),
        (&["garbage", "1000000"], "rank 1 wrote an invalid call into its slot"),
        (
            &["garbage", "5000000000"],
            "the slot of rank 1: a message of 5000000000 bytes, more than 4294967296",
        ),
        (&["garbage", "-1"], "the slot of rank 1: a message of 18446744073709551615 bytes"),
    ];
    for (case, expected) in cases {
        let output = abuse("slot", case);
        let error = stderr(&output);
        assert!(!output.status.success() && error.contains(expected), "{case:?}: {error}");
        assert!(!error.contains("panicked"), "{case:?}: {error}");
    }
}

#[test]
fn rank_that_closes_its_descriptors_or_shrinks_its_slot_goes_on() {
    for case in ["close", "shrink"] {
        let output = abuse("goes-on", &[case]);
        assert_eq!(output.status.code(), Some(0), "{case}: {}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "abuse: right on 2\n", "{case}");
    }
}

#[test]
fn children_of_a_rank_are_no_ranks_and_end_with_the_run() {
    for case in ["fork", "orphan"] {
        let output = abuse("children", &[case]);
        assert_eq!(output.status.code(), Some(0), "{case}: {}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "abuse: right on 2\n", "{case}");
        let is_refused =
            stderr(&output).contains("MPI_Barrier: this process is no rank: a rank has forked it");
        assert_eq!(is_refused, case == "fork", "{}", stderr(&output));
    }
}

#[test]
fn signal_ends_a_run_and_names_the_rank_that_does_not_call() {
    for case in [&["spin"][..], &["stop"], &["garbage", "2000000"]] {
        let program = compiled("abuse", &format!("signal-{}", case[0]));
        let mut command = memonet();
        command.args(["mpirun", "-np", "2"]).arg(&program).args(case);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{case:?}: {}", stderr(&output));
        let expected = "ended by a signal; interrupted while rank 1 ran, after MPI_Init, its call 1";
        assert!(stderr(&output).contains(expected), "{case:?}: {}", stderr(&output));
        wait_until_gone(&program);
    }
}

#[test]
fn rank_that_polls_forever_is_ended_by_the_limit() {
    let program = compiled("abuse", "limit");
    for machine in ["memory", "gigae_pm", "dimmnet2"] {
        let output = run(&["-np", "2", "--machine", machine, "--limit", "1ms"], &program, &["poll"]);
        assert_eq!(output.status.code(), Some(1), "{machine}: {}", stderr(&output));
        assert!(stderr(&output).contains("--limit"), "{machine}: {}", stderr(&output));
    }
    wait_until_gone(&program);
}

#[test]
fn long_output_of_a_rank_arrives() {
    let output = abuse("print", &["print", "200000"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(output.stdout.len(), 200_000 * 65 + "abuse: right on 2\n".len());
}

#[test]
fn program_for_another_processor_cannot_be_run() {
    let program = FOLDER.path().join("foreign");
    let mut own = std::fs::read("/bin/true").unwrap();
    // Bytes 18 and 19 of the header are the processor (System V ABI, figure 4-3); 8 is MIPS.
    own[18..20].copy_from_slice(&[8, 0]);
    std::fs::write(&program, own).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = run(&["-np", "2"], &program, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("it is for another processor than this one"), "{}", stderr(&output));
}

#[test]
fn ctrl_c_names_the_call_of_a_rank_that_polls() {
    let program = compiled("abuse", "interrupted");
    let mut command = memonet();
    command.args(["mpirun", "-np", "2"]).arg(&program).arg("poll").stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(stderr(&output).contains("rank 1 is in MPI_Iprobe"), "{}", stderr(&output));
}

#[test]
fn ctrl_c_ends_all_ranks() {
    let program = compiled("wrong", "for-ever");
    let mut child = memonet()
        .args(["mpirun", "-np", "2"])
        .arg(&program)
        .arg("for-ever")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(2));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait_until_gone(&program);
}
