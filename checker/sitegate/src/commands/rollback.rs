//! `sitegate rollback`: rolls back to an earlier release, using only files kept on the target.

use sitegate_base::shell_word::shell_word;
use sitegate_publish::rollback::{RollbackRequest, roll_back};

use crate::online;
use crate::plan_output::PlanPrinter;
use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::{CommandFormatArgs, Outcome};

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    /// Release to restore [default: the previous one]
    ///
    /// This is the name of a release, or its first characters. The default is the latest release before the live one that
    /// was not itself rolled back.
    #[arg(long, value_name = "RELEASE")]
    to: Option<String>,
    /// Show the plan without carrying it out
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    output: CommandFormatArgs,
    /// Number of earlier releases to keep
    #[arg(long, value_name = "N", default_value_t = 5)]
    keep_releases: usize,
    /// Invalidate this CloudFront distribution
    #[arg(long, value_name = "ID", hide = !online::IS_BUILT)]
    invalidate: Option<String>,
    /// Drop unfinished steps of an earlier run
    #[arg(long, hide = !online::IS_BUILT)]
    drop_pending: bool,
}

pub fn run(args: &Args) -> Outcome {
    runtime::run(async {
        let printer = PlanPrinter::begin(args.output, &args.target.url);
        let target = args.target.open().await?;
        let request = RollbackRequest {
            target: &target,
            to: args.to.as_deref(),
            keep: args.keep_releases,
            dry_run: args.dry_run,
            invalidate: args.invalidate.as_deref(),
            drop_pending: args.drop_pending,
        };
        let show = |plan: &_| printer.print_plan(plan);
        let rolled_back = roll_back(&request, &show, &runtime::event_listener(false)).await;
        let publication = rolled_back?;
        let hint = format!("see its state with: sitegate target status {}", shell_word(&publication.target));
        printer.print_result(&publication, &hint)
    })
}
