//! A chat of participants identified by their public keys. `chat` alone runs a server and two clients in one
//! process. `chat key` prints a new key pair, `chat serve 127.0.0.1:7000 SECRET PUBLIC PUBLIC` runs the
//! server, and `chat join 127.0.0.1:7000 SECRET PUBLIC-OF-THE-SERVER NAME` sends each line of its input.

use std::error::Error;
use std::io::BufRead;
use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use suci::sync::Socket;
use suci::{Config, Event, Peer, PublicKey, Rules, SecretKey, Security};

const TICK: Duration = Duration::from_millis(20);

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn socket(address: &str, own: SecretKey, peers: impl IntoIterator<Item = PublicKey>) -> Outcome<Socket> {
    let security = Security::Pinned { own, peers: peers.into_iter().collect() };
    Ok(Socket::bind(address, Config::new(Rules::MODERN, security))?)
}

/// Forwards each block to all other participants until all have left.
fn serve(mut socket: Socket) -> Outcome<()> {
    let mut here: Vec<(Peer, PublicKey)> = Vec::new();
    let mut came = false;
    while !came || !here.is_empty() {
        match socket.event(Duration::from_secs(60))? {
            Some(Event::Connected { peer, key: Some(key), .. }) => {
                here.push((peer, key));
                came = true;
            }
            Some(Event::Closed { peer, .. }) => here.retain(|(other, _)| *other != peer),
            Some(Event::Block { peer, priority, block }) => {
                for (other, _) in here.iter().filter(|(other, _)| *other != peer) {
                    // A slow participant does not delay the others.
                    let _ = socket.send(*other, priority, &block, Duration::ZERO);
                }
            }
            Some(_) => {}
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Sends the lines of `lines` and passes received lines to `hears`. Ends `stays` turns after the last line.
fn join(
    mut socket: Socket,
    (to, key): (SocketAddr, PublicKey),
    lines: &mpsc::Receiver<String>,
    mut hears: impl FnMut(&str),
    stays: usize,
) -> Outcome<()> {
    let server = socket.connect_to(to, key)?;
    let (mut ended, mut left) = (false, stays);
    while !ended || left > 0 {
        match lines.try_recv() {
            Ok(line) if !line.is_empty() => socket.send(server, 0, line.as_bytes(), TICK)?,
            Err(mpsc::TryRecvError::Disconnected) => ended = true,
            _ => {}
        }
        match socket.event(TICK)? {
            Some(Event::Block { block, .. }) => hears(&String::from_utf8_lossy(&block)),
            Some(Event::Closed { reason, .. }) => return Err(format!("closed: {reason:?}").into()),
            _ if ended => left = left.saturating_sub(1),
            _ => {}
        }
    }
    socket.flush(server, Duration::from_secs(1))?;
    socket.endpoint().close(server);
    Ok(socket.turn(Duration::ZERO)?)
}

/// Runs the server and two clients in one process.
fn alone() -> Outcome<()> {
    let keys = [SecretKey::generate()?, SecretKey::generate()?, SecretKey::generate()?];
    let [server, anna, bert] = [0, 1, 2].map(|at| keys[at].public());
    let bound = socket("127.0.0.1:0", keys[0].clone(), [anna, bert])?;
    let address = bound.local_address()?;
    let serving = std::thread::spawn(move || serve(bound));
    let mut talking = Vec::new();
    for (name, own) in [("anna", &keys[1]), ("bert", &keys[2])] {
        let (say, lines) = mpsc::channel();
        let own = socket("127.0.0.1:0", own.clone(), [])?;
        talking.push(std::thread::spawn(move || {
            join(own, (address, server), &lines, |line| println!("{name} hears {line}"), 20)
        }));
        // The other client has joined by then.
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            for line in ["good morning", "good night"] {
                let _ = say.send(format!("{name}: {line}"));
            }
        });
    }
    for thread in talking {
        thread.join().map_err(|_| "one of them has panicked")??;
    }
    serving.join().map_err(|_| "the server has panicked")?
}

fn secret(text: &str) -> Outcome<SecretKey> {
    // Secret keys have the text format of public keys.
    Ok(SecretKey::from_bytes(
        *text.parse::<PublicKey>().map_err(|_| "a secret key is 64 digits to the base 16")?.as_bytes(),
    ))
}

fn main() -> Outcome<()> {
    let arguments = std::env::args_os().skip(1);
    let arguments: Vec<_> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => alone(),
        ["key"] => {
            let own = SecretKey::generate()?;
            println!("secret {}\npublic {}", PublicKey::from_bytes(*own.as_bytes()), own.public());
            Ok(())
        }
        ["serve", address, own, ref peers @ ..] => {
            let peers = peers.iter().map(|key| key.parse()).collect::<Result<Vec<PublicKey>, _>>()?;
            serve(socket(address, secret(own)?, peers)?)
        }
        ["join", address, own, server, name] => {
            let (say, lines) = mpsc::channel();
            let name = name.to_owned();
            std::thread::spawn(move || {
                for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                    let _ = say.send(format!("{name}: {line}"));
                }
            });
            let to = (address.parse()?, server.parse()?);
            join(socket("0.0.0.0:0", secret(own)?, [])?, to, &lines, |line| println!("{line}"), 50)
        }
        _ => {
            Err("usage: chat [key | serve ADDRESS SECRET PUBLIC.. | join ADDRESS SECRET PUBLIC NAME]".into())
        }
    }
}
