//! Cards, hosts and cables.

/// The dissector for Wireshark and the header of frames.
mod dissector;
/// Frames of any content do no harm.
mod frames;
/// The C header of the card says what the tables say.
mod header;
/// Messages arrive once, in order, whatever the cable does.
mod messages;
/// Edges that are not walked leave no trace.
mod skipping;

use gigae_pm::GigaePm;
use gigae_pm::traffic::host::Setup;
use gigae_pm::traffic::pair::Pair;
use gigae_pm::traffic::wire::Faults;
use hdl::Model;

type Cards = Pair<Model<GigaePm>>;

/// Two models.
fn cards(seed: u64, faults: Faults, setup: impl Fn(u16) -> Setup) -> Cards {
    Pair::new([0, 1].map(|_| Model::new(GigaePm::default())), seed, faults, setup)
}

/// Steps until the condition holds; the microseconds that took.
fn until(pair: &mut Cards, limit_us: u64, condition: impl FnMut(&Cards) -> bool) -> f64 {
    let ran = pair.run_until(limit_us * 1_000_000, condition).expect("a model never fails");
    ran.unwrap_or_else(|| panic!("not within {limit_us} us")) as f64 / 1e6
}
