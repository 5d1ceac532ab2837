//! `sitegate gc`: clears away what neither the live release nor the kept ones need.

use sitegate_base::plural::count;
use sitegate_publish::gc;

use crate::store::{self, StoreArgs};
use crate::terminal::Outcome;

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Earlier releases to keep
    #[arg(long, value_name = "N", default_value_t = 5)]
    keep_releases: usize,
    /// Only report what would be removed
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args) -> Outcome {
    store::run(async {
        let target = args.store.open().await?;
        let removed = gc::collect_garbage(&target, args.keep_releases, args.dry_run).await?;
        let verb = if args.dry_run { "would clear" } else { "cleared" };
        store::print(|out| {
            writeln!(
                out,
                "{verb} {}, {}, {}",
                count(removed.releases.len(), "release"),
                count(removed.contents, "kept content"),
                count(removed.records, "record")
            )
        })
    })
}
