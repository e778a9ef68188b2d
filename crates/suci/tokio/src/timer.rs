//! A kernel timer as a future.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tokio::io::unix::AsyncFd;

pub struct Timer {
    timer: AsyncFd<OwnedFd>,
    /// Expiry of the armed timer.
    set: Option<Instant>,
}

impl Timer {
    pub fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        Ok(Self { timer: crate::watched(timer)?, set: None })
    }

    /// Waits for `due`, or forever; may return earlier.
    pub async fn wait(&mut self, due: Option<Duration>) -> io::Result<()> {
        let Some(due) = due else { return std::future::pending().await };
        let at = Instant::now() + due;
        // An earlier expiry is kept: most timeouts are postponed repeatedly, and arming the timer is a system
        // call.
        if self.set.is_none_or(|set| at < set) {
            let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
            let due = due.max(Duration::from_nanos(1));
            let value = Timespec {
                tv_sec: i64::try_from(due.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: i64::from(due.subsec_nanos()),
            };
            let spec = Itimerspec { it_interval: zero, it_value: value };
            timerfd_settime(self.timer.get_ref(), TimerfdTimerFlags::empty(), &spec)?;
            self.set = Some(at);
        }
        let mut ready = self.timer.readable_mut().await?;
        let mut times = [0; 8];
        // The number of expirations is irrelevant.
        let _ = rustix::io::read(ready.get_inner(), &mut times);
        ready.clear_ready();
        drop(ready);
        self.set = None;
        Ok(())
    }
}
