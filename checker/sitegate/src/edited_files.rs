//! Helps commands that edit files: without interruption, and with the reasons for the files that are not changed.

use std::env;
use std::io::{self, Write};
use std::path::Path;

use sitegate_base::sanitize::{slashed, visible};
use sitegate_sources::edits::Refusal;

use crate::terminal::YELLOW;

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

/// Writes a line for each file, which begins with a label.
pub fn write_refusals(refused: &[Refusal], label: &str, out: &mut dyn Write) -> io::Result<()> {
    for refusal in refused {
        let name = shown(&refusal.file);
        writeln!(out, "{YELLOW}{label}{YELLOW:#}  {}: {}", visible(&name), visible(&reason(refusal)))?;
    }
    Ok(())
}

/// Returns the reason of a refusal, with the option that allows the change nevertheless, if there is one.
pub fn reason(refusal: &Refusal) -> String {
    let reason = refusal.reason.to_string();
    if !refusal.reason.can_be_allowed() {
        return reason;
    }
    let joint = if reason.contains("; ") { ", or" } else { ";" };
    format!("{reason}{joint} edit it with --allow-dirty")
}

/// Returns a path from the working directory, with `/`.
pub fn shown(file: &Path) -> String {
    let below = env::current_dir().ok().and_then(|here| file.strip_prefix(here).ok().map(Path::to_path_buf));
    let path = slashed(below.as_deref().unwrap_or(file));
    path.strip_prefix("./").map(str::to_owned).unwrap_or(path)
}
