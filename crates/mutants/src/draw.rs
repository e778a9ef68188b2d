//! Selection of the faults that are tested, by a seed.

use std::fmt::Display;

use sha2::{Digest, Sha256};

/// Draws `sample` faults by a seed and returns them in order. The first to be drawn are `each` faults of
/// every block, or all of a block that has fewer.
///
/// Faults of the lowest rank are drawn. The rank of a fault depends on the seed and this fault only: a new
/// register adds its own faults to the draw and displaces as many others, and all the remaining ones stay.
pub fn sample<F: Display + Ord>(blocks: Vec<Vec<F>>, sample: usize, each: usize, seed: u64) -> Vec<F> {
    let mut ranked = Vec::new();
    for faults in blocks {
        let mut block: Vec<_> = faults.into_iter().map(|fault| (rank(&fault, seed), fault)).collect();
        block.sort();
        ranked.extend(block.into_iter().enumerate().map(|(place, fault)| (place >= each, fault)));
    }
    // Sorts the minimum of every block before all other faults.
    ranked.sort();
    ranked.truncate(sample);
    let mut drawn: Vec<_> = ranked.into_iter().map(|(_, (_, fault))| fault).collect();
    drawn.sort();
    drawn
}

/// Whether a one-sided mutant has its fault in the Rust block: true for half of the faults, independent of
/// the other faults drawn.
pub fn is_in_rust(fault: &impl Display, seed: u64) -> bool {
    rank(fault, seed) & 1 == 0
}

fn rank(fault: &impl Display, seed: u64) -> u64 {
    let digest = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(fault.to_string()).finalize();
    u64::from_be_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
}
