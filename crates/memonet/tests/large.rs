//! Long messages, many ranks, many runs. `ci/large` runs larger cases for `make soak`.

use crate::{compiled, fingerprint, run, stderr};

#[test]
#[ignore = "slow; make slow"]
fn long_messages_arrive_whole_and_in_pieces() {
    let program = compiled("large", "long");
    let cases: [(&str, &[&str]); 5] = [
        ("memory", &["64000000", "whole"]),
        ("memory", &["64000000", "1000000"]),
        ("memory", &["65536000", "type"]),
        ("dimmnet2", &["3000001", "whole"]),
        ("gigae_pm", &["3000001", "500000"]),
    ];
    for (machine, how) in cases {
        let output = run(&["-np", "2", "--machine", machine], &program, how);
        fingerprint(&output, "large: right on 2\n");
    }
}

#[test]
fn long_data_comes_whole_in_every_kind_of_call() {
    let program = compiled("long", "kinds");
    for machine in ["memory", "dimmnet2"] {
        let output = run(&["-np", "2", "--machine", machine], &program, &[]);
        fingerprint(&output, "long: right on 2\n");
    }
    let output = run(&["-np", "2"], &program, &["unreadable"]);
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(error.contains("rank 0: MPI_Send: the buffer is no memory that can be read"), "{error}");
}

#[test]
fn sixty_four_ranks_run_on_every_machine() {
    let program = compiled("ring", "many");
    for machine in ["memory", "gigae_pm", "dimmnet2"] {
        fingerprint(&run(&["-np", "64", "--machine", machine], &program, &[]), "ring: right on 64\n");
    }
    let output = run(&["-np", "65", "--machine", "dimmnet2"], &program, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("on DIMMnet-2 there are 1 to 64 ranks"), "{}", stderr(&output));
}

#[test]
fn twenty_runs_have_one_fingerprint() {
    let program = compiled("ring", "twenty");
    for machine in ["gigae_pm", "dimmnet2"] {
        let once =
            || fingerprint(&run(&["-np", "3", "--machine", machine], &program, &[]), "ring: right on 3\n");
        let first = once();
        assert!((1..20).all(|_| once() == first), "{machine}");
    }
}

#[test]
fn programs_print_the_same_over_lossy_wires() {
    for (name, ranks) in [("datatypes", "2"), ("communicators", "6")] {
        let program = compiled(name, "bad-wires");
        for machine in ["gigae_pm", "dimmnet2"] {
            let good = run(&["-np", ranks, "--machine", machine], &program, &[]);
            let bad = run(&["-np", ranks, "--machine", machine, "--lose", "10%"], &program, &[]);
            assert_eq!(bad.status.code(), Some(0), "{}", stderr(&bad));
            assert_eq!(good.stdout, bad.stdout, "{name} on {machine}");
        }
    }
}
