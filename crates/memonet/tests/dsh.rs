//! The command `dsh`: lines from a file or from standard input.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::{path, repository};

fn dsh(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dsh"));
    // A server that is running on this computer must not affect the test.
    command.env("XDG_RUNTIME_DIR", "/nowhere");
    let command = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("dsh starts");
    // A shell that fails to start does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn ended(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const COMMAND: &str = "prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0x400 dst=0x600";

#[test]
fn lines_of_standard_input_are_executed() {
    let (code, out, err) = ended(dsh(&["2", "1", "0"], &format!("# a remark\n\n{COMMAND}\r\nv")));
    let version = "DIMMnet-2 Shell version 2.1a released by Yomi";
    assert_eq!((code, out, err.as_str()), (Some(0), format!("cmd:60000000400_20000000008\n{version}\n"), ""));
}

#[test]
fn first_error_ends_a_script_with_exit_code_1() {
    let (code, out, err) = ended(dsh(&["2", "0", "0"], "v\nllcm_read 0\nv\n"));
    assert_eq!((code, out.lines().count()), (Some(1), 1));
    let expected =
        "dsh: line 2: llcm_read: [Size(Byte)] is missing; usage: llcm_read [Offset] [Size(Byte)]\n";
    assert_eq!(err, expected);
    let (code, out, _) = ended(dsh(&["2", "0", "0"], "q\nllcm_read 0\n"));
    assert_eq!((code, out.as_str()), (Some(0), ""), "nothing is read after q");
}

#[test]
fn transcript_of_a_script_equals_the_published_figure() {
    let figure = repository("crates/dsh/tests/transcripts/figure_c_14.txt");
    let figure = std::fs::read_to_string(figure).unwrap();
    let session = &figure[figure.find("# ./dsh").unwrap()..];
    let typed: String = session
        .lines()
        .filter_map(|line| line.strip_prefix("dsh > "))
        .map(|line| line.to_string() + "\n")
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("session.dsh");
    std::fs::write(&script, &typed).unwrap();
    for args in
        [&["2", "1", "0", "--transcript"][..], &["2", "1", "0", "--transcript", "--script", path(&script)]]
    {
        let (code, out, err) = ended(dsh(args, if args.len() == 4 { &typed } else { "" }));
        assert_eq!((code, out.as_str(), err.as_str()), (Some(0), session, ""));
    }
    let source = format!("source {}\n", script.display());
    assert!(ended(dsh(&["2", "1", "0"], &source)).1.contains("BOTF  : 1\n"));
    std::fs::write(&script, format!("v\n{source}")).unwrap();
    let (code, _, err) = ended(dsh(&["2", "1", "0"], &source));
    assert!(code == Some(1) && err.contains("session.dsh:2: ") && err.contains("end at 8"), "{err}");
}

#[test]
fn invalid_process_arguments_are_refused() {
    for (args, part) in [
        (&["2", "2", "0"][..], "the last one has PID 1, there is no 2"),
        (&["0", "0", "0"], "there are 1 to 16 processes, not 0"),
        (&["17", "0", "0"], "there are 1 to 16 processes, not 17"),
        (&["2", "0", "2"], "a node has the WIDs 0 and 1, not 2"),
    ] {
        let (code, out, err) = ended(dsh(args, ""));
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(err.contains(part) && err.lines().count() == 1, "{err}");
    }
    assert_eq!(ended(dsh(&["two"], "")).0, Some(2));
    let (code, _, err) = ended(dsh(&["--script", "/nowhere"], ""));
    assert!(code == Some(1) && err.contains("/nowhere"), "{err}");
    assert_eq!(ended(dsh(&["0x2", "01"], "v\n")).0, Some(0));
}

#[test]
fn invalid_utf8_is_an_error_of_its_line() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dsh"))
        .env("XDG_RUNTIME_DIR", "/nowhere")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("dsh starts");
    child.stdin.take().unwrap().write_all(&[0xff, 0xfe, 0, b'\n']).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("line 1: byte 1 of the line, 0xff, is not UTF-8 text"), "{error}");
}

#[test]
fn shells_attach_to_a_server_as_processes_of_one_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("boards");
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    let command = command.args(["serve", "--socket", path(&socket)]).stdout(Stdio::piped());
    let mut server = command.spawn().expect("memonet starts");
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("# 2 nodes, model, at "), "it listens");

    let attached = |pid, input| ended(dsh(&["2", pid, "0", "--connect", path(&socket)], input));
    let (code, out, err) = attached("0", "rllcm_write 2 0x40 7\nq\n");
    assert_eq!((code, out.as_str(), err.lines().count()), (Some(0), "", 1), "{err}");
    assert!(err.starts_with("dsh: attached to the boards of "), "{err}");
    let (code, out, _) = attached("1", "llcm_read 0x40 8\nnode\nllcm_read 0\nv\n");
    assert!(out.ends_with("#4215c040: 0000000000000007\nnode 1: PID 1, WID 0, LID 2\n"), "{out}");
    assert_eq!(code, Some(1), "the first error ends a script here too");

    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn full_disks_are_errors_and_closed_pipes_are_not() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = |out: Stdio, err: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dsh"));
        command.env("XDG_RUNTIME_DIR", "/nowhere").stdin(Stdio::piped()).stdout(out).stderr(err);
        let mut child = command.spawn().expect("dsh starts");
        // Dropping the pipe before the shell writes simulates a reader that has gone.
        drop(child.stdout.take());
        let _ = child.stdin.take().unwrap().write_all(b"v\nv\nnothing\n");
        ended(child.wait_with_output().unwrap())
    };
    let (code, _, err) = run(full().into(), Stdio::piped());
    assert_eq!(code, Some(1), "{err}");
    assert!(err.starts_with("dsh: standard output: No space left") && err.lines().count() == 1, "{err}");
    let (code, _, err) = run(Stdio::piped(), Stdio::piped());
    assert_eq!((code, err.as_str()), (Some(0), ""), "a closed pipe");
    assert_eq!(run(Stdio::null(), full().into()).0, Some(1), "the exit code reports the error");
}

#[test]
fn traces_are_complete_after_errors_and_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["vcd", "fst"] {
        for interrupted in [false, true] {
            let file = folder.path().join(format!("{interrupted}.{ending}"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_dsh"));
            command.env("XDG_RUNTIME_DIR", "/nowhere").stdin(Stdio::piped());
            let mut child =
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("dsh starts");
            let mut input = child.stdin.take().unwrap();
            writeln!(input, "trace on {}\n{COMMAND}\nv", file.display()).unwrap();
            let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
            assert!(output.nth(1).unwrap().contains("version"), "both lines are done");
            let begin = Instant::now();
            if interrupted {
                // The shell is waiting for input.
                let id = child.id().to_string();
                assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
            } else {
                writeln!(input, "nothing").unwrap();
            }
            let (code, _, err) = ended(child.wait_with_output().unwrap());
            assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
            assert_eq!(code, Some(if interrupted { 130 } else { 1 }), "{err}");
            let wave = wellen::simple::read(&file).unwrap_or_else(|error| panic!("{ending}: {error}"));
            assert!(wave.time_table().len() > 20, "{} instants", wave.time_table().len());
        }
    }
}

#[test]
fn devices_and_endless_lines_are_refused() {
    for input in ["/dev/zero", "/", "/nowhere"] {
        let (code, out, err) = ended(dsh(&["--script", input], ""));
        assert!(code == Some(1) && out.is_empty() && err.contains(input), "{err}");
    }
    let zero = std::fs::File::open("/dev/zero").unwrap();
    let command =
        Command::new(env!("CARGO_BIN_EXE_dsh")).env("XDG_RUNTIME_DIR", "/nowhere").stdin(zero).output();
    let (code, _, err) = ended(command.unwrap());
    assert_eq!(code, Some(1));
    assert_eq!(err, "dsh: line 1: the line is longer than 65536 bytes; write several\n");
    let (_, _, err) = ended(dsh(&[], &"x".repeat(60_000)));
    assert!(err.contains("there is no command `xxx") && err.len() < 1000, "{} bytes", err.len());
}

#[test]
fn shells_attach_by_default_and_not_with_alone() {
    let folder = tempfile::tempdir().unwrap();
    let command = |binary| {
        let mut command = Command::new(binary);
        command.env("XDG_RUNTIME_DIR", folder.path()).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let (memonet, dsh) = (env!("CARGO_BIN_EXE_memonet"), env!("CARGO_BIN_EXE_dsh"));
    let mut server = command(memonet).arg("serve").spawn().expect("memonet starts");
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("# 2 nodes, model, at "), "it listens");
    let run = |binary, args: &[&str], input: &str| {
        let mut child = command(binary).args(args).spawn().expect("it starts");
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        ended(child.wait_with_output().unwrap())
    };
    let look = "llcm_read 0x40 8\n";
    let (code, _, err) = run(memonet, &["shell", "2", "0"], "rllcm_write 2 0x40 7\n");
    assert_eq!(code, Some(0), "{err}");
    assert!(
        err.contains("attached to the boards of ") && err.contains("2 nodes of DIMMnet-2, model"),
        "{err}"
    );
    assert!(run(dsh, &["2", "1"], look).1.ends_with("0000000000000007\n"));
    for (binary, args) in [
        (memonet, &["shell", "2", "1", "--alone"][..]),
        (memonet, &["shell", "2", "1", "--nic", "model"]),
        (dsh, &["2", "1", "--alone"]),
    ] {
        let (code, out, err) = run(binary, args, look);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{args:?}");
        assert!(out.ends_with("0000000000000000\n"), "{args:?}: {out}");
    }
    let (code, _, err) = run(memonet, &["shell", "3"], "v\n");
    assert!(
        code == Some(1) && err.contains("has 2 processes, not 3; --alone has boards of its own"),
        "{err}"
    );
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
}
