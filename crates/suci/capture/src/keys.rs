//! Choice to record keys or to omit them.

/// Whether keys are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Keys are omitted: the file can be inspected, but replayed only if there was no key.
    LeftOut,
    /// Keys are recorded, and readers of the file get them.
    Kept,
}
