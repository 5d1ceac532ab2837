//! `sitegate publish`: puts live exactly what passed the check.

use std::time::Duration;

use sitegate_publish::publish::Afterwards;

use crate::release::{Execution, ReleaseArgs};
use crate::terminal::{Outcome, seconds};

/// What asks over the network is hidden where there is none.
const NO_NETWORK: bool = !cfg!(feature = "network");

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    release: ReleaseArgs,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what happens as it happens, one JSON object a line, to standard error
    #[arg(long)]
    events: bool,
    #[command(flatten)]
    after: AfterArgs,
    /// How long others wait for a publisher that stopped responding, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds(), help_heading = "Store")]
    lease: u64,
}

/// What follows when a release is live.
#[derive(Debug, clap::Args)]
struct AfterArgs {
    /// Then invalidate this CloudFront distribution, with the credentials of the target
    #[arg(long, value_name = "ID", help_heading = "When it is live", hide = NO_NETWORK)]
    invalidate: Option<String>,
    /// Then ask the live site at this address whether it answers as sealed
    #[arg(long, value_name = "URL", help_heading = "When it is live", hide = NO_NETWORK)]
    verify: Option<String>,
    /// How long to ask again until the site answers right, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = seconds(), help_heading = "When it is live", hide = NO_NETWORK)]
    patience: u64,
    /// Roll back if it does not
    #[arg(long, requires = "verify", help_heading = "When it is live", hide = NO_NETWORK)]
    rollback: bool,
    /// Leave out what an earlier publish asked for here and did not get done
    #[arg(long, help_heading = "When it is live", hide = NO_NETWORK)]
    drop_pending: bool,
}

pub fn run(args: &Args) -> Outcome {
    let after = &args.after;
    let execution = Execution {
        lease: Duration::from_secs(args.lease),
        events: args.events,
        afterwards: Afterwards {
            invalidate: after.invalidate.as_deref(),
            verify: after.verify.as_deref(),
            patience: Duration::from_secs(after.patience),
            rollback: after.rollback,
            drop_pending: after.drop_pending,
        },
    };
    args.release.run((!args.dry_run).then_some(execution))
}
