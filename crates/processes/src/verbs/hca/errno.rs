//! Error numbers of Linux that calls return.

/// `ENOMEM` of Linux.
pub(super) const ENOMEM: i32 = 12;
/// `EBUSY` of Linux.
pub(super) const EBUSY: i32 = 16;
/// `EINVAL` of Linux.
pub(super) const EINVAL: i32 = 22;
/// `EOPNOTSUPP` of Linux.
pub(super) const EOPNOTSUPP: i32 = 95;
