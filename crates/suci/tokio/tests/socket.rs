//! Endpoints in a tokio runtime on loopback.

use std::time::Duration;

use suci::{Config, Event, Rules, SecretKey, Security};
use suci_tokio::Socket;
use tokio::time::timeout;

const WAIT: Duration = Duration::from_secs(20);

fn config() -> Config {
    Config::new(Rules::MODERN, Security::SharedKey([9; 32]))
}

async fn block(socket: &mut Socket) -> (suci::Peer, Vec<u8>) {
    loop {
        let event = timeout(WAIT, socket.event()).await.expect("something happens").unwrap();
        if let Event::Block { peer, block, .. } = event {
            return (peer, block);
        }
    }
}

#[tokio::test]
async fn blocks_are_echoed() {
    let mut server = Socket::bind("127.0.0.1:0", config()).unwrap();
    let address = server.local_address().unwrap();
    let served = tokio::spawn(async move {
        for _ in 0..50 {
            let (peer, block) = block(&mut server).await;
            server.send(peer, 0, &block).await.unwrap();
            assert!(timeout(WAIT, server.flush(peer)).await.unwrap().unwrap());
        }
    });
    let mut client = Socket::bind("127.0.0.1:0", config()).unwrap();
    let peer = client.connect(address).unwrap();
    let blocks: Vec<Vec<u8>> = (0..50).map(|number| vec![number as u8; 1 + number * 2_000]).collect();
    for block in &blocks {
        client.send(peer, 0, block).await.unwrap();
    }
    for sent in &blocks {
        assert_eq!(&block(&mut client).await.1, sent);
    }
    while !served.is_finished() {
        let _ = timeout(Duration::from_millis(1), client.turn()).await;
    }
    served.await.unwrap();
}

#[tokio::test]
async fn dropped_futures_lose_nothing() {
    let mut server = Socket::bind("127.0.0.1:0", config()).unwrap();
    let mut client = Socket::bind("127.0.0.1:0", config()).unwrap();
    let peer = client.connect(server.local_address().unwrap()).unwrap();
    // More blocks than the queue holds, so that sends wait and are cancelled repeatedly.
    let (mut queued, mut arrived) = (0u32, 0u32);
    while arrived < 100 {
        if queued < 100 {
            let sent =
                timeout(Duration::from_micros(300), client.send(peer, 0, &[queued as u8; 50_000])).await;
            queued += u32::from(sent.is_ok_and(|sent| sent.is_ok()));
        } else {
            let _ = timeout(Duration::from_micros(300), client.turn()).await;
        }
        while let Ok(event) = timeout(Duration::from_micros(300), server.event()).await {
            if let Event::Block { block, .. } = event.unwrap() {
                assert_eq!(block, [arrived as u8; 50_000]);
                arrived += 1;
            }
        }
    }
}

/// A socket that calls a silent address, with this timeout.
fn caller(silent: &std::net::UdpSocket, give_up: Duration) -> (Socket, suci::Peer) {
    let own = SecretKey::generate().unwrap();
    let config = Config {
        give_up,
        initial_rtt: Duration::from_millis(1),
        ..Config::new(Rules::MODERN, Security::Pinned { own: own.clone(), peers: [].into() })
    };
    let mut client = Socket::bind("127.0.0.1:0", config).unwrap();
    let peer = client.connect_to(silent.local_addr().unwrap(), own.public()).unwrap();
    (client, peer)
}

#[tokio::test]
async fn timeout_ends_waiting_without_datagrams() {
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let (mut client, peer) = caller(&silent, Duration::from_secs(1));
    let event = timeout(WAIT, client.event()).await.unwrap().unwrap();
    assert_eq!(event, Event::Closed { peer, reason: suci::Reason::Silent });
    assert!(client.endpoint().counters().sent > 1, "the call was repeated");
}

#[tokio::test]
async fn timeout_that_expired_before_waiting_is_reported_at_once() {
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let (mut client, peer) = caller(&silent, Duration::from_millis(1));
    std::thread::sleep(Duration::from_millis(2));
    let event = timeout(WAIT, client.event()).await.unwrap().unwrap();
    assert_eq!(event, Event::Closed { peer, reason: suci::Reason::Silent });
}
