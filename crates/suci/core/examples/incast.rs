//! Simultaneous transfers to one receiver (incast): `incast [SENDERS]` sends 64 KiB from each sender over
//! loopback. The receiver divides its socket buffer among them by permits.

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use suci::sync::Socket;
use suci::{Config, Event, Rules, Security};

const BLOCK: usize = 64 << 10;
const PATIENCE: Duration = Duration::from_secs(30);

fn config() -> Config {
    Config::new(Rules::MODERN, Security::Trusted)
}

fn send(to: SocketAddr, number: usize) -> Result<u64, String> {
    let text = |error: &dyn Error| error.to_string();
    let mut socket = Socket::bind("127.0.0.1:0", config()).map_err(|error| text(&error))?;
    let peer = socket.connect(to).map_err(|error| text(&error))?;
    socket.send(peer, 0, &vec![number as u8; BLOCK], PATIENCE).map_err(|error| text(&error))?;
    let flushed = socket.flush(peer, PATIENCE).map_err(|error| text(&error))?;
    if !flushed {
        return Err(format!("sender {number} was not heard"));
    }
    Ok(socket.endpoint().counters().lost)
}

fn main() -> Result<(), Box<dyn Error>> {
    let senders =
        std::env::args_os().nth(1).map_or(Ok(40), |count| count.to_string_lossy().parse::<usize>())?;
    let mut receiver = Socket::bind("127.0.0.1:0", config())?;
    let address = receiver.local_address()?;
    let begin = Instant::now();
    let threads: Vec<_> =
        (0..senders).map(|number| std::thread::spawn(move || send(address, number))).collect();
    let (mut blocks, mut bytes) = (0, 0);
    while blocks < senders {
        match receiver.event(PATIENCE)? {
            Some(Event::Block { block, .. }) => {
                blocks += 1;
                bytes += block.len();
            }
            Some(_) => {}
            None => return Err(format!("{blocks} of {senders} blocks came").into()),
        }
    }
    let took = begin.elapsed();
    // Leaves time for the last acknowledgements.
    let mut lost = 0;
    for thread in threads {
        while !thread.is_finished() {
            receiver.turn(Duration::from_millis(1))?;
        }
        lost += thread.join().map_err(|_| "a sender has panicked")??;
    }
    println!(
        "{senders} blocks of {BLOCK} bytes at one receiver in {took:.1?}, {:.0} MB/s",
        bytes as f64 / took.as_secs_f64() / 1e6
    );
    println!("{lost} datagrams counted as lost");
    Ok(())
}
