use std::collections::BTreeSet;

use gigae_pm::protocol::Kind;
use gigae_pm::protocol::receiver::{Cause, In, Out, apply};

use super::{base, compare, control, near, receiving, rules};
use testbench_gigae_pm::epoch;

#[test]
fn receiver_matches_its_rtl_on_random_pins() {
    let mut replies = BTreeSet::new();
    let (mut delivered, mut counted) = (0, 0);
    compare(
        "receiver",
        |stimulus| {
            let base = base(stimulus);
            In {
                control: control(stimulus, base),
                rules: rules(stimulus),
                cause: if stimulus.one_in(2) { Cause::Message.code() } else { stimulus.below(8) as u8 },
                number: near(stimulus, base),
                epoch: epoch(stimulus),
                room: !stimulus.one_in(3),
                receiving: receiving(stimulus),
            }
        },
        apply,
        |pins: &In, out: &Out| {
            replies.insert((pins.cause, out.reply));
            delivered += u32::from(out.deliver);
            counted += u32::from(out.control.received != pins.control.received);
        },
    );
    let message = Cause::Message.code();
    let kinds = [Kind::Nothing, Kind::Ack, Kind::Lose, Kind::Stop].map(|kind| (message, kind.code()));
    assert!(kinds.iter().all(|kind| replies.contains(kind)), "{replies:?}");
    assert!(replies.contains(&(Cause::Room.code(), Kind::Go.code())), "{replies:?}");
    assert!(delivered > 1000 && counted > 1000, "{delivered} delivered, {counted} counted");
}
