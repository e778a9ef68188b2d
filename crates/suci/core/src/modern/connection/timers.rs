//! Timers of a connection.

use core::time::Duration;

use super::{Connection, Context, Stage};
use crate::config::Config;
use crate::event::Reason;
use crate::time::Instant;

/// Consecutive probe timeouts that count as persistent congestion.
const COLLAPSE: u32 = 3;
/// Consecutive probe timeouts after which the path MTU may have shrunk.
const NARROWED: u32 = 2;
/// Longest interval between repeated handshake messages.
const LONGEST_CALL: Duration = Duration::from_secs(1);

impl Connection {
    /// Interval until a handshake message is repeated.
    pub(super) fn call_again(&self, config: &Config) -> Duration {
        let once = self.trip.timeout(config.initial_rtt, Duration::ZERO, Duration::ZERO, self.tries);
        once.min(LONGEST_CALL.max(config.initial_rtt * 3))
    }

    pub(super) fn probe_timeout(&self, config: &Config) -> Duration {
        let in_vain = self.in_vain.max(self.blocked_probes);
        self.trip.timeout(config.initial_rtt, config.least_timeout, config.ack_delay, in_vain)
    }

    /// Next time at which the connection needs to send or times out.
    pub fn timeout(&self, config: &Config) -> Option<Instant> {
        match self.stage {
            Stage::Calling | Stage::HalfOpen => Some(self.hello_at.min(self.began + config.give_up)),
            Stage::Closing => None,
            Stage::Open => {
                let waits = self.sent.in_flight() > 0 && !self.probe;
                let times = [
                    Some(
                        self.unheard_since
                            .map_or(self.heard + config.keep_alive, |since| since + config.give_up),
                    ),
                    waits.then(|| self.last_sent + self.probe_timeout(config)),
                    self.blocked_since.filter(|_| !self.ping).map(|since| since + self.probe_timeout(config)),
                    self.ack_at,
                    self.loss_at,
                    self.paced_until,
                ];
                times.into_iter().flatten().min()
            }
        }
    }

    /// Handles expired timers. Returns a reason if the connection has ended.
    pub fn expire(&mut self, cx: &mut Context<'_>) -> Option<Reason> {
        let now = cx.now;
        match self.stage {
            Stage::Calling | Stage::HalfOpen => {
                (now >= self.began + cx.config.give_up).then_some(Reason::Silent)
            }
            Stage::Closing => None,
            Stage::Open => {
                if self.unheard_since.is_some_and(|since| now >= since + cx.config.give_up) {
                    return Some(Reason::Silent);
                }
                if self.unheard_since.is_none() && now >= self.heard + cx.config.keep_alive {
                    self.ping = true;
                    self.rest();
                }
                if self.loss_at.is_some_and(|at| at <= now) {
                    self.find_lost(cx);
                }
                let since = self.blocked_since.or((self.sent.in_flight() > 0).then_some(self.last_sent));
                if !self.probe && since.is_some_and(|since| now >= since + self.probe_timeout(cx.config)) {
                    cx.counters.timeouts += 1;
                    self.in_vain += 1;
                    self.probe = true;
                    if self.in_vain == NARROWED {
                        self.mtu.falls(now);
                    }
                    if self.in_vain == COLLAPSE && self.blocked_since.is_none() {
                        self.congestion.collapse();
                    }
                }
                None
            }
        }
    }
}
