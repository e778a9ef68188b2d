//! Ctrl-C: the first one ends a run in good order, so that what it had is told; the second one ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit code of a run that was ended from outside: 128 and the number of the signal, as shells have it.
pub const EXIT_CODE: u8 = 130;

/// Whether somebody wants the run to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub fn listen() -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down and puts it up.
            flag::register_conditional_shutdown(signal, EXIT_CODE.into(), stop.clone())?;
            flag::register(signal, stop.clone())?;
        }
        Ok(Interrupt(stop))
    }

    /// It has come.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
