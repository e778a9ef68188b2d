//! Messages of 4 bytes between two processes, in which the instructions of the library's steps are counted
//! (decision 0093).
//!
//!     steps MESSAGES ENTRIES
//!
//! Both processes have ENTRIES receives posted that no message matches; each message is compared with them first.

use cluster::Duration;
use mpi::carrier::memory::{Cluster, Settings};
use mpi::{Communicator, Options, Request, Source, Tag};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [messages, entries] = numbers[..] else {
        eprintln!("usage: steps MESSAGES ENTRIES");
        std::process::exit(2);
    };
    let mut cluster = Cluster::new(2, Settings::default(), Options::default());
    let outputs = [0, 1].map(|rank| {
        cluster.spawn(rank, "program", move |world| async move { exchange(&world, messages, entries).await })
    });
    let end = cluster.run(Duration::from_us(1_000_000_000)).expect("messages arrive");
    for output in outputs {
        output.take().expect("the program has ended").expect("no call fails");
    }
    println!("{messages} messages in {end}");
}

/// Sends and receives messages in turn with the other process.
async fn exchange(world: &Communicator, messages: usize, entries: usize) -> Result<(), mpi::Error> {
    let (rank, other) = (world.rank(), 1 - world.rank());
    let mut posted: Vec<Request> = Vec::new();
    for tag in 0..entries {
        posted.push(world.ireceive(Source::Rank(other), Tag::Is(1 + tag as u32), 4).await?);
    }
    for number in 0..messages {
        if number % 2 == rank {
            world.send(other, 0, &[0; 4]).await?;
        } else {
            world.receive(Source::Rank(other), Tag::Is(0), 4).await?;
        }
    }
    posted.iter().for_each(|request| assert!(request.cancel(), "nothing matches it"));
    Ok(())
}
