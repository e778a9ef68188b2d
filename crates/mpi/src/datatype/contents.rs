//! Constructors of datatypes, as `MPI_Type_get_envelope` and `MPI_Type_get_contents` return them.

use super::{Class, Datatype, DistributedDimension, Kind};

/// Order of the dimensions of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Row-major: the last dimension is contiguous (`MPI_ORDER_C`).
    C,
    /// Column-major: the first dimension is contiguous (`MPI_ORDER_FORTRAN`).
    Fortran,
}

/// Constructor of a datatype with its arguments. Strides and displacements of the H constructors and of
/// structures are in bytes, all others in extents of the old datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Contents {
    /// A predefined datatype. The label identifies it for the caller.
    Named { kind: Kind, label: u64 },
    /// `MPI_Type_dup`.
    Duplicate { of: Datatype },
    /// `MPI_Type_contiguous`.
    Contiguous { count: u64, of: Datatype },
    /// `MPI_Type_vector`.
    Vector { count: u64, length: u64, stride: i64, of: Datatype },
    /// `MPI_Type_create_hvector`.
    Hvector { count: u64, length: u64, stride: i64, of: Datatype },
    /// `MPI_Type_indexed`.
    Indexed { lengths: Vec<u64>, displacements: Vec<i64>, of: Datatype },
    /// `MPI_Type_create_hindexed`.
    Hindexed { lengths: Vec<u64>, displacements: Vec<i64>, of: Datatype },
    /// `MPI_Type_create_indexed_block`.
    IndexedBlock { length: u64, displacements: Vec<i64>, of: Datatype },
    /// `MPI_Type_create_hindexed_block`.
    HindexedBlock { length: u64, displacements: Vec<i64>, of: Datatype },
    /// `MPI_Type_create_struct`.
    Struct { lengths: Vec<u64>, displacements: Vec<i64>, of: Vec<Datatype> },
    /// `MPI_Type_create_subarray`.
    Subarray { sizes: Vec<u64>, parts: Vec<u64>, starts: Vec<u64>, order: Order, of: Datatype },
    /// `MPI_Type_create_darray`.
    Darray { size: u64, rank: u64, dimensions: Vec<DistributedDimension>, order: Order, of: Datatype },
    /// `MPI_Type_create_f90_integer`, `_real` and `_complex`: the predefined datatype that has these decimal digits and
    /// this decimal exponent.
    F90 { class: Class, precision: Option<i32>, range: Option<i32>, kind: Kind, label: u64 },
    /// `MPI_Type_create_resized`.
    Resized { lower: i64, extent: i64, of: Datatype },
}
