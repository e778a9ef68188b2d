//! Bounds of the retransmission timeout.

use core::time::Duration;

/// Shortest timeout, for networks of the paper's time.
pub(super) const LEAST_TIMEOUT: Duration = Duration::from_millis(10);
/// Longest timeout.
pub(super) const MOST_TIMEOUT: Duration = Duration::from_secs(2);
