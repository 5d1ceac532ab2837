//! Runs simulations on all cores, each in paused time of its own, and reports what was wrong.

use std::env;
use std::fmt;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::timeout;

use super::world::Line;

/// Number of lines of the log to print.
const LINES: usize = 60;

/// Maximum time of a simulation. The longest takes a few hours.
const MAX_TIME: Duration = Duration::from_hours(48);

/// Something that was wrong, and how to repeat it.
pub struct Trouble {
    pub seed: u64,
    pub step: String,
    pub wrong: String,
    pub log: Vec<Line>,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.log[self.log.len().saturating_sub(LINES)..] {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "{}", self.wrong)?;
        writeln!(f, "at {}", self.step)?;
        write!(f, "repeat it with: SITEGATE_SEED={} cargo test --test simulation", self.seed)
    }
}

/// Tests print it when they unwrap it.
impl fmt::Debug for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// Returns a number from the environment.
pub fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Runs a simulation in paused time. One that does not end fails.
pub fn simulate<T>(simulation: impl Future<Output = T>) -> T {
    let ends = async { timeout(MAX_TIME, simulation).await.expect("a simulation that ends") };
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(ends)
}

/// Runs work on all cores until it returns none, or something is wrong. Returns the sum of what was done.
pub fn on_all_cores(work: impl Fn() -> Option<Result<usize, Trouble>> + Sync) -> Result<usize, Trouble> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let is_over = AtomicBool::new(false);
    let worker = || {
        let mut sum = 0;
        while !is_over.load(Ordering::Relaxed)
            && let Some(done) = work()
        {
            is_over.fetch_or(done.is_err(), Ordering::Relaxed);
            sum += done?;
        }
        Ok(sum)
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let done: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        done.into_iter().sum()
    })
}
