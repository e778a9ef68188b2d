//! Which of all faults are tried.

use sha2::{Digest, Sha256};

use crate::fault::Fault;

/// Draws `sample` faults by a seed, at least `each` of every block that has so many, in order.
///
/// Those of the lowest rank are drawn. A rank rests on the seed and the fault alone, so a register more brings its own faults into the draw and pushes as
/// many out, and all others stay.
pub fn sample(blocks: Vec<Vec<Fault>>, sample: usize, each: usize, seed: u64) -> Vec<Fault> {
    let mut ranked = Vec::new();
    for faults in blocks {
        let mut block: Vec<_> = faults.into_iter().map(|fault| (rank(&fault, seed), fault)).collect();
        block.sort();
        ranked.extend(block.into_iter().enumerate().map(|(place, fault)| (place >= each, fault)));
    }
    // First those that every block has at least.
    ranked.sort();
    ranked.truncate(sample);
    let mut drawn: Vec<_> = ranked.into_iter().map(|(_, (_, fault))| fault).collect();
    drawn.sort();
    drawn
}

/// Where a fault goes that is put into one twin alone: half of them into the Rust block, whatever else is drawn.
pub fn is_in_rust(fault: &Fault, seed: u64) -> bool {
    rank(fault, seed) & 1 == 0
}

fn rank(fault: &Fault, seed: u64) -> u64 {
    let digest = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(fault.to_string()).finalize();
    u64::from_be_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
}
