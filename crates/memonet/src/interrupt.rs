//! Ctrl-C: the first one ends a run with a report, the second one aborts it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit code of an interrupted run: 128 plus the number of SIGINT, as in shells.
pub const EXIT_CODE: u8 = 130;

/// Flag set by SIGINT or SIGTERM.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the signal handlers.
    pub fn listen() -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // The order matters: the first signal must find the flag clear and then set it; the second one
            // exits.
            flag::register_conditional_shutdown(signal, EXIT_CODE.into(), stop.clone())?;
            flag::register(signal, stop.clone())?;
        }
        Ok(Interrupt(stop))
    }

    /// A signal has arrived.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
