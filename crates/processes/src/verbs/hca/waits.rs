//! A program that blocks in `poll`, `select` or `epoll_wait`, or sleeps until another thread or a signal wakes it.
//!
//! It waits for completion queues, for sockets of other programs and for an instant, all in virtual time. Descriptors of
//! the operating system become ready at a time of the computer's clock. So a program that waits for one looks again at
//! each tick of virtual time; and if no other program can go on, a tick takes a millisecond of the computer's clock.

use std::thread;

use cluster::{Duration, Time, Waiting};

use super::adapter::Adapter;
use super::{Reply, Server};
use crate::verbs::call::{Answer, Wanted};
use crate::verbs::out_of_band::{next_tick, visible_until};

/// Time between two looks at completion queues in a wait that has an end (our choice: the grain of an event's latency).
const LOOK: Duration = Duration::from_ns(100);
/// The same where the program uses the connection manager, whose waits may be long (our choice).
const MANAGED_LOOK: Duration = Duration::from_us(1);
/// Time of this computer that a tick takes if all programs wait: virtual time is at most a tenth of real time.
const TICK: std::time::Duration = std::time::Duration::from_millis(1);

impl Server {
    /// Waits for what is wanted.
    pub(super) async fn wait(&mut self, wanted: Wanted, channels: &[u32]) -> Reply {
        let cpu = self.adapter.host().processor().clone();
        let until = Time::from_ps(wanted.until_ps);
        let is_endless = wanted.until_ps == u64::MAX;
        let has_descriptors = wanted.sockets || wanted.outside;
        let is_managed = self.adapter.manages_connections();
        if is_endless && !has_descriptors && !wanted.queues.is_empty() && !is_managed {
            return self.adapter.wait_for_event(&wanted.queues).await;
        }
        // The program has seen everything that can be seen now.
        let known = visible_until(cpu.now());
        let run = self.run.clone();
        let traffic = run.out_of_band();
        let mut tick = next_tick(cpu.now());
        loop {
            if let Some(queue) = self.adapter.take_event_of(&wanted.queues)? {
                traffic.borrow_mut().set_idle(self.host, false);
                return Ok(Answer::Number(queue.into()));
            }
            if cpu.now() >= until || self.adapter.has_connection_event(channels) {
                traffic.borrow_mut().set_idle(self.host, false);
                return Ok(Answer::Done);
            }
            if wanted.queues.is_empty() && channels.is_empty() {
                traffic.borrow_mut().set_idle(self.host, has_descriptors);
                if is_endless && wanted.sockets && !wanted.outside {
                    traffic.borrow_mut().start_wait(self.host, known);
                    if traffic.borrow().is_deadlocked() {
                        run.report_deadlock();
                    }
                }
            }
            let mut next = if has_descriptors { until.min(tick) } else { until };
            if is_managed && (!channels.is_empty() || self.adapter.is_armed(&wanted.queues)) {
                next = next.min(cpu.now() + MANAGED_LOOK);
            } else if self.adapter.is_armed(&wanted.queues) {
                next = next.min(cpu.now() + LOOK);
            }
            self.adapter.rest_until(next, Waiting::For("a descriptor, an event or an instant")).await;
            self.adapter.handle_interrupt().await;
            if !has_descriptors || cpu.now() < tick {
                continue;
            }
            if wanted.outside || traffic.borrow().has_news(self.host, known, tick) {
                if wanted.outside && traffic.borrow().others_are_idle(self.host) {
                    thread::sleep(TICK);
                }
                traffic.borrow_mut().end_wait(self.host);
                traffic.borrow_mut().set_idle(self.host, false);
                return Ok(Answer::Done);
            }
            tick = next_tick(cpu.now());
        }
    }
}

impl Adapter {
    /// Whether the next completion of one of these queues is an event.
    fn is_armed(&mut self, queues: &[u8]) -> bool {
        queues.iter().any(|queue| self.completion_queue(*queue).is_ok_and(|queue| queue.armed.is_some()))
    }
}
