//! Transcripts of the shell, which must be equal on the model, the RTL and in lockstep.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};

use super::*;

/// Runs a session on boards with this implementation; returns the exit code and stdout.
fn session(kind: &str, start: &str, typed: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.arg("shell").args(start.split_whitespace()).args(["--transcript", "--nic", kind]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let folder = tempfile::tempdir().unwrap();
    let mut child = command.current_dir(folder.path()).spawn().expect("memonet starts");
    child.stdin.take().unwrap().write_all(typed.as_bytes()).expect("memonet reads");
    let output = child.wait_with_output().expect("memonet ends");
    assert_eq!(stderr(&output), "", "{typed}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// The lines typed in a transcript.
fn typed(transcript: &str) -> String {
    transcript
        .lines()
        .filter_map(|line| line.strip_prefix("dsh > "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn appendix_c_transcripts_match_on_all_implementations() {
    let folder = repository("crates/dsh/tests/transcripts");
    let mut figures = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if name.starts_with("figure_c_") {
            figures.insert(name, std::fs::read_to_string(path).unwrap());
        }
    }
    assert!(figures.len() >= 14, "figures C.3 to C.16");
    let tutorial = std::fs::read_to_string(repository("docs/tutorial.md")).unwrap();
    figures.insert("tutorial".to_string(), tutorial.split("```\n").skip(1).step_by(2).collect());
    for kind in KINDS {
        for (name, text) in &figures {
            let expected = &text[text.find("# ./dsh ").expect("a transcript starts a shell")..];
            let start = expected.lines().next().unwrap().trim_start_matches("# ./dsh ");
            assert_eq!(
                session(kind, start, &typed(expected)),
                (Some(0), expected.to_string()),
                "{name} on {kind}"
            );
        }
    }
}

/// Traffic on both nodes, a step back in time into a command, and different commands from there.
const TRAVEL: &str = "\
ww_write ww=0 from=0 it=128 val=0x1000 inc=3
prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0 dst=0x600
rllcm_write 2 0x40 0x0123456789abcdef
save here
run 10000
fingerprint
restore here
run 10000
fingerprint
back 10540
prim VL dt=0 it=0 dw=0 dl=0 ef=0 size=0x100 src=0x600 dst=0x200
pw_read 1 64
break node1.packet_control.state == Decode
rllcm_write 2 0 5
delete
run 1000
time
fingerprint
";

#[test]
fn going_back_in_time_is_exact_on_all_implementations() {
    let sessions = KINDS.map(|kind| session(kind, "2 0 0", TRAVEL));
    let (code, text) = &sessions[0];
    assert_eq!(*code, Some(0));
    let after = |line: &str| -> Vec<_> {
        let lines: Vec<_> = text.lines().collect();
        lines.windows(2).filter(|pair| pair[0] == line).map(|pair| pair[1].to_string()).collect()
    };
    let fingerprints = after("dsh > fingerprint");
    assert_eq!((fingerprints.len(), &fingerprints[0]), (3, &fingerprints[1]), "{text}");
    assert_ne!(fingerprints[0], fingerprints[2]);
    assert_eq!((&sessions[1], &sessions[2]), (&sessions[0], &sessions[0]));
}

#[test]
fn implementation_can_change_within_a_session() {
    let typed = "rllcm_write 2 0x40 7\nfingerprint\nnic rtl\nfingerprint\nnic lockstep\nfingerprint\nnic\n";
    let (code, text) = session("model", "2 0 0", typed);
    let fingerprints: Vec<_> = text.lines().filter(|line| line.len() == 32).collect();
    assert_eq!((code, fingerprints.len()), (Some(0), 3), "{text}");
    assert!(fingerprints.iter().all(|fingerprint| *fingerprint == fingerprints[0]), "{text}");
    assert!(text.ends_with("lockstep (of model, rtl, lockstep)\n"), "{text}");
}

#[test]
fn scripts_with_errors_exit_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.dsh");
    std::fs::write(&script, "v\nllcm_read 0\n").unwrap();
    let error = fails(&["shell", "2", "0", "0", "--script", path(&script)], 1);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("line 2: llcm_read: [Size(Byte)] is missing; usage: "), "{error}");
}

/// Runs lines in a shell attached to a socket; returns the exit code, stdout and stderr.
fn attached(pid: &str, socket: &Path, typed: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.args(["shell", "2", pid, "0", "--connect", path(socket)]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("memonet starts");
    // A shell without a server does not read its input.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().expect("memonet ends");
    (output.status.code(), String::from_utf8(output.stdout.clone()).unwrap(), stderr(&output))
}

#[test]
fn lockstep_server_ends_with_ctrl_c_and_leaves_a_script() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("boards");
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.args(["serve", "--nic", "lockstep", "--socket", path(&socket)]);
    let mut server = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("memonet starts");
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("# 2 nodes, lockstep, at "), "it listens");

    let (code, out, err) = attached("0", &socket, "rllcm_write 2 0x40 7\nq\n");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    let (_, out, err) = attached("1", &socket, "llcm_read 0x40 8\nfingerprint\n");
    assert!(out.contains("#4215c040: 0000000000000007\n"), "{out}{err}");
    let fingerprint = out.lines().last().unwrap();

    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let log: String = lines.map(|line| line + "\n").collect();
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert!(!socket.exists(), "the server removes its socket");
    let (code, _, err) = attached("0", &socket, "v\n");
    assert!(code == Some(1) && err.contains("nobody serves"), "{err}");

    let (code, again) = session("model", "2 0 0", &log);
    assert!(code == Some(0) && again.lines().any(|line| line == fingerprint), "{log}{again}");
}

/// Firmware states, a step back in time into a message, and the same message again.
const CARDS: &str = "\
reg Node
save before
send 1 100
fingerprint
node 1
recv
read user 0x1000
reg RefusedAccesses
restore before
node 0
break send_message.state == Moving
send 1 100
delete
run until node1.firmware.receive_frame.state == Place
show node1.firmware
save here
fingerprint
run 3000
fingerprint
back 3000
fingerprint
diff here
run 3000
fingerprint
node 1
recv
dump packet
node 0
explain
time
";

#[test]
fn gigae_pm_sessions_match_on_all_implementations() {
    let sessions = KINDS.map(|kind| session(kind, "--machine gigae_pm 2 0", CARDS));
    let (code, text) = &sessions[0];
    assert_eq!(*code, Some(0), "{text}");
    let fingerprints: Vec<_> = text.lines().filter(|line| line.len() == 32 && !line.contains(' ')).collect();
    assert_eq!(fingerprints.len(), 5, "{text}");
    assert_eq!((fingerprints[1], fingerprints[2]), (fingerprints[3], fingerprints[4]), "going back is exact");
    assert_ne!(fingerprints[1], fingerprints[2]);
    assert_eq!(text.matches("100 bytes from node0\n").count(), 2, "{text}");
    assert!(text.contains("node1.firmware.receive_frame.state = Place\n"), "{text}");
    assert!(sessions.iter().all(|session| session == &sessions[0]), "{sessions:?}");
}

#[test]
fn implementation_changes_and_waveforms_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cards.fst");
    let traced = format!("trace on {}\nsend 1 4\ntrace off\n", path(&file));
    let typed = format!("send 1 4\nfingerprint\nnic lockstep\nfingerprint\n{traced}nic\n");
    let (code, text) = session("model", "--machine gigae_pm 2 0", &typed);
    let fingerprints: Vec<_> = text.lines().filter(|line| line.len() == 32 && !line.contains(' ')).collect();
    assert_eq!((code, fingerprints.len()), (Some(0), 2), "{text}");
    assert_eq!(fingerprints[0], fingerprints[1], "{text}");
    assert!(text.ends_with("lockstep (of model, rtl, lockstep)\n"), "{text}");
    let mut wave = wellen::simple::read(&file).unwrap();
    let hierarchy = wave.hierarchy();
    let state = "node0.firmware.send_message.state";
    let found = hierarchy.all_vars().find(|var| hierarchy[*var].full_name(hierarchy) == state);
    let signal = hierarchy[found.unwrap_or_else(|| panic!("{state} is in the file"))].signal_ref();
    wave.load_signals(&[signal]);
    assert!(wave.get_signal(signal).unwrap().iter_changes().count() > 8, "the state machine runs");
}

#[test]
fn shell_arguments_are_checked_against_the_machine() {
    let error = fails(&["shell", "--machine", "gigae_pm", "2", "0", "1"], 2);
    assert!(error.contains("a node has only WID 0, not 1"), "{error}");
    let error = fails(&["shell", "--machine", "gigae_pm", "1025"], 2);
    assert!(error.contains("there are 1 to 1024 processes, not 1025"), "{error}");
}

#[test]
fn server_refuses_shells_of_other_machines() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("cards");
    let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
    command.args(["serve", "--machine", "gigae_pm", "--socket", path(&socket)]);
    let mut server = command.stdout(Stdio::piped()).spawn().expect("memonet starts");
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("# 2 nodes, model, at "), "it listens");
    let hint = lines.next().unwrap();
    assert!(hint.starts_with("# attach with: memonet shell --machine gigae_pm 2 PID --connect "), "{hint}");

    let (code, _, err) = attached("0", &socket, "v\n");
    assert_eq!(code, Some(1));
    assert!(err.contains("the boards that are served are GigaE PM, not DIMMnet-2"), "{err}");
    let script = folder.path().join("script");
    std::fs::write(&script, "send 0 4\nnode 0\nrecv\n").unwrap();
    let args =
        ["shell", "--machine", "gigae_pm", "2", "1", "--connect", path(&socket), "--script", path(&script)];
    let output = Command::new(env!("CARGO_BIN_EXE_memonet")).args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("4 bytes from node1\n#00000000: 03020100\n"), "{text}");

    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let log: Vec<_> = lines.collect();
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert!(log.contains(&"node 1".to_string()) && log.contains(&"send 0 4".to_string()), "{log:?}");
}
