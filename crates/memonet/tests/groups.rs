//! Groups that find each other: intercommunicators, ports, and processes that ranks start on spare hosts.

use std::path::Path;

use crate::{compiled, fingerprint, fortran, run, stderr};

#[test]
fn ranks_start_processes_on_spare_hosts() {
    for (machine, ranks) in [("memory", 1), ("memory", 3), ("gigae_pm", 2), ("dimmnet2", 2)] {
        let program = compiled("spawn", &format!("{machine}-{ranks}"));
        let [count, hosts] = [ranks, ranks + 2].map(|count| count.to_string());
        let once = || {
            let options = ["-np", &count, "--universe", &hosts, "--machine", machine];
            fingerprint(&run(&options, &program, &[]), &format!("spawn: right on {ranks}\n"))
        };
        assert_eq!(once(), once(), "{ranks} ranks of {machine}");
    }
}

#[test]
fn fortran_programs_connect_and_start_processes() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testbench/mpi/worlds.f90");
    let Some(program) = fortran::compiled(&source, "worlds") else { return };
    fingerprint(&run(&["-np", "2", "--universe", "4"], &program, &[]), "worlds: right on 2\n");
}

#[test]
fn spare_hosts_do_not_keep_a_run_alive_or_change_its_output() {
    let program = compiled("ring", "spare");
    let output = run(&["-np", "2", "--universe", "5"], &program, &[]);
    fingerprint(&output, "ring: right on 2\n");
    let program = compiled("wrong", "spare");
    let output = run(&["-np", "2", "--universe", "5"], &program, &["deadlock"]);
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("0 -> 1 -> 0") && !error.contains("rank 2"), "{error}");
}

#[test]
fn universe_has_the_ranks_and_no_profile() {
    let program = compiled("ring", "universe");
    for (options, reason) in [
        (&["--universe", "1"][..], "there are 2 to 1024 hosts"),
        (&["--universe", "65", "--machine", "hca"], "there are 2 to 64 hosts"),
        (&["--universe", "3", "--compute", "profile=no-file"], "cannot be used with"),
    ] {
        let output = run(&[&["-np", "2"], options].concat(), &program, &[]);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
}

#[test]
fn errors_between_groups_name_rank_function_and_peer() {
    let program = compiled("wrong_groups", "memory");
    let cases = [
        ("root", 8, "rank 1: MPI_Bcast: this rank and rank 0 give roots in different groups"),
        ("length", 2, "rank 1: MPI_Bcast: 0 bytes are given, and rank 0 gives 4"),
        (
            "function",
            16,
            "rank 1: MPI_Intercomm_merge: rank 0 is in MPI_Barrier, where this rank is in MPI_Int",
        ),
        ("deadlock", 1, "for a message of rank 0 of the remote group, tag 3"),
        ("no client", 1, "rank 0 waits in MPI_Comm_accept at "),
        ("no leader", 1, "rank 0 waits in MPI_Intercomm_create at "),
        ("leader", 6, "MPI_Intercomm_create: there is no rank 1 among 1"),
    ];
    for (case, code, expected) in cases {
        let output = run(&["-np", "2"], &program, &[case]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{case}: {error}");
        assert!(error.contains(expected), "{case}: {error}");
    }
}
