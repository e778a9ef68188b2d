use crate::{fails, prints};

const COMMANDS: [&str; 30] = [
    "run",
    "cluster",
    "lockstep",
    "shell",
    "serve",
    "studio",
    "tap",
    "bench",
    "wave",
    "explain",
    "figures",
    "prove",
    "check",
    "mutants",
    "gate-level",
    "fagus",
    "suci",
    "coverage",
    "synth",
    "timing",
    "new-block",
    "schema",
    "doctor",
    "completions",
    "man",
    "mpicc",
    "mpicxx",
    "mpifort",
    "mpirun",
    "verbs",
];

#[test]
fn help_texts_have_examples_that_are_commands() {
    for command in [None].into_iter().chain(COMMANDS.map(Some)) {
        let args: Vec<_> = command.into_iter().chain(["--help"]).collect();
        let help = prints(&args);
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command:?}: {help}"));
        let examples: Vec<_> =
            examples.lines().map(str::trim).filter(|line| line.starts_with("memonet ")).collect();
        assert!(!examples.is_empty(), "{command:?}");
        for example in examples {
            let name = example.split_whitespace().nth(1).unwrap();
            assert!(COMMANDS.contains(&name), "{example}");
            assert!(command.is_none_or(|command| command == name), "{example}");
        }
    }
}

#[test]
fn wrong_arguments_exit_with_2_and_a_reason() {
    for (args, says) in [
        (&["run", "--bytes", "0"][..], "a message of DIMMnet-2 holds 1 to 496 bytes"),
        (&["run", "--bytes", "497"], "a message of DIMMnet-2 holds 1 to 496 bytes"),
        (&["run", "--machine", "gigae_pm", "--bytes", "1469"], "holds 1 to 1468 bytes"),
        (&["run", "--bytes", "many"], "many"),
        (&["run", "--nic", "asic"], "[possible values: model, rtl, lockstep]"),
        (&["run", "--machine", "cray"], "[possible values: dimmnet2, gigae_pm, cenju3, hca]"),
        (
            &["run", "--machine", "cenju3", "--pcapng", "a"],
            "'--pcapng <FILE>' cannot be used with '--machine cenju3'",
        ),
        (
            &["run", "--machine", "gigae_pm", "--program", "transpose"],
            "GigaE PM has mpi-ping, mpi-put, mpi-check, npb-cg, npb-ep, npb-ft, npb-is, npb-mg",
        ),
        (&["run", "--machine", "gigae_pm", "--seed", "1"], "'--seed <SEED>' cannot be used with"),
        (&["run", "--input", "a", "--seed", "2"], "cannot be used with"),
        (&["run", "--input", "a", "--waves", "b"], "cannot be used with"),
        (&["run", "--input", "a", "--bytes", "8"], "cannot be used with"),
        (&["run", "--program", "transpose", "--bytes", "8"], "cannot be used with"),
        (
            &["run", "--program", "halt"],
            "DIMMnet-2 has transpose, mpi-ping, mpi-put, mpi-check, npb-cg, npb-ep, npb-ft, npb-is, npb-mg",
        ),
        (
            &["run", "--program", "transpose", "--per-node", "2"],
            "transpose is one process; mpi-ping, mpi-put, mpi-check, npb-cg, npb-ep, npb-ft, npb-is, npb-mg take it",
        ),
        (
            &["run", "--per-node", "2"],
            "'--per-node <N>' applies to MPI programs only; choose one with --program",
        ),
        (
            &["run", "--machine", "gigae_pm", "--program", "mpi-ping", "--per-node", "2"],
            "GigaE PM has 1, because its host libraries give the network interface of a node to one process; \
             --machine dimmnet2 has 2",
        ),
        (&["fagus", "--machine", "hca", "--per-node", "2"], "--machine dimmnet2 has 2"),
        (&["cluster", "--workload", "uniform", "--per-node", "4"], "DIMMnet-2 has 1, 2, because"),
        (&["run", "--input", ""], "a value is required for '--input <FILE>'"),
        (&["wave", "--bytes", "0"], "holds 1 to 496 bytes"),
        (&["wave", "--machine", "gigae_pm", "--seed", "2"], "'--seed <SEED>' cannot be used with"),
        (&["wave", "--golden", "--seed", "2"], "cannot be used with"),
        (&["lockstep", "--cycles", "0"], "--cycles"),
        (&["lockstep", "--from", "10"], "--waves"),
        (
            &["lockstep", "--cycles", "10", "--waves", "a", "--from", "20"],
            "after the end of the run: --cycles 10",
        ),
        (
            &["figures", "--only", "6.99"],
            "'6.99' for '--only <FIGURE>': no published value belongs to it; choose one of ",
        ),
        (
            &["figures", "--paper", "gigae_pm", "--only", "6.3"],
            "choose one of section 5.2, section 5.1, 4, 5, table 1",
        ),
        (&["figures", "--paper", "thesis"], "[possible values: dimmnet2, gigae_pm, cenju3, hca, suci]"),
        (&["fagus", "--program", "halt"], "[possible values: himeno, sor, matmul, lu, water, latencies]"),
        (&["fagus", "--nodes", "0"], "the number of nodes is 1 to 64"),
        (&["fagus", "--nodes", "1", "--program", "latencies"], "`latencies` needs two nodes"),
        (&["fagus", "--nodes", "17", "--machine", "hca", "--carrier", "ud"], "ud supports at most 16 nodes"),
        (&["fagus", "--machine", "hca", "--carrier", "udp"], "has rc, ud, ipoib"),
        (&["suci", "run", "--program", "halt"], "[possible values: pingpong, burst, gather, broadcast]"),
        (&["suci", "run", "--nodes", "1"], "the number of nodes is 2 to 1024"),
        (&["suci", "run", "--size", "0"], "the minimum is 1"),
        (&["suci", "run", "--nodes", "1000", "--size", "16000000"], "exceed 268435456 bytes"),
        (&["suci", "bench", "--against", "sctp"], "[possible values: tcp, udp, quinn, kcp, enet]"),
        (&["suci", "bench", "--lose", "60%"], "a loss is 0 to 50 percent"),
        (&["prove", "--only", "perpetual_motion"], "there is no "),
        (&["mutants", "--only", "mainframe"], "the device has no such block"),
        (&["gate-level", "--instants", "0"], "the minimum is 1"),
        (&["synth", "--only", "mainframe"], "no row of the table contains it"),
        (&["timing", "--only", "mainframe"], "the device has no such module"),
        (&["timing", "--only", "fifo", "--only", "fifo"], "the module is given twice"),
        (&["timing", "--seeds", "one"], "this is not a number"),
        (&["bench", "--slices", "0"], "--slices"),
        (&["check"], "<PROTOCOL>"),
        (&["check", "tcp"], "unrecognized subcommand 'tcp'"),
        (&["check", "mpi", "--ranks", "3"], "to share places takes 2 of them"),
        (&["check", "mpi", "--ranks", "4"], "the number of ranks is 2 to 3"),
        (&["check", "cenju3", "--hazard", "H3"], "one of H1, H2, H6"),
        (&["check", "cenju3", "--hazard", "H11"], "no walk of states shows it"),
        (&["check", "fagus", "--hazard", "H18"], "one of H1, H3, H4"),
        (&["check", "fagus", "--hazard", "H15", "--network", "bad"], "cannot be used with"),
        (&["check", "suci", "--hazard", "H99"], "one of H1, H1-ack, H2"),
        (&["check", "suci", "--hazard", "H14"], "no walk of states shows it"),
        (&["check", "suci", "--replay"], "--hazard"),
        (&["suci", "replay"], "<FILE>"),
        (&["check", "gigae_pm", "--rules", "F1,F99"], "`F99` is neither"),
        (&["check", "gigae_pm", "--hazard", "H22"], "one of H1, H2, H3"),
        (&["check", "gigae_pm", "--hazard", "H1", "--waves", "a"], "--replay"),
        (&["check", "gigae_pm", "--nic", "model"], "--replay"),
        (&["check", "hca", "--replay"], "--hazard"),
        (&["check", "hca", "--nic", "model"], "--replay"),
        (&["check", "hca", "--list", "--hazard", "H1"], "cannot be used with"),
        (&["check", "hca", "--hazard", "H4", "--rules", "defective", "--replay"], "--rules adapter replays"),
        (&["check", "gigae_pm", "--network", "token_ring"], "none of fifo, loss"),
        (&["check", "gigae_pm", "--slots", "0"], "1 to 8, or any"),
        (&["check", "gigae_pm", "--window", "0"], "the number of messages without an ACK is 1 to 4"),
        (&["shell", "--connect", "a", "--nic", "rtl"], "cannot be used with"),
        (&["explain"], "<PATH>"),
        (&["explain", "vl"], "messages of DIMMnet-2 travel by botf, rvs, ipush, lhs1, lhs2"),
        (&["explain", "rvs", "--bytes", "2025"], "a packet of rvs holds 1 to 2024 bytes"),
        (&["explain", "rvs", "--machine", "gigae_pm"], "messages of GigaE PM travel by pm"),
        (&["explain", "botf", "--bytes", "497"], "a packet of botf holds 1 to 496 bytes"),
        (&["explain", "lhs1", "--bytes", "8"], "a packet of lhs1 holds 9 to 2024 bytes"),
        (&["shell", "2", "2", "0"], "the last one has PID 1, there is no 2"),
        (&["serve", "17"], "there are 1 to 16 processes, not 17"),
        (&["studio", "--nodes", "3072"], "there are 1 to 3071 nodes, not 3072"),
        (&["tap", "--nodes", "1"], "the number of nodes is 2 to 16"),
        (&["tap", "--nodes", "17"], "the number of nodes is 2 to 16"),
        (&["tap", "--pm", "mpi"], "[possible values: ping-pong, stream, none]"),
        (&["tap", "--bytes", "1469"], "the number of bytes is 1 to 1468"),
        (&["tap", "--loss", "1000001"], "1000001"),
        (&["tap", "--for", "0"], "--for"),
        (&["tap", "--name", ""], "--name"),
        (&["tap", "--name", "no/name"], "'no/name0' for '--name <NAME>': an interface name has"),
        (&["fly"], "fly"),
        (&[], "Usage"),
    ] {
        let text = fails(args, 2);
        assert!(text.contains(says), "{args:?}: {text}");
    }
}

#[test]
fn hyphens_in_machine_names_are_underscores() {
    let run = |name| prints(&["lockstep", "--machine", name, "--cycles", "1000", "--alone", "model"]);
    assert_eq!(run("gigae-pm"), run("gigae_pm"));
    let check = |name| prints(&["check", name, "--list"]);
    assert_eq!(check("gigae-pm"), check("gigae_pm"));
    let figures = |name| prints(&["figures", "--paper", name, "--only", "table 1"]);
    assert_eq!(figures("gigae-pm"), figures("gigae_pm"));
}

#[test]
fn version_is_the_package_version() {
    assert_eq!(prints(&["--version"]), format!("memonet {}\n", env!("CARGO_PKG_VERSION")));
}
