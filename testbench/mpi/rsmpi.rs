//! Messages, reductions and a split with the crate `mpi` (rsmpi), as in MPI programs in Rust. Compiled by
//! `ci/rsmpi`.

use mpi::collective::SystemOperation;
use mpi::point_to_point::Status;
use mpi::topology::Color;
use mpi::traits::*;

fn main() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let (next, last) = ((rank + 1) % size, (rank + size - 1) % size);

    // A vector of unknown length is sent to the next rank.
    let sent = vec![f64::from(rank) / 2.0; 1000];
    let (numbers, status): (Vec<f64>, Status) = mpi::request::scope(|scope| {
        let request = world.process_at_rank(next).immediate_send(scope, &sent[..]);
        let received = world.process_at_rank(last).receive_vec();
        request.wait();
        received
    });
    assert_eq!((numbers.len(), numbers[999], status.source_rank()), (1000, f64::from(last) / 2.0, last));

    let mut sum = 0;
    world.all_reduce_into(&(rank + 1), &mut sum, SystemOperation::sum());
    assert_eq!(sum, size * (size + 1) / 2);
    let mut all = vec![0u64; size as usize];
    world.all_gather_into(&(1u64 << (rank + 32)), &mut all[..]);
    assert!(all.iter().enumerate().all(|(rank, number)| *number == 1 << (rank + 32)));

    // Split into even and odd ranks.
    let half = world.split_by_color(Color::with_value(rank % 2)).unwrap();
    let mut largest = 0;
    half.all_reduce_into(&rank, &mut largest, SystemOperation::max());
    assert!(largest % 2 == rank % 2 && largest >= size - 2);

    world.barrier();
    if rank == 0 {
        println!("rsmpi: right on {size}");
    }
}
