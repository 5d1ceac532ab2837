//! `sitegate rollback`: puts an earlier release back, from what the target keeps.

use std::time::Instant;

use sitegate_publish::rollback::{RollbackRequest, roll_back};

use crate::plan_output::{self, Ending};
use crate::store::{self, StoreArgs};
use crate::terminal::{AnswerArgs, AnswerFormat, Outcome};

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Release to restore [default: the one before]
    ///
    /// Its name or the beginning of it. The default is the latest release before the live one that was not rolled away
    /// from.
    #[arg(long, value_name = "RELEASE")]
    to: Option<String>,
    /// Show the plan without carrying it out
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    answer: AnswerArgs,
    /// Earlier releases to keep
    #[arg(long, value_name = "N", default_value_t = 5)]
    keep_releases: usize,
    /// Invalidate this CloudFront distribution
    #[arg(long, value_name = "ID", hide = !cfg!(feature = "network"))]
    invalidate: Option<String>,
    /// Drop unfinished steps of an earlier run
    #[arg(long, hide = !cfg!(feature = "network"))]
    drop_pending: bool,
}

pub fn run(args: &Args) -> Outcome {
    store::run(async {
        let start = Instant::now();
        let request = RollbackRequest {
            target: &args.store.target,
            options: args.store.options(),
            to: args.to.as_deref(),
            keep: args.keep_releases,
            dry_run: args.dry_run,
            invalidate: args.invalidate.as_deref(),
            drop_pending: args.drop_pending,
        };
        let human = args.answer.format == AnswerFormat::Human;
        let show = |plan: &_| {
            if human { store::print(|out| plan_output::plan(plan, &args.store.target, out)) } else { Ok(()) }
        };
        let rolled_back = roll_back(&request, &show, &store::listener(false)).await;
        let publication = rolled_back?;
        let restored = publication.plan.manifest.restores.clone().unwrap_or_default();
        let look = format!("the content of {restored} is live again");
        let ending = Ending { publication: &publication, look: &look, elapsed: start.elapsed() };
        store::print(|out| if human { ending.human(out) } else { ending.json(out) })
    })
}
