//! A UDP relay that drops datagrams by a seed, the same for all protocols.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Pseudorandom numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A relay, which runs until it is dropped.
pub struct Relay {
    /// Address for the caller.
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Relay {
    /// Relays to this server; `loss` in millionths.
    pub fn new(server: SocketAddr, loss: u64, seed: u64) -> io::Result<Self> {
        let (front, back) = (UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?);
        back.connect(server)?;
        for socket in [&front, &back] {
            socket.set_nonblocking(true)?;
        }
        let (address, stop) = (front.local_addr()?, Arc::new(AtomicBool::new(false)));
        let told = stop.clone();
        let thread = std::thread::spawn(move || relay(&front, &back, loss, seed, &told));
        Ok(Self { address, stop, thread: Some(thread) })
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn relay(front: &UdpSocket, back: &UdpSocket, loss: u64, seed: u64, stop: &AtomicBool) {
    let (mut random, mut caller, mut buffer) = (Random(seed), None, vec![0; 65_536]);
    let tenth = Timespec { tv_sec: 0, tv_nsec: Duration::from_millis(100).subsec_nanos().into() };
    while !stop.load(Ordering::Relaxed) {
        let _ =
            poll(&mut [PollFd::new(front, PollFlags::IN), PollFd::new(back, PollFlags::IN)], Some(&tenth));
        while let Ok((length, from)) = front.recv_from(&mut buffer) {
            caller = Some(from);
            if random.next() % 1_000_000 >= loss {
                let _ = back.send(&buffer[..length]);
            }
        }
        while let Ok(length) = back.recv(&mut buffer) {
            if let Some(caller) = caller
                && random.next() % 1_000_000 >= loss
            {
                let _ = front.send_to(&buffer[..length], caller);
            }
        }
    }
}
