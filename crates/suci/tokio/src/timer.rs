//! A timer of the kernel as a future.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tokio::io::unix::AsyncFd;

pub struct Timer {
    timer: AsyncFd<OwnedFd>,
    /// When it is set to fire.
    set: Option<Instant>,
}

impl Timer {
    pub fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        Ok(Self { timer: crate::watched(timer)?, set: None })
    }

    /// Waits so long, or for ever; it may return earlier.
    pub async fn wait(&mut self, due: Option<Duration>) -> io::Result<()> {
        let Some(due) = due else { return std::future::pending().await };
        let at = Instant::now() + due;
        // One that fires before is left alone: most time-outs are put off again and again, and setting one is a call of the kernel.
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
        // It says how often it fired, which is nobody's concern.
        let _ = rustix::io::read(ready.get_inner(), &mut times);
        ready.clear_ready();
        drop(ready);
        self.set = None;
        Ok(())
    }
}
