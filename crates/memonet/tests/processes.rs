//! `memonet cluster` under mpirun. `make distributed` runs this; it takes Open MPI.

use std::fs;
use std::process::{Command, Output};

/// Seconds after which mpirun ends a run that waits for somebody who is gone.
const PATIENCE: &str = "60";

/// `memonet cluster` with these arguments, in so many processes in each of these folders.
fn mpirun(folders: &[(usize, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "--timeout", PATIENCE]);
    for (n, (processes, folder)) in folders.iter().enumerate() {
        command.args((n > 0).then_some(":"));
        command.args(["-n", &processes.to_string(), "-wdir", folder]);
        command.args([env!("CARGO_BIN_EXE_memonet"), "cluster"]).args(arguments);
    }
    command.output().expect("mpirun runs; `ci/install distributed` installs it")
}

/// What a run prints that goes well.
fn printed(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn processes_print_what_one_thread_prints() {
    for arguments in [
        &["--nodes", "24", "--workload", "uniform", "--messages", "4", "--lose", "1%", "--json"][..],
        &["--nodes", "20", "--workload", "uniform", "--messages", "4", "--load", "0.1,0.5"],
        &["--nodes", "20", "--workload", "incast", "--messages", "5", "--primitive", "lhs", "--size", "200"],
        &["--machine", "gigae_pm", "--nodes", "6", "--workload", "all-to-all", "--messages", "5"],
    ] {
        let mut alone = Command::new(env!("CARGO_BIN_EXE_memonet"));
        let alone = printed(alone.arg("cluster").args(arguments).output().unwrap());
        assert!(alone.contains("fingerprint"), "{alone}");
        for processes in [2, 3] {
            assert_eq!(printed(mpirun(&[(processes, ".")], arguments)), alone, "{processes} processes");
        }
    }
}

#[test]
fn what_is_wrong_for_all_is_said_once() {
    for (arguments, says) in [
        (&["--nodes", "20", "--workload", "uniform", "--primitive", "rdma"][..], "botf, rvs"),
        (&["--nodes", "20", "--workload", "uniform", "--threads", "2"], "one thread each"),
        (&["--nodes", "2", "--workload", "uniform"], "no more than 2 parts"),
        (&["--nodes", "20", "--workload", "nowhere.toml"], "nowhere.toml: it cannot be read"),
    ] {
        let output = mpirun(&[(3, ".")], arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.matches(says).count()), (Some(2), 1), "{errors}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn processes_whose_files_differ_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, contents: Option<&str>| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        contents.map(|contents| fs::write(path.join("load.csv"), contents).unwrap());
        path.to_str().unwrap().to_owned()
    };
    let first = make("first", Some("from,to,bytes\n0,1,8\n"));
    let other = make("other", Some("from,to,bytes\n0,1,16\n"));
    let empty = make("empty", None);
    let arguments = ["--nodes", "8", "--workload", "load.csv"];
    printed(mpirun(&[(2, &first)], &arguments));
    let refused = |folders: &[(usize, &str)], says: &str| {
        let output = mpirun(folders, &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(output.stdout.is_empty() && errors.contains(says), "{errors}");
    };
    refused(&[(1, &first), (1, &other)], "process 1 has another workload");
    refused(&[(1, &first), (1, &empty)], "process 1 refuses");
    refused(&[(1, &empty), (2, &first)], "load.csv: it cannot be read");
}
