use std::time::Duration;

use fagus::reassembly::LEAST;
use fagus::{Config, Delivery, Dsm, Error, Run, Shared, Wires};

fn bad(seed: u64) -> Config {
    Config { seed, wires: Wires::BAD, ..Config::default() }
}

/// Each node increments each counter in every round. Returns the final counters.
async fn count(dsm: Dsm, rounds: usize) -> Result<Vec<u64>, Error> {
    let counters: Shared<[u64]> = dsm.shared("counters", 3 * dsm.nodes()).await?;
    for round in 0..rounds {
        let part = counters.parts()[(dsm.node() + round) % counters.parts().len()].clone();
        counters.write(part).await?.iter_mut().for_each(|counter| *counter += 1);
    }
    dsm.barrier().await?;
    counters.gather(0..3 * dsm.nodes()).await
}

#[test]
fn no_update_is_lost_over_faulty_wires() {
    for nodes in [1, 2, 3, 8] {
        for config in [Config::default(), bad(1), bad(2), bad(3)] {
            let rounds = 20 * nodes;
            let run = fagus::run(nodes, config, async |dsm| count(dsm, rounds).await).unwrap();
            assert!(run.values.iter().all(|counters| *counters == vec![rounds as u64; 3 * nodes]));
            let resent = run.stats.comm.resent;
            assert!(
                nodes == 1 || (resent > 0) == (config.wires == Wires::BAD),
                "{resent} pieces were sent again"
            );
            assert_eq!(run.stats.malformed, 0);
        }
    }
}

#[test]
fn fingerprint_depends_on_the_seed_alone() {
    let run = |seed| fagus::run(4, bad(seed), async |dsm| count(dsm, 20).await).unwrap();
    let (one, again, other) = (run(7), run(7), run(8));
    assert_eq!((one.fingerprint, one.time, one.stats), (again.fingerprint, again.time, again.stats));
    assert_ne!(one.fingerprint, other.fingerprint);
    assert_eq!(one.values, other.values);
}

#[test]
fn large_objects_are_divided_into_pieces_over_lossy_wires() {
    const LENGTH: usize = 100_000;
    let run = fagus::run(2, bad(1), async |dsm| {
        let numbers: Shared<[f64]> = dsm.shared_whole("numbers", LENGTH).await?;
        if dsm.node() == 1 {
            let mut all = numbers.write(0..LENGTH).await?;
            all.iter_mut().zip(0u32..).for_each(|(number, at)| *number = f64::from(at).sqrt());
        }
        dsm.barrier().await?;
        let all = numbers.read(0..LENGTH).await?;
        Ok(all.iter().zip(0u32..).all(|(number, at)| *number == f64::from(at).sqrt()))
    });
    let run = run.unwrap();
    assert_eq!(run.values, [true, true]);
    assert!(run.stats.packets_sent > 2 * 800_000 / 2048, "{}", run.stats.packets_sent);
}

#[test]
fn memory_works_over_networks_with_short_packets() {
    const LENGTH: usize = 10_000;
    // The packet size of verbs over Ethernet with 1,500 bytes, and the smallest permitted one, with which the
    // largest piece has 64 packets.
    for (packet, wires) in [(1024, Wires::BAD), (LEAST, Wires::GOOD)] {
        let config = Config { delivery: Delivery::Datagrams(packet), wires, ..Config::default() };
        let run = fagus::run(2, config, async |dsm| {
            let numbers: Shared<[u64]> = dsm.shared_whole("numbers", LENGTH).await?;
            if dsm.node() == 1 {
                let mut all = numbers.write(0..LENGTH).await?;
                all.iter_mut().zip(0..).for_each(|(number, at)| *number = at);
            }
            dsm.barrier().await?;
            Ok(numbers.read(0..LENGTH).await?.iter().copied().eq(0..LENGTH as u64))
        });
        let run = run.unwrap();
        assert_eq!(run.values, [true, true], "{packet}");
        assert!(run.stats.packets_sent > (8 * LENGTH / packet) as u64, "{packet}");
        assert_eq!(run.stats.malformed, 0, "{packet}");
    }
}

/// Time of a read at node 1 after a write at node 0, with or without a push.
fn read_after(push: bool) -> Run<Duration> {
    let program = async |dsm: Dsm| {
        let data: Shared<[u32]> = dsm.shared_whole("data", 4).await?;
        if dsm.node() == 0 {
            data.write(0..4).await?.fill(9);
            if push {
                data.push(0..4, 1)?;
            }
        }
        dsm.barrier().await?;
        let before = dsm.now();
        if dsm.node() == 1 {
            assert_eq!(*data.read(0..4).await?, [9; 4]);
        }
        Ok(dsm.now() - before)
    };
    fagus::run(2, Config::default(), program).unwrap()
}

#[test]
fn pushed_copy_is_read_without_asking() {
    assert!(read_after(false).values[1] > 2 * Wires::GOOD.latency);
    assert_eq!(read_after(true).values[1], Duration::ZERO);
}

#[test]
fn fetched_copy_stays_valid_until_a_write() {
    let run = fagus::run(2, Config::default(), async |dsm| {
        let data: Shared<[u32]> = dsm.shared_whole("data", 1).await?;
        if dsm.node() == 1 {
            data.fetch(0..1).await?;
            let before = dsm.stats().copies + dsm.stats().others;
            assert_eq!(data.read(0..1).await?[0], 0);
            assert_eq!(dsm.stats().copies + dsm.stats().others, before);
        }
        dsm.barrier().await?;
        if dsm.node() == 0 {
            data.write(0..1).await?[0] = 1;
        }
        dsm.barrier().await?;
        Ok(data.read(0..1).await?[0])
    });
    let run = run.unwrap();
    assert_eq!((run.values, run.stats.invalidations), (vec![1, 1], 1));
}

#[test]
fn lock_is_exclusive() {
    let run = fagus::run(4, bad(5), async |dsm| {
        let data: Shared<[u32]> = dsm.shared_in("data", 2, &[0..1, 1..2]).await?;
        for _ in 0..5 {
            let lock = dsm.lock(3).await?;
            let (first, second) = (data.read(0..1).await?[0], data.read(1..2).await?[0]);
            assert_eq!(first, second, "nobody is between the two writes");
            data.write(0..1).await?[0] += 1;
            dsm.compute(Duration::from_micros(50)).await?;
            data.write(1..2).await?[0] += 1;
            drop(lock);
        }
        dsm.barrier().await?;
        data.gather(0..2).await
    });
    assert_eq!(run.unwrap().values, vec![[20, 20]; 4]);
}

#[test]
fn every_lock_has_a_home_among_the_nodes() {
    for nodes in [1, 2, 3] {
        let run = fagus::run(nodes, Config::default(), async |dsm| {
            for number in [0, 1, 2, 3, 63] {
                drop(dsm.lock(number).await?);
            }
            Ok(())
        });
        assert_eq!(run.unwrap().values.len(), nodes);
    }
}

#[test]
fn reader_keeps_its_data_while_a_writer_waits() {
    let run = fagus::run(2, Config::default(), async |dsm| {
        let data: Shared<[u32]> = dsm.shared_whole("data", 1).await?;
        if dsm.node() == 0 {
            dsm.compute(Duration::from_millis(1)).await?;
            data.write(0..1).await?[0] = 1;
            return Ok(dsm.now());
        }
        let guard = data.read(0..1).await?;
        dsm.compute(Duration::from_millis(5)).await?;
        assert_eq!(guard[0], 0);
        Ok(dsm.now())
    });
    let values = run.unwrap().values;
    assert!(values[0] > values[1], "{values:?}");
}

#[test]
fn node_that_is_dead_from_the_beginning_does_not_run() {
    let begun = std::cell::Cell::new(0);
    let wires = Wires { dies: Some((1, Duration::ZERO)), ..Wires::GOOD };
    let error = fagus::run(2, Config { wires, ..Config::default() }, async |dsm| {
        begun.set(begun.get() + 1 + dsm.node());
        dsm.barrier().await
    });
    assert_eq!(error.unwrap_err().error, Error::Dead { node: 1, lost: vec![] });
    assert_eq!(begun.get(), 1, "node 0 alone has begun");
}
