//! Runs independent jobs on all processors, with results in the order of the jobs.

use std::sync::Mutex;
use std::thread;

/// Runs every job and calls `done` after each. The first error ends the run.
pub fn run<J: Sync, T: Send>(
    jobs: &[J],
    done: &(dyn Fn() + Sync),
    work: impl Fn(&J) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let next = Mutex::new(0..jobs.len());
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(i) = next.lock().expect("no job panics").next() else { break };
                    let result = work(&jobs[i]);
                    if result.is_err() {
                        *next.lock().expect("no job panics") = 0..0;
                    }
                    results.lock().expect("no job panics").push((i, result));
                    done();
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no job panics");
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn results_are_in_order_and_errors_are_returned() {
        let jobs: Vec<u64> = (0..100).collect();
        let done = AtomicU64::new(0);
        let count = || {
            done.fetch_add(1, Ordering::Relaxed);
        };
        assert_eq!(run(&jobs, &count, |&n| Ok(n * n)).unwrap()[99], 99 * 99);
        assert_eq!(done.into_inner(), 100);
        assert!(run(&jobs, &|| (), |&n| if n == 50 { anyhow::bail!("fifty") } else { Ok(n) }).is_err());
    }
}
