//! One-sided communication: all functions on all machines, and misuse.

use super::{compiled, fingerprint, right, run, stderr};

#[test]
fn windows_are_right_on_cards_and_boards() {
    right("windows", "gigae_pm", &[2]);
    right("windows", "dimmnet2", &[3]);
    right("windows", "cenju3", &[2]);
    right("windows", "hca", &[3]);
}

#[test]
fn accesses_to_allocated_memory_are_right_on_all_machines() {
    right("accesses", "memory", &[1, 3]);
    right("accesses", "gigae_pm", &[2]);
    right("accesses", "dimmnet2", &[3]);
    right("accesses", "cenju3", &[2]);
    right("accesses", "hca", &[3]);
}

#[test]
fn accesses_are_right_by_messages_too_and_take_another_time() {
    let program = compiled("accesses", "one_sided");
    for machine in [&["dimmnet2"][..], &["dimmnet2", "--carrier", "rvs"], &["hca"]] {
        let ran = ["native", "messages"].map(|path| {
            let options = ["-np", "2", "--one-sided", path, "--machine"];
            let output = run(&[&options, machine].concat(), &program, &[]);
            fingerprint(&output, "accesses: right on 2\n")
        });
        assert_ne!(ran[0], ran[1], "{machine:?}");
    }
}

#[test]
fn windows_are_right_on_other_carriers_and_lossy_wires() {
    let program = compiled("windows", "carriers");
    for options in [
        &["--machine", "gigae_pm", "--carrier", "tcp"][..],
        &["--machine", "gigae_pm", "--lose", "2%"],
        &["--machine", "dimmnet2", "--carrier", "rvs"],
    ] {
        let output = run(&[&["-np", "2"], options].concat(), &program, &[]);
        fingerprint(&output, "windows: right on 2\n");
    }
}

#[test]
#[ignore = "slow; make slow"]
#[cfg(feature = "rtl")]
fn windows_are_right_in_lockstep() {
    for (name, said) in [("windows", "windows: right on 2\n"), ("accesses", "accesses: right on 2\n")] {
        let program = compiled(name, "lockstep");
        for machine in ["dimmnet2", "hca"] {
            let ran = ["model", "lockstep"].map(|nic| {
                let output = run(&["-np", "2", "--machine", machine, "--nic", nic], &program, &[]);
                fingerprint(&output, said)
            });
            assert_eq!(ran[0], ran[1], "{name} on {machine}");
        }
    }
}

#[test]
fn misused_windows_end_the_run_and_name_the_call() {
    let program = compiled("windows_misused", "misused");
    for (what, code, words) in [
        ("unmapped", 13, &["MPI_Win_create: the memory of the window cannot be accessed"][..]),
        ("outside", 50, &["rank 0: MPI_Put: an access outside of an epoch"]),
        (
            "twice",
            1,
            &["deadlock", "rank 0 waits in MPI_Win_lock", "for rank 1 to grant a lock of its memory"],
        ),
        ("start", 50, &["rank 0: MPI_Win_free: an access epoch of this rank is open"]),
        ("fence", 16, &["MPI_Win_free", "MPI_Win_fence"]),
        ("dies", 137, &["rank 1 was ended by signal 9 (SIGKILL), after MPI_Win_lock_all"]),
        ("ends", 3, &["MPI_Finalize was not called", "rank 1 ended with exit code 3"]),
    ] {
        let output = run(&["-np", "2"], &program, &[what]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{what}: {text}");
        for words in words {
            assert!(text.contains(words), "{what}: {text}");
        }
    }
}
