//! Memory of idle peers: `peers [COUNT]` connects 10,000 peers to one server socket over loopback and prints
//! the memory of the server. The callers run in a child process, each with a socket of its own.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use suci::sync::Socket;
use suci::udp::Udp;
use suci::{Config, Endpoint, Event, Rules, Security};

const PATIENCE: Duration = Duration::from_secs(60);

fn config(peers: usize) -> Config {
    Config { peers, ..Config::new(Rules::MODERN, Security::SharedKey(*b"a key that everybody knows, alas")) }
}

/// Resident memory of this process in kB.
fn memory() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("there is no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// Connects `count` sockets one after another and keeps them open.
fn call(to: &str, count: usize) -> Result<(), Box<dyn Error>> {
    let mut kept: Vec<(std::net::UdpSocket, Endpoint)> = Vec::new();
    let (mut udp, mut endpoint) = Udp::with_endpoint("127.0.0.1:0", config(1))?;
    for number in 0..count {
        let peer = endpoint.connect(udp.now(), to.parse()?)?;
        endpoint.send(peer, 0, &number.to_be_bytes())?;
        let begin = std::time::Instant::now();
        while endpoint.flow(peer).is_some_and(|flow| flow.queued_blocks > 0) {
            udp.send(&mut endpoint)?;
            udp.receive(&mut endpoint)?;
            while endpoint.poll_event().is_some() {}
            if begin.elapsed() > PATIENCE {
                return Err(format!("peer {number} is not answered").into());
            }
        }
        let (next, fresh) = Udp::with_endpoint("127.0.0.1:0", config(1))?;
        let before = std::mem::replace(&mut udp, next);
        kept.push((before.socket().try_clone()?, std::mem::replace(&mut endpoint, fresh)));
    }
    println!("called");
    // The server closes standard input after it has measured its memory.
    std::io::stdin().read_line(&mut String::new())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args_os().skip(1);
    let arguments: Vec<_> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    if let [role, to, count] = &arguments[..]
        && role == "call"
    {
        return call(to, count.parse()?);
    }
    let count: usize = arguments.first().map_or(Ok(10_000), |count| count.parse())?;
    let mut socket = Socket::bind("127.0.0.1:0", config(count))?;
    let before = memory()?;
    // Each socket is an open file, and the default limit is often 1,024.
    let script = "ulimit -n $(ulimit -Hn) && exec \"$0\" call \"$1\" \"$2\"";
    let program = std::env::current_exe()?;
    let mut callers = Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .args([socket.local_address()?.to_string(), count.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = BufReader::new(callers.stdout.take().ok_or("no output")?);
    let called = std::thread::spawn(move || output.lines().next());
    let (mut connected, mut blocks) = (0, 0);
    while !called.is_finished() {
        match socket.event(Duration::from_millis(100))? {
            Some(Event::Connected { .. }) => connected += 1,
            Some(Event::Block { .. }) => blocks += 1,
            Some(event) => println!("{event:?}"),
            None => {}
        }
    }
    let after = memory()?;
    drop(callers.stdin.take());
    callers.wait()?;
    println!("{connected} peers on one socket, each has sent a block ({blocks} came), and is idle");
    println!(
        "memory of the process: {:.1} MB, {:.1} MB before; {} bytes a peer",
        after as f64 / 1e3,
        before as f64 / 1e3,
        (after - before) * 1_024 / connected.max(1),
    );
    if connected < count as u64 { Err(format!("only {connected} of {count} came").into()) } else { Ok(()) }
}
