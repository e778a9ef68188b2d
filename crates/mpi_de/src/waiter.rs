//! A thread that polls for messages and sleeps in `evc_wait` when there are none (s6.2).

/// Next step of a waiting thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// Polls the message ring.
    Poll,
    /// Arms the event: later events are kept instead of waking a sleeper only. On the NIF this clears the
    /// cause bit of the ring; the next message sets it again.
    Arm,
    /// Calls `evc_wait`.
    Sleep,
    /// Sleeps until an event.
    Asleep,
}

/// State of a waiting thread, and of its event in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Waiter {
    turn: Turn,
    armed: bool,
    events: u8,
    counts: bool,
    again: bool,
}

impl Waiter {
    /// A thread that begins with a poll. `counts`: events are counted; `again`: the thread arms and polls
    /// again before it sleeps.
    pub fn new(counts: bool, again: bool) -> Self {
        Self { turn: Turn::Poll, armed: false, events: 0, counts, again }
    }

    /// Next step.
    pub fn turn(self) -> Turn {
        self.turn
    }

    /// Records the result of a poll.
    pub fn polled(&mut self, found: bool) {
        self.turn = match found {
            true => Turn::Poll,
            false if self.again && !self.armed => Turn::Arm,
            false => Turn::Sleep,
        };
    }

    /// Arms the event.
    pub fn arm(&mut self) {
        (self.armed, self.events, self.turn) = (true, 0, Turn::Poll);
    }

    /// Calls `evc_wait`, which returns at once if an event was kept.
    pub fn sleep(&mut self) {
        if self.events > 0 {
            self.events -= 1;
            self.wake();
        } else {
            self.turn = Turn::Asleep;
        }
    }

    /// Signals an event from the kernel.
    pub fn notify(&mut self) {
        if self.turn == Turn::Asleep {
            self.wake();
        } else if self.counts {
            self.events = self.events.saturating_add(1);
        } else if self.armed {
            self.events = 1;
        }
    }

    fn wake(&mut self) {
        (self.armed, self.turn) = (false, Turn::Poll);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper(counts: bool, again: bool) -> Waiter {
        let mut waiter = Waiter::new(counts, again);
        waiter.polled(false);
        waiter
    }

    #[test]
    fn thread_without_events_sleeps_until_one() {
        let mut waiter = sleeper(false, false);
        assert_eq!(waiter.turn(), Turn::Sleep);
        waiter.sleep();
        assert_eq!(waiter.turn(), Turn::Asleep);
        waiter.notify();
        assert_eq!(waiter.turn(), Turn::Poll);
    }

    #[test]
    fn event_before_the_sleep_is_kept_only_if_counted_or_armed() {
        let mut lost = sleeper(false, false);
        lost.notify();
        lost.sleep();
        assert_eq!(lost.turn(), Turn::Asleep);

        let mut armed = sleeper(false, true);
        assert_eq!(armed.turn(), Turn::Arm);
        armed.arm();
        armed.notify();
        armed.notify();
        armed.polled(false);
        assert_eq!(armed.turn(), Turn::Sleep);
        armed.sleep();
        assert_eq!(armed.turn(), Turn::Poll);
        // Two events of an armed thread are one.
        armed.sleep();
        assert_eq!(armed.turn(), Turn::Asleep);

        let mut counted = sleeper(true, false);
        counted.notify();
        counted.notify();
        for turn in [Turn::Poll, Turn::Poll, Turn::Asleep] {
            counted.sleep();
            assert_eq!(counted.turn(), turn);
        }
    }
}
