//! Independent jobs on all processors, with results in the order of what was asked.

use std::sync::Mutex;
use std::thread;

use crate::progress;

/// Does every job, with a bar that counts them as `unit`. The first error ends it.
pub fn run<J: Sync, T: Send>(
    jobs: &[J],
    unit: &str,
    work: impl Fn(&J) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let progress = progress(jobs.len() as u64, unit);
    let next = Mutex::new(0..jobs.len());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(i) = next.lock().expect("no job panics").next() else { break };
                    let result = work(&jobs[i]);
                    if result.is_err() {
                        *next.lock().expect("no job panics") = 0..0;
                    }
                    done.lock().expect("no job panics").push((i, result));
                    progress.inc(1);
                }
            });
        }
    });
    progress.finish_and_clear();
    let mut done = done.into_inner().expect("no job panics");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_errors_come_out() {
        let jobs: Vec<u64> = (0..100).collect();
        assert_eq!(run(&jobs, "squares", |&n| Ok(n * n)).unwrap()[99], 99 * 99);
        assert!(run(&jobs, "squares", |&n| if n == 50 { anyhow::bail!("fifty") } else { Ok(n) }).is_err());
    }
}
