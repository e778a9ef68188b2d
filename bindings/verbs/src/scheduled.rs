//! Threads of the program: one at a time, in a fixed order (package `threads`).
//!
//! A thread that waits notes its wait. While no thread can run, the process waits in the simulator for what any of them
//! waits for, and then all of them look.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::verbs::call::Wanted;
use processes::verbs::{Answer, Call};
use threads::Simulator;

use crate::{events, link, slot, time_stamps, timers, virtual_time};

/// Virtual time after which a thread looks at its descriptors again while other threads run, in ps: 100 us, as for
/// programs.
const TICK_PS: u64 = 100_000_000;

/// A wait of a thread: channels of the connection manager, and all else.
type Wait = (Wanted, Vec<u32>);

/// Waits by the number of the thread.
static WAITS: Mutex<BTreeMap<u32, Wait>> = Mutex::new(BTreeMap::new());

fn waits() -> std::sync::MutexGuard<'static, BTreeMap<u32, Wait>> {
    WAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn call(wanted: Wanted, channels: Vec<u32>) -> Call {
    match channels.is_empty() {
        true => Call::Wait(wanted),
        false => Call::WaitForConnection(wanted, channels),
    }
}

struct Host;

impl Simulator for Host {
    fn now_ps(&self) -> u64 {
        virtual_time::now_ps().unwrap_or_default()
    }

    fn wait(&self, until_ps: Option<u64>) -> bool {
        let now = self.now_ps();
        let end = until_ps.unwrap_or(u64::MAX).min(timers::next_ps()).max(now);
        let mut all = Wanted { queues: Vec::new(), sockets: false, outside: false, until_ps: end };
        let mut channels = Vec::new();
        for (wanted, of_thread) in waits().values() {
            channels.extend(of_thread);
            all.queues.extend(&wanted.queues);
            all.sockets |= wanted.sockets;
            all.outside |= wanted.outside;
        }
        all.queues.sort_unstable();
        all.queues.dedup();
        let answer = link::ask("waiting", call(all, channels));
        if let Ok(Answer::Number(queue)) = answer {
            events::deliver(queue as u8);
        }
        let waiting: Vec<_> = waits().keys().copied().collect();
        waiting.into_iter().for_each(threads::complete);
        answer.is_ok()
    }

    fn pass(&self, until_ps: u64) {
        let now = self.now_ps();
        let next = until_ps.min(timers::next_ps().max(now));
        let _ = link::ask("sleep", Call::Sleep(next.saturating_sub(now)));
    }

    fn end_stuck(&self, report: String) -> ! {
        eprintln!("memonet verbs: {report}");
        // SAFETY: the call does not return.
        unsafe { libc::_exit(1) }
    }

    fn is_of_run(&self) -> bool {
        slot::get().is_some()
    }

    fn sleep(&self, until_ps: u64) -> bool {
        sleep_until_ps(until_ps)
    }
}

/// Gives this process virtual time, before its program begins.
// SAFETY: the function has the type of those that the loader calls, and makes no call of the program.
#[used]
#[unsafe(link_section = ".init_array")]
static INSTALL: extern "C" fn() = install;

extern "C" fn install() {
    threads::install(&Host);
}

/// The process has its slot. Programs measure the frequency of the counter before they open a device.
// SAFETY: the name is used in this library alone.
#[unsafe(no_mangle)]
extern "C" fn memonet_attached() {
    install();
    time_stamps::trap();
}

/// Waits as the call of the simulator does, and lets other threads run. The number of a queue with an event may be the
/// answer, unless the program has several threads.
pub fn wait(function: &str, wanted: Wanted, channels: &[u32]) -> Result<Answer, libc::c_int> {
    let caller = threads::caller().filter(|_| threads::is_one_of_several());
    let Some(number) = caller.map(|caller| caller.number) else {
        return link::ask(function, call(wanted, channels.to_vec()));
    };
    let now = virtual_time::now_ps().ok_or(libc::ENODEV)?;
    if wanted.until_ps <= now {
        return link::ask(function, call(wanted, channels.to_vec()));
    }
    let until = match wanted.queues.is_empty() && channels.is_empty() && !wanted.sockets && !wanted.outside {
        true => wanted.until_ps,
        false => wanted.until_ps.min((now / TICK_PS + 1) * TICK_PS),
    };
    let queues = wanted.queues.clone();
    waits().insert(number, (wanted, channels.to_vec()));
    threads::wait_for_call_until(until);
    waits().remove(&number);
    if queues.is_empty() {
        return Ok(Answer::Done);
    }
    // Events are there that another thread has not waited for.
    let until_ps = virtual_time::now_ps().ok_or(libc::ENODEV)?;
    link::ask(function, Call::Wait(Wanted { queues, sockets: false, outside: false, until_ps }))
}

/// Sleeps until an instant of virtual time, in ps, or until a timer sends a signal; false for the latter.
pub fn sleep_until_ps(until: u64) -> bool {
    let signals = timers::signals();
    while let Some(now) = virtual_time::now_ps() {
        if timers::signals() != signals {
            return false;
        }
        if now >= until {
            return true;
        }
        // A timer expires in between.
        let next = until.min(timers::next_ps().max(now));
        if threads::is_one_of_several() {
            threads::sleep_until(next);
        } else if link::ask("sleep", Call::Sleep(link::slice_ps(next - now))).is_err() {
            return true;
        }
    }
    true
}
