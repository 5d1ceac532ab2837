//! The arguments that say where a release goes, and what the commands that go there share: opening the target, the
//! runtime, and the listener that shows how far they are.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::Args;
use sitegate_publish::events::Event;
use sitegate_publish::failure::{Exit, Failure};
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
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Store", hide = NO_BUCKETS)]
    timeout: u64,
    /// How many requests run at once
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Store")]
    jobs: usize,
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
pub fn run(work: impl Future<Output = Result<(), Failure>>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let ended = runtime
        .map_err(|error| Failure::new(Exit::Failed, error.to_string()))
        .and_then(|runtime| runtime.block_on(work));
    match ended {
        Ok(()) => Ok(0),
        Err(failure) => {
            terminal::complain(&failure);
            Ok(failure.exit as u8)
        }
    }
}

/// Prints to standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    terminal::print(write).map_err(|error| Failure::new(Exit::Failed, error.to_string()))
}

/// Shows events as they happen: each as a line of JSON, or on a terminal how far the writing is.
pub fn listener(events: bool) -> impl Fn(&Event<'_>) + Sync {
    let terminal = io::stderr().is_terminal();
    move |event| {
        let mut out = anstream::stderr();
        // A line that cannot be shown is no reason to stop.
        let _ = match event {
            _ if events => match serde_json::to_string(event) {
                Ok(line) => writeln!(out, "{line}"),
                Err(_) => Ok(()),
            },
            Event::Warning { message } => writeln!(out, "warning: {message}"),
            Event::Written { done, total, .. } if terminal => {
                let filled = done * 24 / (*total).max(1);
                write!(out, "\r\x1b[2K[{}{}] {done} of {total}", "#".repeat(filled), " ".repeat(24 - filled))
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
