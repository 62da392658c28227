//! Work shared out to threads. The answers come in the order of the tasks, so they do not depend on who did what.

use crate::error::Error;
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
    let n_tasks = tasks.len();
    if threads <= 1 || n_tasks <= 1 {
        return Ok(tasks.into_iter().map(work).collect());
    }
    let open = Mutex::new(tasks.into_iter().enumerate());
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(n_tasks));
    let take = || open.lock().unwrap_or_else(PoisonError::into_inner).next();
    let help = || {
        while let Some((index, task)) = take() {
            let answer = work(task);
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
    if panicked || done.len() != n_tasks {
        return Err(Error::Internal("a thread did not do its tasks".into()));
    }
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, answer)| answer).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
