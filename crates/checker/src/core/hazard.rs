//! Hazards: failures of a protocol without a repair, each with small worlds that show it.

use super::protocol::Protocol;

/// A failure of a protocol that lacks a repair.
#[derive(Clone, Debug)]
pub struct Hazard<P: Protocol> {
    /// H and a number, as in the decision that lists the protocol's hazards.
    pub name: &'static str,
    /// The failure, as a sentence.
    pub description: &'static str,
    /// The repair, in words.
    pub repair: &'static str,
    /// The finding of the first world.
    pub wrong: P::Wrong,
    /// Worlds that show the hazard, the smallest first. Rules that would only hide it behind another one are repaired.
    pub worlds: Vec<P::World>,
    /// The first world with the fewest repairs that remove the hazard; each of these is enough.
    pub mended: Vec<P::World>,
}

impl<P: Protocol> Hazard<P> {
    /// A hazard that one world shows.
    pub fn new(
        name: &'static str,
        description: &'static str,
        repair: &'static str,
        wrong: P::Wrong,
        world: P::World,
    ) -> Self {
        Self { name, description, repair, wrong, worlds: vec![world], mended: Vec::new() }
    }

    /// With the least that removes it.
    pub fn mended(self, worlds: impl IntoIterator<Item = P::World>) -> Self {
        Self { mended: worlds.into_iter().collect(), ..self }
    }

    /// All hazards of the protocol that a world shows.
    pub fn all() -> Vec<Self> {
        P::hazards()
    }

    /// The hazard of a name, in upper or lower case.
    pub fn find(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|hazard| hazard.name.eq_ignore_ascii_case(name))
    }

    /// The smallest world that shows the hazard.
    pub fn world(&self) -> &P::World {
        &self.worlds[0]
    }

    /// The same world with all repairs; `None` if no repair of these rules removes the hazard.
    pub fn repaired(&self) -> Option<P::World> {
        P::repaired(self)
    }
}

/// A world in which nothing may go wrong with repaired rules.
#[derive(Clone, Debug)]
pub struct Clean<W> {
    /// A few words.
    pub name: &'static str,
    /// A sentence about the load and the faults in it.
    pub description: &'static str,
    /// Its nodes have all repairs.
    pub world: W,
}

/// A hazard that no world shows.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// H and a number, as in the decision that lists the protocol's hazards.
    pub name: &'static str,
    /// The failure, as a sentence.
    pub description: &'static str,
    /// Why no world shows it, and what does.
    pub why: &'static str,
}
