//! Calls of nodes in memory, in which the instructions of the library's steps are counted.
//!
//!     fagus_steps NODES messages|datagrams ACCESSES LOCKS BARRIERS
//!
//! Node 0 writes an object that it owns, and acquires a lock whose home it is; then all nodes meet at barriers.

use fagus::{Config, Delivery, Shared};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let ([nodes, accesses, locks, barriers], Some(network)) = (&numbers[..], words.get(1)) else {
        eprintln!("usage: fagus_steps NODES messages|datagrams ACCESSES LOCKS BARRIERS");
        std::process::exit(2);
    };
    let delivery = if network == "messages" { Delivery::Messages } else { Config::default().delivery };
    let config = Config { delivery, ..Config::default() };
    let run = fagus::run(*nodes, config, async |dsm| {
        let data: Shared<[u32]> = dsm.shared_whole("data", 1).await?;
        if dsm.node() == 0 {
            for _ in 0..*accesses {
                data.write(0..1).await?[0] += 1;
            }
            for _ in 0..*locks {
                drop(dsm.lock(0).await?);
            }
        }
        for _ in 0..*barriers {
            dsm.barrier().await?;
        }
        Ok(())
    });
    let stats = run.expect("no call fails").stats;
    println!("{} packets were sent, {} received", stats.packets_sent, stats.packets_received);
}
