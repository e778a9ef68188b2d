//! Seeds of random numbers that a program makes of its process number.
//!
//! Programs of verbs seed packet numbers with their process number and the time: `srand48(getpid() * time(NULL))`. The
//! process number is that of the operating system, so it differs from run to run. A seed that one of the usual formulas
//! makes of it is replaced by the one that the same formula makes of a [fixed number](number). Other seeds stay.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use libc::{c_long, c_uint};
use slots::clock::EPOCH;

use crate::{slot, virtual_time};

/// Process number, in seeds, of the program of host 0; those of other hosts follow (our choice).
const FIRST: i64 = 1_000;

/// The number in place of that of the process.
fn number() -> Option<i64> {
    slot::host().map(|host| FIRST + i64::from(host))
}

/// Formulas of a process number and a time.
const FORMULAS: [fn(i64, i64) -> i64; 5] = [
    |pid, time| pid.wrapping_mul(time),
    |pid, time| pid.wrapping_add(time),
    |pid, time| pid ^ time,
    |pid, time| time.wrapping_sub(pid),
    |pid, _| pid,
];

/// The seed of `fixed` if a formula makes `seed` of `pid` and one of these times.
fn replaced(seed: i64, pid: i64, fixed: i64, times: &[i64]) -> Option<i64> {
    let all = FORMULAS.iter().flat_map(|formula| times.iter().map(move |time| (formula, *time)));
    // Seeds are often cut to 32 bits.
    all.into_iter()
        .find(|(formula, time)| formula(pid, *time) as u32 == seed as u32)
        .map(|(formula, time)| formula(fixed, time))
}

/// The seed that the generator gets.
fn seed(given: i64) -> i64 {
    let (Some(fixed), Some(now)) = (number(), virtual_time::now_ps()) else { return given };
    let own = i64::from(std::process::id());
    let second = (now / 1_000_000_000_000 + EPOCH.as_secs()) as i64;
    // The program may have read the clock a moment ago.
    replaced(given, own, fixed, &[second, second - 1]).unwrap_or(given)
}

/// A function of the C library behind this one.
fn next<T: Copy>(cell: &OnceLock<usize>, name: &std::ffi::CStr) -> T {
    crate::next_function::find(cell, name)
}

// SAFETY of all below: the names are those of POSIX and C, taken on purpose. The functions behind them have these types.

/// `srand48` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn srand48(given: c_long) {
    static NEXT: OnceLock<usize> = OnceLock::new();
    let real: extern "C" fn(c_long) = next(&NEXT, c"srand48");
    real(seed(given));
}

/// `srand` of C.
#[unsafe(no_mangle)]
pub extern "C" fn srand(given: c_uint) {
    static NEXT: OnceLock<usize> = OnceLock::new();
    let real: extern "C" fn(c_uint) = next(&NEXT, c"srand");
    real(seed(given.into()) as c_uint);
}

/// `srandom` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn srandom(given: c_uint) {
    static NEXT: OnceLock<usize> = OnceLock::new();
    let real: extern "C" fn(c_uint) = next(&NEXT, c"srandom");
    real(seed(given.into()) as c_uint);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_of_the_process_number_are_replaced_and_others_stay() {
        let time = 946_684_800;
        assert_eq!(replaced(4711 * time, 4711, 1000, &[time]), Some(1000 * time));
        assert_eq!(replaced(i64::from((4711 * time) as i32), 4711, 1000, &[time]), Some(1000 * time));
        assert_eq!(replaced(4711 ^ time, 4711, 1001, &[time + 1, time]), Some(1001 ^ time));
        assert_eq!(replaced(4711, 4711, 1001, &[time]), Some(1001));
        assert_eq!(replaced(42, 4711, 1000, &[time]), None);
    }
}
