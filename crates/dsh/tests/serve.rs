//! Shells on the boards of one server.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dimmnet2_machine::Dimmnet2;
use dsh::{ConnectError, Connection, End, Ender, LineShell, Models, Server, Start};
use tempfile::TempDir;

use crate::Shell;

/// A server of two nodes on a thread of its own.
struct Served {
    folder: TempDir,
    socket: PathBuf,
    ender: Ender,
    log: Receiver<String>,
    thread: JoinHandle<Result<(), String>>,
}

fn serve() -> Served {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("boards");
    let server = Server::bind(&socket).unwrap();
    let (ender, (lines, log)) = (server.ender(), channel());
    let thread = std::thread::spawn(move || {
        let start = Start { processes: 2, pid: 0, wid: false };
        let shell = Shell::start(start, Rc::new(Models), "model").unwrap();
        server.run(shell, move |line| drop(lines.send(line.to_string())))
    });
    Served { folder, socket, ender, log, thread }
}

impl Served {
    fn attach(&self, pid: usize) -> Connection {
        self.try_attach(pid).unwrap()
    }

    fn try_attach(&self, pid: usize) -> Result<Connection, ConnectError> {
        let start = Start { processes: 2, pid, wid: false };
        Connection::open::<Dimmnet2>(&self.socket, start, self.folder.path(), |_| {})
    }

    /// Ends the server and returns its script.
    fn end(self) -> String {
        self.ender.end();
        assert_eq!(self.thread.join().unwrap(), Ok(()));
        assert!(!self.socket.exists(), "the socket goes with the server");
        self.log.into_iter().map(|line| line + "\n").collect()
    }
}

/// The output of a line that succeeds.
fn prints(shell: &mut Connection, line: &str) -> String {
    let answer = shell.line(line);
    assert_eq!(answer.end, Ok(End::Next), "{line}");
    answer.text
}

/// The output of a script on boards of its own.
fn replayed(script: &str) -> String {
    crate::prints(&mut crate::shell(), &script.lines().collect::<Vec<_>>())
}

#[test]
fn two_shells_are_two_processes_of_one_cluster() {
    let served = serve();
    prints(&mut served.attach(0), "rllcm_write 2 0x40 7");
    let mut shell = served.attach(1);
    assert!(prints(&mut shell, "llcm_read 0x40 8").ends_with("#4215c040: 0000000000000007\n"));
    assert_eq!(prints(&mut shell, "node"), "node 1: PID 1, WID 0, LID 2\n");
    served.end();
}

#[test]
fn log_is_a_script_that_does_the_same_again() {
    let served = serve();
    let mut shells = [served.attach(0), served.attach(1)];
    prints(&mut shells[0], "save before");
    assert!(matches!(shells[1].line("llcm_read 1 8").end, Ok(End::Failed(_))), "it is logged as a remark");
    for (pid, line) in [
        (0, "ww_write ww=0 from=0 it=128 val=0x1000 inc=3"),
        (1, "node 1 1"),
        (0, "prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0 dst=0x600"),
        (1, "rllcm_write 1 0x48 9"),
        (0, "rllcm_write 2 0x40 7"),
    ] {
        prints(&mut shells[pid], line);
    }
    let fingerprint = prints(&mut shells[0], "fingerprint");
    assert!(shells.iter_mut().all(|shell| shell.finish().is_ok()));
    drop(shells);
    let again = replayed(&served.end());
    assert!(again.ends_with(&fingerprint), "{again}");
}

#[test]
fn lines_of_shells_that_type_at_once_come_one_by_one() {
    let served = serve();
    let threads: Vec<_> = (0..2)
        .map(|pid| {
            let mut shell = served.attach(pid);
            std::thread::spawn(move || {
                for n in 0..20 {
                    prints(&mut shell, &format!("rllcm_write {} {} {n}", 2 - pid, 8 * n));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let fingerprint = prints(&mut served.attach(0), "fingerprint");
    let again = replayed(&served.end());
    assert!(again.ends_with(&fingerprint), "{again}");
}

#[test]
fn break_points_and_saved_points_are_those_of_the_cluster() {
    let served = serve();
    let (mut one, mut two) = (served.attach(0), served.attach(1));
    prints(&mut two, "break packet_control.state == Decode");
    prints(&mut one, "save before");
    let hit = prints(&mut one, "rllcm_write 2 0x40 7");
    assert!(hit.ends_with("node1.packet_control.state == Decode\n"), "{hit}");
    prints(&mut two, "restore before");
    prints(&mut two, "run 1000");
    assert!(prints(&mut two, "llcm_read 0x40 8").ends_with("#4215c040: 0000000000000000\n"));
    assert!(prints(&mut one, "break").starts_with("1: node1"));
    served.end();
}

#[test]
fn names_of_files_begin_at_the_folder_of_the_shell() {
    let served = serve();
    std::fs::write(served.folder.path().join("lines.dsh"), "v\n").unwrap();
    let mut shell = served.attach(0);
    assert!(prints(&mut shell, "source lines.dsh").starts_with("DIMMnet-2 Shell"));
    prints(&mut shell, "trace on waves.vcd");
    assert!(prints(&mut shell, "trace off").starts_with("waves.vcd: "));
    assert!(served.folder.path().join("waves.vcd").exists());
    served.end();
}

#[test]
fn shell_that_does_not_fit_is_refused() {
    let served = serve();
    let socket = served.socket.clone();
    let refused = |processes, pid| {
        let start = Start { processes, pid, wid: false };
        Connection::open::<Dimmnet2>(&socket, start, Path::new(""), |_| {}).err().unwrap().to_string()
    };
    assert!(refused(3, 0).contains("the cluster that is served has 2 processes, not 3"));
    assert!(refused(2, 2).contains("the last one has PID 1, there is no 2"));
    served.end();
    assert!(refused(2, 0).contains("nobody serves"));
}

/// Sends text to a server that no shell would send.
fn say(socket: &Path, text: &str) -> UnixStream {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

fn hello() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "{{\"hello\":{{\"version\":\"{version}\",\"machine\":\"DIMMnet-2\",\"processes\":2,\"pid\":0,\"wid\":false,\"folder\":\"\"}}}}\n"
    )
}

#[test]
fn shell_that_vanishes_holds_nobody_up() {
    let served = serve();
    let silent = say(&served.socket, "");
    drop(say(&served.socket, "no message\n"));
    drop(say(&served.socket, "{\"line\":{\"number\":1,\"text\":\"v\"}}\n"));
    drop(say(&served.socket, &hello()[..20]));
    // The boards carry 64 MB: idle boards would pass ten seconds before the server sees the closed connection.
    let carry = "{\"line\":{\"number\":1,\"text\":\"prim RVS dt=0 it=0 dw=0 dl=2 ef=0 size=0x4000000 src=0 dst=0\"}}\n";
    let long = "{\"line\":{\"number\":2,\"text\":\"run 1000000000\"}}\n";
    drop(say(&served.socket, &(hello() + carry + long)));
    let mut shell = served.attach(1);
    let time = prints(&mut shell, "time");
    let seconds: f64 = time.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6;
    assert!(seconds < 9.0, "ten seconds did not pass for nobody: {time}");
    drop(silent);
    served.end();
}

#[test]
fn server_that_ends_tells_its_shells() {
    let served = serve();
    let (mut one, mut two) = (served.attach(0), served.attach(1));
    prints(&mut one, "v");
    let running = std::thread::spawn(move || one.line("run 1000000000").end);
    let socket = served.socket.clone();
    served.end();
    let end = running.join().unwrap();
    // Its time was stopped, or it had not begun.
    assert!(matches!(end, Ok(End::Next) | Err(_)), "{end:?}");
    let lost = two.line("v").end.unwrap_err();
    assert!(lost.contains("is lost: ") && !lost.contains('\n'), "{lost}");
    assert!(!socket.exists());
}

#[test]
fn line_is_stopped_by_the_shell_that_typed_it() {
    let served = serve();
    let mut shell = served.attach(0);
    // Idle boards simulate fast; those that carry 64 MB do not.
    prints(&mut shell, "prim RVS dt=0 it=0 dw=0 dl=2 ef=0 size=0x4000000 src=0 dst=0");
    shell.stop_at(Arc::new(AtomicBool::new(true)));
    // The flag is checked when no answer has come for a while.
    let text = prints(&mut shell, "run 1000000000");
    assert!(text.starts_with("interrupted at "), "{text}");
    assert_eq!(shell.line("v\nv").end, Ok(End::Failed("a line is one line".to_string())));
    assert!(served.end().contains("\n# stopped on the way: run 1000000000\n"));
}

#[test]
fn abandoned_socket_is_replaced_and_a_served_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("boards");
    drop(UnixListener::bind(&socket).unwrap());
    assert!(socket.exists(), "nobody removed it");
    let server = Server::bind(&socket).unwrap();
    let error = Server::bind(&socket).err().unwrap().to_string();
    assert!(error.contains("is served already"), "{error}");
    drop(server);
    let file = folder.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    let error = Server::bind(&file).err().unwrap().to_string();
    assert!(error.contains("is no socket"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    assert!(Server::bind(&folder.path().join("no/such/folder")).is_err());
}

/// The next message of a server to a raw connection.
fn heard(stream: &UnixStream) -> String {
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line
}

#[test]
fn process_has_one_shell_and_another_when_that_one_has_left() {
    let served = serve();
    let first = served.attach(1);
    let start = Start { processes: 2, pid: 1, wid: true };
    let refused = Connection::open::<Dimmnet2>(&served.socket, start, Path::new(""), |_| {});
    let refused = refused.err().unwrap().to_string();
    assert!(refused.contains("PID 1 has a shell already"), "{refused}");
    drop(first);
    for _ in 0..100 {
        // The shell before may just have gone.
        prints(&mut served.attach(1), "node 0");
    }
    let log = served.end();
    assert_eq!(log.matches("# PID 1 comes").count(), 101, "{log}");
}

#[test]
fn shell_that_floods_is_cut_off_and_blocks_no_other() {
    let served = serve();
    let mut flooding = say(&served.socket, &hello());
    let flood = std::thread::spawn(move || {
        let line = "{\"line\":{\"number\":1,\"text\":\"h\"}}\n".repeat(1000);
        (0..1000).take_while(|_| flooding.write_all(line.as_bytes()).is_ok()).count()
    });
    let mut shell = served.attach(1);
    let begin = Instant::now();
    prints(&mut shell, "v");
    assert!(begin.elapsed() < Duration::from_secs(4), "{:?}", begin.elapsed());
    assert!(flood.join().unwrap() < 1000, "a million lines are not taken");
    served.end();
}

#[test]
fn shells_beyond_the_last_slot_are_refused() {
    let served = serve();
    let mut crowd: Vec<_> = (0..70).map(|_| say(&served.socket, "")).collect();
    let refused = heard(&crowd.pop().unwrap());
    assert!(refused.contains("there are 64 shells already"), "{refused}");
    let silent = heard(&crowd[0]);
    assert!(silent.contains("no hello in 5s"), "{silent}");
    // Its slot is free a moment after it was told the reason.
    let until = Instant::now() + Duration::from_secs(10);
    let mut shell = loop {
        match served.try_attach(0) {
            Ok(shell) => break shell,
            Err(refused) => assert!(Instant::now() < until, "{refused}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    prints(&mut shell, "v");
    served.end();
}

#[test]
fn pipe_is_no_script_and_an_endless_script_is_ended() {
    let served = serve();
    for name in ["pipe", "pipe.vcd"] {
        let made = std::process::Command::new("mkfifo").arg(served.folder.path().join(name)).status();
        assert!(made.unwrap().success());
    }
    let file = |name: &str, text: &str| std::fs::write(served.folder.path().join(name), text).unwrap();
    file("endless", &"h\n".repeat(100_000));
    file("empty", "");
    let mut shell = served.attach(0);
    let mut fails = |line: &str, part: &str| match shell.line(line).end {
        Ok(End::Failed(error)) => assert!(error.contains(part), "{line}: {error}"),
        end => panic!("{line}: {end:?}"),
    };
    fails("source pipe", "no regular file");
    fails("source /dev/zero", "no regular file");
    fails("source .", "no regular file");
    fails("trace on pipe.vcd", "no regular file");
    fails("source endless", "it prints more than 4 MB");
    fails(&"x".repeat(100_000), "the line is longer than 65536 bytes");
    assert_eq!(prints(&mut shell, "source empty"), "");
    served.end();
}

#[test]
fn server_ends_at_once_while_shells_are_silent_deaf_or_at_work() {
    let served = serve();
    let silent = say(&served.socket, "");
    let deaf = say(&served.socket, &(hello() + &"{\"line\":{\"number\":1,\"text\":\"h\"}}\n".repeat(4)));
    let mut busy = served.attach(1);
    prints(&mut busy, "prim RVS dt=0 it=0 dw=0 dl=1 ef=0 size=0x4000000 src=0 dst=0");
    let busy = std::thread::spawn(move || busy.line("run 1000000000").end);
    std::thread::sleep(Duration::from_millis(100));
    let begin = Instant::now();
    served.end();
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
    let _ = busy.join().unwrap();
    drop((silent, deaf));
}

#[test]
fn line_of_other_bytes_fails_and_its_shell_stays() {
    let served = serve();
    let mut shell = served.attach(0);
    assert!(matches!(shell.line_of_bytes(b"v \xff").end, Ok(End::Failed(_))));
    assert!(prints(&mut shell, "v").contains("version"));
    drop(shell);

    let mut stream = UnixStream::connect(&served.socket).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    let mut say = |bytes: &[u8], expected: &str| {
        stream.write_all(bytes).unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains(expected), "{answer}");
    };
    let version = env!("CARGO_PKG_VERSION");
    let hello = format!(
        "{{\"hello\":{{\"version\":\"{version}\",\"machine\":\"DIMMnet-2\",\"processes\":2,\"pid\":1,\"wid\":false,\"folder\":\"/\"}}}}\n"
    );
    say(hello.as_bytes(), "welcome");
    say(b"{\"line\":{\"number\":1,\"text\":\"run 5\xff\"}}\n", "byte 6 of the line, 0xff, is not UTF-8 text");
    say(b"{\"line\":{\"number\":2,\"text\":\"v\"}}\n", "version 2.1a");
    drop(stream);
    assert!(served.end().contains("# run 5\\xff: byte 6"), "the log is text");
}
