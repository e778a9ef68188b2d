use cluster::Duration;
use hca_machine::Settings;
use hca_machine::settings::Bus;
use mpi::programs::{all, incast};

use crate::run;

/// Sizes around a packet of the network, the longest eager message, and the longest packet of MPI.
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
fn no_message_to_a_host_that_computes_is_lost() {
    let ends = run(&Settings::default(), 16, |world| async move {
        let ran = incast(&world, 20, Duration::from_us(2_000)).await;
        world.finalize().await.unwrap();
        ran
    });
    ends.into_iter().for_each(|end| end.unwrap());
}
