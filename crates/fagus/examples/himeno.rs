//! Himeno on several processes of this computer, over UDP or verbs.
//!
//! ```text
//! cargo run --release -p fagus --example himeno              four processes, size tiny, 4 iterations
//! cargo run --release -p fagus --example himeno 3 xs 10      three, size XS, 10 iterations
//! cargo run --release -p fagus --features verbs --example himeno -- --carrier verbs --address 10.0.0.7
//! ```
//!
//! Each process binds a port of the given address, loopback by default, and prints it; the first process
//! distributes all addresses. From then on the processes communicate by datagrams alone. Over verbs the
//! address is that of an RDMA device's network interface. Several addresses, separated by commas, are
//! assigned to the processes in turn.

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitCode, Stdio};

use fagus::carrier::udp::{self, Peers, Seat};
use fagus::programs::himeno::{self, Size};
use fagus::{Config, Dsm};

/// First argument of the processes that the first one starts.
const NODE: &str = "--node";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let arguments: Vec<_> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let outcome = match arguments.first().map(String::as_str) {
        Some(NODE) => node(&arguments[1..]),
        _ => start(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("himeno: {error}");
            ExitCode::FAILURE
        }
    }
}

fn size(name: &str) -> Outcome<Size> {
    match name {
        "tiny" => Ok(Size::TINY),
        "xs" => Ok(Size::XS),
        "small" => Ok(Size::SMALL),
        _ => Err(format!("there is no size {name}; say tiny, xs or small").into()),
    }
}

/// Value of an option or its default, and the other arguments.
fn option(name: &str, default: &str, arguments: &[String]) -> Outcome<(String, Vec<String>)> {
    let mut rest = arguments.to_vec();
    let Some(at) = rest.iter().position(|argument| argument == name) else {
        return Ok((default.into(), rest));
    };
    let value = rest.drain(at..rest.len().min(at + 2)).nth(1).ok_or(format!("{name} has a value"))?;
    Ok((value, rest))
}

/// Starts a process for each node and compares their results.
fn start(arguments: &[String]) -> Outcome<()> {
    let (carrier, arguments) = option("--carrier", "udp", arguments)?;
    if !["udp", "verbs"].contains(&carrier.as_str()) {
        return Err(format!("there is no carrier {carrier}; say udp or verbs").into());
    }
    let (addresses, arguments) = option("--address", "127.0.0.1", &arguments)?;
    let argument = |at: usize, default: &'static str| arguments.get(at).map_or(default, String::as_str);
    let (nodes, name, iterations) = (argument(0, "4"), argument(1, "tiny"), argument(2, "4"));
    let (count, grid, times): (usize, _, usize) = (nodes.parse()?, size(name)?, iterations.parse()?);
    if !(1..=64).contains(&count) {
        return Err(format!("there are 1 to 64 processes, not {count}").into());
    }
    let key = RandomState::new().hash_one(std::process::id()).to_string();
    let mut children = Vec::new();
    for (number, address) in addresses.split(',').cycle().take(count).enumerate() {
        let program = std::env::current_exe()?;
        let said = [NODE, &number.to_string(), name, iterations, &key, &carrier, address].map(String::from);
        let child = Command::new(program).args(said).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        children.push(child);
    }
    let mut outputs = Vec::new();
    for child in &mut children {
        outputs.push(BufReader::new(child.stdout.take().ok_or("no output")?).lines());
    }
    let mut line = |at: usize| outputs[at].next().ok_or(format!("node {at} has ended early"));
    let mut addresses = Vec::new();
    for at in 0..count {
        addresses.push(line(at)??);
    }
    for child in &mut children {
        writeln!(child.stdin.take().ok_or("no input")?, "{}", addresses.join(" "))?;
    }
    let mut gosas = Vec::new();
    for at in 0..count {
        gosas.push(line(at)??.parse::<u32>()?);
    }
    for mut child in children {
        Child::wait(&mut child)?;
    }
    let alone = himeno::alone(grid, times).gosa;
    if let Some(at) = gosas.iter().position(|gosa| *gosa != alone.to_bits()) {
        let gosa = f32::from_bits(gosas[at]);
        return Err(format!("node {at} has Gosa {gosa:e}, alone it is {alone:e}").into());
    }
    println!(
        "{count} processes over {}, {iterations} iterations of size {name}: Gosa {alone:e}, bit-equal to one process alone",
        if carrier == "udp" { "UDP" } else { &carrier }
    );
    Ok(())
}

/// Process of a node.
fn node(arguments: &[String]) -> Outcome<()> {
    let [number, name, iterations, key, carrier, address] = arguments else {
        return Err("a node has six arguments".into());
    };
    let (grid, times): (_, usize) = (size(name)?, iterations.parse()?);
    let seat = Seat::bind((address.as_str(), 0))?;
    println!("{}", seat.address()?);
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let addresses = line.split_whitespace().map(str::parse).collect::<Result<Vec<SocketAddr>, _>>()?;
    let peers = Peers { node: number.parse()?, addresses, key: key.parse()? };
    let program = async |dsm: Dsm| himeno::program(&dsm, grid, times).await.map(|result| result.gosa);
    let gosa = match carrier.as_str() {
        #[cfg(feature = "verbs")]
        "verbs" => fagus::carrier::verbs::join(seat, peers, Config::default(), program)?,
        #[cfg(not(feature = "verbs"))]
        "verbs" => return Err("this one was built without verbs; say: cargo run --features verbs".into()),
        _ => udp::join(seat, peers, Config::default(), program)?,
    };
    println!("{}", gosa.to_bits());
    Ok(())
}
