//! Error numbers of Linux that calls return.

/// `EIO` of Linux.
pub(super) const EIO: i32 = 5;
/// `EAGAIN` of Linux.
pub(super) const EAGAIN: i32 = 11;
/// `ENOMEM` of Linux.
pub(super) const ENOMEM: i32 = 12;
/// `EFAULT` of Linux.
pub(super) const EFAULT: i32 = 14;
/// `EBUSY` of Linux.
pub(super) const EBUSY: i32 = 16;
/// `EINVAL` of Linux.
pub(super) const EINVAL: i32 = 22;
/// `EOPNOTSUPP` of Linux.
pub(super) const EOPNOTSUPP: i32 = 95;
