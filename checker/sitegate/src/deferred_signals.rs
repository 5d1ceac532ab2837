//! Defers the signals that end the program while it writes several files, so that they belong together.

use std::io;

/// Runs `work`. A signal to stop that arrives meanwhile ends the program afterwards.
///
/// # Errors
/// If the signals cannot be deferred. Then the work is not done.
#[cfg(unix)]
pub fn without_interruption<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::{register_conditional_default, register_usize};
    use signal_hook::low_level::emulate_default_handler;

    let (is_done, received) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // A handler replaces the default action for good, so that it is done by hand after the work.
        register_conditional_default(signal, Arc::clone(&is_done))?;
        register_usize(signal, Arc::clone(&received), signal as usize)?;
    }
    let result = work();
    is_done.store(true, Ordering::SeqCst);
    match received.load(Ordering::SeqCst) {
        0 => {}
        signal => emulate_default_handler(signal as i32)?,
    }
    Ok(result)
}

/// Ctrl-C is the only signal of Windows, and ends all threads: each file is old or new.
#[cfg(not(unix))]
pub fn without_interruption<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    Ok(work())
}
