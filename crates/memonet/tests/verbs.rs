//! `memonet verbs`: installed programs of rdma-core on modelled adapters, and invalid programs.

mod connections;
mod installed;
mod semantics;
mod waits;

use std::process::{Command, Output, Stdio};

/// Runs the command. Without the programs of Debian's ibverbs-utils it prints NOT TESTED and returns none.
fn verbs(arguments: &str) -> Option<Output> {
    if !is_installed("ibv_rc_pingpong") {
        eprintln!("NOT TESTED: there is no ibv_rc_pingpong (Debian package ibverbs-utils)");
        return None;
    }
    Some(memonet(arguments))
}

fn is_installed(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
}

/// Real time after which a run that hangs fails its test, in s.
const LONGEST_RUN: &str = "300";

fn memonet(arguments: &str) -> Output {
    let mut command = Command::new("timeout");
    command
        .args([LONGEST_RUN, env!("CARGO_BIN_EXE_memonet"), "verbs"])
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn fingerprint(output: &Output) -> String {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    text.lines().last().and_then(|line| line.strip_prefix("fingerprint ")).expect(&text).to_owned()
}

/// A server and its client. Tests run in parallel; each run has its own address for its sockets.
fn pair(program: &str, options: &str) -> String {
    format!("-- {program} {options} : {program} {options} localhost")
}

#[test]
fn device_and_its_port_are_listed() {
    let Some(output) = verbs("-- ibv_devices : ibv_devinfo") else { return };
    let printed = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(printed.contains("memonet0") && printed.contains("PORT_ACTIVE (4)"), "{printed}");
    assert!(printed.contains("port_lid:\t\t2") && printed.contains("max_mtu:\t\t2048 (4)"), "{printed}");
    // The loader does not warn about symbol versions.
    assert!(stderr(&output).lines().all(|line| !line.contains("no version information")), "{output:?}");
}

#[test]
fn messages_of_connections_come_back_and_runs_repeat() {
    let line = pair("ibv_rc_pingpong", "-n 50 -c");
    let Some(first) = verbs(&line) else { return };
    let printed = stdout(&first);
    assert!(printed.matches("409600 bytes in").count() == 2, "{printed}{}", stderr(&first));
    let again = verbs(&line).expect("it ran before");
    assert_eq!((fingerprint(&first), printed), (fingerprint(&again), stdout(&again)));
}

#[test]
fn hosts_are_as_many_as_64() {
    let program = |port: u16| format!("ibv_rc_pingpong -n 2 -p {port}");
    let pairs = (18_700..18_732).map(|port| format!("{0} : {0} localhost", program(port)));
    let line = format!("-- {}", pairs.collect::<Vec<_>>().join(" : "));
    let Some(output) = verbs(&line) else { return };
    fingerprint(&output);
    assert_eq!(stdout(&output).matches("16384 bytes in").count(), 64);
}

#[test]
fn datagrams_come_back() {
    let Some(output) = verbs(&pair("ibv_ud_pingpong", "-n 50 -s 1024")) else { return };
    assert!(stdout(&output).matches("102400 bytes in").count() == 2, "{output:?}");
    fingerprint(&output);
}

#[test]
fn ping_pong_waits_for_events() {
    let Some(output) = verbs(&pair("ibv_rc_pingpong", "-n 20 -e")) else { return };
    assert!(stdout(&output).matches("20 iters in").count() == 2, "{output:?}");
    fingerprint(&output);
}

#[test]
fn connections_of_a_shared_receive_queue_carry_messages() {
    let Some(output) = verbs(&pair("ibv_srq_pingpong", "-n 50 -c -q 8")) else { return };
    assert!(stdout(&output).matches("50 iters in").count() == 2, "{output:?}");
    fingerprint(&output);
}

#[test]
fn unreliable_connection_carries_messages_of_many_packets() {
    let Some(output) = verbs(&pair("ibv_uc_pingpong", "-n 20 -c -s 10000")) else { return };
    assert!(stdout(&output).matches("20 iters in").count() == 2, "{output:?}");
    fingerprint(&output);
}

#[cfg(feature = "rtl")]
#[test]
fn fingerprint_is_the_same_on_model_and_rtl() {
    for program in ["ibv_rc_pingpong", "ibv_uc_pingpong"] {
        let line = pair(program, "-n 5 -s 256");
        let Some(model) = verbs(&line) else { return };
        for nic in ["rtl", "lockstep"] {
            let other = memonet(&format!("--nic {nic} {line}"));
            assert_eq!(fingerprint(&model), fingerprint(&other), "{program}, {nic}");
            assert_eq!(stdout(&model), stdout(&other), "{program}, {nic}");
        }
    }
}

#[test]
fn unsupported_features_fail_with_their_error() {
    for (line, expected) in [
        ("-- ibv_rc_pingpong -o", "The device isn't ODP capable"),
        ("-- ibv_rc_pingpong -d other", "IB device other not found"),
        ("-- ibv_srq_pingpong -q 255", "Couldn't create QP[254]"),
    ] {
        let Some(output) = verbs(line) else { return };
        assert!(stderr(&output).contains(expected), "{line}: {output:?}");
        assert_eq!(output.status.code(), Some(1), "{line}");
    }
}

#[test]
fn program_that_waits_for_a_missing_peer_is_a_deadlock() {
    let Some(output) = verbs("-- ibv_rc_pingpong") else { return };
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(error.contains("deadlock: the program of host 0 waits in a socket"), "{error}");
}

#[test]
fn signal_of_a_program_ends_the_run() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    let output = command.args(["verbs", "--", "bash", "-c", "kill -SEGV $$"]).output().unwrap();
    assert_eq!(output.status.code(), Some(139), "{output:?}");
    let error = stderr(&output);
    assert!(
        error.contains("the program of host 0 was ended by signal 11 (SIGSEGV), before its first call"),
        "{error}"
    );
}

#[test]
fn limit_names_the_call_that_each_program_is_in() {
    let output = memonet("--limit 1ms -- sleep 100");
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(error.contains("virtual time is over, 1ms: the program of host 0 is in sleep, since"), "{error}");
}

#[test]
fn run_in_which_no_program_opens_its_adapter_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let refused = |programs: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
        command.args(["verbs", "--json"]).arg(&file).arg("--").args(programs);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("so nothing was simulated") && !error.contains("fingerprint"), "{error}");
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!((&report["report"], &report["exit_code"]), (&"error".into(), &1.into()));
        error
    };
    assert!(refused(&["true", ":", "true"]).contains("give programs that are linked to libibverbs.so.1"));
    // The loader ends a program with 127, or with 1 where a version of a symbol is missing.
    for code in ["127", "1"] {
        let error = refused(&["bash", "-c", &format!("echo the loader says why >&2; exit {code}")]);
        let (first, second) = (error.find("the loader says why"), error.find("the program of host 0 ended"));
        assert!(first.is_some() && first < second, "{error}");
        assert!(error.contains(&format!("ended with exit code {code} before")), "{error}");
    }
}

#[test]
fn invalid_command_lines_are_refused() {
    for (line, expected) in [
        ("-- no-such-program", "it is in no folder of PATH"),
        ("-- : true", "a host without a program"),
        ("-- true :", "a host without a program"),
        ("--bus isa -- true", "there are pci-x, pci-66, pci-33"),
    ] {
        let output = memonet(line);
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        assert!(stderr(&output).contains(expected), "{line}: {output:?}");
    }
    let many = format!("-- true {}", ": true ".repeat(64));
    assert_eq!(memonet(&many).status.code(), Some(2));
}
