//! A thread that waits for messages: it polls, and sleeps in `evc_wait` when there is nothing (s6.2).

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// It looks whether something has come.
    Poll,
    /// It has the next event kept for it: from here on an event is not a pulse that only a sleeper hears. On the NIF it clears the cause
    /// bit of the ring, which stays set from the next message on.
    Arm,
    /// It calls `evc_wait`.
    Sleep,
    /// It sleeps.
    Asleep,
}

/// A thread that waits, and what the kernel keeps for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Waiter {
    turn: Turn,
    armed: bool,
    events: u8,
    counts: bool,
    again: bool,
}

impl Waiter {
    /// One that begins with a poll. `counts`: events are counted; `again`: it arms and polls again before it sleeps.
    pub fn new(counts: bool, again: bool) -> Self {
        Self { turn: Turn::Poll, armed: false, events: 0, counts, again }
    }

    /// What it does next.
    pub fn turn(self) -> Turn {
        self.turn
    }

    /// It has polled, and something was there or not.
    pub fn polled(&mut self, found: bool) {
        self.turn = match found {
            true => Turn::Poll,
            false if self.again && !self.armed => Turn::Arm,
            false => Turn::Sleep,
        };
    }

    /// It arms.
    pub fn arm(&mut self) {
        (self.armed, self.events, self.turn) = (true, 0, Turn::Poll);
    }

    /// It calls `evc_wait`, which returns at once if an event was kept.
    pub fn sleep(&mut self) {
        if self.events > 0 {
            self.events -= 1;
            self.wake();
        } else {
            self.turn = Turn::Asleep;
        }
    }

    /// The kernel tells of an event.
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
