//! `memonet mpirun --compute`: what ranks compute, counted once and replayed.

use std::path::Path;

use crate::{FOLDER, compiled, compiled_with, fingerprint, run, stderr};

/// What has the compiler count basic blocks.
const COUNTED: &str = "-fsanitize-coverage=trace-pc";

/// A run with a profile: its exit code, its fingerprint if it has one, and all that is said.
fn profiled(
    options: &[&str],
    profile: &Path,
    program: &Path,
    arguments: &[&str],
) -> (Option<i32>, Option<String>, String) {
    let profile = format!("profile={}", profile.display());
    let output = run(&[options, &["--compute", &profile]].concat(), program, arguments);
    let told = stderr(&output);
    let fingerprint =
        told.lines().last().and_then(|line| line.strip_prefix("fingerprint ")).map(str::to_owned);
    (output.status.code(), fingerprint, told)
}

#[test]
fn what_was_computed_in_one_run_takes_as_long_in_all_later_ones() {
    let (counted, plain) = (compiled_with("cg", "counted", &[COUNTED]), compiled("cg", "plain"));
    let profile = FOLDER.path().join("cg.profile");
    let (code, recorded, told) = profiled(&["-np", "4"], &profile, &counted, &[]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.lines().next().unwrap().contains("computation is recorded in "), "{told}");
    for program in [&counted, &plain, &plain] {
        let (code, replayed, told) = profiled(&["-np", "4"], &profile, program, &[]);
        assert_eq!((code, &replayed), (Some(0), &recorded), "{told}");
        assert!(told.lines().next().unwrap().contains("computation as in "), "{told}");
    }
    let none = fingerprint(&run(&["-np", "4"], &plain, &[]), "cg: right on 4\n");
    assert_ne!(Some(none), recorded);
    let slow = profiled(&["-np", "4", "--rate", "1e6"], &profile, &plain, &[]);
    assert_ne!(slow.1, recorded);
    for machine in ["gigae_pm", "dimmnet2"] {
        let (code, first, told) = profiled(&["-np", "4", "--machine", machine], &profile, &plain, &[]);
        assert_eq!(code, Some(0), "{told}");
        assert_eq!(
            profiled(&["-np", "4", "--machine", machine], &profile, &plain, &[]).1,
            first,
            "{machine}"
        );
    }
    let again = FOLDER.path().join("again.profile");
    assert_eq!(profiled(&["-np", "4", "--machine", "dimmnet2"], &again, &counted, &[]).0, Some(0));
    let [first, second] = [&profile, &again].map(|file| std::fs::read(file).unwrap());
    assert!(first == second, "what is counted on another network is the same, to the byte");
}

#[test]
fn run_that_departs_from_its_profile_ends_and_says_where() {
    let program = compiled_with("ring", "departs", &[COUNTED]);
    let profile = FOLDER.path().join("ring.profile");
    assert_eq!(profiled(&["-np", "3"], &profile, &program, &[]).0, Some(0));
    let refused = |ranks: &str, program: &Path, arguments: &[&str], says: &str| {
        let (code, _, told) = profiled(&["-np", ranks], &profile, program, arguments);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains(says), "{told}");
    };
    refused("2", &program, &[], "it is of 3 ranks, and these are 2");
    refused("3", &program, &["7"], "the arguments of the program were [], and now are [\"7\"]");
    refused("3", &compiled("wrong", "departs"), &[], "call 2 of rank ");
    refused("3", Path::new("/bin/true"), &[], "rank 0 made ");
    let failing = profiled(&["-np", "3"], &profile, &compiled("ping", "departs"), &[]);
    assert!(failing.0 == Some(99) && failing.2.contains("not so: size == 2"), "{}", failing.2);
    let whole = std::fs::read_to_string(&profile).unwrap();
    std::fs::write(&profile, whole.replacen("MPI_Sendrecv", "MPI_Send", 1)).unwrap();
    refused("3", &program, &[], "was MPI_Send, and now is MPI_Sendrecv, at ");
    std::fs::write(&profile, &whole[..whole.len() / 2]).unwrap();
    refused("3", &program, &[], "this is no profile of `--compute`: ");
    assert_eq!(
        std::fs::read_to_string(&profile).unwrap(),
        whole[..whole.len() / 2],
        "the file is left alone"
    );
}

#[test]
fn program_that_counts_nothing_is_not_recorded() {
    let profile = FOLDER.path().join("nothing.profile");
    let (code, _, told) = profiled(&["-np", "3"], &profile, &compiled("ring", "counts-nothing"), &[]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("compile it with `memonet mpicc -fsanitize-coverage=trace-pc`"), "{told}");
    let nowhere = FOLDER.path().join("nowhere/ring.profile");
    let (code, _, told) = profiled(&["-np", "3"], &nowhere, Path::new("/bin/true"), &[]);
    assert!(code == Some(1) && told.contains("there is no such folder"), "{told}");
    let failing = compiled_with("wrong", "counted", &[COUNTED]);
    let (code, _, told) = profiled(&["-np", "2"], &profile, &failing, &["code"]);
    assert!(code == Some(7) && told.contains("nothing is recorded"), "{told}");
    assert!(!profile.exists(), "nothing is written");
}
