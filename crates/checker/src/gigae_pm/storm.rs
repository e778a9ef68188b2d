//! The cost of one lost message: sender and receiver at full speed, slot by slot.
//!
//! The sender sends one message per slot while its window is open. A frame takes half a window of slots in either direction, so
//! ACKs arrive just in time. Every message after the gap requests the missing one; about a window of requests is sent before it
//! arrives (hazard H17 of decision 0027).

use std::collections::VecDeque;

use ::gigae_pm::protocol::{Control, Kind, Rules, receiver, sender};

/// Extra data frames after the loss of one message in the middle of a long stream; `None` if only a timer recovers the
/// message.
pub fn extra_frames(rules: Rules, window: u16) -> Option<u32> {
    let messages = 20 * u32::from(window);
    let lost = messages / 2;
    let delay = usize::from(window / 2);
    let (mut sender, mut receiver) = (Control::default(), Control::default());
    // The oldest frame is in front.
    let mut data = VecDeque::from(vec![None; delay]);
    let mut replies = VecDeque::from(vec![None; delay]);
    let (mut frames, mut is_lost) = (0, false);
    while sender.acked != messages {
        let idle = is_lost && data.iter().all(Option::is_none) && replies.iter().all(Option::is_none);
        if let Some(Some((cause, number))) = replies.pop_front() {
            let pins = sender::In { control: sender, rules, cause, number, window, ..Default::default() };
            sender = sender::apply(&pins).control;
        }
        let offered = sender.sent < messages;
        let cause = sender::Cause::Offer.code();
        let pins = sender::In { control: sender, rules, cause, offered, window, ..Default::default() };
        let out = sender::apply(&pins);
        sender = out.control;
        frames += u32::from(out.send);
        let loses = out.send && out.number == lost && !is_lost;
        is_lost |= loses;
        if idle && !out.send {
            return None;
        }
        data.push_back((out.send && !loses).then_some(out.number));

        let reply = data.pop_front().flatten().and_then(|number| {
            let cause = receiver::Cause::Message.code();
            let pins =
                receiver::In { control: receiver, rules, cause, number, room: true, ..Default::default() };
            let out = receiver::apply(&pins);
            receiver = out.control;
            (out.reply != Kind::Nothing.code()).then_some((out.reply, out.number))
        });
        replies.push_back(reply);
    }
    Some(frames - messages)
}
