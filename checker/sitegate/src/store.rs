//! The arguments that say where a release goes, and what the commands that go there share: opening the target, the
//! runtime, and the listener that shows how far they are.

use std::io::{self, Write};
use std::pin::pin;
use std::time::Duration;

use clap::Args;
use sitegate_base::sanitize::visible;
use sitegate_publish::events::Event;
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::stop;
use sitegate_publish::target::PublishTarget;
use sitegate_publish::target::options::TargetOptions;

use crate::error::Error;
use crate::progress::ProgressLine;
use crate::terminal::{self, Outcome};

/// What only buckets need is hidden where there are none.
const NO_BUCKETS: bool = !cfg!(feature = "network");

/// Where a release goes, and how to get there.
#[derive(Debug, Args)]
pub struct StoreArgs {
    /// `s3://`, `gs://` or `az://` with BUCKET/PREFIX, or `file:///FOLDER`
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// URL of the store, if not the provider's own
    #[arg(long, value_name = "URL", help_heading = "Store", hide = NO_BUCKETS)]
    endpoint: Option<String>,
    /// Region [default: from the environment or profile]
    ///
    /// Without either, it is us-east-1.
    #[arg(long, value_name = "NAME", help_heading = "Store", hide = NO_BUCKETS)]
    region: Option<String>,
    /// Profile in ~/.aws to take credentials from
    ///
    /// The default is the environment, else the profile that `AWS_PROFILE` names.
    #[arg(long, value_name = "NAME", help_heading = "Store", hide = NO_BUCKETS)]
    profile: Option<String>,
    /// Put the bucket into the host name, not into the path
    #[arg(long, help_heading = "Store", hide = NO_BUCKETS)]
    virtual_host: bool,
    /// Allow http without encryption to other machines
    #[arg(long, help_heading = "Store", hide = NO_BUCKETS)]
    allow_http: bool,
    /// Maximum seconds for a request
    ///
    /// Large files get more.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = terminal::seconds(), help_heading = "Store", hide = NO_BUCKETS)]
    timeout: u64,
    /// Number of requests at once [default: 16 to 128]
    ///
    /// It starts with 16, and grows up to 128 if the store is far away.
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

/// Runs a command to its end.
///
/// Ctrl-C and a request to end stop it: whoever holds a target then gives it back first, and the second time it ends at
/// once.
pub fn run<E: Into<Error>>(work: impl Future<Output = Result<(), E>>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(Error::system("cannot start the runtime"))?;
    let ended = runtime.block_on(async {
        let mut work = pin!(work);
        let asked = tokio::select! {
            ended = &mut work => return ended.map_err(Into::into),
            signal = stop_asked() => signal,
        };
        if !stop::request_stop(asked) {
            let stopped = Failure::new(asked, "stopped").help("nothing was being written at a target");
            return Err(stopped.into());
        }
        let _ = writeln!(terminal::stderr(), "stopping; once more ends it at once, without giving the target back");
        tokio::select! {
            ended = work => ended.map_err(Into::into),
            again = stop_asked() => {
                let help = "if it held a target, that is free when its lease is over, or by `sitegate unlock`";
                Err(Failure::new(again, "stopped at once").help(help).into())
            }
        }
    });
    // What still reads or hashes need not come to its end.
    runtime.shutdown_background();
    ended.map(|()| 0)
}

/// Waits for a signal that asks to stop.
async fn stop_asked() -> FailureKind {
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
    terminal::print(write).map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))
}

/// Shows events as they happen: each as a line of JSON, or on a terminal as progress.
pub fn listener(events: bool) -> impl Fn(&Event<'_>) + Sync {
    let line = if events { None } else { ProgressLine::start() };
    move |event| {
        // A line that cannot be shown is no reason to stop.
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
