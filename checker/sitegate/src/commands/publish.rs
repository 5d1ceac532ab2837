//! `sitegate publish`: publishes exactly the files that passed the check, or shows what it would do. Reports what visitors
//! still have after a publish that failed, in one line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sitegate_base::shell_word::shell_word;
use sitegate_base::url_secrets::without_secrets;
use sitegate_check::Seal;
use sitegate_publish::failure::FailureKind;
use sitegate_publish::machine::{Machine, ThisMachine};
use sitegate_publish::maintenance;
use sitegate_publish::plan::PlanLimits;
use sitegate_publish::publication::Publication;
use sitegate_publish::publish::{self, ExportSource, PostPublish, PublishRequest};
use sitegate_publish::target_state::state::State;

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::plan_output::PlanPrinter;
use crate::target_args::{self, TargetArgs};
use crate::terminal::{CommandFormatArgs, Outcome, seconds};
use crate::{online, runtime};

/// Whether to hide the options that need the network.
const NO_NETWORK: bool = !online::IS_BUILT;

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    export: ExportArgs,
    /// Seal written by `sitegate check --seal`
    #[arg(long, value_name = "FILE")]
    seal: PathBuf,
    /// Write FILE.br and FILE.gz next to each text file
    ///
    /// nginx serves them with `brotli_static` and `gzip_static`. Buckets cannot choose between them, so this works for
    /// folders only.
    #[arg(long)]
    precompress: bool,
    #[command(flatten)]
    output: CommandFormatArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Show the plan without carrying it out
    #[arg(long)]
    dry_run: bool,
    /// Print events to stderr, one JSON object per line
    #[arg(long)]
    events: bool,
    #[command(flatten)]
    post_publish: PostPublishArgs,
    /// Seconds until others may take over
    ///
    /// Other publishers wait this long for a publisher that stopped responding.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds(), help_heading = "Store")]
    lease: u64,
}

/// Steps after a release is live.
#[derive(Debug, clap::Args)]
struct PostPublishArgs {
    /// Invalidate this CloudFront distribution
    ///
    /// This uses the credentials of the target.
    #[arg(long, value_name = "ID", help_heading = "After publishing", hide = NO_NETWORK)]
    invalidate: Option<String>,
    /// Verify that the site at this URL matches the seal
    #[arg(long, value_name = "URL", help_heading = "After publishing", hide = NO_NETWORK)]
    verify: Option<String>,
    /// Seconds to retry the verification
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = seconds(), help_heading = "After publishing", hide = NO_NETWORK)]
    retry_for: u64,
    /// Roll back if the site does not match the seal
    ///
    /// Differences that a CDN or proxy made before this publish are no reason.
    #[arg(long, requires = "verify", help_heading = "After publishing", hide = NO_NETWORK)]
    rollback: bool,
    /// Roll back even if the site could not be verified
    ///
    /// It refused the connection, gave no answer in time, or answered 429, 502, 503 or 504.
    #[arg(long, requires = "rollback", help_heading = "After publishing", hide = NO_NETWORK)]
    rollback_unverified: bool,
    /// Drop unfinished steps of an earlier publish
    ///
    /// These are invalidations and verifications that it did not complete.
    #[arg(long, help_heading = "After publishing", hide = NO_NETWORK)]
    drop_pending: bool,
}

/// Limits on what a publish may do.
#[derive(Debug, clap::Args)]
struct LimitArgs {
    /// Earlier releases to keep for rollback
    ///
    /// Their hashed assets stay available to open browser tabs.
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Guards")]
    keep_releases: usize,
    /// Maximum number of files to delete
    ///
    /// Pages are included in the number.
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Guards")]
    max_deletes: usize,
    /// Replace objects that were changed by hand
    ///
    /// These are objects that changed since the last publish.
    #[arg(long, help_heading = "Guards")]
    overwrite_drift: bool,
    /// Replace objects that sitegate did not write
    #[arg(long, help_heading = "Guards")]
    adopt: bool,
    /// Allow placeholders such as example.com
    #[arg(long, help_heading = "Guards")]
    allow_placeholders: bool,
    /// Allow pages of the live release to disappear
    #[arg(long, help_heading = "Guards")]
    allow_gone: bool,
}

impl LimitArgs {
    fn limits(&self) -> PlanLimits {
        PlanLimits {
            keep: self.keep_releases,
            max_deletes: self.max_deletes,
            overwrite_drift: self.overwrite_drift,
            adopt: self.adopt,
            allow_gone: self.allow_gone,
            allow_placeholders: self.allow_placeholders,
        }
    }
}

impl PostPublishArgs {
    fn steps(&self, timeout: Duration) -> PostPublish<'_> {
        PostPublish {
            invalidate: self.invalidate.as_deref(),
            verify: self.verify.as_deref(),
            patience: Duration::from_secs(self.retry_for),
            timeout,
            rollback: self.rollback,
            rollback_unverified: self.rollback_unverified,
            drop_pending: self.drop_pending,
            visitors: online::VISITORS,
        }
    }
}

/// Publishes, or only shows the plan. If a publish fails, the last line says what visitors have.
pub fn run(args: &Args) -> Outcome {
    args.publish().map_err(|error| {
        let still_live = if args.dry_run { None } else { still_live_after(&error, &args.target) };
        match still_live {
            Some(still_live) => Error::NotPublished { error: Box::new(error), still_live },
            None => error,
        }
    })
}

impl Args {
    fn publish(&self) -> Outcome {
        let (contract, root) = self.export.load()?;
        runtime::run(async {
            let printer = PlanPrinter::begin(self.output, &self.target.url);
            let seal = Seal::read(&self.seal)?;
            let options = self.target.options();
            let timeout = options.timeout;
            let target = target_args::open(&self.target.url, &options.for_files_of(&seal)).await?;
            let request = PublishRequest {
                target: &target,
                export: ExportSource::Folder(&root),
                seal: &seal,
                contract: &contract,
                precompress: self.precompress,
                limits: self.limits.limits(),
                dry_run: self.dry_run,
                lease: Duration::from_secs(self.lease),
                post_publish: self.post_publish.steps(timeout),
            };
            let show = |plan: &_| printer.print_plan(plan);
            let published = publish::publish(&request, &show, &runtime::event_listener(self.events)).await;
            let publication = published?;
            printer.print_result(&publication, &self.hint(&publication)).map_err(Error::from)
        })
    }

    /// Returns a hint about how to see the result.
    fn hint(&self, publication: &Publication) -> String {
        match &publication.folder {
            Some(folder) => {
                let config = self.export.contract.config.as_ref();
                let word = |path: &Path| shell_word(&path.to_string_lossy()).into_owned();
                let config = config.map_or_else(String::new, |file| format!(" --config {}", word(file)));
                format!("preview it with: sitegate serve {}{config}", word(folder))
            }
            None => format!("see its state with: sitegate target status {}", shell_word(&publication.target)),
        }
    }
}

/// Maximum time to read the target again. It may be the reason of the failure.
const MAX_TIME: Duration = Duration::from_secs(2);

/// Returns what visitors still have. Returns none if the release is live, or the error itself says what is.
fn still_live_after(error: &Error, target: &TargetArgs) -> Option<String> {
    let kind = match error {
        Error::Publish(failure) => failure.kind,
        _ => FailureKind::Usage,
    };
    let is_switching = match kind {
        FailureKind::PartlySwitched => true,
        FailureKind::SealMismatch
        | FailureKind::Usage
        | FailureKind::Credentials
        | FailureKind::Guard
        | FailureKind::Held
        | FailureKind::Failed => false,
        // The release is live, or what is live again was said.
        FailureKind::Unverified
        | FailureKind::Unverifiable
        | FailureKind::RolledBack
        | FailureKind::RollbackFailed
        // Stopping must not take longer. The message says whether anything visible was changed.
        | FailureKind::Sigint
        | FailureKind::Sigterm => return None,
    };
    // Without credentials, the target cannot be read, either.
    let state = if kind == FailureKind::Credentials { None } else { read_state(target) };
    let place = shown_target(target);
    let now = ThisMachine::default().now();
    Some(match (is_switching, state) {
        (true, state) => match state.and_then(|state| state.live) {
            Some(live) => {
                format!("{place} has files of two releases: of this one, and of {}", live.shown_time(now))
            }
            None => format!("{place} has some files of this release, and none of an earlier one"),
        },
        (false, None) => "nothing was published".to_owned(),
        (false, Some(State { live: None, .. })) => {
            format!("nothing was published; {place} has no release yet")
        }
        (false, Some(state @ State { live: Some(_), .. })) if state.interrupted().next().is_none() => {
            let live = state.live.as_ref()?;
            format!("nothing was published; {place} still has the release of {}", live.shown_time(now))
        }
        (false, Some(State { live: Some(live), .. })) => {
            format!(
                "{place} still has files of two releases: an interrupted one, and that of {}",
                live.shown_time(now)
            )
        }
    })
}

/// Reads the state of a target; none if it does not answer in time.
fn read_state(target: &TargetArgs) -> Option<State> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().ok()?;
    let state = runtime.block_on(async {
        let read = async { maintenance::read_state(&target.open().await.ok()?).await.ok() };
        tokio::time::timeout(MAX_TIME, read).await.ok().flatten()
    });
    runtime.shutdown_background();
    state
}

/// Returns the target as people name it: a folder below the current one as `./public`.
fn shown_target(target: &TargetArgs) -> String {
    let shown = without_secrets(&target.url);
    let Some(path) = shown.strip_prefix("file://").map(Path::new) else { return shown };
    let below = std::env::current_dir().ok().and_then(|here| {
        let real = real_path(path);
        real.strip_prefix(here).ok().map(Path::to_path_buf)
    });
    match below {
        Some(below) => format!("./{}", below.display()),
        None => path.display().to_string(),
    }
}

/// Resolves the links in a path, whose last name need not exist.
fn real_path(path: &Path) -> PathBuf {
    let real = || Some(std::fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?));
    std::fs::canonicalize(path).ok().or_else(real).unwrap_or_else(|| path.to_path_buf())
}
