//! Repairs of the printed rules, each of which can be enabled separately (decision 0027).
//!
//! The rules of the appendix lose messages and deadlock. A repair is not a new rule: each changes a line of
//! S2, LOSE, STOP, GO, ACK, R-FULL or R-GO, which its sentence names.

use std::fmt;
use std::str::FromStr;

use hdl::{Bits, Bundle, Item, Package};

hdl::bundle! {
    /// Enabled repairs. The first field is F1, the second F2, and so on.
    #[derive(Hash)]
    pub struct Rules in rules_pkg {
        /// S2 sets MsgIdSent to i - 1: a timeout of message i sends i again, not only what follows it.
        resend_expired: bool,
        /// A message that was received before is answered by ACK of the last one received in order.
        answer_old: bool,
        /// STOP(k) acknowledges up to k - 1 only: message k was discarded.
        stop_keeps: bool,
        /// The timer runs while stopped; an expiry sends again, whatever the peer said.
        timer_while_stopped: bool,
        /// LOSE(k) is taken from k = MsgIdAcked on, and sets MsgIdSent to k.
        lose_rewinds: bool,
        /// GO(k) sets MsgIdSent to k - 1.
        go_rewinds: bool,
        /// MsgIdSent is never less than MsgIdAcked: what is acknowledged has no buffer to be sent from.
        sent_follows_acked: bool,
        /// One timer for the oldest message in place of one for each; it never moves MsgIdSent forward.
        one_timer: bool,
        /// ACK and LOSE while stopped start sending again.
        ack_resumes: bool,
        /// MsgIdRecv is counted when a message is accepted, not when it has reached the host.
        count_at_once: bool,
        /// A frame of another session is dropped.
        epochs: bool,
        /// A LOSE that would rewind to the same message a second time does not; a timeout forgets that.
        lose_once: bool,
        /// The next message in order is answered by STOP also while discarding, whoever filled the buffer.
        stop_each_sender: bool,
        /// GO goes to every sender that was told to stop, not only to the one that filled the buffer.
        go_to_each_sender: bool,
        /// S1 sends up to MsgIdAcked + N, not one less: N messages without an ACK, as N is defined.
        wide_window: bool,
        /// Control frames are taken up to k = MsgIdAcked + N, not one less.
        wide_bounds: bool,
        /// With F4: an expiry while stopped sends the oldest message as a probe, and the sender stays stopped.
        probe: bool,
        /// A control frame of a message that was never sent is dropped.
        sent_only: bool,
    }
}

impl Rules {
    /// The rules of the appendix, read as strictly as their words allow.
    pub const PRINTED: Self = Self::all(false);
    /// Every repair: safe and live whatever the network loses, repeats or reorders.
    pub const REPAIRED: Self = Self::all(true);
    /// Number of repairs.
    pub const COUNT: u32 = Self::WIDTH;

    const fn all(on: bool) -> Self {
        Self {
            resend_expired: on,
            answer_old: on,
            stop_keeps: on,
            timer_while_stopped: on,
            lose_rewinds: on,
            go_rewinds: on,
            sent_follows_acked: on,
            one_timer: on,
            ack_resumes: on,
            count_at_once: on,
            epochs: on,
            lose_once: on,
            stop_each_sender: on,
            go_to_each_sender: on,
            wide_window: on,
            wide_bounds: on,
            probe: on,
            sent_only: on,
        }
    }

    /// The repairs of these numbers: `Rules::of(&[1, 2, 3])` are F1, F2 and F3.
    pub fn of(numbers: &[u32]) -> Self {
        Self::from_bits(numbers.iter().fold(0, |bits, n| bits | 1 << (n - 1)))
    }

    /// Adds the repairs of these numbers.
    pub fn with(self, numbers: &[u32]) -> Self {
        Self::from_bits(self.bits() | Self::of(numbers).bits())
    }

    /// Removes the repairs of these numbers.
    pub fn without(self, numbers: &[u32]) -> Self {
        Self::from_bits(self.bits() & !Self::of(numbers).bits())
    }

    /// As bits: bit n - 1 is repair Fn.
    pub fn bits(self) -> u32 {
        let mut words = [0];
        self.put(&mut words, 0, Self::WIDTH);
        words[0] as u32
    }

    /// The repairs of these bits.
    pub fn from_bits(bits: u32) -> Self {
        Self::take(&[u64::from(bits)], 0, Self::WIDTH)
    }

    /// Numbers of the repairs, in ascending order.
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        (1..=Self::COUNT).filter(move |n| self.bits() >> (n - 1) & 1 == 1)
    }

    /// Text of repair Fn.
    pub fn says(number: u32) -> &'static str {
        Self::TABLE.fields[number as usize - 1].doc.trim()
    }
}

impl fmt::Display for Rules {
    /// Writes the form that can be parsed: `printed`, `repaired` or `F1,F2,F3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PRINTED => f.write_str("printed"),
            Self::REPAIRED => f.write_str("repaired"),
            _ => {
                let numbers: Vec<_> = self.numbers().map(|n| format!("F{n}")).collect();
                f.write_str(&numbers.join(","))
            }
        }
    }
}

/// Error of a list of rules: the unknown item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchRule(pub String);

impl fmt::Display for NoSuchRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is neither printed, repaired, F1 to F{} nor one of these after a minus",
            self.0,
            Rules::COUNT
        )
    }
}

impl std::error::Error for NoSuchRule {}

impl FromStr for Rules {
    type Err = NoSuchRule;

    /// A list such as `printed`, `F1,F2,F7` or `repaired,-F9`, read from left to right.
    fn from_str(list: &str) -> Result<Self, NoSuchRule> {
        list.split(',').try_fold(Self::PRINTED, |rules, item| {
            let number = |text: &str| {
                let number = text.strip_prefix(['F', 'f'])?.parse().ok()?;
                (1..=Self::COUNT).contains(&number).then_some([number])
            };
            match item.trim() {
                "printed" => Some(Self::PRINTED),
                "repaired" => Some(Self::REPAIRED),
                item => match item.strip_prefix('-') {
                    Some(without) => number(without).map(|n| rules.without(&n)),
                    None => number(item).map(|n| rules.with(&n)),
                },
            }
            .ok_or_else(|| NoSuchRule(item.trim().to_string()))
        })
    }
}

/// The generated package.
pub const PACKAGE: Package =
    Package { path: "gigae_pm/protocol/rules_pkg", source: file!(), items: &[Item::Bundle(Rules::TABLE)] };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_the_fields_in_order() {
        assert_eq!(Rules::of(&[1]), Rules { resend_expired: true, ..Rules::PRINTED });
        assert_eq!(Rules::of(&[12]), Rules { lose_once: true, ..Rules::PRINTED });
        assert_eq!(Rules::REPAIRED.numbers().collect::<Vec<_>>(), (1..=18).collect::<Vec<_>>());
        assert!(Rules::says(9).starts_with("ACK and LOSE while stopped"));
    }

    #[test]
    fn list_is_read_from_left_to_right() {
        assert_eq!("printed".parse(), Ok(Rules::PRINTED));
        assert_eq!("F1,f3, F7".parse(), Ok(Rules::of(&[1, 3, 7])));
        assert_eq!("repaired,-F9".parse(), Ok(Rules::REPAIRED.without(&[9])));
        for list in ["", "F0", "F19", "-repaired", "F1,,F2", "all"] {
            assert!(list.parse::<Rules>().is_err(), "{list}");
        }
        for rules in [Rules::PRINTED, Rules::REPAIRED, Rules::of(&[2, 4])] {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
    }
}
