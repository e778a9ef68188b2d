//! Weights of edges: an array, or one of two addresses that stand for none.

use super::Out;
use crate::fault::Outcome;
use crate::types::*;

/// Pointer to the weights of edges.
#[derive(Clone, Copy)]
pub struct Weights(*mut c_int);

impl From<*const c_int> for Weights {
    fn from(pointer: *const c_int) -> Self {
        Weights(pointer.cast_mut())
    }
}

impl From<*mut c_int> for Weights {
    fn from(pointer: *mut c_int) -> Self {
        Weights(pointer)
    }
}

impl From<*const c_void> for Weights {
    fn from(pointer: *const c_void) -> Self {
        Weights(pointer.cast_mut().cast())
    }
}

impl Weights {
    /// Whether the argument is not `MPI_UNWEIGHTED`.
    pub fn is_weighted(self) -> bool {
        self.0 as usize != no_weights()[0]
    }

    fn is_array(self) -> bool {
        !no_weights().contains(&(self.0 as usize))
    }

    /// Reads `count` weights; none without weights.
    pub fn list(self, count: usize) -> Outcome<Option<Vec<c_int>>> {
        self.is_array().then(|| Out::from(self.0).list(count)).transpose()
    }

    /// Writes weights, unless the program wants none.
    pub fn set(self, weights: impl Iterator<Item = c_int>) -> Outcome {
        match self.is_array() {
            true => {
                weights.enumerate().try_for_each(|(index, weight)| Out::from(self.0).at(index).set(weight))
            }
            false => Ok(()),
        }
    }
}

/// Addresses of `MPI_UNWEIGHTED` and `MPI_WEIGHTS_EMPTY`.
#[cfg(not(feature = "mpich"))]
fn no_weights() -> [usize; 2] {
    [MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY]
}

#[cfg(feature = "mpich")]
fn no_weights() -> [usize; 2] {
    [crate::table::mpich::unweighted(), crate::table::mpich::weights_empty()]
}
