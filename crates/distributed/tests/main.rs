//! The example `cluster` under the mpirun of this machine. `make distributed` runs this; it takes Open MPI.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Seconds after which mpirun ends a run that waits for somebody who is gone. All runs here take a few at most.
const PATIENCE: &str = "60";

/// One run at a time: four processes are more than most machines have for a second run.
static TURN: Mutex<()> = Mutex::new(());

/// The example, which Cargo builds with the tests.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let example = test.parent().and_then(Path::parent).unwrap().join("examples/cluster");
    assert!(example.exists(), "type `cargo build -p distributed --features mpi --example cluster`");
    example
}

/// What processes of these programs with these arguments do together.
fn mpirun(programs: &[(usize, &Path)], arguments: &[&str]) -> Output {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new("mpirun");
    // Root runs tests in containers, and there are fewer processors than processes.
    command.args(["--allow-run-as-root", "--oversubscribe", "--timeout", PATIENCE]);
    for (n, (processes, program)) in programs.iter().enumerate() {
        command
            .args((n > 0).then_some(":"))
            .args(["-n", &processes.to_string()])
            .arg(program)
            .args(arguments);
    }
    command.output().expect("mpirun runs; `ci/install distributed` installs it")
}

/// What process 0 prints, and only it, in a run that goes well.
fn printed(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// How a run of four processes fails: exit code, and what it says.
fn failure(arguments: &[&str]) -> (i32, String) {
    let output = mpirun(&[(4, &example())], arguments);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn same_on_one_thread_and_on_processes(machine: &str, nodes: &str) {
    let arguments = [machine, nodes];
    let once = printed(Command::new(example()).args(arguments).output().unwrap());
    assert!(once.contains("fingerprint"), "{once}");
    for processes in [1, 2, 4] {
        let ran = printed(mpirun(&[(processes, &example())], &arguments));
        assert_eq!(ran, once, "{processes} processes");
    }
}

#[test]
fn ring_is_the_same_on_processes() {
    same_on_one_thread_and_on_processes("ring", "80");
}

#[test]
fn network_of_two_switches_is_the_same_on_processes() {
    same_on_one_thread_and_on_processes("ring-of-two-switches", "18");
}

#[test]
fn dimmnet_2_is_the_same_on_processes() {
    same_on_one_thread_and_on_processes("dimmnet2", "10");
}

#[test]
fn gigae_pm_is_the_same_on_processes() {
    same_on_one_thread_and_on_processes("gigae_pm", "10");
}

#[test]
fn process_that_exits_ends_all_and_mpirun_names_it() {
    let (code, says) = failure(&["ring", "80", "exits-3"]);
    assert_eq!(code, 3, "{says}");
    // The job, and in it the process.
    assert!(says.contains(",1],2]") && says.contains("Exit code:    3"), "{says}");
    let (code, says) = failure(&["ring", "80", "exits-0"]);
    assert!(code != 0 && says.contains("process rank 2"), "{code}: {says}");
}

#[test]
fn process_that_is_killed_ends_all_and_mpirun_names_it() {
    let (code, says) = failure(&["ring", "80", "killed"]);
    assert!(code != 0 && says.contains("process rank 2") && says.contains("signal 9"), "{code}: {says}");
}

#[test]
fn process_that_panics_ends_all_and_is_named() {
    let (code, says) = failure(&["ring", "80", "panics"]);
    assert!(code == 101 && says.contains("on purpose") && says.contains("on rank 2"), "{code}: {says}");
}

#[test]
fn device_that_stops_is_named_with_its_process() {
    let (code, says) = failure(&["ring", "80", "device-stops"]);
    assert!(
        code == 1 && says.contains("node 40") && says.contains("in process 2: the card is worn"),
        "{says}"
    );
    let (code, says) = failure(&["ring", "80", "no-device"]);
    assert!(
        code == 1 && says.contains("node 40") && says.contains("in process 2: there is no card"),
        "{says}"
    );
}

#[test]
fn programs_of_all_processes_that_wait_in_vain_are_named() {
    let (code, says) = failure(&["ring", "80", "stalls"]);
    assert!(
        code == 1 && says.contains("nothing can happen") && says.contains("`mishap` on node 40"),
        "{says}"
    );
    let (code, says) = failure(&["ring", "80", "limit"]);
    assert!(code == 1 && says.contains("limit of 20.0") && says.contains("`sender` on node 0"), "{says}");
}

#[test]
fn processes_with_other_arguments_are_refused() {
    let (code, says) = failure(&["ring", "80", "other-network"]);
    assert!(code == 2 && says.contains("process 2 has another network"), "{code}: {says}");
    let (code, says) = failure(&["ring", "80", "other-workload"]);
    assert!(code == 2 && says.contains("process 2 has another workload"), "{code}: {says}");
}

#[test]
fn process_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("cluster");
    fs::copy(example(), &other).unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"a later build").unwrap();
    let output = mpirun(&[(1, &example()), (1, &other)], &["ring", "80"]);
    let says = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{says}");
    assert!(says.contains("process 1 is of another version"), "{says}");
}

#[test]
fn more_processes_than_parts_are_refused() {
    let (code, says) = failure(&["ring", "3"]);
    assert!(code == 2 && says.contains("no more than 3 parts; 4 processes are too many"), "{code}: {says}");
    let (code, says) = failure(&["back-to-back", "2"]);
    assert!(code == 2 && says.contains("no more than 1 part"), "{code}: {says}");
}

#[test]
fn process_that_leaves_in_order_does_not_keep_the_others_waiting() {
    let once = printed(Command::new(example()).args(["ring", "80"]).output().unwrap());
    assert_eq!(printed(mpirun(&[(4, &example())], &["ring", "80", "first-leaves"])), once);
}

#[test]
fn mpirun_of_another_mpi_is_recognised() {
    let mut alone = Command::new(example());
    let output = alone.args(["ring", "80"]).envs([("PMI_RANK", "1"), ("PMI_SIZE", "4")]).output().unwrap();
    let says = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{says}");
    assert!(says.contains("started 4 processes, but MPI finds 1"), "{says}");
}
