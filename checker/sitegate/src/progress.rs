//! Shows the progress of a long command on one line of the terminal.

use std::env;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracing::level_filters::LevelFilter;

/// The time before the line appears, so that short commands show nothing.
const DELAY: Duration = Duration::from_secs(1);

/// A progress line. It disappears when it is dropped.
pub struct ProgressLine {
    bar: ProgressBar,
    start: Instant,
}

impl ProgressLine {
    /// Starts a line if standard error is a terminal, outside of CI and without `-v`.
    pub fn start() -> Option<ProgressLine> {
        let is_visible = io::stderr().is_terminal()
            && env::var_os("CI").is_none()
            && LevelFilter::current() == LevelFilter::OFF;
        is_visible.then(|| ProgressLine {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            start: Instant::now(),
        })
    }

    /// Shows that `done` of `total` steps are done.
    pub fn show(&self, done: usize, total: usize, message: String) {
        if self.start.elapsed() < DELAY {
            return;
        }
        if self.bar.is_hidden() {
            let style = ProgressStyle::with_template("[{bar:24}] {wide_msg}");
            self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("## "));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.bar.set_message(message);
    }

    /// Hides the line while `print` runs.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
