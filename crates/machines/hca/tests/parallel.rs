use cluster::Duration;
use hca_machine::Settings;
use hca_machine::settings::Bus;
use mpi::programs::all;

use crate::run;

/// Lengths around a packet of the network, the longest message that does not ask, and the longest packet of MPI.
static SIZES: [usize; 10] = [0, 1, 2_023, 2_024, 2_025, 8_168, 8_192, 8_193, 65_536, 150_000];

#[test]
fn all_calls_of_mpi_are_right_on_every_bus() {
    for bus in Bus::ALL {
        let ends = run(&Settings { bus, ..Settings::default() }, 3, |world| async move {
            let ran = all(&world, &SIZES, 2).await;
            world.finalize().await.unwrap();
            ran
        });
        ends.into_iter().for_each(|end| end.unwrap());
    }
}

#[test]
fn fifteen_hosts_all_send_to_one_that_computes_and_nothing_is_lost() {
    let ends = run(&Settings::default(), 16, |world| async move {
        const EACH: u32 = 20;
        if world.rank() == 0 {
            world.compute(Duration::from_us(2_000)).await;
            let mut sum = 0;
            for _ in 0..EACH * 15 {
                let came = world.receive(mpi::Source::Any, mpi::Tag::Any, 8).await.unwrap();
                sum += u64::from_le_bytes(came.bytes[..].try_into().unwrap());
            }
            world.finalize().await.unwrap();
            return sum;
        }
        for number in 0..EACH {
            let bytes = (world.rank() as u64 * 1_000 + u64::from(number)).to_le_bytes();
            world.send(0, number, &bytes).await.unwrap();
        }
        world.finalize().await.unwrap();
        0
    });
    let expected: u64 = (1..16).flat_map(|rank| (0..20).map(move |number| rank * 1_000 + number)).sum();
    assert_eq!(ends[0], expected);
}
