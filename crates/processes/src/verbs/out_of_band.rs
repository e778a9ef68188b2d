//! Out-of-band traffic: when a program sees, in virtual time, what others sent through sockets of the operating system.
//!
//! The simulator does not see the data. A program that would block reports it, and looks again at the next
//! [tick](TICK) after another program has used a socket. So the order of socket operations is that of virtual time,
//! whatever the operating system does.
//!
//! Virtual times of two hosts differ by less than a [lag](LAG). So that no send comes in the middle of a look, programs
//! send within a lag that begins a lag after a tick, and look at a tick or at least three lags after it:
//!
//! | Time after a tick | Programs |
//! |---|---|
//! | 0 | that block in a socket look |
//! | 1 to 2 lags | send |
//! | 3 lags to the next tick | that do not block look |

use std::collections::BTreeMap;

use cluster::{Duration, Time};

use super::call::{Listener, listening};

/// Time between two ticks: 100 us, about a short message over TCP between PCs of 2003 (our choice, decision 0066).
pub const TICK: Duration = Duration::from_us(100);
/// Virtual times of two hosts differ by less: the shortest path between them. Our choice.
const LAG: Duration = Duration::from_us(2);

/// Socket operations of all programs, and the programs that wait for one.
#[derive(Debug, Default)]
pub struct OutOfBand {
    programs: Vec<SocketState>,
    /// Ports on which programs listen, and whether at the address of the run.
    ports: BTreeMap<u16, bool>,
}

#[derive(Clone, Debug, Default)]
struct SocketState {
    has_ended: bool,
    /// Times of all operations that others can see: a later one does not hide an earlier one.
    sent: Vec<Time>,
    /// The program waits, and knows everything up to this time.
    waits_since: Option<Time>,
    /// The program waits for nothing that its adapter does.
    is_idle: bool,
}

impl OutOfBand {
    /// Of this many programs.
    pub fn new(programs: usize) -> Self {
        OutOfBand { programs: vec![SocketState::default(); programs], ports: BTreeMap::new() }
    }

    /// A program has used a socket.
    pub fn send(&mut self, program: usize, now: Time) {
        self.programs[program].sent.push(now);
    }

    /// A program has ended, which closes its sockets.
    pub fn end(&mut self, program: usize, now: Time) {
        self.send(program, now);
        (self.programs[program].has_ended, self.programs[program].waits_since) = (true, None);
    }

    /// Whether all programs had ended at this time.
    pub fn have_all_ended(&self, at: Time) -> bool {
        let has_ended =
            |state: &SocketState| state.has_ended && state.sent.last().is_some_and(|end| *end <= at);
        self.programs.iter().all(has_ended)
    }

    /// A program listens on these ports.
    pub fn listen(&mut self, listeners: &[Listener]) {
        self.ports.extend(listeners.iter().map(|listener| (listener.port, listener.is_at_run)));
    }

    /// Whether a program of the run listens on a port.
    pub fn has_listener(&self, port: u16) -> bool {
        self.ports.contains_key(&port)
    }

    /// Where a program of the run [listens](listening) on a port.
    pub fn listening(&self, port: u16) -> u32 {
        match self.ports.get(&port) {
            None => listening::NOWHERE,
            Some(false) => listening::AT_PROGRAM,
            Some(true) => listening::AT_RUN,
        }
    }

    /// A program begins or ends a wait for descriptors alone.
    pub fn set_idle(&mut self, program: usize, is_idle: bool) {
        self.programs[program].is_idle = is_idle;
    }

    /// Whether all other programs have ended or wait for descriptors alone.
    pub fn others_are_idle(&self, program: usize) -> bool {
        let mut others = self.programs.iter().enumerate().filter(|(other, _)| *other != program);
        others.all(|(_, state)| state.has_ended || state.is_idle || state.waits_since.is_some())
    }

    /// A program waits for operations after `known`.
    pub fn start_wait(&mut self, program: usize, known: Time) {
        self.programs[program].waits_since = Some(known);
    }

    /// A program runs on.
    pub fn end_wait(&mut self, program: usize) {
        self.programs[program].waits_since = None;
    }

    /// Whether an operation of another program after `known` can be seen at this tick.
    pub fn has_news(&self, program: usize, known: Time, tick: Time) -> bool {
        self.sent_by_others(program).any(|sent| sent > known && sent <= visible_until(tick))
    }

    /// Whether all programs that have not ended wait, and none will see anything new.
    pub fn is_deadlocked(&self) -> bool {
        let is_blocked = |(program, state): (usize, &SocketState)| {
            state.has_ended
                || state
                    .waits_since
                    .is_some_and(|known| self.sent_by_others(program).all(|sent| sent <= known))
        };
        self.programs.iter().enumerate().all(is_blocked)
    }

    /// Whether the run has one program only.
    pub fn is_alone(&self) -> bool {
        self.programs.len() == 1
    }

    /// Programs that wait.
    pub fn waiting(&self) -> impl Iterator<Item = usize> {
        (0..self.programs.len()).filter(|program| self.programs[*program].waits_since.is_some())
    }

    fn sent_by_others(&self, program: usize) -> impl Iterator<Item = Time> {
        let others = self.programs.iter().enumerate().filter(move |(other, _)| *other != program);
        others.flat_map(|(_, state)| state.sent.iter().copied())
    }
}

/// The first tick after `now`.
pub fn next_tick(now: Time) -> Time {
    Time::from_ps((now.ps() / TICK.ps() + 1) * TICK.ps())
}

/// The latest tick that is not after `now`.
fn last_tick(now: Time) -> Time {
    Time::from_ps(now.ps() / TICK.ps() * TICK.ps())
}

/// The first time from now on at which a program may do what peers see.
pub fn next_send(now: Time) -> Time {
    let begin = last_tick(now) + LAG;
    if now <= begin + LAG { begin.max(now) } else { begin + TICK }
}

/// The first time from now on at which a program may look at what peers did.
pub fn next_look(now: Time) -> Time {
    let tick = last_tick(now);
    if now == tick { now } else { now.max(tick + LAG + LAG + LAG) }
}

/// The last time whose operations are seen at this tick.
pub fn visible_until(tick: Time) -> Time {
    Time::from_ps(tick.ps().saturating_sub(LAG.ps()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Time {
        Time::ZERO + Duration::from_us(us)
    }

    #[test]
    fn operation_is_seen_at_the_first_tick_after_the_lag() {
        let mut traffic = OutOfBand::new(2);
        traffic.send(0, us(199));
        assert!(!traffic.has_news(1, us(50), us(200)));
        assert!(traffic.has_news(1, us(50), us(300)));
        assert!(!traffic.has_news(1, us(199), us(300)), "it is known");
        assert!(!traffic.has_news(0, us(50), us(300)), "own operations are no news");
        assert_eq!((next_tick(us(0)), next_tick(us(100))), (us(100), us(200)));
    }

    #[test]
    fn sends_and_looks_are_more_than_a_lag_apart() {
        for now in (0..=300).map(|half| us(100) + Duration::from_ns(500 * half)) {
            let (send, look) = (next_send(now), next_look(now));
            assert!(send >= now && look >= now && next_send(send) == send && next_look(look) == look);
            let apart = Duration::from_ps((send.ps() % TICK.ps()).abs_diff(look.ps() % TICK.ps()));
            assert!(apart >= LAG && apart + LAG <= TICK, "{now:?}: {send:?}, {look:?}");
        }
        assert_eq!((next_send(us(100)), next_send(us(104)), next_send(us(105))), (us(102), us(104), us(202)));
        assert_eq!((next_look(us(100)), next_look(us(101)), next_look(us(110))), (us(100), us(106), us(110)));
    }

    #[test]
    fn program_is_alone_awake_while_all_others_wait_for_descriptors() {
        let mut traffic = OutOfBand::new(3);
        traffic.end(1, us(5));
        assert!(!traffic.others_are_idle(0), "program 2 runs");
        traffic.set_idle(2, true);
        assert!(traffic.others_are_idle(0) && !traffic.others_are_idle(2));
        let listeners = [(18_515, true), (40_001, false)];
        traffic.listen(&listeners.map(|(port, is_at_run)| Listener { port, is_at_run }));
        assert!(traffic.has_listener(18_515) && !traffic.has_listener(18_516));
        let listening = [18_515, 40_001, 18_516].map(|port| traffic.listening(port));
        assert_eq!(listening, [listening::AT_RUN, listening::AT_PROGRAM, listening::NOWHERE]);
    }

    #[test]
    fn deadlock_is_found_only_when_no_program_has_news() {
        let mut traffic = OutOfBand::new(2);
        traffic.start_wait(0, us(98));
        assert!(!traffic.is_deadlocked(), "program 1 runs");
        traffic.end(1, us(120));
        assert!(!traffic.is_deadlocked(), "program 0 has not seen the end of program 1");
        traffic.start_wait(0, us(198));
        assert!(traffic.is_deadlocked());
        assert_eq!(traffic.waiting().collect::<Vec<_>>(), [0]);
    }
}
