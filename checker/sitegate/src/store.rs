//! The arguments that say where a release goes, and what the commands that go there share: opening the target, the
//! runtime, and the listener that shows how far they are.

use std::io::{self, IsTerminal, Write};
use std::pin::pin;
use std::time::Duration;

use clap::Args;
use sitegate_base::sanitize::visible;
use sitegate_publish::events::Event;
use sitegate_publish::failure::{Exit, Failure};
use sitegate_publish::stop;
use sitegate_publish::target::PublishTarget;
use sitegate_publish::target::store::TargetOptions;

use crate::terminal::{self, Outcome};

/// What only buckets need is hidden where there are none.
const NO_BUCKETS: bool = !cfg!(feature = "network");

/// Where a release goes, and how to get there.
#[derive(Debug, Args)]
pub struct StoreArgs {
    /// s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or file:///FOLDER
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The store's address, where it is not the provider's own
    #[arg(long, value_name = "URL", help_heading = "Store", hide = NO_BUCKETS)]
    endpoint: Option<String>,
    /// The store's region [default: from the environment or the profile, else us-east-1]
    #[arg(long, value_name = "NAME", help_heading = "Store", hide = NO_BUCKETS)]
    region: Option<String>,
    /// The profile in ~/.aws to take credentials from [default: the environment, else AWS_PROFILE]
    #[arg(long, value_name = "NAME", help_heading = "Store", hide = NO_BUCKETS)]
    profile: Option<String>,
    /// Put the bucket into the host name; without this it is part of the path
    #[arg(long, help_heading = "Store", hide = NO_BUCKETS)]
    virtual_host: bool,
    /// Allow http without encryption to other machines than this one
    #[arg(long, help_heading = "Store", hide = NO_BUCKETS)]
    allow_http: bool,
    /// How long a request may take, in seconds; large files get more
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = terminal::seconds(), help_heading = "Store", hide = NO_BUCKETS)]
    timeout: u64,
    /// How many requests run at once [default: 16, and up to 128 where the store is far away]
    #[arg(long, value_name = "N", help_heading = "Store")]
    jobs: Option<usize>,
}

impl StoreArgs {
    /// How the target is reached.
    pub fn options(&self) -> TargetOptions {
        TargetOptions {
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            profile: self.profile.clone(),
            virtual_host: self.virtual_host,
            allow_http: self.allow_http,
            timeout: Duration::from_secs(self.timeout.max(1)),
            jobs: self.jobs,
        }
    }

    /// The target, where it is there already.
    pub async fn open(&self) -> Result<PublishTarget, Failure> {
        PublishTarget::open(&self.target, &self.options(), false).await
    }
}

/// Runs a command to its end. A failure is printed, and gives the exit code.
///
/// Ctrl-C and a request to end stop it: whoever holds a target then gives it back first, and the second time it ends at
/// once.
pub fn run(work: impl Future<Output = Result<(), Failure>>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ended = runtime.block_on(async {
        let mut work = pin!(work);
        let asked = tokio::select! {
            ended = &mut work => return ended,
            asked = stop_asked() => asked,
        };
        if !stop::ask(asked) {
            return Err(Failure::new(asked, "stopped").help("nothing was being written at a target"));
        }
        let _ = writeln!(terminal::stderr(), "stopping; once more ends it at once, without giving the target back");
        tokio::select! {
            ended = work => ended,
            asked = stop_asked() => {
                let help = "if it held a target, that is free when its lease is over, or by `sitegate unlock`";
                Err(Failure::new(asked, "stopped at once").help(help))
            }
        }
    });
    // What still reads or hashes need not come to its end.
    runtime.shutdown_background();
    match ended {
        Ok(()) => Ok(0),
        Err(failure) => {
            terminal::complain(&failure);
            Ok(failure.exit as u8)
        }
    }
}

/// Waits for a signal that asks to stop.
async fn stop_asked() -> Exit {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => Exit::Interrupt,
        () = terminate() => Exit::Terminate,
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
    terminal::print(write).map_err(|error| Failure::new(Exit::Failed, error.to_string()))
}

/// Shows events as they happen: each as a line of JSON, or on a terminal how far the writing is.
pub fn listener(events: bool) -> impl Fn(&Event<'_>) + Sync {
    let terminal = io::stderr().is_terminal();
    move |event| {
        let mut out = terminal::stderr();
        // A line that cannot be shown is no reason to stop.
        let _ = match event {
            _ if events => match serde_json::to_string(event) {
                Ok(line) => writeln!(out, "{line}"),
                Err(_) => Ok(()),
            },
            Event::Warning { message } => writeln!(out, "warning: {}", visible(message)),
            Event::Written { done, total, .. } if terminal => {
                let filled = done * 24 / (*total).max(1);
                write!(
                    anstream::stderr(),
                    "\r\x1b[2K[{}{}] {done} of {total}",
                    "#".repeat(filled),
                    " ".repeat(24 - filled)
                )
            }
            _ => Ok(()),
        };
    }
}

/// Wipes the line that says how far the writing is.
pub fn clear_progress(events: bool) {
    if !events && io::stderr().is_terminal() {
        let _ = write!(anstream::stderr(), "\r\x1b[2K");
    }
}
