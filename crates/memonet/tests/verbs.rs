//! `memonet verbs`: programs of rdma-core as they are installed, on modelled adapters, and what programs do wrong.

use std::process::{Command, Output, Stdio};

/// Runs the command; none where the programs of Debian's ibverbs-utils are missing, which is said.
fn verbs(arguments: &str) -> Option<Output> {
    let has = |name: &str| {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
    };
    if !has("ibv_rc_pingpong") {
        eprintln!("NOT TESTED: there is no ibv_rc_pingpong (Debian package ibverbs-utils)");
        return None;
    }
    Some(memonet(arguments))
}

fn memonet(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.arg("verbs").args(arguments.split_whitespace()).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn fingerprint(output: &Output) -> String {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    told.lines().last().and_then(|line| line.strip_prefix("fingerprint ")).expect(&told).to_owned()
}

/// A port of its own for each test: they run at the same time, and sockets are the operating system's.
fn pair(program: &str, options: &str, port: u16) -> String {
    format!("-- {program} {options} -p {port} : {program} {options} -p {port} localhost")
}

#[test]
fn device_and_its_port_are_told() {
    let Some(output) = verbs("-- ibv_devices : ibv_devinfo") else { return };
    let printed = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(printed.contains("memonet0") && printed.contains("PORT_ACTIVE (4)"), "{printed}");
    assert!(printed.contains("port_lid:\t\t2") && printed.contains("max_mtu:\t\t2048 (4)"), "{printed}");
    // Nothing but the command's own: no warning of the loader about versions.
    assert!(stderr(&output).lines().all(|line| !line.contains("no version information")), "{output:?}");
}

#[test]
fn messages_of_connections_come_back_and_a_run_repeats_itself() {
    let line = pair("ibv_rc_pingpong", "-n 50 -c", 18_601);
    let Some(first) = verbs(&line) else { return };
    let printed = stdout(&first);
    assert!(printed.matches("409600 bytes in").count() == 2, "{printed}{}", stderr(&first));
    let again = verbs(&line).expect("it ran before");
    assert_eq!((fingerprint(&first), printed), (fingerprint(&again), stdout(&again)));
}

#[test]
fn datagrams_come_back() {
    let Some(output) = verbs(&pair("ibv_ud_pingpong", "-n 50 -s 1024", 18_602)) else { return };
    assert!(stdout(&output).matches("102400 bytes in").count() == 2, "{output:?}");
    fingerprint(&output);
}

#[test]
fn events_wait_where_looks_would() {
    let Some(output) = verbs(&pair("ibv_rc_pingpong", "-n 20 -e", 18_603)) else { return };
    assert!(stdout(&output).matches("20 iters in").count() == 2, "{output:?}");
    fingerprint(&output);
}

#[cfg(feature = "rtl")]
#[test]
fn fingerprint_is_the_same_whatever_is_behind_the_pins() {
    let line = pair("ibv_rc_pingpong", "-n 5 -s 256", 18_604);
    let Some(model) = verbs(&line) else { return };
    for nic in ["rtl", "lockstep"] {
        let other = memonet(&format!("--nic {nic} {line}"));
        assert_eq!(fingerprint(&model), fingerprint(&other), "{nic}");
        assert_eq!(stdout(&model), stdout(&other), "{nic}");
    }
}

#[test]
fn what_the_adapter_has_not_is_refused_by_its_error_and_nothing_hangs() {
    let Some(output) = verbs("-- ibv_uc_pingpong -p 18605") else { return };
    assert!(stderr(&output).contains("Couldn't create QP"), "{output:?}");
    assert_eq!(output.status.code(), Some(1));
    for (line, says) in [
        ("-- ibv_srq_pingpong -p 18606", "Couldn't create SRQ"),
        ("-- ibv_rc_pingpong -o -p 18607", "The device isn't ODP capable"),
        ("-- ibv_rc_pingpong -d other -p 18608", "IB device other not found"),
    ] {
        let output = memonet(line);
        assert!(stderr(&output).contains(says), "{line}: {output:?}");
        assert_eq!(output.status.code(), Some(1), "{line}");
    }
}

#[test]
fn program_that_waits_for_a_peer_that_never_comes_is_ended_and_told() {
    let Some(output) = verbs("-- ibv_rc_pingpong -p 18609") else { return };
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("the program of host 0 waits for what nobody will say"), "{told}");
}

#[test]
fn program_that_a_signal_ends_ends_the_run() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    let output = command.args(["verbs", "--", "bash", "-c", "kill -SEGV $$"]).output().unwrap();
    assert_eq!(output.status.code(), Some(139), "{output:?}");
    let told = stderr(&output);
    assert!(
        told.contains("the program of host 0 was ended by signal 11 (SIGSEGV), before its first call"),
        "{told}"
    );
}

#[test]
fn time_that_is_over_is_told_with_the_call_in_which_a_program_is() {
    let output = memonet("--limit 1ms -- sleep 100");
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("virtual time is over, 1ms: the program of host 0 is in sleep, since"), "{told}");
}

#[test]
fn programs_that_are_none_are_refused() {
    for (line, says) in [
        ("-- no-such-program", "it is in no folder of PATH"),
        ("-- : true", "a host without a program"),
        ("-- true :", "a host without a program"),
        ("--bus isa -- true", "there are pci-x, pci-66, pci-33"),
    ] {
        let output = memonet(line);
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        assert!(stderr(&output).contains(says), "{line}: {output:?}");
    }
    let many = format!("-- true {}", ": true ".repeat(16));
    assert_eq!(memonet(&many).status.code(), Some(2));
}
