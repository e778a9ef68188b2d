//! Contiguous, strided, by list: which bytes of a region an access names (thesis sections 4.6.3 to 4.6.6).

/// How the elements of an access lie in SO-DIMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One after the other.
    Contiguous,
    /// At equal distances.
    Strided {
        /// Bytes from one to the next.
        stride: u32,
        /// An element has 1 << dtype bytes.
        dtype: u8,
    },
    /// Where a list of 32-bit offsets says.
    Listed {
        /// Offset of the list.
        list: u32,
        /// An element has 1 << dtype bytes.
        dtype: u8,
    },
}

impl Shape {
    /// By the two low bits of a primitive's code.
    pub fn new(variant: u8, dtype: u8, stride_list: u32) -> Self {
        match variant & 3 {
            1 => Shape::Strided { stride: stride_list, dtype },
            2 => Shape::Listed { list: stride_list, dtype },
            _ => Shape::Contiguous,
        }
    }

    /// Byte `n` of an access: which element it belongs to, and where in it.
    pub fn split(self, n: u64) -> (u64, u64) {
        self.element().map_or((0, n), |element| (n / element, n % element))
    }

    /// Bytes that an element takes in SO-DIMM: 4 at least (thesis page 53, note 4).
    pub fn element(self) -> Option<u64> {
        match self {
            Shape::Contiguous => None,
            Shape::Strided { dtype, .. } | Shape::Listed { dtype, .. } => Some(1 << dtype.max(2)),
        }
    }

    /// Bytes asked for: `size` of a contiguous access, `iteration` elements of the others.
    pub fn total(self, size: u32, iteration: u8) -> u64 {
        match self {
            Shape::Contiguous => size.into(),
            Shape::Strided { dtype, .. } | Shape::Listed { dtype, .. } => u64::from(iteration) << dtype,
        }
    }
}
