//! Work shared out to threads. The answers come in the order of the tasks, so they do not depend on who did what.

use crate::error::Error;
use crate::memory;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Words of bits to be read below which starting a thread costs more than it saves.
const WORTH_A_THREAD: usize = 1 << 20;

/// How many of `threads` are worth starting for work that reads about this many words.
pub fn threads_for(threads: usize, n_words: usize) -> usize {
    threads.clamp(1, 1 + n_words / WORTH_A_THREAD)
}

/// `work` done on every task by at most `threads` threads, this one among them.
pub fn map<T: Send, R: Send>(
    threads: usize,
    tasks: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Result<Vec<R>, Error> {
    try_map(threads, tasks, |task| Ok(work(task)))
}

/// The same with work that can fail: then no more tasks are begun, and the error is that of the first task that failed.
pub fn try_map<T: Send, R: Send, E: Send + From<Error>>(
    threads: usize,
    tasks: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let n_tasks = tasks.len();
    if threads <= 1 || n_tasks <= 1 {
        let mut answers = memory::with_capacity(n_tasks)?;
        for task in tasks {
            answers.push(work(task)?);
        }
        return Ok(answers);
    }
    let open = Mutex::new(tasks.into_iter().enumerate());
    let done: Mutex<Vec<(usize, Result<R, E>)>> = Mutex::new(memory::with_capacity(n_tasks)?);
    let has_failed = AtomicBool::new(false);
    let take = || match has_failed.load(Relaxed) {
        true => None,
        false => open.lock().unwrap_or_else(PoisonError::into_inner).next(),
    };
    let help = || {
        while let Some((index, task)) = take() {
            let answer = work(task);
            has_failed.fetch_or(answer.is_err(), Relaxed);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, answer));
        }
    };
    let panicked = std::thread::scope(|scope| {
        // a thread that cannot be started is no loss: the others do its tasks
        let helpers: Vec<_> = (1..threads.min(n_tasks))
            .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, help).ok())
            .collect();
        // A new thread often waits in the queue of this one's core, for milliseconds, while another core is idle. It
        // starts as soon as this thread sleeps, and this one wakes up where there is room.
        std::thread::sleep(Duration::from_micros(1));
        help();
        helpers.into_iter().any(|helper| helper.join().is_err())
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    let mut answers = memory::with_capacity(done.len())?;
    for (_, answer) in done {
        answers.push(answer?);
    }
    if panicked || answers.len() != n_tasks {
        return Err(Error::Internal("a thread did not do its tasks".into()).into());
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn answers_come_in_the_order_of_the_tasks() {
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
    fn no_task_is_begun_after_one_has_failed() {
        for threads in [1, 2, 7] {
            let n_begun = AtomicUsize::new(0);
            let fail = |task: usize| {
                n_begun.fetch_add(1, Relaxed);
                Err::<(), Error>(Error::Data(format!("task {task}")))
            };
            assert!(matches!(try_map(threads, (0..100_000).collect(), fail), Err(Error::Data(_))));
            assert!(n_begun.into_inner() <= threads, "each thread may have had one in hand");
        }
    }
}
