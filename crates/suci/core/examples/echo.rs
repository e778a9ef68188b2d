//! Round trips of blocks: `echo` alone runs both sides in one process, `echo serve 127.0.0.1:7000` and `echo
//! ask 127.0.0.1:7000` one side each. `--record FILE` writes the calls of the asking endpoint to a pcapng
//! file for `memonet suci replay`.

use std::error::Error;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use suci::sync::{BindError, Socket};
use suci::{Config, Event, Rules, Security};
use suci_capture::{Capture, Keys};

const SECOND: Duration = Duration::from_secs(1);
const ROUNDS: usize = 10_000;

/// Public example key. Programs load their keys from a secret store.
const KEY: [u8; 32] = *b"a key that everybody knows, alas";

fn config(security: Security) -> Config {
    Config::new(Rules::MODERN, security)
}

/// Returns every block to its sender, `rounds` times.
fn serve(mut socket: Socket, rounds: usize) -> Result<(), suci::sync::Error> {
    let mut served = 0;
    while served < rounds {
        match socket.event(SECOND)? {
            Some(Event::Block { peer, priority, block }) => {
                socket.send(peer, priority, &block, SECOND)?;
                served += 1;
                if served == rounds {
                    socket.flush(peer, SECOND)?;
                }
            }
            Some(Event::Connected { address, .. }) => eprintln!("{address} has connected"),
            _ => {}
        }
    }
    Ok(())
}

fn open(config: Config, record: Option<&Path>) -> Result<Socket, BindError> {
    let Some(path) = record else { return Socket::bind("0.0.0.0:0", config) };
    Socket::bind_recorded("0.0.0.0:0", config, |local| {
        // The key of this example is public. A capture with a secret key must be kept secret too.
        Ok(Box::new(Capture::create(path, local, Keys::Kept)?))
    })
}

/// Sends blocks one after another and waits for each to return.
fn ask(address: SocketAddr, config: Config, record: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut socket = open(config, record)?;
    let peer = socket.connect(address)?;
    let mut times = Vec::new();
    while times.len() < ROUNDS {
        let begin = Instant::now();
        socket.send(peer, 0, &times.len().to_be_bytes(), SECOND)?;
        let block = loop {
            match socket.event(SECOND)? {
                Some(Event::Block { block, .. }) => break block,
                Some(Event::Closed { reason, .. }) => return Err(format!("closed: {reason:?}").into()),
                Some(_) => {}
                None => return Err(format!("nobody answers at {address}").into()),
            }
        };
        if block != times.len().to_be_bytes() {
            return Err("another block came back".into());
        }
        times.push(begin.elapsed());
    }
    times.sort();
    println!("{ROUNDS} blocks of 8 bytes there and back");
    println!("median {:?}, 99 of 100 within {:?}", times[ROUNDS / 2], times[ROUNDS * 99 / 100]);
    let counters = socket.endpoint().counters();
    println!("{} datagrams sent, {} lost, {} time-outs", counters.sent, counters.lost, counters.timeouts);
    socket.flush(peer, SECOND)?;
    socket.endpoint().close(peer);
    socket.turn(Duration::ZERO)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let option = arguments.iter().position(|argument| argument == "--record");
    let file: Vec<_> =
        option.map_or_else(Vec::new, |at| arguments.drain(at..arguments.len().min(at + 2)).collect());
    let record = match &file[..] {
        [] => None,
        [_, file] => Some(PathBuf::from(file)),
        _ => return Err("--record: the name of a file is missing".into()),
    };
    let record = record.as_deref();
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    match words.iter().map(|word| &**word).collect::<Vec<_>>()[..] {
        [] => {
            for security in [Security::Trusted, Security::SharedKey(KEY)] {
                println!("{security:?}:");
                let config = config(security.clone());
                let socket = Socket::bind("127.0.0.1:0", config.clone())?;
                let address = socket.local_address()?;
                let server = std::thread::spawn(move || serve(socket, ROUNDS));
                // A file records a single endpoint.
                ask(address, config, record.filter(|_| security == Security::Trusted))?;
                server.join().map_err(|_| "the server has panicked")??;
            }
            Ok(())
        }
        ["serve", address] => {
            Ok(serve(Socket::bind(address, config(Security::SharedKey(KEY)))?, usize::MAX)?)
        }
        ["ask", address] => ask(address.parse()?, config(Security::SharedKey(KEY)), record),
        _ => Err("usage: echo [serve ADDRESS | ask ADDRESS] [--record FILE]".into()),
    }
}
