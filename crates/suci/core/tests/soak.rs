use std::time::Duration;

use suci::{Config, Event, Rules, Security, SendError};

use crate::network::{Faults, Network, Random};

const SECOND: Duration = Duration::from_secs(1);
/// Blocks between two restarts of the sender.
const LIFE: u64 = 20_000;

/// Number of blocks to send: few by default, 10,000,000 in `make soak`.
fn count() -> u64 {
    std::env::var("SUCI_BLOCKS").ok().and_then(|count| count.parse().ok()).unwrap_or(3 * LIFE)
}

/// Block of an incarnation: its number, the block's number, and padding.
fn block(life: u64, place: u64) -> Vec<u8> {
    let mut block = [life.to_be_bytes(), place.to_be_bytes()].concat();
    block.resize(16 + Random(life ^ place << 20).below(60) as usize, place as u8);
    block
}

/// Incarnation of a block.
fn life_of(block: &[u8]) -> u64 {
    u64::from_be_bytes(block[..8].try_into().unwrap())
}

/// Blocks over wires with loss, duplication and delay, with key updates and restarts of the sender. From each
/// incarnation a prefix of its blocks arrives, once and in order; all of them if the sender lived until they
/// were acknowledged.
#[test]
fn soak() {
    let config = Config { rekey_after: 500, ..Config::new(Rules::MODERN, Security::SharedKey([6; 32])) };
    let faults = Faults { loss: 20, duplicate: 20, late: 300 };
    let mut network = Network::new(2, &config, 1, faults);
    network.keeps = false;
    let (mut done, mut died) = (0, 0);
    // Next block of each incarnation: blocks of an earlier one may still be in flight.
    let mut next = Vec::new();
    for life in 0.. {
        if done >= count() {
            break;
        }
        let all = LIFE.min(count() - done);
        let peer = network.connect(0, 1);
        // Every third incarnation ends before all its blocks are acknowledged.
        let dies = life % 3 == 2;
        let mut sent = 0;
        next.push(0);
        let finished = network.run(SECOND * 3_600, |network| {
            while sent < all {
                match network.nodes[0].send(peer, 0, &block(life, sent)) {
                    Ok(()) => sent += 1,
                    Err(SendError::Full { .. }) => break,
                    Err(error) => panic!("life {life}: {error}"),
                }
            }
            for (_, _, came) in network.observed[1].blocks.drain(..) {
                let place = &mut next[life_of(&came) as usize];
                assert_eq!(came, block(life_of(&came), *place), "life {life}, block {place}");
                *place += 1;
            }
            let arrived = next[life as usize];
            let heard = network.nodes[0].flow(peer).is_some_and(|flow| flow.queued_blocks == 0);
            if dies { arrived > all / 2 } else { arrived == all && heard }
        });
        let arrived = next[life as usize];
        assert!(finished, "life {life}: {arrived} of {all}, {:?}", network.nodes[1].counters());
        done += arrived;
        network.restart(0, life + 100);
        died += u64::from(dies);
        network.observed[1]
            .others
            .retain(|event| !matches!(event, Event::Connected { .. } | Event::Closed { .. }));
    }
    println!("{done} blocks, each once and in order; {died} senders died before they had heard of all");
}
