//! Hazards that are told of and not walked.

/// A hazard that no world shows.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// Its name.
    pub name: &'static str,
    /// What goes wrong, as a sentence.
    pub says: &'static str,
    /// Why no world shows it, and what does.
    pub why: &'static str,
}
