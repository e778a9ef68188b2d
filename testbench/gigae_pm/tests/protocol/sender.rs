use std::collections::BTreeMap;

use gigae_pm::protocol::sender::{Cause, In, Out, apply};

use super::{base, compare, control, near, rules};
use testbench_gigae_pm::epoch;

#[test]
fn sender_matches_its_rtl_on_random_pins() {
    let mut effects = BTreeMap::<_, u32>::new();
    compare(
        "sender",
        |stimulus| {
            let base = base(stimulus);
            // Small numbers; one in eight is any of its width.
            let any: In = stimulus.pins();
            let mut small = |below: u64| (!stimulus.one_in(8)).then(|| stimulus.below(below));
            let window = small(6).map_or(any.window, |window| window as u16);
            let timeout = small(4).map_or(any.timeout, |timeout| timeout as u32);
            let limit = small(3).map_or(any.limit, |limit| limit as u8);
            In {
                control: control(stimulus, base),
                rules: rules(stimulus),
                cause: stimulus.below(8) as u8,
                number: near(stimulus, base),
                epoch: epoch(stimulus),
                offered: !stimulus.one_in(4),
                window,
                now: near(stimulus, base),
                timeout,
                limit,
            }
        },
        apply,
        |pins: &In, out: &Out| {
            let effect = (pins.cause, out.send, out.taken, out.report_dead);
            *effects.entry(effect).or_default() += 1;
        },
    );
    // Every cause with each of its effects, and often.
    let control_frames = [Cause::Ack, Cause::Lose, Cause::Stop, Cause::Go].map(Cause::code);
    let mut expected = vec![(Cause::Nothing.code(), false, false, false), (7, false, false, false)];
    expected.extend([false, true].map(|sends| (Cause::Offer.code(), sends, false, false)));
    expected
        .extend(control_frames.into_iter().flat_map(|k| [false, true].map(|taken| (k, false, taken, false))));
    let timer = [(false, false, false), (false, true, false), (true, true, false), (false, true, true)];
    expected.extend(timer.map(|(send, taken, dead)| (Cause::Timer.code(), send, taken, dead)));
    expected.sort();
    assert_eq!(effects.keys().copied().collect::<Vec<_>>(), expected);
    assert!(effects.values().all(|&count| count > 500), "{effects:?}");
}
