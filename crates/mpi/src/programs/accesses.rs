//! Puts, gets and accumulates of all shapes, next to copies in memory.

use std::rc::Rc;

use super::{Wrong, bytes};
use crate::communicator::Communicator;
use crate::datatype::Kind;
use crate::error::Error;
use crate::predefined::Predefined;
use crate::window::{AllBytes, Bytes, Exposed, Flush, Memory, TargetPlace, Window};

/// Bytes of each rank's memory in [`accesses`].
pub const ACCESSED: usize = 80_000;

/// A run of bytes: offset and length.
type Run = (i64, u64);

/// Layouts at the target: one run around the borders of packets, words and windows, elements at equal distances, and
/// other lists.
fn layouts() -> Vec<Vec<Run>> {
    let column = |count: i64, bytes, stride: i64| -> Vec<Run> {
        (0..count).map(|number| (40 + stride * number, bytes)).collect()
    };
    let mut all: Vec<Vec<Run>> = [4, 8, 12, 488, 496, 500, 512, 1_024, 16_384, 16_388, 40_000]
        .into_iter()
        .map(|length| vec![(16, length)])
        .collect();
    all.extend([vec![(3, 1)], vec![(9, 7)], vec![(10, 500)], vec![(20, 4), (29, 8)]]);
    all.extend([
        column(2, 4, 8),
        column(3, 8, 12),
        column(5, 128, 256),
        column(255, 64, 68),
        column(300, 8, 24),
    ]);
    all.extend([column(3, 4_096, 8_192), column(40, 12, 20), column(9, 100, 104)]);
    all.push(column(70, 8, 24).into_iter().rev().collect());
    all.push((0..300).map(|number| (4 * (number * number % 9_973), 4)).collect());
    all.push(vec![(400, 12), (0, 4), (1_000, 24), (412, 16)]);
    all
}

/// Each rank accesses the memory of the next one, which changes it by nothing else, and each compares its memory with
/// copies at the end. Memory has [`ACCESSED`] bytes; the library may choose its place if it is `allocated`.
pub async fn accesses(
    world: &Communicator,
    memory: &Rc<Vec<Bytes>>,
    is_allocated: bool,
) -> Result<(), Wrong> {
    let own = world.rank();
    let failed = |error: Error| Wrong::Call { rank: own, what: "an access".to_string(), error };
    let wrong = |what: String| Wrong::Result { rank: own, what };
    memory[own].write(Bytes::BASE, &bytes(own, usize::MAX, ACCESSED)).map_err(failed)?;
    let all: Rc<dyn Memory> = Rc::new(AllBytes { parts: memory.clone(), own });
    let exposed = Exposed::Fixed { base: Bytes::BASE, size: ACCESSED as u64 };
    let window = match is_allocated {
        true => Window::allocate(world, all, exposed, 1).await,
        false => Window::create(world, all, exposed, 1).await,
    };
    let window = window.map_err(failed)?;
    window.lock_all(true).await.map_err(failed)?;
    let target = (own + 1) % world.size();
    let mut copy = bytes(target, usize::MAX, ACCESSED);
    for (number, runs) in layouts().iter().enumerate() {
        let at = TargetPlace { rank: target, displacement: 0, runs };
        let length = runs.iter().map(|(_, bytes)| *bytes as usize).sum();
        let [first, second, third] = [0, 1, 2].map(|part| bytes(own, 3 * number + part, length));
        let replace = |data| window.accumulate(at, Predefined::Replace, Kind::Byte, data);
        let got = window.get(at, length).await.map_err(failed)?.wait().await.map_err(failed)?.bytes;
        if got != gathered(&copy, runs) {
            return Err(wrong(format!("data of get {number}")));
        }
        window.put(at, &first).await.map_err(failed)?;
        replace(&second).await.map_err(failed)?;
        if number % 3 > 0 {
            window.put(at, &third).await.map_err(failed)?;
        }
        if number % 2 > 0 {
            window.flush(target, Flush::Whole).await.map_err(failed)?;
        }
        scatter(&mut copy, runs, if number % 3 > 0 { &third } else { &second });
        let got = window.get(at, length).await.map_err(failed)?.wait().await.map_err(failed)?.bytes;
        if got != gathered(&copy, runs) {
            return Err(wrong(format!("data of get {number} behind a put and an accumulate")));
        }
        window.put(at, &first).await.map_err(failed)?;
        scatter(&mut copy, runs, &first);
    }
    window.unlock_all().await.map_err(failed)?;
    window.free().await.map_err(failed)?;
    let before = (own + world.size() - 1) % world.size();
    let mut copy = bytes(own, usize::MAX, ACCESSED);
    for (number, runs) in layouts().iter().enumerate() {
        let length = runs.iter().map(|(_, bytes)| *bytes as usize).sum();
        scatter(&mut copy, runs, &bytes(before, 3 * number, length));
    }
    match memory[own].to_vec() == copy {
        true => Ok(()),
        false => Err(wrong("memory of a window".to_string())),
    }
}

fn gathered(memory: &[u8], runs: &[Run]) -> Vec<u8> {
    runs.iter().flat_map(|(at, bytes)| &memory[*at as usize..][..*bytes as usize]).copied().collect()
}

fn scatter(memory: &mut [u8], runs: &[Run], mut data: &[u8]) {
    for (at, bytes) in runs {
        let (own, rest) = data.split_at(*bytes as usize);
        memory[*at as usize..][..own.len()].copy_from_slice(own);
        data = rest;
    }
}
