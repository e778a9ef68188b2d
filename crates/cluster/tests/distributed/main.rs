//! The example `distributed` under the mpirun of this computer. `make distributed` runs these tests; they need Open MPI.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Seconds after which mpirun ends a run; all runs here take a few.
const TIMEOUT: &str = "60";

/// Held during a run: most computers have no processors for a second one.
static RUN: Mutex<()> = Mutex::new(());

/// Path of the example, which Cargo builds with the tests.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let example = test.parent().and_then(Path::parent).unwrap().join("examples/distributed");
    assert!(example.exists(), "type `cargo build -p cluster --features distributed --example distributed`");
    example
}

/// Runs processes of these programs together, with these arguments.
fn mpirun(programs: &[(usize, &Path)], arguments: &[&str]) -> Output {
    let _run = RUN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new("mpirun");
    // Containers run tests as root, on fewer processors than processes.
    command.args(["--allow-run-as-root", "--oversubscribe", "--timeout", TIMEOUT]);
    for (n, (processes, program)) in programs.iter().enumerate() {
        command
            .args((n > 0).then_some(":"))
            .args(["-n", &processes.to_string()])
            .arg(program)
            .args(arguments);
    }
    command.output().expect("mpirun runs; `ci/install distributed` installs it")
}

/// Standard output of a run with exit code 0.
fn printed(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and standard error of a run of four processes that fails.
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
fn process_that_exits_ends_all_and_mpirun_names_it() {
    let (code, error) = failure(&["ring", "80", "exits-3"]);
    assert_eq!(code, 3, "{error}");
    // Open MPI prints job and process.
    assert!(error.contains(",1],2]") && error.contains("Exit code:    3"), "{error}");
    let (code, error) = failure(&["ring", "80", "exits-0"]);
    assert!(code != 0 && error.contains("process rank 2"), "{code}: {error}");
}

#[test]
fn process_that_is_killed_ends_all_and_mpirun_names_it() {
    let (code, error) = failure(&["ring", "80", "killed"]);
    assert!(code != 0 && error.contains("process rank 2") && error.contains("signal 9"), "{code}: {error}");
}

#[test]
fn process_that_panics_ends_all_and_is_named() {
    let (code, error) = failure(&["ring", "80", "panics"]);
    assert!(code == 101 && error.contains("on purpose") && error.contains("on rank 2"), "{code}: {error}");
}

#[test]
fn device_that_stops_is_named_with_its_process() {
    let (code, error) = failure(&["ring", "80", "device-stops"]);
    assert!(
        code == 1 && error.contains("node 40") && error.contains("in process 2: the card is worn"),
        "{error}"
    );
    let (code, error) = failure(&["ring", "80", "no-device"]);
    assert!(
        code == 1 && error.contains("node 40") && error.contains("in process 2: there is no card"),
        "{error}"
    );
}

#[test]
fn waiting_programs_of_all_processes_are_named() {
    let (code, error) = failure(&["ring", "80", "stalls"]);
    assert!(
        code == 1 && error.contains("nothing can happen") && error.contains("`failure` on node 40"),
        "{error}"
    );
    let (code, error) = failure(&["ring", "80", "limit"]);
    assert!(code == 1 && error.contains("limit of 20.0") && error.contains("`sender` on node 0"), "{error}");
}

#[test]
fn processes_with_other_arguments_are_refused() {
    let (code, error) = failure(&["ring", "80", "other-network"]);
    assert!(code == 2 && error.contains("process 2 has another network"), "{code}: {error}");
    let (code, error) = failure(&["ring", "80", "other-workload"]);
    assert!(code == 2 && error.contains("process 2 has another workload"), "{code}: {error}");
}

#[test]
fn process_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("cluster");
    fs::copy(example(), &other).unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"a later build").unwrap();
    let output = mpirun(&[(1, &example()), (1, &other)], &["ring", "80"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("process 1 is of another version"), "{error}");
}

#[test]
fn more_processes_than_parts_are_refused() {
    let (code, error) = failure(&["ring", "3"]);
    assert!(code == 2 && error.contains("no more than 3 parts; 4 processes are too many"), "{code}: {error}");
    let (code, error) = failure(&["back-to-back", "2"]);
    assert!(code == 2 && error.contains("no more than 1 part"), "{code}: {error}");
}

#[test]
fn process_that_leaves_in_order_does_not_block_the_others() {
    let once = printed(Command::new(example()).args(["ring", "80"]).output().unwrap());
    assert_eq!(printed(mpirun(&[(4, &example())], &["ring", "80", "first-leaves"])), once);
}

#[test]
fn mpirun_of_another_mpi_is_recognised() {
    let mut alone = Command::new(example());
    let output = alone.args(["ring", "80"]).envs([("PMI_RANK", "1"), ("PMI_SIZE", "4")]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("started 4 processes, but MPI finds 1"), "{error}");
}
