//! `sitegate target gc`: removes files that neither the live release nor a kept one needs.

use sitegate_base::plural::count;
use sitegate_publish::gc;

use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::Outcome;

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    /// Number of earlier releases to keep
    #[arg(long, value_name = "N", default_value_t = 5)]
    keep_releases: usize,
    /// Report what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args) -> Outcome {
    runtime::run(async {
        let target = args.target.open().await?;
        let removed = gc::collect_garbage(&target, args.keep_releases, args.dry_run).await?;
        let verb = if args.dry_run { "would remove" } else { "removed" };
        let kinds = [
            count(removed.releases.len(), "release"),
            count(removed.contents, "file") + " of earlier releases",
            count(removed.records, "record") + " of earlier runs",
        ];
        let counts = [removed.releases.len(), removed.contents, removed.records];
        let parts: Vec<String> =
            kinds.into_iter().zip(counts).filter(|(_, count)| *count > 0).map(|(kind, _)| kind).collect();
        runtime::print(|out| {
            if parts.is_empty() {
                return writeln!(out, "nothing to remove");
            }
            writeln!(out, "{verb} {}", parts.join(", "))?;
            removed.releases.iter().try_for_each(|release| writeln!(out, "  {release}"))
        })
    })
}
