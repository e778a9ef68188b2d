//! How a rank waits for packets.

use std::fmt;

/// How a rank waits inside a call of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The library polls its carrier until a packet has come.
    Poll,
    /// The rank gives its processor up; the kernel wakes it when a packet has come.
    Event,
    /// The rank sleeps; a packet raises an interrupt, whose handler runs the library.
    Interrupt,
}

impl Wait {
    /// Every way to wait.
    pub const ALL: [Wait; 3] = [Wait::Poll, Wait::Event, Wait::Interrupt];

    /// The value of `--wait`.
    pub const fn name(self) -> &'static str {
        match self {
            Wait::Poll => "poll",
            Wait::Event => "event",
            Wait::Interrupt => "interrupt",
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
