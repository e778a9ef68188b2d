//! `memonet mpirun --compute`: computation recorded once and replayed.

use std::path::Path;

use crate::{FOLDER, compiled, compiled_with, fingerprint, run, stderr};

/// Compiler option that counts basic blocks.
const COUNTED: &str = "-fsanitize-coverage=trace-pc";

/// Runs a program with a profile: exit code, fingerprint if the run has one, standard error.
fn profiled(
    options: &[&str],
    profile: &Path,
    program: &Path,
    arguments: &[&str],
) -> (Option<i32>, Option<String>, String) {
    let profile = format!("profile={}", profile.display());
    let output = run(&[options, &["--compute", &profile]].concat(), program, arguments);
    let output_text = stderr(&output);
    let fingerprint =
        output_text.lines().last().and_then(|line| line.strip_prefix("fingerprint ")).map(str::to_owned);
    (output.status.code(), fingerprint, output_text)
}

#[test]
fn replayed_computation_takes_the_recorded_time() {
    let (counted, plain) = (compiled_with("cg", "counted", &[COUNTED]), compiled("cg", "plain"));
    let profile = FOLDER.path().join("cg.profile");
    let (code, recorded, output_text) = profiled(&["-np", "4"], &profile, &counted, &[]);
    assert_eq!(code, Some(0), "{output_text}");
    assert!(output_text.lines().next().unwrap().contains("computation is recorded in "), "{output_text}");
    for program in [&counted, &plain, &plain] {
        let (code, replayed, output_text) = profiled(&["-np", "4"], &profile, program, &[]);
        assert_eq!((code, &replayed), (Some(0), &recorded), "{output_text}");
        assert!(output_text.lines().next().unwrap().contains("computation as in "), "{output_text}");
    }
    let none = fingerprint(&run(&["-np", "4"], &plain, &[]), "cg: right on 4\n");
    assert_ne!(Some(none), recorded);
    let slow = profiled(&["-np", "4", "--rate", "1e6"], &profile, &plain, &[]);
    assert_ne!(slow.1, recorded);
    for machine in ["gigae_pm", "dimmnet2"] {
        let (code, first, output_text) = profiled(&["-np", "4", "--machine", machine], &profile, &plain, &[]);
        assert_eq!(code, Some(0), "{output_text}");
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
fn run_that_differs_from_its_profile_ends_with_the_place() {
    let program = compiled_with("ring", "departs", &[COUNTED]);
    let profile = FOLDER.path().join("ring.profile");
    assert_eq!(profiled(&["-np", "3"], &profile, &program, &[]).0, Some(0));
    let refused = |ranks: &str, program: &Path, arguments: &[&str], expected: &str| {
        let (code, _, output_text) = profiled(&["-np", ranks], &profile, program, arguments);
        assert_eq!(code, Some(1), "{output_text}");
        assert!(output_text.contains(expected), "{output_text}");
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
    let (code, _, output_text) = profiled(&["-np", "3"], &profile, &compiled("ring", "counts-nothing"), &[]);
    assert_eq!(code, Some(1), "{output_text}");
    assert!(
        output_text.contains("compile it with `memonet mpicc -fsanitize-coverage=trace-pc`"),
        "{output_text}"
    );
    let nowhere = FOLDER.path().join("nowhere/ring.profile");
    let (code, _, output_text) = profiled(&["-np", "3"], &nowhere, Path::new("/bin/true"), &[]);
    assert!(code == Some(1) && output_text.contains("there is no such folder"), "{output_text}");
    let failing = compiled_with("wrong", "counted", &[COUNTED]);
    let (code, _, output_text) = profiled(&["-np", "2"], &profile, &failing, &["code"]);
    assert!(code == Some(7) && output_text.contains("nothing is recorded"), "{output_text}");
    assert!(!profile.exists(), "nothing is written");
}
