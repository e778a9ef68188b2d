use std::time::{Duration, Instant};

use suci::sync::Socket;
use suci::{Config, Event, Rules, Security};

const WAIT: Duration = Duration::from_secs(10);

fn socket() -> Socket {
    Socket::bind("127.0.0.1:0", Config::new(Rules::MODERN, Security::Trusted)).unwrap()
}

fn block(socket: &mut Socket) -> (suci::Peer, Vec<u8>) {
    loop {
        if let Event::Block { peer, block, .. } = socket.event(WAIT).unwrap().expect("something happens") {
            return (peer, block);
        }
    }
}

#[test]
fn blocks_are_echoed_over_udp() {
    let mut server = socket();
    let address = server.local_address().unwrap();
    let thread = std::thread::spawn(move || {
        for _ in 0..50 {
            let (peer, block) = block(&mut server);
            server.send(peer, 0, &block, WAIT).unwrap();
            assert!(server.flush(peer, WAIT).unwrap());
        }
    });
    let mut client = socket();
    let peer = client.connect(address).unwrap();
    let blocks: Vec<Vec<u8>> = (0..50).map(|number| vec![number as u8; 1 + number * 2_000]).collect();
    for block in &blocks {
        client.send(peer, 0, block, WAIT).unwrap();
    }
    for sent in &blocks {
        assert_eq!(&block(&mut client).1, sent);
    }
    // Leaves time for the acknowledgement of the last block.
    while !thread.is_finished() {
        client.turn(Duration::from_millis(1)).unwrap();
    }
    thread.join().unwrap();
}

#[test]
fn waits_end_on_time() {
    let mut alone = socket();
    let begin = Instant::now();
    assert_eq!(alone.event(Duration::from_millis(3)).unwrap(), None);
    assert!(begin.elapsed() >= Duration::from_millis(3));
    let nobody = alone.local_address().unwrap();
    let mut caller = socket();
    drop(alone);
    let peer = caller.connect(nobody).unwrap();
    caller.send(peer, 0, b"x", WAIT).unwrap();
    assert!(!caller.flush(peer, Duration::from_millis(3)).unwrap());
}

#[test]
fn events_of_sending_are_returned_before_waiting() {
    let silent = socket();
    let give_up = Duration::from_millis(1);
    let config = Config { give_up, ..Config::new(Rules::MODERN, Security::Trusted) };
    let mut caller = Socket::bind("127.0.0.1:0", config).unwrap();
    let peer = caller.connect(silent.local_address().unwrap()).unwrap();
    std::thread::sleep(2 * give_up);
    let begin = Instant::now();
    let closed = Event::Closed { peer, reason: suci::Reason::Silent };
    assert_eq!(caller.event(WAIT).unwrap(), Some(closed));
    assert!(begin.elapsed() < WAIT);
}
