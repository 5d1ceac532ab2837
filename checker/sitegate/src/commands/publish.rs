//! `sitegate publish`: publishes exactly the files that passed the check.

use std::time::Duration;

use sitegate_publish::publish::PostPublish;

use crate::online;
use crate::release_args::{Execution, ReleaseArgs};
use crate::terminal::{Outcome, seconds};

/// Whether to hide the options that need the network.
const NO_NETWORK: bool = !online::IS_BUILT;

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    release: ReleaseArgs,
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

pub fn run(args: &Args) -> Outcome {
    let steps = &args.post_publish;
    let execution = Execution {
        lease: Duration::from_secs(args.lease),
        events: args.events,
        post_publish: PostPublish {
            invalidate: steps.invalidate.as_deref(),
            verify: steps.verify.as_deref(),
            patience: Duration::from_secs(steps.retry_for),
            timeout: args.release.target.options().timeout,
            rollback: steps.rollback,
            rollback_unverified: steps.rollback_unverified,
            drop_pending: steps.drop_pending,
            visitors: online::VISITORS,
        },
    };
    args.release.run((!args.dry_run).then_some(execution))
}
