//! Latency of a read miss over UDP between two processes on loopback, compared with the round trip of bare
//! datagrams between the same processes.
//!
//! ```text
//! cargo run --release -p fagus --example read_miss          20 rounds of 100 round trips and 100 reads
//! cargo run --release -p fagus --example read_miss 50 4096  50 rounds, reads of 4,096 bytes
//! ```
//!
//! Both are measured alternately in one run, so that other load affects both alike. A bare round trip carries
//! 64 bytes each way; each end sleeps in `recv_from` until a datagram arrives. A read asks node 0, which has
//! written the variable and waits at a barrier. The first process starts the other one as its child.

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, UdpSocket};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fagus::Config;
use fagus::blocking::{Array, Node};
use fagus::carrier::udp::{Peers, Seat};

/// First argument of the child process.
const CHILD: &str = "--child";

/// Round trips and reads in each round.
const TIMES: usize = 100;

/// Bytes of a bare datagram, more than a packet of a small message.
const BARE: usize = 64;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments = std::env::args_os().skip(1);
    let arguments: Vec<_> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    if arguments.first().is_some_and(|first| first == CHILD) {
        return child(&arguments[1..]);
    }
    let number = |at: usize, default: usize| arguments.get(at).map_or(Ok(default), |typed| typed.parse());
    let (turns, bytes) = (number(0, 20)?, number(1, 4)?);
    if turns == 0 || bytes == 0 {
        return Err("there is at least one turn, and one byte".into());
    }
    let key = RandomState::new().hash_one(std::process::id());
    let (bare, seat) = (UdpSocket::bind("127.0.0.1:0")?, Seat::loopback()?);
    let said = [key.to_string(), turns.to_string(), bytes.to_string(), bare.local_addr()?.to_string()];
    let mut other = Command::new(std::env::current_exe()?)
        .arg(CHILD)
        .args(said)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(other.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let their = line.split_whitespace().map(str::parse).collect::<Result<Vec<SocketAddr>, _>>()?;
    let [their_bare, their_seat] = their[..] else { return Err("the other process has ended early".into()) };
    let addresses = vec![their_seat, seat.address()?];
    writeln!(other.stdin.take().ok_or("no input")?, "{}", addresses[1])?;
    bare.connect(their_bare)?;
    let (node, variable) = join(1, seat, addresses, key, bytes)?;
    let (mut trips, mut reads) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        for _ in 0..TIMES {
            let begin = Instant::now();
            bare.send(&[0; BARE])?;
            bare.recv(&mut [0; BARE])?;
            trips.push(begin.elapsed());
        }
        for _ in 0..TIMES {
            node.barrier()?;
            let begin = Instant::now();
            let guard = variable.read(0..bytes)?;
            reads.push(begin.elapsed());
            drop(guard);
            node.barrier()?;
        }
    }
    node.leave()?;
    other.wait()?;
    let (trip, read) = (median(&mut trips), median(&mut reads));
    let ratio = read.as_secs_f64() / trip.as_secs_f64();
    println!("{} round trips of {BARE} bytes over bare UDP, median {:.1} us", trips.len(), us(trip));
    println!("{} reads of {bytes} bytes that miss,     median {:.1} us, {ratio:.2} x", reads.len(), us(read));
    Ok(())
}

/// Node 0: echoes bare datagrams, and writes the variable before each read.
fn child(arguments: &[String]) -> Outcome<()> {
    let [key, turns, bytes, bare_address] = arguments else {
        return Err("a child has four arguments".into());
    };
    let (turns, bytes): (usize, usize) = (turns.parse()?, bytes.parse()?);
    let (bare, seat) = (UdpSocket::bind("127.0.0.1:0")?, Seat::loopback()?);
    bare.connect(bare_address.parse::<SocketAddr>()?)?;
    println!("{} {}", bare.local_addr()?, seat.address()?);
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let addresses = vec![seat.address()?, line.trim().parse()?];
    let (node, variable) = join(0, seat, addresses, key.parse()?, bytes)?;
    for _ in 0..turns {
        for _ in 0..TIMES {
            let mut bytes = [0; BARE];
            let length = bare.recv(&mut bytes)?;
            bare.send(&bytes[..length])?;
        }
        for _ in 0..TIMES {
            let mut guard = variable.write(0..bytes)?;
            guard[0] = guard[0].wrapping_add(1);
            drop(guard);
            node.barrier()?;
            node.barrier()?;
        }
    }
    Ok(node.leave()?)
}

/// Joins a run with one variable, whose home is node 0.
fn join(
    node: usize,
    seat: Seat,
    addresses: Vec<SocketAddr>,
    key: u64,
    bytes: usize,
) -> Outcome<(Node, Array<u8>)> {
    let node = Node::join(seat, Peers { node, addresses, key }, Config::default())?;
    let whole = 0..bytes;
    let variable = node.shared_in("variable", bytes, std::slice::from_ref(&whole))?;
    Ok((node, variable))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
