//! Runs tasks on several threads. Results come in the order of the tasks, so they do not depend on the scheduling.

use crate::error::Error;
use crate::memory;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Words of bits per additional thread: for less work, starting it costs more than it saves.
const WORDS_PER_THREAD: usize = 1 << 20;

/// How many of `threads` are worth using for work that reads about `n_words` words.
pub fn threads_for(threads: usize, n_words: usize) -> usize {
    threads.clamp(1, 1 + n_words / WORDS_PER_THREAD)
}

/// Apply `work` to each task on at most `threads` threads, including this one.
pub fn map<T: Send, R: Send>(
    threads: usize,
    tasks: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Result<Vec<R>, Error> {
    try_map(threads, tasks, |task| Ok(work(task)))
}

/// The same for work that can fail. After a failure no further task begins; of several errors, that of the first task in
/// order is returned.
pub fn try_map<T: Send, R: Send, E: Send + From<Error>>(
    threads: usize,
    tasks: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let n_tasks = tasks.len();
    if threads <= 1 || n_tasks <= 1 {
        let mut results = memory::with_capacity(n_tasks)?;
        for task in tasks {
            results.push(work(task)?);
        }
        return Ok(results);
    }
    let open = Mutex::new(tasks.into_iter().enumerate());
    let done: Mutex<Vec<Option<Result<R, E>>>> = Mutex::new(memory::collect((0..n_tasks).map(|_| None))?);
    let has_failed = AtomicBool::new(false);
    let take = || match has_failed.load(Relaxed) {
        true => None,
        false => open.lock().unwrap_or_else(PoisonError::into_inner).next(),
    };
    let help = || {
        while let Some((index, task)) = take() {
            let result = work(task);
            has_failed.fetch_or(result.is_err(), Relaxed);
            done.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
        }
    };
    let panicked = std::thread::scope(|scope| {
        // if a thread cannot be started, the others do its tasks
        let helpers: Vec<_> = (1..threads.min(n_tasks))
            .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, help).ok())
            .collect();
        // A new thread often waits for milliseconds in the queue of this core while another is idle. Sleeping lets it
        // start at once, and this thread wakes up on an idle core.
        std::thread::sleep(Duration::from_micros(1));
        help();
        helpers.into_iter().any(|helper| helper.join().is_err())
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut results = memory::with_capacity(n_tasks)?;
    for result in done.into_iter().flatten() {
        results.push(result?);
    }
    if panicked || results.len() != n_tasks {
        return Err(Error::Internal("a thread did not do its tasks".into()).into());
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        let expected: Vec<usize> = (0..1000).map(|task| task * task).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(map(threads, (0..1000).collect(), |task: usize| task * task), Ok(expected.clone()));
        }
        assert_eq!(map(3, Vec::new(), |task: usize| task), Ok(vec![]));
    }

    #[test]
    fn little_work_gets_one_thread() {
        assert_eq!(threads_for(8, 1000), 1);
        assert_eq!(threads_for(8, 3 << 20), 4);
        assert_eq!(threads_for(2, usize::MAX / 2), 2);
        assert_eq!(threads_for(0, 1 << 30), 1);
    }

    #[test]
    fn no_task_begins_after_one_has_failed() {
        for threads in [1, 2, 7] {
            let n_begun = AtomicUsize::new(0);
            let fail = |task: usize| {
                n_begun.fetch_add(1, Relaxed);
                Err::<(), Error>(Error::Data(format!("task {task}")))
            };
            assert!(matches!(try_map(threads, (0..100_000).collect(), fail), Err(Error::Data(_))));
            assert!(n_begun.into_inner() <= threads, "each thread may have begun one");
        }
    }
}
