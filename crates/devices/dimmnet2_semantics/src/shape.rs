//! Shape of an access: contiguous, strided or listed bytes of a region (thesis sections 4.6.3 to 4.6.6).

/// Layout of the elements of an access in SO-DIMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Consecutive bytes.
    Contiguous,
    /// Elements at equal distances.
    Strided {
        /// Distance between elements in bytes.
        stride: u32,
        /// Elements have 1 << dtype bytes.
        dtype: u8,
    },
    /// Elements at offsets given by a list of 32-bit values.
    Listed {
        /// SO-DIMM offset of the list.
        list: u32,
        /// Elements have 1 << dtype bytes.
        dtype: u8,
    },
}

impl Shape {
    /// Shape selected by the two low bits of a primitive's code.
    pub fn new(variant: u8, dtype: u8, stride_list: u32) -> Self {
        match variant & 3 {
            1 => Shape::Strided { stride: stride_list, dtype },
            2 => Shape::Listed { list: stride_list, dtype },
            _ => Shape::Contiguous,
        }
    }

    /// Element that contains byte `n` of an access, and the position of the byte within the element.
    pub fn split(self, n: u64) -> (u64, u64) {
        self.element().map_or((0, n), |element| (n / element, n % element))
    }

    /// Bytes that an element occupies in SO-DIMM, at least 4 (thesis page 53, note 4); `None` if the access
    /// is contiguous.
    pub fn element(self) -> Option<u64> {
        match self {
            Shape::Contiguous => None,
            Shape::Strided { dtype, .. } | Shape::Listed { dtype, .. } => Some(1 << dtype.max(2)),
        }
    }

    /// Bytes requested: `size` of a contiguous access, `iteration` elements otherwise.
    pub fn total(self, size: u32, iteration: u8) -> u64 {
        match self {
            Shape::Contiguous => size.into(),
            Shape::Strided { dtype, .. } | Shape::Listed { dtype, .. } => u64::from(iteration) << dtype,
        }
    }
}
