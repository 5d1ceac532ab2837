//! Runs commands that work on a target: the async runtime, stop signals, output and progress events.

use std::io::{self, Write};
use std::pin::pin;

use sitegate_base::sanitize::visible;
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::machine;
use sitegate_publish::publication::Event;

use crate::error::Error;
use crate::terminal::{self, Outcome, ProgressLine};

/// Runs a command that works on a target.
///
/// The first Ctrl-C or request to terminate stops it after it has released the target. The second stops it at once.
pub fn run<E: Into<Error>>(work: impl Future<Output = Result<(), E>>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(Error::system("cannot start the runtime"))?;
    let result = runtime.block_on(async {
        let mut work = pin!(work);
        let first = tokio::select! {
            result = &mut work => return result.map_err(Into::into),
            signal = stop_signal() => signal,
        };
        if !machine::request_stop(first) {
            let stopped = Failure::new(first, "stopped").help("no target was being written");
            return Err(stopped.into());
        }
        let _ = writeln!(
            terminal::stderr(),
            "stopping; press Ctrl-C again to stop at once, without releasing the target"
        );
        tokio::select! {
            result = work => result.map_err(Into::into),
            second = stop_signal() => {
                let help = "if it held a target, wait until its lease ends, or run `sitegate target unlock`";
                Err(Failure::new(second, "stopped at once").help(help).into())
            }
        }
    });
    // Reads and hashing in progress need not finish.
    runtime.shutdown_background();
    result.map(|()| 0)
}

/// Waits for a signal to stop.
async fn stop_signal() -> FailureKind {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => FailureKind::Sigint,
        () = terminate() => FailureKind::Sigterm,
    }
}

#[cfg(unix)]
async fn terminate() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminate() {
    std::future::pending().await
}

/// Prints to standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let fail = |error| format!("cannot write to standard output: {error}");
    terminal::print(write).map_err(|error| Failure::new(FailureKind::Failed, fail(error)))
}

/// Returns a listener that prints events: each as a line of JSON, or as progress on a terminal.
pub fn event_listener(events: bool) -> impl Fn(&Event<'_>) + Sync {
    let line = if events { None } else { ProgressLine::start() };
    move |event| {
        // A failure to print does not stop the command.
        let print = |text: String| drop(writeln!(terminal::stderr(), "{text}"));
        match event {
            Event::LeaseAcquired { run, release } => {
                tracing::info!(run, "took the target for release {release}");
            }
            Event::Written { key, done, total } => {
                tracing::debug!("wrote {}, {done} of {total}", visible(key));
            }
            Event::Live { release } => tracing::info!("release {release} is live"),
            Event::Warning { .. } => {}
        }
        match (event, &line) {
            _ if events => serde_json::to_string(event).map_or((), print),
            (Event::Warning { message }, line) => {
                let text = format!("warning: {}", visible(message));
                match line {
                    Some(line) => line.suspend(|| print(text)),
                    None => print(text),
                }
            }
            (Event::Written { done, total, .. }, Some(line)) => {
                line.show(*done, *total, format!("{done} of {total}"));
            }
            _ => {}
        }
    }
}
