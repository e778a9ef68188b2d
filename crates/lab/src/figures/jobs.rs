//! Independent measurements on all processors, with results in the order of what was asked.

use std::sync::Mutex;
use std::thread;

use crate::output;

/// Measures every load. The first error ends it.
pub fn run<L: Sync, T: Send>(
    loads: &[L],
    measure: impl Fn(&L) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let progress = output::progress(loads.len() as u64, "measurements");
    let next = Mutex::new(0..loads.len());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(i) = next.lock().expect("no measurement panics").next() else { break };
                    let result = measure(&loads[i]);
                    if result.is_err() {
                        *next.lock().expect("no measurement panics") = 0..0;
                    }
                    done.lock().expect("no measurement panics").push((i, result));
                    progress.inc(1);
                }
            });
        }
    });
    progress.finish_and_clear();
    let mut done = done.into_inner().expect("no measurement panics");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_errors_come_out() {
        let loads: Vec<u64> = (0..100).collect();
        assert_eq!(run(&loads, |&n| Ok(n * n)).unwrap()[99], 99 * 99);
        assert!(run(&loads, |&n| if n == 50 { anyhow::bail!("fifty") } else { Ok(n) }).is_err());
    }
}
