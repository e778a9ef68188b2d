//! Blocking until descriptors become ready, in virtual time.
//!
//! | Descriptor | Becomes ready |
//! |---|---|
//! | of a completion channel | with an event, in virtual time |
//! | of a channel of the connection manager | with an event, in virtual time |
//! | of a timer of `timerfd_create` | in virtual time |
//! | a TCP socket to another program of the run | at the next tick after that program has used a socket |
//! | any other | at any time of this computer's clock; the program looks at each tick |

mod epolls;
mod polls;
mod selects;

use libc::c_int;
use processes::verbs::Answer;
use processes::verbs::call::Wanted;

use crate::{connections, events, link, outside, scheduled, tcp, timers, virtual_time};

pub use epolls::close;

/// Virtual time of a look at descriptors, in ps: that of a system call, as for clocks.
pub const LOOK_PS: u64 = 100_000;

/// Descriptors that a program waits for.
pub struct Descriptors {
    wanted: Wanted,
    /// Channels of the connection manager.
    channels: Vec<u32>,
}

impl Descriptors {
    /// None.
    pub fn new() -> Self {
        Descriptors { wanted: Wanted::until(u64::MAX), channels: Vec::new() }
    }

    /// Adds a descriptor.
    pub fn add(&mut self, fd: c_int) {
        let wanted = &mut self.wanted;
        if let Some(channel) = connections::number(fd) {
            self.channels.push(channel);
            connections::fetch(fd);
        } else if let Some(queues) = events::queues_of(fd) {
            wanted.queues.extend(queues);
        } else if let Some(members) = epolls::members(fd) {
            members.into_iter().filter(|member| *member != fd).for_each(|member| self.add(member));
        } else if tcp::is_of_run(fd) {
            wanted.sockets = true;
        } else if !timers::is_timer(fd) {
            wanted.outside = true;
        }
    }

    /// Waits until a descriptor may be ready, or for a slice of time. `until` is in ps of virtual time.
    fn wait(&self, function: &str, until: u64) {
        let now = virtual_time::now_ps().unwrap_or_default();
        let end = until.min(timers::next_ps()).max(now);
        let slice = link::slice_ps(end.saturating_sub(now));
        let until_ps =
            if end == u64::MAX && slice >= end - now { u64::MAX } else { now.saturating_add(slice) };
        let wanted = Wanted { until_ps, ..self.wanted.clone() };
        if let Ok(Answer::Number(queue)) = scheduled::wait(function, wanted, &self.channels) {
            events::deliver(queue as u8);
        }
        self.channels.iter().for_each(|channel| connections::fetch_of(*channel));
    }

    /// Calls `look`, which looks without blocking, until it finds something, the deadline has come or a timer has sent a
    /// signal. `until` is in ps of virtual time.
    pub fn block<T>(&self, function: &str, until: u64, mut look: impl FnMut() -> Option<T>) -> Outcome<T> {
        let signals = timers::signals();
        loop {
            virtual_time::spend_ps(LOOK_PS);
            if self.wanted.outside {
                outside::settle();
            }
            if self.wanted.sockets {
                link::prepare_sockets(function, false);
            }
            if let Some(found) = look() {
                return Outcome::Found(found);
            }
            if timers::signals() != signals {
                return Outcome::Interrupted;
            }
            if virtual_time::now_ps().is_none_or(|now| now >= until) {
                return Outcome::TimedOut;
            }
            self.wait(function, until);
        }
    }
}

/// The end of a wait.
pub enum Outcome<T> {
    /// Of a look.
    Found(T),
    /// The deadline has come.
    TimedOut,
    /// A timer has sent a signal.
    Interrupted,
}

impl Outcome<c_int> {
    /// As the result of a function of POSIX that returns a number of descriptors.
    fn result(self) -> c_int {
        match self {
            Outcome::Found(number) => number,
            Outcome::TimedOut => 0,
            Outcome::Interrupted => {
                link::set_errno(libc::EINTR);
                -1
            }
        }
    }
}

/// The instant `ms` milliseconds from now, in ps; `u64::MAX` for a negative number.
fn after_ms(ms: c_int) -> u64 {
    match u64::try_from(ms) {
        Ok(ms) => virtual_time::now_ps().unwrap_or_default().saturating_add(ms * 1_000_000_000),
        Err(_) => u64::MAX,
    }
}

/// The instant after a duration of seconds and parts; `u64::MAX` without one.
fn after(time: Option<(i64, i64)>, parts_per_second: i64) -> Result<u64, c_int> {
    let Some((seconds, part)) = time else { return Ok(u64::MAX) };
    let ps = timers::ps_of(seconds, part, parts_per_second).ok_or(libc::EINVAL)?;
    Ok(virtual_time::now_ps().unwrap_or_default().saturating_add(ps))
}

/// Result of a system call that found nothing (0), found something or failed.
fn found(result: i64) -> Option<c_int> {
    (result != 0).then_some(result as c_int)
}
