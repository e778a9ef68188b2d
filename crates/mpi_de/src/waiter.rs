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
