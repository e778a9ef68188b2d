//! Copies a file: `copy FILE` over loopback, `copy receive ADDRESS NEW` and `copy send FILE ADDRESS` between
//! two computers. The receiver returns the SHA-256 of the written data, which the sender compares with its
//! own.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use suci::sync::Socket;
use suci::{Config, Event, Peer, Rules, Security};

const PATIENCE: Duration = Duration::from_secs(10);
const BLOCK: usize = 64 << 10;

fn config() -> Config {
    Config::new(Rules::MODERN, Security::Trusted)
}

/// Adds the path to a file error.
fn open(file: std::io::Result<File>, path: &Path) -> Result<File, String> {
    file.map_err(|error| format!("{}: {error}", path.display()))
}

fn next_block(socket: &mut Socket) -> Result<(Peer, Vec<u8>), Box<dyn Error>> {
    loop {
        match socket.event(PATIENCE)? {
            Some(Event::Block { peer, block, .. }) => return Ok((peer, block)),
            Some(Event::Closed { reason, .. }) => return Err(format!("closed: {reason:?}").into()),
            Some(_) => {}
            None => return Err("nothing came for 10 s".into()),
        }
    }
}

/// Writes received blocks to a file. The first block is the length of the file.
fn receive(mut socket: Socket, to: &Path) -> Result<(), Box<dyn Error>> {
    let (peer, length) = next_block(&mut socket)?;
    let length = u64::from_be_bytes(length.try_into().map_err(|_| "the first block is no length")?);
    let (mut file, mut hash, mut written) = (open(File::create_new(to), to)?, Sha256::new(), 0);
    while written < length {
        let (from, block) = next_block(&mut socket)?;
        if from == peer {
            file.write_all(&block)?;
            hash.update(&block);
            written += block.len() as u64;
        }
    }
    file.sync_all()?;
    socket.send(peer, 0, &hash.finalize(), PATIENCE)?;
    if socket.flush(peer, PATIENCE)? {
        Ok(())
    } else {
        Err("the sender did not hear that all has come".into())
    }
}

fn send(from: &Path, to: SocketAddr) -> Result<(), Box<dyn Error>> {
    let (mut file, mut hash) = (open(File::open(from), from)?, Sha256::new());
    let length = file.metadata()?.len();
    let mut socket = Socket::bind("0.0.0.0:0", config())?;
    let peer = socket.connect(to)?;
    let begin = Instant::now();
    socket.send(peer, 0, &length.to_be_bytes(), PATIENCE)?;
    let mut block = vec![0; BLOCK];
    let mut left = length;
    while left > 0 {
        let part = &mut block[..usize::try_from(left)?.min(BLOCK)];
        file.read_exact(part)?;
        hash.update(&*part);
        socket.send(peer, 0, part, PATIENCE)?;
        left -= part.len() as u64;
    }
    let (_, theirs) = next_block(&mut socket)?;
    let took = begin.elapsed();
    // Leaves time for the acknowledgement of the answer.
    socket.turn(Duration::from_millis(5))?;
    if theirs[..] != hash.finalize()[..] {
        return Err("the SHA-256 there is another one than here".into());
    }
    let counters = socket.endpoint().counters();
    let speed = length as f64 / took.as_secs_f64() / 1e6;
    println!("{length} bytes in {took:.2?}, {speed:.0} MB/s, the same SHA-256 on both sides");
    println!("{} datagrams sent, {} lost, {} time-outs", counters.sent, counters.lost, counters.timeouts);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [file] => {
            let socket = Socket::bind("127.0.0.1:0", config())?;
            let address = socket.local_address()?;
            let copy = std::env::temp_dir().join(format!("suci-copy-{}", std::process::id()));
            let there = copy.clone();
            let receiver =
                std::thread::spawn(move || receive(socket, &there).map_err(|error| error.to_string()));
            let sent = send(Path::new(file), address);
            let received = receiver.join().map_err(|_| "the receiver has panicked")?;
            let _ = std::fs::remove_file(copy);
            sent?;
            Ok(received?)
        }
        [action, address, to] if action == "receive" => {
            receive(Socket::bind(&*address.to_string_lossy(), config())?, Path::new(to))
        }
        [action, file, address] if action == "send" => {
            send(Path::new(file), address.to_string_lossy().parse()?)
        }
        _ => Err("usage: copy FILE | copy send FILE ADDRESS | copy receive ADDRESS NEW".into()),
    }
}
